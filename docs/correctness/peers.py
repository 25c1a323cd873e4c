"""Reruns every row of ../correctness.md and prints its tables.

    python peers.py            # Markdown tables: call | prints | right value | established by

Needs numpy, scipy and pandas, and whichever of the peers are installed (others are skipped): statsmodels,
autorank, aeon, statds, mlxtend, scikit-posthocs, pingouin, baycomp, matplotlib, scikit-learn.
"""

import contextlib
import importlib.metadata
import io
import itertools
import json
import math
import os
import sys
import tempfile
import warnings

os.environ.setdefault("MPLBACKEND", "Agg")
warnings.simplefilter("ignore")

import numpy as np
import pandas as pd
from scipy import stats

np.seterr(all="ignore")

# ---- Demšar 2006, Tables 2 and 6 --------------------------------------------------------------------------------
NAMES = ["C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf"]
T6 = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1, 1, 1, 1],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
R6 = np.array(
    [
        [4, 3, 2, 1],
        [1, 2, 3, 4],
        [4, 1, 2, 3],
        [4, 1, 3, 2],
        [4, 2, 3, 1],
        [1, 2.5, 4, 2.5],
        [3, 2, 4, 1],
        [2.5, 2.5, 4, 1],
        [4, 3, 2, 1],
        [2.5] * 4,
        [4, 2.5, 1, 2.5],
        [3, 2, 4, 1],
        [4, 1, 2, 3],
        [3, 1, 4, 2],
    ]
)
A, B = T6[:, 0], T6[:, 1]
D = np.round(B - A, 3)
FRAME = pd.DataFrame(T6, columns=NAMES)
SE = math.sqrt(4 * 5 / (6 * 14))
MEANRANK = dict(zip(NAMES, R6.mean(0), strict=False))


# ---- reference computations -------------------------------------------------------------------------------------
def sign_flip_p(d, keep_zeros):
    """Exact two-sided signed-rank p: every one of the 2^n sign patterns, with the ranks (ties included) as they are."""
    d = np.round(np.asarray(d, float), 10)
    if not keep_zeros:
        d = d[d != 0]
    r = stats.rankdata(np.abs(d))
    observed = abs(np.sum(r * np.sign(d)))
    r = r[d != 0]
    flips = np.array(list(itertools.product([-1, 1], repeat=len(r))))
    return float(np.mean(np.abs(flips @ r) >= observed - 1e-9))


def friedman_by_hand(ranks):
    n, k = ranks.shape
    chi2 = 12 * n / (k * (k + 1)) * (np.sum(ranks.mean(0) ** 2) - k * (k + 1) ** 2 / 4)
    return chi2, (n - 1) * chi2 / (n * (k - 1) - chi2)


def friedman_exact_p(n, k, statistic):
    perms = np.array(list(itertools.permutations(range(1, k + 1))))
    hits = total = 0
    for rows in itertools.product(range(len(perms)), repeat=n):
        total += 1
        hits += friedman_by_hand(perms[list(rows)])[0] >= statistic - 1e-9
    return hits / total


# ---- printing ---------------------------------------------------------------------------------------------------
def show(x):
    if isinstance(x, str):
        return x
    if isinstance(x, (tuple, list, np.ndarray)):
        return "(" + ", ".join(show(v) for v in x) + ")"
    if isinstance(x, (bool, np.bool_)):
        return str(bool(x))
    if isinstance(x, (float, np.floating, int, np.integer)):
        x = float(x)
        if math.isnan(x):
            return "nan"
        if math.isinf(x):
            return "inf" if x > 0 else "-inf"
        if x == int(x) and abs(x) < 1e4:
            return f"{int(x)}"
        return f"{x:.2g}" if abs(x) < 1e-3 else f"{x:.4f}"
    return str(x)


def quiet(f, *args, **kwargs):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            return f(*args, **kwargs)
    except Exception as e:  # what the user would see
        return type(e).__name__


def row(call, got, right, how):
    if callable(got):
        got = quiet(got)
    print(f"| {call} | {show(got)} | {show(right)} | {how} |")


