"""Bouckaert and Frank (2004), Evaluating the replicability of significance tests.

Naive Bayes, C4.5 and nearest neighbour on 27 data sets; every test ten times on each data set with
other random splits. Folds are stratified, random splits (90 % to train on) are not. Table 5 draws
1000 data sets of 300 rows from each of four networks instead.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from twofold.datasets import entries_of_paper
from twofold.seeds import rng
from twofold_papers.agreement import middle, rank_correlation, second_study
from twofold_papers.bouckaertfrank2004.simulated_sources import QUARTER, TABLE_5_ITEM
from twofold_papers.consistency import PREDICTED, Runs, cells_of, listed, measures
from twofold_papers.item import (
    Claim,
    Item,
    ItemOptions,
    ItemResult,
    Number,
    ReproducedPaper,
    ResultTable,
)
from twofold_papers.repeated_experiments import splitting

LEARNERS = ("nb", "c45", "nn")
PAIRS = {"NB vs C4.5": ("nb", "c45"), "NB vs NN": ("nb", "nn"), "C4.5 vs NN": ("c45", "nn")}
REPETITIONS = 10
DATASETS = tuple(one.name for one in entries_of_paper("bouckaertfrank2004"))
SLOW = ("arrhythmia",)  # 279 numeric columns: as long as all the others together
TOYS = ("iris", "labor", "zoo")

FIVE_BY_TWO = splitting("5x2")
TEN_BY_TEN = splitting("10x10")
RANDOM = splitting("resample:100:0.1", stratify=False)
RANDOM_STRATIFIED = splitting("resample:100:0.1")

# Table 1: how often of ten the 5x2cv test finds no difference.
DRAWS = {
    "anneal": (4, 4, 10),
    "arrhythmia": (9, 9, 2),
    "audiology": (5, 10, 8),
    "autos": (10, 7, 10),
    "balance-scale": (1, 4, 7),
    "breast-cancer": (10, 9, 8),
    "credit-a": (6, 8, 10),
    "ecoli": (7, 10, 10),
    "credit-g": (9, 6, 10),
    "glass": (6, 6, 9),
    "heart-statlog": (4, 5, 9),
    "hepatitis": (9, 10, 10),
    "colic": (8, 10, 7),
    "heart-h": (10, 10, 10),
    "ionosphere": (10, 10, 8),
    "iris": (10, 10, 10),
    "labor": (8, 10, 10),
    "lymph": (9, 10, 10),
    "pima": (10, 6, 7),
    "primary-tumor": (7, 3, 10),
    "sonar": (10, 9, 6),
    "soybean": (8, 8, 9),
    "vehicle": (0, 0, 9),
    "vote": (4, 9, 7),
    "vowel": (4, 0, 0),
    "breast-w": (8, 9, 10),
    "zoo": (10, 10, 8),
}
TABLE_1 = {
    "NB vs C4.5": ("9", "14", "0.737"),
    "NB vs NN": ("12", "17", "0.783"),
    "C4.5 vs NN": ("13", "17", "0.816"),
}
# Consistent, almost consistent, R; a column for each number of runs, or level.
RUNS_2 = (10, 20, 50, 100)
TABLE_2 = {
    "NB vs C4.5": ("15 14 19 21", "16 19 22 23", "0.801 0.843 0.892 0.922"),
    "NB vs NN": ("12 15 18 20", "20 21 22 23", "0.835 0.865 0.882 0.899"),
    "C4.5 vs NN": ("12 14 18 23", "18 17 22 24", "0.819 0.825 0.878 0.935"),
}
RUNS_3 = (1, 2, 5, 10)
TABLE_3 = {
    "NB vs C4.5": ("16 20 21 24", "18 21 23 25", "0.821 0.889 0.928 0.962"),
    "NB vs NN": ("18 20 23 23", "19 21 23 24", "0.858 0.890 0.939 0.942"),
    "C4.5 vs NN": ("13 19 22 22", "18 23 24 24", "0.814 0.904 0.928 0.928"),
}
LEVELS = (0.01, 0.025, 0.05, 0.10)
TABLE_4 = {
    "NB vs C4.5": ("22 23 24 21", "23 24 25 22", "0.927 0.936 0.962 0.915"),
    "NB vs NN": ("23 24 23 23", "24 27 24 23", "0.939 0.978 0.942 0.939"),
    "C4.5 vs NN": ("23 24 22 20", "23 24 24 24", "0.943 0.953 0.928 0.919"),
}
# Section 4.3: data sets on which the uncorrected tests are consistent.
UNCORRECTED = {
    "cv-t@1x10": ("15", "16", "14"),
    "use-all-data(df=99)@10x10": ("25", "24", "18"),
}
# Looked for data set by data set: which p values straddle the level.
STRADDLE = (
    "On breast-cancer, ecoli, heart-h and vote our p values lie between .01 and .05: they straddle "
    ".025 and just not .05. A learner a little different from Weka's of 2003 turns that round."
)
WHY = {
    "NB vs NN, 10×10": STRADDLE,
    "NB vs NN, level 0.025": STRADDLE,
    "NB vs NN, level 0.05": STRADDLE,
    "NB vs C4.5, level 0.01": "Our p values of ionosphere end at .008, just below the level; "
    "data sets so near to it decide the count.",
}


runs_of = partial(Runs, datasets=DATASETS, slow=SLOW, toys=TOYS, learners=LEARNERS, pairs=PAIRS)


def table1(setting: ItemOptions) -> ItemResult:
    """The 5x2cv test."""
    runs = runs_of(setting, FIVE_BY_TWO)
    numbers: list[Number] = []
    ranks, none, r, shares, readings = [], {}, [], [], []
    for place, pair in enumerate(PAIRS):
        rejected = runs.rejections(pair, FIVE_BY_TWO, "5x2cv-t@5x2", 0.05)
        seeded = rng(setting.seed, "papers", "table1", pair)
        again = second_study(rejected, runs.repetitions, seeded)
        for at, name in enumerate(runs.names):
            bounds = middle((runs.repetitions - again[:, at]).astype(float))
            draws = float(runs.repetitions - rejected[at])
            text = str(DRAWS[name][place])
            numbers.append(Number(f"{name}, {pair}: draws", text, draws, *bounds))
        numbers += runs.numbers(pair, TABLE_1[pair], rejected)
        printed = np.array([DRAWS[name][place] for name in runs.names], dtype=float)
        ranks.append(rank_correlation(printed, 10.0 - rejected))
        none[pair] = dict(zip(runs.names, rejected == 0, strict=True))
        consistent, almost, value = measures(rejected, runs.repetitions)
        r.append(float(value))
        shares.append((consistent / len(runs.names), almost / len(runs.names)))
        fewer = runs.rejections(pair, FIVE_BY_TWO, "5x2cv-t@5x2", QUARTER)
        sums = (runs.repetitions * len(runs.names) - one.sum() for one in (rejected, fewer))
        readings.append((pair, f"{printed.sum():.0f}", *map(str, sums)))
    quiet = [name for name in ("iris", "heart-h") if name in runs.names]
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim(
                "For any pair, less than half of the results are consistent.",
                all(one < 0.5 for one, _ in shares),
                listed([one for one, _ in shares]),
            ),
            Claim(
                "The test is almost consistent in fewer than 66 % of the cases.",
                all(one < 0.66 for _, one in shares),
                listed([one for _, one in shares]),
            ),
            Claim(
                "No difference is found at all on iris and Hungarian heart disease.",
                all(none[pair][name] for pair in PAIRS for name in quiet),
            ),
            Claim(
                "The replicability values are pretty low.",
                all(one < 0.85 for one in r),
                f"R = {listed(r)}",
            ),
        ),
        tables=(
            ResultTable(
                "Draws on all data sets together.",
                ("", "printed", "ours", "ours, Σs²/4"),
                tuple(readings),
            ),
        ),
        trials=runs.words,
        remarks=(
            "The print has a few more draws than ours. With the sum of the five variances divided "
            "by four instead of five two of the three pairs come nearer and the third goes beyond "
            "the print. It is a reading found by trying, as is that of Table 5; the paper does not "
            "say so.",
            f"Rank correlation of printed and our draws over data sets: {listed(ranks)}.",
            "Of 81 draws, four would lie outside their intervals by chance.",
            *PREDICTED,
        ),
        datasets=runs.checksums,
    )


RESAMPLING = {f"{r} runs": (f"corrected-resampled-t@resample:{r}:0.1", 0.05) for r in RUNS_2}
CROSS_VALIDATION = {f"{r}×10": (f"corrected-cv-t@{r}x10", 0.05) for r in RUNS_3}


def table2(setting: ItemOptions, *, how: Any = RANDOM) -> ItemResult:
    """The corrected resampled t test."""
    runs = runs_of(setting, how)
    numbers, ours = cells_of(runs, how, RESAMPLING, TABLE_2)
    risen = int((np.diff(ours[:, :, 2], axis=1) > 0).sum())
    almost = float(ours[:, -1, 1].mean()) / len(runs.names)
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim(
                "Replicability increases with the number of runs almost everywhere.",
                risen >= 8,
                f"R rises in {risen} of 9 steps",
            ),
            Claim(
                "With 100 runs, 80 % of the results are almost consistent.",
                almost >= 0.8,
                f"{almost:.2f}",
            ),
            Claim(
                "With 100 runs, R is approximately .9 or above.",
                bool((ours[:, -1, 2] >= 0.88).all()),
                listed(ours[:, -1, 2].tolist()),
            ),
        ),
        trials=runs.words,
        remarks=PREDICTED,
        datasets=runs.checksums,
    )


def stratified(setting: ItemOptions) -> ItemResult:
    """Resampling again, with classes spread evenly: is that why cross-validation is better?"""
    runs = runs_of(setting, RANDOM, RANDOM_STRATIFIED)
    plain = cells_of(runs, RANDOM, RESAMPLING, TABLE_2)[1]
    even = cells_of(runs, RANDOM_STRATIFIED, RESAMPLING, TABLE_2)[1]
    gap = even[:, :, 2] - plain[:, :, 2]
    return ItemResult(
        claims=(
            Claim(
                "With stratification the replicability scores differ only very slightly.",
                float(np.abs(gap).mean()) < 0.03,
                f"R changes by {gap.mean():+.3f} on average, by {np.abs(gap).max():.3f} at most",
            ),
        ),
        trials=runs.words,
        datasets=runs.checksums,
    )


def table3(setting: ItemOptions) -> ItemResult:
    """The corrected repeated 10-fold cross-validation test."""
    runs = runs_of(setting, TEN_BY_TEN, RANDOM)
    numbers, ours = cells_of(runs, TEN_BY_TEN, CROSS_VALIDATION, TABLE_3, why=WHY)
    resampled = cells_of(runs, RANDOM, RESAMPLING, TABLE_2)[1]
    as_good = int((ours[:, :, 0] >= resampled[:, :, 0]).sum())
    r = int((ours[:, :, 2] >= resampled[:, :, 2]).sum())
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim(
                "At the same effort, consistency is almost everywhere as good as resampling's.",
                as_good >= 9,
                f"in {as_good} of 12 cells",
            ),
            Claim("The same can be said about R.", r >= 9, f"in {r} of 12 cells"),
            Claim(
                "The test on 10×10 folds has the best replicability of all.",
                bool((ours[:, -1, 2].mean() >= ours[:, :-1, 2].mean(axis=0)).all())
                and float(ours[:, -1, 2].mean()) > float(resampled[:, -1, 2].mean()),
                f"mean R {ours[:, -1, 2].mean():.3f}; "
                f"100 resamples {resampled[:, -1, 2].mean():.3f}",
            ),
        ),
        trials=runs.words,
        remarks=PREDICTED,
        datasets=runs.checksums,
    )


def table4(setting: ItemOptions) -> ItemResult:
    """The same test at other levels."""
    runs = runs_of(setting, TEN_BY_TEN)
    columns = {f"level {level:g}": ("corrected-cv-t@10x10", level) for level in LEVELS}
    numbers, ours = cells_of(runs, TEN_BY_TEN, columns, TABLE_4, why=WHY)
    r = ours[:, :, 2]
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim(
                "R is above .9 in every single case.",
                bool((r > 0.9).all()),
                f"the lowest is {r.min():.4f}",
            ),
            Claim(
                "The level has no major impact on R.",
                float(np.ptp(r, axis=1).max()) < 0.1,
                f"R varies by at most {np.ptp(r, axis=1).max():.3f} within a pair",
            ),
        ),
        trials=runs.words,
        remarks=PREDICTED,
        datasets=runs.checksums,
    )


def uncorrected(setting: ItemOptions) -> ItemResult:
    """The standard t test on one and on ten runs of 10 folds (section 4.3)."""
    runs = runs_of(setting, TEN_BY_TEN, RANDOM)
    numbers: list[Number] = []
    counts: dict[str, list[float]] = {}
    for experiment, printed in UNCORRECTED.items():
        for pair, text in zip(PAIRS, printed, strict=True):
            rejected = runs.rejections(pair, TEN_BY_TEN, experiment, 0.05)
            words = "1×10" if "1x10" in experiment else "10×10"
            numbers += runs.numbers(f"{pair}, {words} uncorrected", (text,), rejected)
            found = float(measures(rejected, runs.repetitions)[0])
            counts.setdefault(words, []).append(found)
    resampled = cells_of(runs, RANDOM, RESAMPLING, TABLE_2)[1]
    ten, hundred = resampled[:, 0, 0], resampled[:, -1, 0]
    one_run = np.array(counts["1×10"])
    return ItemResult(
        numbers=tuple(numbers),
        claims=(
            Claim(
                "One run of 10 folds is at least as consistent as 10 corrected resamples.",
                bool(one_run.sum() >= ten.sum()),
                f"{listed(one_run.tolist())} against {listed(ten.tolist())} data sets",
            ),
            Claim(
                "It is substantially less consistent than 100 corrected resamples.",
                bool((one_run < hundred).all()),
                f"{listed(hundred.tolist())}",
            ),
        ),
        trials=runs.words,
        remarks=PREDICTED,
        datasets=runs.checksums,
    )


PAPER = ReproducedPaper(
    "bouckaertfrank2004",
    "Bouckaert and Frank (2004), Evaluating the replicability of significance tests for comparing "
    "learning algorithms",
    (
        Item("table1", "The 5x2cv test on 27 data sets", table1, DATASETS, LEARNERS, 1),
        Item(
            "table2",
            "Corrected resampling, 10 to 100 runs",
            partial(table2, how=RANDOM),
            DATASETS,
            LEARNERS,
            2,
        ),
        Item(
            "table3",
            "Corrected r×10 cross-validation, 1 to 10 runs",
            table3,
            DATASETS,
            LEARNERS,
            4,
        ),
        Item(
            "table4",
            "Corrected 10×10 cross-validation at four levels",
            table4,
            DATASETS,
            LEARNERS,
            2,
        ),
        TABLE_5_ITEM,
        Item(
            "uncorrected",
            "The standard t test on folds, section 4.3",
            uncorrected,
            DATASETS,
            LEARNERS,
            4,
        ),
        Item(
            "stratified",
            "Resampling with stratification, section 4.3",
            stratified,
            DATASETS,
            LEARNERS,
            4,
        ),
    ),
)
