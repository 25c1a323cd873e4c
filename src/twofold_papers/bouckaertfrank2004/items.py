"""Bouckaert and Frank (2004), Evaluating the replicability of significance tests.

Naive Bayes, C4.5 and nearest neighbour on 27 data sets; every test ten times on each data set with
other random splits. Folds are stratified, random splits (90 % to train on) are not. Table 5 draws
1000 data sets of 300 rows from each of four networks instead.
"""

from __future__ import annotations

import numpy as np

from twofold.datasets import entries_of_paper
from twofold.seeds import rng
from twofold_papers.agreement import draw_second_study, format_values, middle, rank_correlation
from twofold_papers.bouckaertfrank2004.simulated_sources import QUARTER, table5
from twofold_papers.collection import build_paper
from twofold_papers.consistency import Suite
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import Number, PrintedItem
from twofold_papers.repeated_experiments import Splitting

PAIRS = {"NB vs C4.5": ("nb", "c45"), "NB vs NN": ("nb", "nn"), "C4.5 vs NN": ("c45", "nn")}
SUITE = Suite(
    datasets=tuple(each.name for each in entries_of_paper("bouckaertfrank2004")),
    slow=("arrhythmia",),  # 279 numeric columns: as long as all the others together
    toys=("iris", "labor", "zoo"),
    pairs=PAIRS,
    learners=("nb", "c45", "nn"),
)
FIVE_BY_TWO = Splitting.parse("5x2")
TEN_BY_TEN = Splitting.parse("10x10")
RANDOM = Splitting.parse("resample:100:0.1", stratify=False)
RANDOM_STRATIFIED = Splitting.parse("resample:100:0.1")

RESAMPLING = {
    f"{r} runs": (f"corrected-resampled-t@resample:{r}:0.1", 0.05) for r in (10, 20, 50, 100)
}
CROSS_VALIDATION = {f"{r}×10": (f"corrected-cv-t@{r}x10", 0.05) for r in (1, 2, 5, 10)}
LEVELS = {f"level {a:g}": ("corrected-cv-t@10x10", a) for a in (0.01, 0.025, 0.05, 0.10)}