def table(title, package=None, head="call | prints | right | established by"):
    version = ""
    if package:
        try:
            version = " " + importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            print(f"\n### {title}: not installed, skipped")
            return False
    print(f"\n### {title}{version}\n\n| {head} |\n|---|---|---|---|")
    return True


FLIP_KEEP, FLIP_DROP = sign_flip_p(D, True), sign_flip_p(D, False)
# ten data sets, eight gains and two losses of exactly .01: with everything tied, Wilcoxon is the sign test
X01 = np.array([0.57, 0.69, 0.86, 0.87, 0.88, 0.89, 0.90, 0.91, 0.92, 0.94])
Y01 = np.array([0.56, 0.68, 0.87, 0.88, 0.89, 0.90, 0.91, 0.92, 0.93, 0.95])
SAME = np.c_[A, A, A]


def scipy_rows():
    if not table("scipy", "scipy"):
        return
    flips = "all sign flips; R"
    row(
        "`wilcoxon(d, method='exact')`, T2",
        stats.wilcoxon(D, method="exact").pvalue,
        FLIP_DROP,
        flips,
    )
    row(
        "`wilcoxon(d, zero_method='zsplit', method='exact')`, T2",
        stats.wilcoxon(D, zero_method="zsplit", method="exact").pvalue,
        FLIP_KEEP,
        "all sign flips",
    )
    row(
        "`wilcoxon(d, zero_method='pratt', method='exact')`, T2",
        stats.wilcoxon(D, zero_method="pratt", method="exact").pvalue,
        FLIP_KEEP,
        flips,
    )
    row(
        "`wilcoxon(y, x)`, gains and losses all of .01",
        stats.wilcoxon(Y01, X01).pvalue,
        sign_flip_p(Y01 - X01, True),
        "all sign flips; = sign test 8:2",
    )
    row("`wilcoxon(a, a)`, 14 data sets", stats.wilcoxon(A, A).pvalue, 1, "every flip alike")
    row("`ttest_rel(a, a)`", stats.ttest_rel(A, A).pvalue, 1, "every flip alike")
    row(
        "`friedmanchisquare(a, a, a)`",
        stats.friedmanchisquare(A, A, A).pvalue,
        1,
        "every permutation alike",
    )


def statsmodels_rows():
    if not table("statsmodels", "statsmodels"):
        return
    from statsmodels.stats.anova import AnovaRM
    from statsmodels.stats.contingency_tables import cochrans_q, mcnemar
    from statsmodels.stats.multitest import multipletests

    row(
        "`mcnemar([[60, 0], [0, 40]], exact=False)`, p",
        mcnemar([[60, 0], [0, 40]], exact=False).pvalue,
        1,
        "exact binomial, 0 of 0",
    )
    row(
        "`multipletests([.01, .02, nan], method='holm')`, reject",
        multipletests([0.01, 0.02, np.nan], method="holm")[0],
        "nan is not a rejection",
        "R's p.adjust: .02, .02, NA",
    )
    long = pd.DataFrame(SAME).reset_index().melt(id_vars="index")
    row(
        "`AnovaRM` on three identical columns, p",
        lambda: (
            AnovaRM(long, "value", "index", within=["variable"]).fit().anova_table["Pr > F"].iloc[0]
        ),
        1,
        "SS between = 0",
    )
    row(
        "`cochrans_q(ones)`, all always right, p",
        cochrans_q(np.ones((10, 3)), return_object=True).pvalue,
        1,
        "every permutation alike",
    )


