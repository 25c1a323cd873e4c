"""Demšar (2006), Statistical comparisons of classifiers over multiple data sets.

The worked examples, sections 3.1 and 3.2: no chance is involved, so a number agrees if it rounds to
what is printed. The study of section 4 is in `demsar2006_table7` and `demsar2006_figures`.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import special

from twofold import stats
from twofold_papers.agreement import exact
from twofold_papers.demsar2006.bias_figures import ITEMS
from twofold_papers.figure import Figure, RankFacts
from twofold_papers.item import Claim, Item, ItemOptions, ItemResult, Number, ReproducedPaper

LEARNERS = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
# Table 6: AUC and, in brackets there, ranks. Table 2 is the first two columns.
TABLE_6 = {
    "adult (sample)": ((0.763, 0.768, 0.771, 0.798), (4, 3, 2, 1)),
    "breast cancer": ((0.599, 0.591, 0.590, 0.569), (1, 2, 3, 4)),
    "breast cancer wisconsin": ((0.954, 0.971, 0.968, 0.967), (4, 1, 2, 3)),
    "cmc": ((0.628, 0.661, 0.654, 0.657), (4, 1, 3, 2)),
    "ionosphere": ((0.882, 0.888, 0.886, 0.898), (4, 2, 3, 1)),
    "iris": ((0.936, 0.931, 0.916, 0.931), (1, 2.5, 4, 2.5)),
    "liver disorders": ((0.661, 0.668, 0.609, 0.685), (3, 2, 4, 1)),
    "lung cancer": ((0.583, 0.583, 0.563, 0.625), (2.5, 2.5, 4, 1)),
    "lymphography": ((0.775, 0.838, 0.866, 0.875), (4, 3, 2, 1)),
    "mushroom": ((1.000, 1.000, 1.000, 1.000), (2.5, 2.5, 2.5, 2.5)),
    "primary tumor": ((0.940, 0.962, 0.965, 0.962), (4, 2.5, 1, 2.5)),
    "rheum": ((0.619, 0.666, 0.614, 0.669), (3, 2, 4, 1)),
    "voting": ((0.972, 0.981, 0.975, 0.975), (4, 1, 2, 3)),
    "wine": ((0.957, 0.978, 0.946, 0.970), (3, 1, 4, 2)),
}
AUC = np.array([scores for scores, _ in TABLE_6.values()])
RANKS = np.array([ranks for _, ranks in TABLE_6.values()], dtype=float)
SIZES = range(5, 26)
WINS = {  # Table 3
    0.05: (5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 18, 18),
    0.10: (5, 6, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 14, 15, 16, 16, 17),
}
NEMENYI = {  # Table 5(a), 2 to 10 learners
    0.05: "1.960 2.343 2.569 2.728 2.850 2.949 3.031 3.102 3.164".split(),
    0.10: "1.645 2.052 2.291 2.459 2.589 2.693 2.780 2.855 2.920".split(),
}
DUNN = {  # Table 5(b)
    0.05: "1.960 2.241 2.394 2.498 2.576 2.638 2.690 2.724 2.773".split(),
    0.10: "1.645 1.960 2.128 2.241 2.326 2.394 2.450 2.498 2.539".split(),
}
DIGIT = "From the studentized range to three digits, {}, divided by √2, as all of the column is."


def table2(setting: ItemOptions) -> ItemResult:
    """Wilcoxon's and the sign test on C4.5 with m = 0 and with m tuned."""
    plain, tuned = AUC[:, 0], AUC[:, 1]
    signed: Any = stats.wilcoxon(tuned, plain)
    wins: Any = stats.sign(tuned, plain)
    by_table: Any = stats.sign(tuned, plain, rule="paper")
    return ItemResult(
        numbers=(
            exact("R+", "93", float(signed.details["r_plus"])),
            exact("R−", "12", float(signed.details["r_minus"])),
            exact("data sets on which C4.5+m is better, one tie counted", "11", wins.statistic),
        ),
        claims=(
            Claim(
                "The difference is significant at .05 by Wilcoxon's test.",
                bool(signed.pvalue <= 0.05),
                f"exact two-sided p = {signed.pvalue:.4f}, ties kept",
            ),
            Claim(
                "By the sign test it is significant with p < .05.",
                bool(wins.pvalue < 0.05),
                f"exact two-sided p = {wins.pvalue:.4f}. Table 3 of the paper, from which the "
                f"sentence is read, holds one-sided values: p = {by_table.pvalue:.4f}",
            ),
        ),
        trials="14 data sets, as printed; nothing is drawn",
    )