def table1(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The 5x2cv test."""
    runs = SUITE.run(options, FIVE_BY_TWO)
    times, size = runs.repetitions, len(runs.names)
    numbers: list[Number] = []
    ranks, quiet, measures, rows = [], [], [], []
    for index, pair in enumerate(PAIRS):
        draws = {name: printed["draws"][name][index] for name in runs.names}
        rejections = runs.count_rejections(pair, FIVE_BY_TWO, "5x2cv-t@5x2", 0.05)
        fewer = runs.count_rejections(pair, FIVE_BY_TWO, "5x2cv-t@5x2", QUARTER)
        again = draw_second_study(rejections, times, rng(options.seed, "papers", "table1", pair))
        for i, (name, text) in enumerate(draws.items()):
            bounds = middle((times - again[:, i]).astype(float))
            label, ours = f"{name}, {pair}: draws", float(times - rejections[i])
            numbers.append(Number(label, str(text), ours, *bounds))
        numbers += runs.compare(pair, printed["measures"][pair], rejections)
        theirs = np.array(list(draws.values()), dtype=float)
        ranks.append(rank_correlation(theirs, 10.0 - rejections))
        quiet += [rejections[runs.names.index(s)] == 0 for s in ("iris", "heart-h") if s in draws]
        measures.append(runs.measure(rejections))
        sums = (str(times * size - each.sum()) for each in (rejections, fewer))
        rows.append((pair, f"{theirs.sum():.0f}", *sums))
    consistent, almost, r = np.array(measures).T / [[size], [size], [1]]
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            consistent=((consistent < 0.5).all(), format_values(consistent)),
            almost=((almost < 0.66).all(), format_values(almost)),
            quiet=all(quiet),
            low=((r < 0.85).all(), f"R = {format_values(r)}"),
        ),
        tables=(
            ResultTable(
                "Draws on all data sets together.",
                ("", "printed", "ours", "ours, Σs²/4"),
                tuple(rows),
            ),
        ),
        trials=runs.trials,
        remarks=printed.write_remarks(ranks=format_values(ranks)),
        datasets=runs.counts.checksums,
    )


def table2(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The corrected resampled t test."""
    runs = SUITE.run(options, RANDOM)
    _, almost, r = np.moveaxis(runs.measure_columns(RANDOM, RESAMPLING), 2, 0)
    rising = int((np.diff(r, axis=1) > 0).sum())
    share = float(almost[:, -1].mean()) / len(runs.names)
    return ItemResult(
        numbers=runs.compare_columns(RANDOM, RESAMPLING, printed["cells"], printed.causes),
        claims=printed.judge(
            increases=(rising >= 8, f"R rises in {rising} of 9 steps"),
            almost=(share >= 0.8, f"{share:.2f}"),
            hundred=((r[:, -1] >= 0.88).all(), format_values(r[:, -1])),
        ),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )


def compare_stratified(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Resampling again, with classes spread evenly: is that why cross-validation is better?"""
    runs = SUITE.run(options, RANDOM, RANDOM_STRATIFIED)
    plain, even = (runs.measure_columns(s, RESAMPLING) for s in (RANDOM, RANDOM_STRATIFIED))
    gap = even[:, :, 2] - plain[:, :, 2]
    return ItemResult(
        claims=printed.judge(
            slightly=(
                float(np.abs(gap).mean()) < 0.03,
                f"R changes by {gap.mean():+.3f} on average, by {np.abs(gap).max():.3f} at most",
            )
        ),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )


def table3(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The corrected repeated 10-fold cross-validation test."""
    runs = SUITE.run(options, TEN_BY_TEN, RANDOM)
    ours = runs.measure_columns(TEN_BY_TEN, CROSS_VALIDATION)
    resampled = runs.measure_columns(RANDOM, RESAMPLING)
    as_consistent, _, as_replicable = (ours >= resampled).sum(axis=(0, 1))
    r, hundred = ours[:, :, 2], resampled[:, -1, 2].mean()
    best = r[:, -1].mean()
    return ItemResult(
        numbers=runs.compare_columns(
            TEN_BY_TEN, CROSS_VALIDATION, printed["cells"], printed.causes
        ),
        claims=printed.judge(
            consistent=(as_consistent >= 9, f"in {as_consistent} of 12 cells"),
            replicable=(as_replicable >= 9, f"in {as_replicable} of 12 cells"),
            best=(
                (best >= r[:, :-1].mean(axis=0)).all() and best > hundred,
                f"mean R {best:.3f}; 100 resamples {hundred:.3f}",
            ),
        ),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )


def table4(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The same test at other levels."""
    runs = SUITE.run(options, TEN_BY_TEN)
    r = runs.measure_columns(TEN_BY_TEN, LEVELS)[:, :, 2]
    spread = float(np.ptp(r, axis=1).max())
    return ItemResult(
        numbers=runs.compare_columns(TEN_BY_TEN, LEVELS, printed["cells"], printed.causes),
        claims=printed.judge(
            above=((r > 0.9).all(), f"the lowest is {r.min():.4f}"),
            level=(spread < 0.1, f"R varies by at most {spread:.3f} within a pair"),
        ),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )


def compare_uncorrected(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The standard t test on one and on ten runs of 10 folds (section 4.3)."""
    runs = SUITE.run(options, TEN_BY_TEN, RANDOM)
    numbers: list[Number] = []
    counts: dict[str, list[float]] = {"1×10": [], "10×10": []}
    for (design, row), (experiment, texts) in zip(
        counts.items(), printed["consistent"].items(), strict=True
    ):
        for pair, text in zip(PAIRS, texts, strict=True):
            rejections = runs.count_rejections(pair, TEN_BY_TEN, experiment, 0.05)
            numbers += runs.compare(f"{pair}, {design} uncorrected", (text,), rejections)
            row.append(runs.measure(rejections)[0])
    resampled = runs.measure_columns(RANDOM, RESAMPLING)[:, :, 0]
    ten, hundred, single = resampled[:, 0], resampled[:, -1], np.array(counts["1×10"])
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            ten=(
                single.sum() >= ten.sum(),
                f"{format_values(single)} against {format_values(ten)} data sets",
            ),
            hundred=((single < hundred).all(), format_values(hundred)),
        ),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )


PAPER = build_paper(
    "bouckaertfrank2004",
    *(table1, table2, table3, table4, table5),
    uncorrected=compare_uncorrected,
    stratified=compare_stratified,
    datasets=SUITE.datasets,
    learners=SUITE.learners,
)
