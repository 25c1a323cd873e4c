"""Two hundred random answers, of every situation that a comparison knows."""

import numpy as np

from twofold import compare

COUNT = 200
PAIRWISE = ("wilcoxon", "sign", "paired-t")
WHOLE = ("tukey", "nemenyi", "quade")
ADJUSTMENTS = ("holm", "bonferroni", "hochberg", "finner")


def table(draw, k, *, gaps=False, ties=False):
    """Scores of k learners on some data sets."""
    n = int(draw.integers(5, 14))
    values = 0.8 + 0.02 * (draw.normal(0, 1, (n, k)) + draw.uniform(0, 2.5) * np.arange(k))
    if ties:
        values = np.round(values, 2)
    if gaps:
        values[draw.random((n, k)) < draw.uniform(0, 0.4)] = np.nan
        for j in range(k):  # every learner meets another one
            values[j % n, [j, (j + 1) % k]] = draw.normal(0.8, 0.02, 2)
    return {f"L{j}": [None if np.isnan(x) else float(x) for x in values[:, j]] for j in range(k)}


def folds(draw, k, *, metric="accuracy", datasets=1):
    """Scores of k learners on the folds of repeated cross-validations."""
    gap = draw.uniform(0, 0.03)
    return [
        {"dataset": f"d{d}", "learner": f"L{j}", "run": r, "fold": f,
         metric: 0.7 + gap * j + draw.normal(0, 0.03)}
        for d in range(datasets) for j in range(k) for r in range(3) for f in range(5)
    ]  # fmt: skip


def predictions(draw, k):
    """Predictions of k classifiers for one test set."""
    truth = draw.integers(0, 2, 120)
    right = {f"L{j}": draw.random(120) < 0.6 + 0.05 * j for j in range(k)}
    models = {name: np.where(hits, truth, 1 - truth).tolist() for name, hits in right.items()}
    return {"truth": truth.tolist()} | models


def pick(draw, *values):
    return values[int(draw.integers(len(values)))]


def compare_over_data_sets(draw):
    """Several learners over data sets: all tests, gaps, ties, controls, one-sided tests."""
    gaps, control = draw.random() < 0.3, draw.random() < 0.3
    scores = table(draw, int(draw.integers(3, 8)), gaps=gaps, ties=draw.random() < 0.5)
    test = pick(draw, "bayes-sign", None, *PAIRWISE, *WHOLE * (not gaps))
    if control and test in WHOLE:
        test = "dunnett"
    adjust = pick(draw, None, *ADJUSTMENTS, *["shaffer"] * (not gaps and not control))
    options = {"test": test, "higher_is_better": draw.random() < 0.8}
    options["adjust"] = adjust if test in (*PAIRWISE, None) else None
    if control:
        options["control"] = "L1"
        if test in (*PAIRWISE, "dunnett"):
            options["alternative"] = pick(draw, "greater", "less", "two-sided")
    return compare(scores, **options, rows="datasets")


def compare_two_over_data_sets(draw):
    """Two learners over data sets, with a rope, one-sided, with gaps."""
    test = pick(draw, *PAIRWISE, "relative-t", "bayes-sign", "bayes-signed-rank", None)
    options = {"test": test, "higher_is_better": draw.random() < 0.8}
    if test != "relative-t" and draw.random() < 0.3:
        options["rope"] = 0.01
    elif test in PAIRWISE and draw.random() < 0.5:
        options |= {"control": "L0", "alternative": pick(draw, "greater", "less")}
    return compare(
        table(draw, 2, gaps=draw.random() < 0.3, ties=draw.random() < 0.3),
        **options,
        rows="datasets",
    )


def compare_on_one_data_set(draw):
    """Two or several learners on the folds of one data set, scores or losses."""
    k = int(draw.integers(2, 7))
    options = {"rope": 0.01} if k == 2 and draw.random() < 0.5 else {}
    if k > 2 and draw.random() < 0.3:
        options = {"control": "L1"}
    return compare(folds(draw, k, metric=pick(draw, "accuracy", "rmse")), **options)


def compare_predictions(draw):
    """Two or several classifiers on one test set."""
    k = int(draw.integers(2, 6))
    options = {"control": "L0"} if k > 2 and draw.random() < 0.3 else {}
    return compare(predictions(draw, k), predictions=True, **options)


def compare_folds_of_several(draw):
    """The folds of several data sets: averaged, or in one hierarchical model."""
    k = int(draw.integers(2, 5))
    options = {"test": "bayes-hierarchical", "rope": 0.01} if k == 2 else {}
    return compare(folds(draw, k, datasets=int(draw.integers(4, 7))), **options)


def compare_ranks(draw):
    """Ranks in place of scores."""
    n, k = int(draw.integers(5, 12)), int(draw.integers(3, 6))
    order = np.argsort(draw.normal(0, 1, (n, k)) + 0.6 * np.arange(k), axis=1).argsort(axis=1) + 1
    return compare({f"L{j}": order[:, j].tolist() for j in range(k)}, ranks=True)


SITUATIONS = (
    *[compare_over_data_sets] * 4,
    *[compare_two_over_data_sets] * 2,
    compare_on_one_data_set,
    compare_predictions,
    compare_folds_of_several,
    compare_ranks,
)


def random_answer(seed):
    """Return one of the answers."""
    situation = SITUATIONS[seed % len(SITUATIONS)]
    return situation(np.random.default_rng([seed, 13]))