def table3(setting: ItemOptions) -> ItemResult:
    """Wins that the two-tailed sign test needs."""
    numbers: list[Number] = []
    above = []
    for alpha, row in WINS.items():
        for n, printed in zip(SIZES, row, strict=True):
            needed = stats.critical_wins(n, alpha=alpha)
            flips: Any = stats.sign([1.0] * printed + [-1.0] * (n - printed))
            p = float(flips.pvalue)
            if alpha == 0.05 and p > alpha:
                above.append(n)
            if needed is None:
                needed = n + 1  # even n wins of n are not enough
            one_sided = stats.critical_wins(n, alpha=alpha, rule="paper")
            why = ""
            if needed != printed:
                source = (
                    "the one-sided value"
                    if one_sided == printed
                    else f"neither this nor the one-sided value, {one_sided}"
                )
                why = f"{printed} wins of {n} have a two-sided p of {p:.3f}; printed is {source}."
            numbers.append(exact(f"w({alpha:.2f}), {n} data sets", str(printed), needed, why=why))
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim(
                "Who wins at least w(.05) times is better by the two-tailed test at .05.",
                not above,
                f"{len(above)} of {len(WINS[0.05])} entries have a two-sided p above .05: "
                f"{', '.join(map(str, above))} data sets",
            ),
            Claim(
                "The sign test does not reject unless one algorithm almost always wins.",
                all((stats.critical_wins(n) or n + 1) / n >= 0.72 for n in SIZES),
                "the share of wins needed is at least .72 for 5 to 25 data sets",
            ),
        ),
        trials="exact binomial sums",
        remarks=(
            "The table is headed two-tailed, yet w(.10) is the exact one-sided table throughout, "
            "and w(.05) is too but for 23 and 24 data sets: misprints, 17 and 18 for 16 and 17.",
        ),
    )


def table5(setting: ItemOptions) -> ItemResult:
    """Critical values of Nemenyi's and the Bonferroni–Dunn test."""
    numbers: list[Number] = []
    tables: dict[Literal["nemenyi", "bonferroni-dunn"], Any] = {
        "nemenyi": NEMENYI,
        "bonferroni-dunn": DUNN,
    }
    for method, table in tables.items():
        for alpha, row in table.items():
            for k, printed in enumerate(row, 2):
                q = stats.critical_value(k, alpha=alpha, method=method)
                why = "" if exact("", printed, q).agrees else DIGIT.format(f"{q * 2**0.5:.3f}")
                if (method, alpha, k) == ("bonferroni-dunn", 0.05, 9):
                    why = "A misprint: 2.734 with two digits changed."
                numbers.append(exact(f"{method}, α {alpha:.2f}, k = {k}", printed, q, why=why))
    worst = max(abs(one.ours - one.value) for one in numbers if "misprint" not in one.why)
    from_tables = all(
        f"{round(stats.critical_value(k, alpha=alpha) * 2**0.5, 3) / 2**0.5:.3f}" == printed
        for alpha, row in NEMENYI.items()
        for k, printed in enumerate(row, 2)
    )
    pairs = zip(NEMENYI[0.05][1:], DUNN[0.05][1:], strict=True)
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim(
                "Comparing with a control only needs smaller critical values.",
                all(float(q) > float(d) for q, d in pairs),
            ),
            Claim(
                "The values of Nemenyi's test are the studentized range divided by √2.",
                from_tables,
                "with the range rounded to three digits before, as in printed tables, all 18 are "
                "as printed",
            ),
        ),
        trials="numerical quadrature of the studentized range; normal quantiles",
        remarks=(f"But for the misprint, no value is off by more than {worst:.4f}.",),
    )


