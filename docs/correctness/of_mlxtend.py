"""What mlxtend prints."""

import math

import numpy as np
from known import CONVENTION, PERMUTATIONS
from printing import row, table
from scipy import stats


def mlxtend_rows():
    if not table("mlxtend", "mlxtend"):
        return
    from mlxtend import evaluate as ev
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.datasets import load_iris
    from sklearn.tree import DecisionTreeClassifier

    none = np.array([[60, 0], [0, 40]])
    row(
        "`mcnemar([[60, 0], [0, 40]])`",
        lambda: ev.mcnemar(none),
        f"p = {CONVENTION}",
        "0/0; its exact test gives 1",
    )
    row(
        "… `corrected=False`",
        lambda: ev.mcnemar(none, corrected=False),
        f"p = {CONVENTION}",
        "same",
    )
    for p1, p2, n in ((0.9, 0.5, 200), (0.8, 0.8, 200), (0.84, 0.92, 100)):
        z = (p1 - p2) / math.sqrt(p1 * (1 - p1) / n + p2 * (1 - p2) / n)
        row(
            f"`proportion_difference({p1}, {p2}, {n})`, z and p",
            lambda: ev.proportion_difference(p1, p2, n),
            (z, 2 * stats.norm.sf(abs(z))),
            "two-sided normal tail of the same z",
        )
    x, y = load_iris(return_X_y=True)
    for name in ("paired_ttest_5x2cv", "combined_ftest_5x2cv"):
        row(
            f"`{name}` of a tree with itself",
            lambda name=name: getattr(ev, name)(
                DecisionTreeClassifier(random_state=0),
                DecisionTreeClassifier(random_state=0),
                x,
                y,
                random_seed=1,
            ),
            f"p = {CONVENTION}",
            "0/0; no difference anywhere",
        )

    class Constant(ClassifierMixin, BaseEstimator):
        def __init__(self, s=1.0):
            self.s = s

        def fit(self, x, y):
            self.classes_ = np.unique(y)
            return self

    row(
        "`combined_ftest_5x2cv`, always .75 against .50",
        lambda: ev.combined_ftest_5x2cv(
            Constant(0.75), Constant(0.5), x, y, scoring=lambda e, *_: e.s, random_seed=1
        ),
        "inf, p = 0 by convention",
        "the limit of x/0; its t test prints that",
    )
    ok = np.ones(40, int)
    row(
        "`cochrans_q`, three classifiers with no error, p",
        lambda: ev.cochrans_q(ok, ok, ok, ok)[1],
        CONVENTION,
        PERMUTATIONS,
    )
    rng = np.random.default_rng(1)
    truth = np.ones(10, int)
    preds = [(rng.random(10) < p).astype(int) for p in (0.9, 0.4, 0.5)]
    f, _ = ev.ftest(truth, *preds)
    row(
        "`ftest`, 3 classifiers, 10 objects: p of F = 2.0526",
        lambda: ev.ftest(truth, *preds)[1],
        stats.f.sf(f, 2, 18),
        "residual df (k−1)(n−1) = 18; documented as (k−1)n = 20",
    )
