"""Demšar (2006), Statistical comparisons of classifiers over multiple data sets.

The worked examples, sections 3.1 and 3.2: nothing is random, so a number agrees if it rounds to
what is printed. The experiment behind them is in `tuning`; the study of section 4 is in `table7`,
`pair_figures`, `omnibus_figures` and `posthoc_figures`.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import special

from twofold import stats
from twofold.plots import RankFacts
from twofold.rounding import written
from twofold_papers.agreement import exact
from twofold_papers.claim_verdicts import judge_exact
from twofold_papers.collection import build_paper
from twofold_papers.demsar2006.omnibus_figures import figure5
from twofold_papers.demsar2006.pair_figures import figure3, figure4
from twofold_papers.demsar2006.posthoc_figures import figure6, figure7
from twofold_papers.demsar2006.score_ratios import ratios
from twofold_papers.demsar2006.seven_learners import DATASETS, LEARNERS
from twofold_papers.demsar2006.table7 import table7
from twofold_papers.demsar2006.tuning import tuning
from twofold_papers.figure import Figure
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.printed import Number, PrintedItem, read_printed

TABLE_6 = read_printed("demsar2006")[1]["table6"]
NAMES = tuple(TABLE_6["learners_compared"])
AUC = np.array([scores for scores, _ in TABLE_6["scores"].values()])
RANKS = np.array([ranks for _, ranks in TABLE_6["scores"].values()], dtype=float)


LARGE = range(26, 201)
"""Numbers of data sets that Table 3 leaves to the normal approximation."""


def _round_up_normal(n: int) -> int:
    """Return the wins that the normal approximation of section 3.1.4 asks for."""
    return int(np.ceil(n / 2 + 1.96 * np.sqrt(n) / 2))


def table2(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Wilcoxon's and the sign test on C4.5 with m = 0 and with m tuned."""
    plain, tuned = AUC[:, 0], AUC[:, 1]
    signed: Any = stats.wilcoxon(tuned, plain)
    wins: Any = stats.sign(tuned, plain)
    by_table: Any = stats.sign(tuned, plain, rule="paper")
    rank_sums = signed.details["r_plus"], signed.details["r_minus"]
    return ItemResult(
        numbers=printed.compare_all(*rank_sums, wins.statistic),
        claims=printed.judge(
            wilcoxon=judge_exact(
                signed.pvalue <= 0.05, f"exact two-sided p = {written(signed.pvalue, 4)}, ties kept"
            ),
            sign=judge_exact(
                wins.pvalue < 0.05,
                f"exact two-sided p = {written(wins.pvalue, 4)}. Table 3 of the paper, from which "
                "the "
                f"sentence is read, holds one-sided values: p = {written(by_table.pvalue, 4)}",
            ),
        ),
        trials="14 data sets, as printed; nothing is drawn",
    )


def table3(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Wins that the two-tailed sign test needs."""
    numbers: list[Number] = []
    above: list[str] = []
    sizes: list[int] = printed["sizes"]
    for level, row in printed["wins"].items():
        alpha = float(level)
        for n, wins in zip(sizes, row, strict=True):
            needed = stats.critical_wins(n, alpha=alpha)
            flips: Any = stats.sign([1.0] * wins + [-1.0] * (n - wins))
            p = float(flips.pvalue)
            if p > alpha:
                above.append(f"{n} at {level}")
            if needed is None:
                needed = n + 1  # even n wins of n are not enough
            one_sided = stats.critical_wins(n, alpha=alpha, rule="paper")
            why = ""
            if needed != wins:
                source = (
                    "the one-sided value"
                    if one_sided == wins
                    else f"neither this nor the one-sided value, {one_sided}"
                )
                two_sided = written(p, 3)
                why = f"{wins} wins of {n} have a two-sided p of {two_sided}; printed is {source}."
            numbers.append(exact(f"w({level}), {n} data sets", str(wins), needed, why=why))
    too_few = [n for n in LARGE if (stats.critical_wins(n) or n + 1) > _round_up_normal(n)]
    shares = [(stats.critical_wins(n) or n + 1) / n for n in sizes]
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            two_tailed=judge_exact(
                not above,
                f"{len(above)} of {2 * len(sizes)} entries have a two-sided p above their level, "
                f"for these data sets: {', '.join(above)}",
            ),
            normal=judge_exact(
                not too_few,
                f"{len(too_few)} of {len(LARGE)} do not: {', '.join(map(str, too_few))}",
            ),
            almost_always=judge_exact(
                min(shares) >= 0.9,
                f"the share of wins needed falls from {written(shares[0], 2)} with {sizes[0]} "
                "data sets, "
                f"where even all wins are too few, to {written(min(shares), 2)}",
            ),
        ),
        trials="exact binomial sums",
    )


def table5(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Critical values of Nemenyi's and the Bonferroni–Dunn test."""
    numbers: list[Number] = []
    methods: tuple[Literal["nemenyi", "bonferroni-dunn"], ...] = ("nemenyi", "bonferroni-dunn")
    misprint, from_tables = printed["misprint"], []
    for method in methods:
        for level, row in printed[method].items():
            for k, text in enumerate(row.split(), 2):
                q = stats.critical_value(k, alpha=float(level), method=method)
                scaled = q * 2**0.5
                agrees = exact("", text, q).agrees
                why = "" if agrees else printed["digit"].format(range=scaled)
                here = {"method": method, "alpha": level, "learners": k}
                if here.items() <= misprint.items():
                    why = misprint["why"]
                numbers.append(exact(f"{method}, α {level}, k = {k}", text, q, why=why))
                if method == "nemenyi":
                    from_tables.append(written(round(scaled, 3) / 2**0.5, 3) == text)
    worst = max(abs(each.ours - each.value) for each in numbers if each.why != misprint["why"])
    values = {each.label: each.ours for each in numbers}
    control = [
        values[f"bonferroni-dunn, α {level}, k = {k}"] < values[f"nemenyi, α {level}, k = {k}"]
        for level in printed["nemenyi"]
        for k in range(3, 11)
    ]
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            control=judge_exact(all(control), f"{sum(control)} of {len(control)} are lower"),
            range=judge_exact(all(from_tables), f"{sum(from_tables)} of {len(from_tables)} are"),
        ),
        trials="numerical quadrature of the studentized range; normal quantiles",
        remarks=printed.write_remarks(worst=worst),
    )