def autorank_rows():
    if not table("autorank", "autorank"):
        return
    from autorank import autorank
    from statsmodels.stats.anova import AnovaRM

    def run(*a, **k):
        with contextlib.redirect_stdout(io.StringIO()):
            return autorank(*a, **k)

    row(
        "`autorank(T2, force_mode='nonparametric').pvalue`",
        lambda: run(FRAME.iloc[:, :2], force_mode="nonparametric").pvalue,
        f"{show(stats.wilcoxon(D).pvalue)} (exact {show(FLIP_DROP)})",
        "two-sided; all sign flips",
    )
    long = FRAME.reset_index().melt(id_vars="index")
    fit = AnovaRM(long, "value", "index", within=["variable"]).fit().anova_table
    between = 14 * np.sum((T6.mean(0) - T6.mean()) ** 2) / 3
    ms = between / fit["F Value"].iloc[0]
    for alpha in (0.05, 0.01):

        def width(alpha=alpha):
            r = run(FRAME, alpha=alpha, force_mode="parametric").rankdf
            return float((r.ci_upper - r.ci_lower).iloc[0])

        q = stats.studentized_range.isf(alpha, 4, 39)
        row(
            f"`autorank(T6, alpha={alpha}, force_mode='parametric')`, width of the Tukey interval",
            width,
            q * math.sqrt(ms / 14),
            "q·√(MS/N), residual MS of the paired design",
        )
    holes = FRAME.copy()
    holes.iloc[0, 0] = np.nan
    row(
        "`autorank(T6 with one missing cell).pvalue`",
        lambda: run(holes).pvalue,
        "an error, or an incomplete-block test",
        "documented as not allowed",
    )
    same = pd.DataFrame(SAME, columns=list("abc"))
    row("`autorank(three identical columns).pvalue`", lambda: run(same).pvalue, 1, "SS between = 0")
    row(
        "`… force_mode='nonparametric').pvalue`",
        lambda: run(same, force_mode="nonparametric").pvalue,
        1,
        "every permutation alike",
    )
    skew = pd.DataFrame({"a": np.exp(np.arange(30.0) / 5), "b": np.exp(np.arange(30.0) / 5) + 1})
    n = 30

    def ci():
        r = run(skew, force_mode="nonparametric").rankdf.loc["a"]
        order = list(skew["a"])
        lo, hi = order.index(r.ci_lower) + 1, order.index(r.ci_upper) + 1
        cover = stats.binom.cdf(hi - 1, n, 0.5) - stats.binom.cdf(lo - 1, n, 0.5)
        return f"x({lo}) to x({hi}), covers {cover:.4f}"

    lo = 1
    while 1 - 2 * stats.binom.cdf(lo, n, 0.5) >= 0.975:
        lo += 1
    row(
        "median interval, N = 30, α = .05, two columns (nominal .975 each)",
        ci,
        f"x({lo}) to x({n + 1 - lo}), covers {1 - 2 * stats.binom.cdf(lo - 1, n, 0.5):.4f}",
        "binomial",
    )

    def shown():
        r = run(FRAME, force_mode="nonparametric").rankdf.loc["C4.5"]
        return f"median {r['median']:.4f}, interval {r.ci_lower:.4f} to {r.ci_upper:.4f}"

    half = stats.t.ppf(1 - 0.05 / 4 / 2, 13) * A.std(ddof=1) / math.sqrt(14)
    row(
        "`autorank(T6, force_mode='nonparametric').rankdf`, row C4.5",
        shown,
        f"that interval is the mean's: {A.mean():.4f} ± {half:.4f}",
        "t formula",
    )

    def reference():
        r = run(FRAME, force_mode="nonparametric").rankdf
        return f"{r.index[0]}, mean rank {r.meanrank.iloc[0]:.2f}"

    row(
        "reference of the effect sizes (row 1 of `rankdf`)",
        reference,
        "the best, C4.5+m+cf",
        'documentation: "highest ranking"',
    )


