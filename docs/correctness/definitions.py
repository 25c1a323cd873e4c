"""Where two definitions are both legitimate."""

import contextlib

import numpy as np
from known import (
    FLIP_DROP,
    FLIP_KEEP,
    FRAME,
    NAMES,
    R6,
    T6,
    A,
    B,
    D,
    friedman_by_hand,
    friedman_exact_p,
)
from printing import row, show, table
from scipy import stats


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
        holes = FRAME.copy()
        holes.iloc[0, 0] = np.nan
        row(
            "scikit-posthocs `posthoc_nemenyi_friedman`, T6 without one cell: C4.5 and C4.5+m+cf",
            sp.posthoc_nemenyi_friedman(holes).iloc[0, 3],
            "an error, or an incomplete-block test",
            "complete data sets only, 13 of 14",
        )
    with contextlib.suppress(ImportError):
        _aeon_rows()
    with contextlib.suppress(ImportError):
        from mlxtend.evaluate import mcnemar

        row(
            "mlxtend, statsmodels, pingouin: McNemar, b = c = 5: χ², p",
            mcnemar(np.array([[50, 5], [5, 40]])),
            "0, 1",
            "R's mcnemar.test; exact",
        )


def _aeon_rows():
    import matplotlib.pyplot as plt
    from aeon.visualisation import plot_critical_difference
    from of_aeon import mcm

    key = "C4.5+m+cf-vs-C4.5"
    two = stats.wilcoxon(np.round(T6[:, 3] - A, 3), zero_method="pratt").pvalue
    row(
        "aeon `create_multi_comparison_matrix(T6)`, p of C4.5+m+cf and C4.5 (11 wins, 2 losses)",
        mcm(T6, NAMES)[key]["pvalue"],
        two,
        "two-sided; documented: one-sided, by the order of the columns",
    )
    row(
        "… columns reversed",
        mcm(T6[:, ::-1], NAMES[::-1])[key]["pvalue"],
        two,
        "the same",
    )
    for alpha in (0.1, 0.05):
        p = plot_critical_difference(T6, NAMES, alpha=alpha, return_p_values=True)[2]
        plt.close("all")
        row(
            f'aeon `plot_critical_difference(T6, alpha={alpha})`: pairs with p ≤ α/(k−1), its "holm"',
            int(np.sum(p[np.triu_indices(4, 1)] <= alpha / 3)),
            _holm(alpha),
            "Holm over 6 two-sided tests; documented: one-sided, α/(k−1)",
        )


def _holm(alpha):
    """Return how many of the six pairs Holm's step-down method rejects."""
    pairs = [(i, j) for i in range(4) for j in range(i)]
    p = np.sort([stats.wilcoxon(np.round(T6[:, i] - T6[:, j], 3)).pvalue for i, j in pairs])
    c = 0
    while c < 6 and p[c] <= alpha / (6 - c):
        c += 1
    return c