def table6(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Friedman's test and what follows it, on four variants of C4.5."""
    # The paper's formulas have no correction for ties.
    friedman: Any = stats.friedman(RANKS, are_ranks=True, ties="plain")
    iman: Any = stats.iman_davenport(RANKS, are_ranks=True, ties="plain")
    against: Any = stats.mean_rank_z(RANKS, are_ranks=True, control=0)
    (m, cf, both), (p_m, p_cf, p_both) = against.statistic, against.pvalue
    ours = (
        *friedman.details["mean_ranks"],
        friedman.statistic,
        iman.statistic,
        special.fdtri(3, 39, 0.95),
        stats.critical_difference(4, 14, alpha=0.05),
        stats.critical_difference(4, 14, alpha=0.10),
        stats.critical_difference(4, 14, method="bonferroni-dunn"),
        np.sqrt(4 * 5 / (6 * 14)),
        *(both, m, cf),
        *(p_both, p_m, p_cf),
    )
    nemenyi: Any = stats.nemenyi(RANKS, are_ranks=True)
    differ = {
        pair for pair, p in zip(nemenyi.pairs, nemenyi.pvalue, strict=True) if float(p) <= 0.10
    }
    holm, hochberg, hommel, bonferroni = (
        (np.asarray(stats.adjust(against.pvalue, name)) <= 0.05).tolist()
        for name in ("holm", "hochberg", "hommel", "bonferroni")
    )
    stepwise = [True, False, True]
    scored: Any = stats.friedman(AUC, ties="plain")
    return ItemResult(
        numbers=printed.compare_all(*ours),
        claims=printed.judge(
            friedman=judge_exact(iman.pvalue <= 0.05),
            nemenyi=judge_exact((nemenyi.pvalue > 0.05).all()),
            pairs=judge_exact(differ == {(0, 1), (0, 3)}),
            bonferroni=judge_exact(bonferroni == [False, False, True]),
            holm=judge_exact(holm == stepwise),
            hochberg=judge_exact(hochberg == stepwise),
            hommel=judge_exact(hommel == stepwise),
        ),
        trials="14 data sets, with the ranks as printed; nothing is drawn",
        remarks=printed.write_remarks(statistic=float(scored.statistic)),
    )


def figure1(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The two diagrams of mean ranks for Table 6."""
    means = tuple(float(rank) for rank in RANKS.mean(axis=0))
    nemenyi = stats.critical_difference(4, 14, alpha=0.10)
    dunn = stats.critical_difference(4, 14, method="bonferroni-dunn")
    groups = stats.groups(means, nemenyi)
    outside = {i for i in range(1, 4) if abs(means[i] - means[0]) > dunn}
    against: Any = stats.mean_rank_z(RANKS, are_ranks=True, control=0)
    adjusted = np.asarray(stats.adjust(against.pvalue, "bonferroni"))
    ranks = {
        "a": RankFacts(NAMES, means, groups, nemenyi),
        "b": RankFacts(NAMES, means, critical_difference=dunn, control=0),
    }
    return ItemResult(
        claims=printed.judge(
            groups=judge_exact(
                {frozenset(group) for group in groups} == {frozenset({1, 2, 3}), frozenset({0, 2})}
            ),
            control=judge_exact(
                outside == {3} == {i for i in range(1, 4) if adjusted[i - 1] < 0.05}
            ),
        ),
        figures=tuple(Figure(name, printed.captions[name], ranks=ranks[name]) for name in ranks),
        trials="the ranks of Table 6 as printed",
    )


PAPER = build_paper(
    "demsar2006",
    *(table2, table3, table5, table6, figure1, tuning, ratios, table7),
    *(figure3, figure4, figure5, figure6, figure7),
    datasets=DATASETS,
    learners=tuple(name for candidates in LEARNERS.values() for name in candidates),
)