def aeon_rows():
    if not table("aeon", "aeon"):
        return
    import matplotlib.pyplot as plt
    from aeon.benchmarking.stats import nemenyi_test
    from aeon.visualisation import (
        create_multi_comparison_matrix,
        plot_critical_difference,
        plot_pairwise_scatter,
    )

    def mcm(x, cols, **k):
        with tempfile.TemporaryDirectory() as d, contextlib.redirect_stdout(io.StringIO()):
            create_multi_comparison_matrix(
                pd.DataFrame(x, columns=cols), save_path=os.path.join(d, "m"), formats=["json"], **k
            )
            plt.close("all")
            with open(os.path.join(d, "m_analysis.json")) as f:
                return json.load(f)

    def implied_cd(k, n, alpha):  # bisect the difference at which the verdict turns
        lo, hi = 0.0, 10.0
        for _ in range(60):
            mid = (lo + hi) / 2
            joined = nemenyi_test(np.r_[1.0, 1 + mid, [1 + mid] * (k - 2)], n, alpha)[0, 1]
            lo, hi = (mid, hi) if joined else (lo, mid)
        return lo

    for alpha in (0.05, 0.1):
        q = stats.studentized_range.isf(alpha, 4, np.inf) / math.sqrt(2)
        row(
            f"`nemenyi_test`, k = 4, N = 14, α = {alpha}: the CD it uses",
            lambda alpha=alpha: implied_cd(4, 14, alpha),
            q * SE,
            "studentized range; R's qtukey",
        )
    row(
        "… C4.5 and C4.5+m+cf joined at α = .1",
        lambda: bool(nemenyi_test(np.sort(R6.mean(0)), 14, 0.1)[0, 3]),
        False,
        "1.179 > 1.118; the paper",
    )
    key = "C4.5+m+cf-vs-C4.5"
    two = stats.wilcoxon(np.round(T6[:, 3] - A, 3), zero_method="pratt").pvalue
    row(
        "`create_multi_comparison_matrix(T6)`, p of C4.5+m+cf and C4.5 (11 wins, 2 losses)",
        lambda: mcm(T6, NAMES)[key]["pvalue"],
        two,
        "two-sided, same approximation",
    )
    row(
        "… columns reversed",
        lambda: mcm(T6[:, ::-1], NAMES[::-1])[key]["pvalue"],
        two,
        "order must not matter",
    )
    z = [*np.random.default_rng(1086).normal(size=(8, 3)), 0.9, 0.45, 0]

    def flags():
        r = mcm(z, list("abc"))
        pairs = ["a-vs-b", "a-vs-c", "b-vs-c"]
        return (
            "p "
            + ", ".join(show(r[k]["pvalue"]) for k in pairs)
            + f": {sum(r[k]['is-significant'] for k in pairs)} significant"
        )

    row(
        "… three learners, Holm at .05",
        flags,
        "0 significant",
        "smallest p > .05/3: Holm stops at once",
    )
    row("… three identical learners", lambda: mcm(SAME, list("abc")), "p = 1", "every flip alike")

    def rejected(alpha):
        p = plot_critical_difference(T6, NAMES, alpha=alpha, return_p_values=True)[2]
        plt.close("all")
        return int(np.sum(p[np.triu_indices(4, 1)] <= alpha / 3))

    def holm(alpha):
        p = np.sort(
            [
                stats.wilcoxon(np.round(T6[:, i] - T6[:, j], 3)).pvalue
                for i in range(4)
                for j in range(i)
            ]
        )
        c = 0
        while c < 6 and p[c] <= alpha / (6 - c):
            c += 1
        return c

    for alpha in (0.1, 0.05):
        row(
            f'`plot_critical_difference(T6, alpha={alpha})`, pairs told apart by "holm"',
            lambda alpha=alpha: rejected(alpha),
            holm(alpha),
            "Holm over 6 two-sided tests",
        )

    def scatter():
        fig = plot_pairwise_scatter(A, B, "C4.5", "C4.5+m", statistic_tests=True)[0]
        plt.close("all")
        return fig.texts[0].get_text().replace("\n", "; ")

    row(
        "`plot_pairwise_scatter(T2, statistic_tests=True)`",
        scatter,
        f"{show(stats.wilcoxon(D).pvalue)}; {show(stats.ttest_rel(B, A).pvalue)}",
        "two-sided, the hypothesis it names",
    )


