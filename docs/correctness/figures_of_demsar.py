"""Printed figures of Demšar (2006), worked out again."""

import math

import numpy as np
from known import MEANRANK, R6, SE, T6, friedman_by_hand
from printing import row, show, table
from scipy import stats


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