def table6(setting: ItemOptions) -> ItemResult:
    """Friedman's test and what follows it, on four variants of C4.5."""
    # The paper's formulas have no correction for ties.
    friedman: Any = stats.friedman(RANKS, are_ranks=True, ties="plain")
    iman: Any = stats.iman_davenport(RANKS, are_ranks=True, ties="plain")
    means = friedman.details["mean_ranks"]
    against: Any = stats.mean_rank_z(RANKS, are_ranks=True, control=0)
    m, cf, both = (float(z) for z in against.statistic)
    p_m, p_cf, p_both = (float(p) for p in against.pvalue)
    se = float(np.sqrt(4 * 5 / (6 * 14)))
    cd = {alpha: stats.critical_difference(4, 14, alpha=alpha) for alpha in (0.05, 0.10)}
    dunn = stats.critical_difference(4, 14, method="bonferroni-dunn")
    rounded = "The paper divides by an SE rounded to .488"
    numbers = [
        exact(f"mean rank of {name}", printed, float(rank))
        for name, printed, rank in zip(
            LEARNERS, ("3.143", "2.000", "2.893", "1.964"), means, strict=True
        )
    ]
    from_p = 2 * float(special.ndtr(-0.512))
    numbers += [
        exact("χ²_F", "9.28", friedman.statistic),
        exact("F_F", "3.69", iman.statistic),
        exact("critical value of F(3, 39)", "2.85", float(special.fdtri(3, 39, 0.95))),
        exact("CD, Nemenyi, .05", "1.25", cd[0.05]),
        exact("CD, Nemenyi, .10", "1.12", cd[0.10]),
        exact("CD, Bonferroni–Dunn, .05", "1.16", dunn, why="1.168, cut off instead of rounded."),
        exact("SE", "0.488", se),
        exact("z of C4.5+m+cf", "2.416", both, why=f"{rounded}; exact is {both:.4f}."),
        exact("z of C4.5+m", "2.342", m),
        exact("z of C4.5+cf", "0.512", cf),
        exact("p of C4.5+m+cf", "0.016", p_both),
        exact("p of C4.5+m", "0.019", p_m),
        exact(
            "p of C4.5+cf",
            "0.607",
            p_cf,
            why=f"Even z rounded to .512 gives {from_p:.4f}; .607 belongs to z = .514 and is "
            "not reached by rounding SE either.",
        ),
    ]
    found: Any = stats.nemenyi(RANKS, are_ranks=True)
    differ = {pair for pair, p in zip(found.pairs, found.pvalue, strict=True) if float(p) <= 0.10}
    holm, hochberg, hommel, bonferroni = (
        (np.asarray(stats.adjust(against.pvalue, name)) <= 0.05).tolist()
        for name in ("holm", "hochberg", "hommel", "bonferroni")
    )
    stepwise = [True, False, True]
    scored: Any = stats.friedman(AUC, ties="plain")
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim("The null hypothesis is rejected.", bool(iman.pvalue <= 0.05)),
            Claim("Nemenyi's test finds no pair at .05.", bool((found.pvalue > 0.05).all())),
            Claim(
                "At .10 C4.5 is worse than C4.5+m and C4.5+m+cf, and no other pair differs.",
                differ == {(0, 1), (0, 3)},
            ),
            Claim(
                "By Bonferroni–Dunn only C4.5+m+cf is better than C4.5.",
                bonferroni == [False, False, True],
            ),
            Claim("Holm's procedure rejects the first two hypotheses.", holm == stepwise),
            Claim("So does Hochberg's.", hochberg == stepwise),
            Claim("So does Hommel's.", hommel == stepwise),
        ),
        trials="14 data sets, with the ranks as printed; nothing is drawn",
        remarks=(
            "Voting is printed as .975 and .975 but ranked 2 and 3. From the printed scores the "
            f"statistic is {float(scored.statistic):.3f} instead of 9.279.",
        ),
    )


def figure1(setting: ItemOptions) -> ItemResult:
    """The two diagrams of mean ranks for Table 6."""
    means = tuple(float(one) for one in RANKS.mean(axis=0))
    nemenyi = stats.critical_difference(4, 14, alpha=0.10)
    dunn = stats.critical_difference(4, 14, method="bonferroni-dunn")
    groups = stats.groups(means, nemenyi)
    outside = {i for i in range(1, 4) if abs(means[i] - means[0]) > dunn}
    return ItemResult(
        claims=(
            Claim(
                "Two groups of learners are joined: the best three, and the worst two (p = .10).",
                {frozenset(one) for one in groups} == {frozenset({1, 2, 3}), frozenset({0, 2})},
            ),
            Claim(
                "Only C4.5+m+cf lies outside the interval around the control (p < .05).",
                outside == {3},
            ),
        ),
        figures=(
            Figure(
                "a",
                "All learners against each other, Nemenyi's test at .10.",
                ranks=RankFacts(LEARNERS, means, groups, nemenyi),
            ),
            Figure(
                "b",
                "All learners against C4.5, Bonferroni–Dunn at .05.",
                ranks=RankFacts(LEARNERS, means, critical_difference=dunn, control=0),
            ),
        ),
        trials="the ranks of Table 6 as printed",
    )


PAPER = ReproducedPaper(
    "demsar2006",
    "Demšar (2006), Statistical comparisons of classifiers over multiple data sets",
    (
        Item("table2", "Wilcoxon's and the sign test by hand", table2),
        Item("table3", "Critical values of the sign test", table3),
        Item("table5", "Critical values of Nemenyi's and the Bonferroni–Dunn test", table5),
        Item("table6", "Friedman's test and post-hoc tests by hand", table6),
        Item("figure1", "Diagrams of mean ranks", figure1),
        *ITEMS,
    ),
    missing=(
        "figure2: its mean ranks are drawn and not printed, and rest on recalls in a paper by "
        "Mladenić and Grobelnik (1999) that is not at hand",
    ),
)