def statds_rows():
    if not table("statds", "statds"):
        return
    import matplotlib.pyplot as plt
    from statds import no_parametrics as npar
    from statds import parametrics as par

    two = FRAME.iloc[:, :2]
    row(
        "`t_test_paired(T2)`, p and verdict",
        lambda: (lambda r: (r[1], r[3][:17]))(par.t_test_paired(two)),
        stats.ttest_rel(A, B).pvalue,
        "scipy, R",
    )
    row(
        "… the two columns swapped",
        lambda: (lambda r: (r[1], r[3][:9]))(par.t_test_paired(two.iloc[:, ::-1])),
        stats.ttest_rel(A, B).pvalue,
        "scipy, R",
    )
    row(
        "`t_test_paired(a, a)`",
        lambda: (lambda r: (r[1], r[3][:9]))(par.t_test_paired(pd.DataFrame({"a": A, "b": A}))),
        1,
        "every flip alike",
    )
    ds = list(range(12))
    row(
        "`friedman`, k = 2, each wins 6 of 12",
        lambda: (lambda r: (r[1], r[4][:9]))(
            npar.friedman(pd.DataFrame({"d": ds, "a": [1.0, 0] * 6, "b": [0.0, 1] * 6}))
        ),
        "fail to reject, p = 1",
        "sign test 6:6",
    )
    row(
        "`friedman`, k = 2, one wins 12 of 12",
        lambda: (lambda r: (r[1], r[4][:17]))(
            npar.friedman(pd.DataFrame({"d": ds, "a": [1.0] * 12, "b": [0.0] * 12}))
        ),
        f"reject, p = {show(2 * 0.5**12)}",
        "sign test 12:0",
    )
    row(
        "`quade`, 8 data sets all ranking a > b > c alike",
        lambda: npar.quade(
            pd.DataFrame({"d": range(8), "a": [3.0] * 8, "b": [2.0] * 8, "c": [1.0] * 8})
        )[1:3],
        6.0**-7,
        "(1/k!)^(N−1), as R's quade.test",
    )
    se = np.array([(MEANRANK["C4.5"] - MEANRANK[n]) / SE for n in NAMES[1:]])
    p = 2 * stats.norm.sf(se)
    order = np.argsort(p)
    adj = np.empty(3)

    def step(values, up=False):
        values = np.minimum.accumulate(values[::-1])[::-1] if up else np.maximum.accumulate(values)
        adj[order] = np.minimum(values, 1)
        return adj.copy()

    s, m = p[order], np.array([3, 2, 1])
    right = {
        "holm": step(s * m),
        "hochberg": step(s * m, True),
        "finner": step(1 - (1 - s) ** (3 / np.array([1, 2, 3]))),
    }
    for name, r in right.items():

        def adjusted(name=name):
            out = getattr(npar, name)(MEANRANK, 14, control="C4.5")[0]
            plt.close("all")
            return list(out["Adjusted p-value"])

        row(
            f"`{name}`, T6 ranks, control C4.5: adjusted p of +m, +cf, +m+cf",
            adjusted,
            list(r),
            "by hand" + ("" if name == "finner" else "; R's p.adjust"),
        )

    def level(name, i):
        out = getattr(npar, name)(MEANRANK, 14, control="C4.5")[0]["Adjusted alpha"].iloc[i]
        plt.close("all")
        return out

    row(
        "`hochberg`: level for the second smallest p of three",
        lambda: level("hochberg", 0),
        0.025,
        "α/2",
    )
    for name in ("finner", "holland"):
        row(
            f"`{name}`: level for the smallest p of three",
            lambda name=name: level(name, 2),
            1 - 0.95 ** (1 / 3),
            "1 − (1 − α)^(1/3)",
        )

    def rom():
        out = npar.rom(MEANRANK, 14, control="C4.5")[0]["Results"].iloc[0]
        plt.close("all")
        return out

    row("`rom`: C4.5+m, p = .0192", rom, "Reject H0", "second largest p ≤ α/2, as in Hochberg")

    def shaffer():
        out = npar.shaffer(MEANRANK, 14)[0].iloc[2]
        plt.close("all")
        return f"adjusted p {show(out['Adjusted p-value'])}, {out['Results']}"

    row(
        "`shaffer`: C4.5 and C4.5+m+cf, α = .05",
        shaffer,
        "adjusted p .0943, do not reject",
        ".0943 > .05",
    )

    def mc():
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            npar.mcnemar([1, 1, 0], [1, 1, 0], [1, 0, 0])
        return out.getvalue().split(" with")[0]

    row("`mcnemar` of a classifier with itself", mc, "p = 1", "exact binomial, 0 of 0")
    row(
        "`wilcoxon(T2)` with pandas 3",
        lambda: show(npar.wilcoxon(two)[1]),
        FLIP_DROP,
        "all sign flips",
    )


