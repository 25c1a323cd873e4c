"""What aeon prints."""

import contextlib
import io
import json
import math
import os
import tempfile

import numpy as np
import pandas as pd
from known import R6, SAME, SE, A, B, D
from printing import row, show, table
from scipy import stats


def mcm(x, cols, **k):
    """Return the analysis behind aeon's comparison matrix."""
    import matplotlib.pyplot as plt
    from aeon.visualisation import create_multi_comparison_matrix

    with tempfile.TemporaryDirectory() as d, contextlib.redirect_stdout(io.StringIO()):
        create_multi_comparison_matrix(
            pd.DataFrame(x, columns=cols), save_path=os.path.join(d, "m"), formats=["json"], **k
        )
        plt.close("all")
        with open(os.path.join(d, "m_analysis.json")) as f:
            return json.load(f)


def aeon_rows():
    if not table("aeon", "aeon"):
        return
    import matplotlib.pyplot as plt
    from aeon.benchmarking.stats import nemenyi_test
    from aeon.visualisation import plot_pairwise_scatter

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
    z = np.random.default_rng(1086).normal(size=(8, 3)) + np.array([0.9, 0.45, 0])

    def flags():
        r = mcm(z, list("abc"))
        pairs = ["a-vs-b", "a-vs-c", "b-vs-c"]
        return (
            "p "
            + ", ".join(show(r[k]["pvalue"]) for k in pairs)
            + f": {sum(r[k]['is-significant'] for k in pairs)} significant"
        )

    row(
        "`create_multi_comparison_matrix`, three learners, Holm at .05",
        flags,
        "0 significant",
        "smallest p > .05/3: Holm stops at once",
    )
    row("… three identical learners", lambda: mcm(SAME, list("abc")), "p = 1", "every flip alike")

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
