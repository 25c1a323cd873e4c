"""What aeon prints."""

import contextlib
import io
import json
import math
import os
import tempfile

import numpy as np
import pandas as pd
from known import NAMES, R6, SAME, SE, T6, A, B, D
from printing import row, show, table
from scipy import stats


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