def mlxtend_rows():
    if not table("mlxtend", "mlxtend"):
        return
    from mlxtend import evaluate as ev
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.datasets import load_iris
    from sklearn.tree import DecisionTreeClassifier

    none = np.array([[60, 0], [0, 40]])
    row(
        "`mcnemar([[60, 0], [0, 40]])`", lambda: ev.mcnemar(none), "p = 1", "exact binomial, 0 of 0"
    )
    row("… `corrected=False`", lambda: ev.mcnemar(none, corrected=False), "p = 1", "same")
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
            "0, p = 1",
            "no difference anywhere",
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
        "inf, p = 0",
        "limit; its t test prints that",
    )
    ok = np.ones(40, int)
    row(
        "`cochrans_q`, three classifiers with no error, p",
        lambda: ev.cochrans_q(ok, ok, ok, ok)[1],
        1,
        "every permutation alike",
    )
    rng = np.random.default_rng(1)
    truth = np.ones(10, int)
    preds = [(rng.random(10) < p).astype(int) for p in (0.9, 0.4, 0.5)]
    f, _ = ev.ftest(truth, *preds)
    row(
        "`ftest`, 3 classifiers, 10 objects: p of F = 2.0526",
        lambda: ev.ftest(truth, *preds)[1],
        stats.f.sf(f, 2, 18),
        "residual df (k−1)(n−1) = 18, not 20; statsmodels AnovaRM",
    )


def posthocs_rows():
    if not table("scikit-posthocs", "scikit-posthocs"):
        return
    import scikit_posthocs as sp

    wide = pd.DataFrame({"a": A, "b": A, "c": B})
    row(
        "`posthoc_wilcoxon`, learners a and b identical, 14 data sets",
        lambda: sp.posthoc_wilcoxon(wide.melt(), val_col="value", group_col="variable").loc[
            "a", "b"
        ],
        1,
        "every flip alike",
    )
    row(
        "`posthoc_conover_friedman`, three identical learners, p of a pair",
        lambda: sp.posthoc_conover_friedman(pd.DataFrame(SAME)).iloc[0, 1],
        1,
        "every permutation alike",
    )
    row(
        "`posthoc_quade`, same",
        lambda: sp.posthoc_quade(pd.DataFrame(SAME)).iloc[0, 1],
        1,
        "every permutation alike",
    )
    holes = FRAME.copy()
    holes.iloc[0, 0] = np.nan
    row(
        "`posthoc_nemenyi_friedman(T6 with one missing cell)`, C4.5 and C4.5+m+cf, no warning",
        lambda: sp.posthoc_nemenyi_friedman(holes).iloc[0, 3],
        f"{show(sp.posthoc_nemenyi_friedman(FRAME).iloc[0, 3])} with the cell",
        "the whole data set is dropped: say so",
    )


def pingouin_rows():
    if not table("pingouin", "pingouin"):
        return
    import pingouin as pg

    row(
        "`wilcoxon(b, a, method='exact')`, T2",
        lambda: pg.wilcoxon(B, A, method="exact")["p_val"].iloc[0],
        FLIP_DROP,
        "all sign flips; R",
    )
    row(
        "`wilcoxon(a, a)`, 14 data sets",
        lambda: pg.wilcoxon(A, A)["p_val"].iloc[0],
        1,
        "every flip alike",
    )
    row(
        "`ttest(a, a, paired=True)`",
        lambda: pg.ttest(A, A, paired=True)["p_val"].iloc[0],
        1,
        "every flip alike",
    )
    long = pd.DataFrame(SAME).reset_index().melt(id_vars="index")
    row(
        "`friedman`, three identical learners",
        lambda: pg.friedman(data=long, dv="value", within="variable", subject="index")[
            "p_unc"
        ].iloc[0],
        1,
        "every permutation alike",
    )
    row(
        "`pairwise_tests(parametric=False)`, same: columns of p",
        lambda: str(
            sum(
                c.startswith("p_") and c != "p_adjust"
                for c in pg.pairwise_tests(
                    data=long,
                    dv="value",
                    within="variable",
                    subject="index",
                    parametric=False,
                    padjust="holm",
                ).columns
            )
        ),
        "p = 1 thrice",
        "every flip alike",
    )


