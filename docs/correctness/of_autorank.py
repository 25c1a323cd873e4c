"""What autorank prints."""

import contextlib
import io
import math

import numpy as np
import pandas as pd
from known import CONVENTION, FLIP_DROP, FRAME, PERMUTATIONS, SAME, T6, A, D
from printing import row, show, table
from scipy import stats


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
    row(
        "`autorank(three identical columns, force_mode='nonparametric').pvalue`",
        lambda: run(same, force_mode="nonparametric").pvalue,
        CONVENTION,
        PERMUTATIONS,
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