def baycomp_rows():
    if not table("baycomp", "baycomp"):
        return
    import baycomp as bc

    z = np.full(10, 0.8)
    args = {"nsamples": 20000, "random_state": 1}
    row(
        "`SignedRankTest.probs(z, z, rope=0)`",
        lambda: bc.SignedRankTest.probs(z, z, 0, **args),
        "(.5, .5)",
        "symmetry; `two_on_single` gives it",
    )
    row(
        "`SignTest.probs(z, z, rope=0)`",
        lambda: bc.SignTest.probs(z, z, 0, **args),
        "(.5, .5)",
        "symmetry",
    )
    row(
        "`SignTest.probs(all nan, b, rope=.01)`",
        lambda: bc.SignTest.probs(A * np.nan, B, 0.01, **args),
        "an error",
        "no data is no evidence of equality",
    )
    holes = A.copy()
    holes[0] = np.nan
    drop = bc.SignedRankTest.probs(A[1:], B[1:], 0, **args)
    row(
        "`SignedRankTest.probs(T2 with one nan, rope=0)`",
        lambda: bc.SignedRankTest.probs(holes, B, 0, **args),
        f"an error, or {show(drop)} without that data set",
        "nan counts as a win of the first",
    )


def definition_rows():
    table("Different definition, both legitimate", head="call | prints | other definition | from")
    chi2, f = friedman_by_hand(R6)
    own = friedman_by_hand(stats.rankdata(-T6, axis=1))
    row(
        "scipy `friedmanchisquare`, T6 ranks (tie-corrected)",
        stats.friedmanchisquare(*R6.T).statistic,
        f"{chi2:.4f} (F_F {f:.4f})",
        "Demšar's formula",
    )
    row(
        "scipy `friedmanchisquare`, T6 printed scores",
        stats.friedmanchisquare(*T6.T).statistic,
        f"{own[0]:.4f} (F_F {own[1]:.4f})",
        "Demšar's formula",
    )
    row(
        "scipy `friedmanchisquare`, N = 3, k = 3, same order thrice: p",
        stats.friedmanchisquare([1] * 3, [2] * 3, [3] * 3).pvalue,
        friedman_exact_p(3, 3, 6),
        "all 216 rank tables",
    )
    row(
        "scipy `wilcoxon(d)` default, T2: T, p",
        (stats.wilcoxon(D).statistic, stats.wilcoxon(D).pvalue),
        f"T = 12, p = {show(FLIP_KEEP)}",
        "zeros split as in the paper; sign flips",
    )
    with contextlib.suppress(ImportError):
        import pingouin as pg

        long = FRAME.reset_index().melt(id_vars="index")
        r = pg.friedman(data=long, dv="value", within="variable", subject="index", method="f").iloc[
            0
        ]
        row(
            "pingouin `friedman(method='f')`, T6 scores: F, df",
            (r["F"], r["ddof1"], r["ddof2"]),
            f"{own[1]:.4f}, 3, 39",
            "Iman–Davenport, no tie correction",
        )
        row(
            "pingouin `wilcoxon(b, a)`, T2 (continuity-corrected)",
            pg.wilcoxon(B, A)["p_val"].iloc[0],
            FLIP_DROP,
            "sign flips",
        )
    with contextlib.suppress(ImportError):
        import scikit_posthocs as sp

        long = FRAME.melt().sample(frac=1, random_state=1)
        row(
            "scikit-posthocs `posthoc_wilcoxon`, T6 as a long table with shuffled rows: C4.5 and C4.5+m",
            sp.posthoc_wilcoxon(long, val_col="value", group_col="variable").loc["C4.5", "C4.5+m"],
            stats.wilcoxon(D).pvalue,
            "unshuffled; documented: pairs go by position",
        )
    with contextlib.suppress(ImportError):
        from mlxtend.evaluate import mcnemar

        row(
            "mlxtend, statsmodels, pingouin: McNemar, b = c = 5: χ², p",
            mcnemar(np.array([[50, 5], [5, 40]])),
            "0, 1",
            "R's mcnemar.test; exact",
        )


def paper_rows():
    table("Figures in Demšar 2006", head="where | printed | exact | established by")
    w05 = [5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 18, 18]
    w10 = [5, 6, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 14, 15, 16, 16, 17]
    for alpha, printed in ((0.05, w05), (0.10, w10)):

        def critical(n, sides):
            return next(
                (w for w in range(n + 1) if sides * stats.binom.sf(w - 1, n, 0.5) <= alpha), None
            )

        ns = range(5, 26)
        two = sum(critical(n, 2) == w for n, w in zip(ns, printed, strict=False))
        off = [
            f"N={n}: {w}, exact {critical(n, 1)}"
            for n, w in zip(ns, printed, strict=False)
            if critical(n, 1) != w
        ]
        liberal = sum(
            2 * stats.binom.sf(w - 1, n, 0.5) > alpha for n, w in zip(ns, printed, strict=False)
        )
        z = stats.norm.isf(alpha / 2)
        rule = sum(
            math.ceil(n / 2 + z * math.sqrt(n) / 2) == w for n, w in zip(ns, printed, strict=False)
        )
        row(
            f'Table 3, α = {alpha:.2f}, "two-tailed"',
            "21 entries",
            f"{21 - len(off)} of 21 equal the one-sided values"
            + (f" (not {'; '.join(off)})" if off else "")
            + f"; {two} equal the two-sided; {rule} the normal rule of the text; {liberal} have two-sided p > α",
            "Binomial(N, ½)",
        )
    row("sign test, 11 of 14", "p < 0.05", 2 * stats.binom.sf(10, 14, 0.5), "two-sided binomial; R")
    row("Table 5(b), k = 9, α = .05", "2.724", stats.norm.isf(0.05 / 16), "Φ⁻¹(1 − .05/16)")
    row(
        "Table 5(a), k = 3 and k = 7, α = .05",
        "2.343, 2.949",
        [stats.studentized_range.isf(0.05, k, np.inf) / math.sqrt(2) for k in (3, 7)],
        "studentized range; R's qtukey",
    )
    row("Table 6, voting: ranks of .975 and .975", "2, 3", "2.5, 2.5", "tie as printed")
    row(
        "χ²_F, F_F",
        "9.28, 3.69",
        f"{show(friedman_by_hand(R6))} from its ranks, {show(friedman_by_hand(stats.rankdata(-T6, axis=1)))} from its scores",
        "the paper's formulas",
    )
    row("Bonferroni–Dunn CD", "1.16", stats.norm.isf(0.05 / 6) * SE, "2.394 · 0.48795")
    z = (MEANRANK["C4.5"] - MEANRANK["C4.5+cf"]) / SE
    row(
        "p of C4.5+cf, z = 0.512",
        "0.607",
        f"{show(2 * stats.norm.sf(z))} (from z = 0.512: {show(2 * stats.norm.sf(0.512))})",
        "2(1 − Φ(z))",
    )


if __name__ == "__main__":
    print(
        "Python "
        + sys.version.split()[0]
        + ", "
        + ", ".join(f"{p} {importlib.metadata.version(p)}" for p in ("numpy", "scipy", "pandas"))
    )
    for section in (
        scipy_rows,
        statsmodels_rows,
        autorank_rows,
        aeon_rows,
        statds_rows,
        mlxtend_rows,
        posthocs_rows,
        pingouin_rows,
        baycomp_rows,
        definition_rows,
        paper_rows,
    ):
        section()
