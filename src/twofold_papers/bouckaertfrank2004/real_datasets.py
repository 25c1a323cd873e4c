"""Bouckaert and Frank (2004), Tables 1 to 4 and section 4.3: three learners on 27 data sets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twofold.datasets import entries_of_paper
from twofold.rounding import number, written
from twofold.seeds import rng
from twofold_papers.agreement import (
    draw_second_study,
    format_interval,
    format_values,
    middle,
    rank_correlation,
    standard_error,
)
from twofold_papers.bouckaertfrank2004.simulated_sources import QUARTER, study_null_source
from twofold_papers.bouckaertfrank2004.split_errors import (
    judge_mean_gap,
    measure_with_errors,
)
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_difference
from twofold_papers.consistency import Columns, ConsistencyRuns, Suite
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import Number, PrintedItem
from twofold_papers.repeated_experiments import Splitting

Floats = NDArray[np.float64]
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
FIVE = "5x2cv-t@5x2"

RESAMPLING: Columns = {
    f"{r} runs": (f"corrected-resampled-t@resample:{r}:0.1", 0.05) for r in (10, 20, 50, 100)
}
CROSS_VALIDATION: Columns = {f"{r}×10": (f"corrected-cv-t@{r}x10", 0.05) for r in (1, 2, 5, 10)}
LEVELS: Columns = {f"level {a:g}": ("corrected-cv-t@10x10", a) for a in (0.01, 0.025, 0.05, 0.10)}
UNCORRECTED = {"1×10": "cv-t@1x10", "10×10": "use-all-data(df=99)@10x10"}
CONSISTENT, ALMOST, R = range(3)
ACCEPTABLE = 0.9
"""What the paper calls acceptable: "approximately 0.9 or above" (section 4.2)."""


def table1(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The 5x2cv test."""
    runs = SUITE.run(options, FIVE_BY_TWO)
    times, size = runs.repetitions, len(runs.names)
    numbers: list[Number] = []
    ranks, rows, redrawn, counted = [], [], [], []
    for index, pair in enumerate(PAIRS):
        draws = {name: printed["draws"][name][index] for name in runs.names}
        rejections = runs.count_rejections(pair, FIVE_BY_TWO, FIVE, 0.05)
        fewer = runs.count_rejections(pair, FIVE_BY_TWO, FIVE, QUARTER)
        again = draw_second_study(rejections, times, rng(options.seed, "papers", "table1", pair))
        for i, (name, text) in enumerate(draws.items()):
            bounds = middle((times - again[:, i]).astype(float))
            label, ours = f"{name}, {pair}: draws", float(times - rejections[i])
            numbers.append(Number(label, str(text), ours, *bounds))
        numbers += runs.compare(pair, printed["measures"][pair], rejections)
        theirs = np.array(list(draws.values()), dtype=float)
        ranks.append(rank_correlation(theirs, 10.0 - rejections))
        redrawn.append(again)
        counted.append(rejections)
        sums = (str(times * size - each.sum()) for each in (rejections, fewer))
        rows.append((pair, written(theirs.sum(), 0), *sums))
    measured = measure_with_errors(runs, FIVE_BY_TWO, {"5x2": (FIVE, 0.05)})
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            **_judge_five_by_two(runs, np.array(counted), np.array(redrawn)),
            consistent=_judge_below(measured.select(CONSISTENT), 0.5 * size),
            almost=_judge_below(measured.select(ALMOST), 0.66 * size),
            low=_judge_below(measured.select(R), ACCEPTABLE, "R = "),
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


def _judge_below(measured: tuple[Floats, Floats], bound: float, head: str = "") -> Verdict:
    """Return whether all pairs stay below a bound."""
    values, errors = (each.ravel() for each in measured)
    cells = list(zip(values, errors, strict=True))
    words = (f"{number(value)} ({number(error, 2)})" for value, error in cells)
    return judge_all(
        [judge_difference(bound - value, error) for value, error in cells],
        f"{head}{', '.join(words)}; standard errors in brackets; below {number(bound)}",
    )


def _judge_five_by_two(
    runs: ConsistencyRuns, rejections: NDArray[np.intp], again: NDArray[np.intp]
) -> dict[str, Verdict]:
    """Return what is said of single data sets; pairs are on the first axis."""
    times, size = runs.repetitions, len(runs.names)
    quiet = [runs.names.index(name) for name in ("iris", "heart-h") if name in runs.names]
    rates = rejections[:, quiet].sum(axis=0) / (times * len(PAIRS))
    errors = np.sqrt(rates * (1 - rates) / (times * len(PAIRS)))
    consistent, redrawn = (((x == 0) | (x == times)).all(axis=0) for x in (rejections, again))
    rows = size - int(consistent.sum())
    of_rows = float((size - redrawn.sum(axis=-1)).std() / np.sqrt(2))
    mixed, mixed_again = (((x[0] > 0) & (x[0] < times)).sum(axis=-1) for x in (rejections, again))
    return {
        "quiet": judge_all(
            [judge_difference(0.1 - r, e) for r, e in zip(rates, errors, strict=True)],
            ", ".join(
                f"{runs.names[i]} {rejections[:, i].sum()} of {times * len(PAIRS)}" for i in quiet
            ),
        ),
        "most_rows": judge_difference(rows - size / 2, of_rows, f"{rows} of {size} rows"),
        "seeds": judge_difference(
            mixed - size / 2,
            float(mixed_again.std() / np.sqrt(2)),
            f"both outcomes on {mixed} of {size} data sets; a difference at least once on "
            f"{(rejections[0] > 0).sum()} (printed 19), none at least once on "
            f"{(rejections[0] < times).sum()} (printed 26)",
        ),
    }


def table2(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The corrected resampled t test."""
    runs = SUITE.run(options, RANDOM)
    measured = measure_with_errors(runs, RANDOM, RESAMPLING)
    r, errors = measured.select(R)
    steps = [
        judge_mean_gap((r[:, i + 1], errors[:, i + 1]), (r[:, i], errors[:, i])) for i in range(3)
    ]
    almost, of_almost = (each[:, -1] for each in measured.select(ALMOST))
    share = float(almost.mean()) / len(runs.names)
    error = float(np.sqrt((of_almost**2).sum())) / len(PAIRS) / len(runs.names)
    return ItemResult(
        numbers=runs.compare_columns(RANDOM, RESAMPLING, printed["cells"], printed.causes),
        claims=printed.judge(
            increases=judge_all(
                steps, f"mean R {format_values(r.mean(axis=0))} with 10, 20, 50, 100 runs"
            ),
            almost=judge_difference(
                share - 0.8, error, f"{written(share, 3)}, standard error {written(error, 3)}"
            ),
            hundred=judge_all(
                [
                    judge_difference(value - ACCEPTABLE + 0.005, e)
                    for value, e in zip(r[:, -1], errors[:, -1], strict=True)
                ],
                f"{format_values(r[:, -1])}; standard errors {format_values(errors[:, -1])}",
            ),
        ),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )


def compare_stratified(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Resampling again, with classes spread evenly: is that why cross-validation is better?"""
    runs = SUITE.run(options, RANDOM, RANDOM_STRATIFIED)
    plain, even = (measure_with_errors(runs, s, RESAMPLING) for s in (RANDOM, RANDOM_STRATIFIED))
    gaps = even.select(R)[0] - plain.select(R)[0]
    errors = np.hypot(even.select(R)[1], plain.select(R)[1])
    gap, error = float(gaps.mean()), float(np.sqrt((errors**2).sum())) / errors.size
    return ItemResult(
        claims=printed.judge(
            slightly=judge_difference(
                0.02 - abs(gap),
                error,
                f"R changes by {written(gap, 4, plus=True)} on average, standard error "
                f"{written(error, 4)}",
            )
        ),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )


def table3(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The corrected repeated 10-fold cross-validation test."""
    runs = SUITE.run(options, TEN_BY_TEN, RANDOM)
    ours = measure_with_errors(runs, TEN_BY_TEN, CROSS_VALIDATION)
    resampled = measure_with_errors(runs, RANDOM, RESAMPLING)
    r, errors = ours.select(R)
    hundred = tuple(each[:, -1] for each in resampled.select(R))
    best = r[:, -1], errors[:, -1]
    higher = (ours.values > resampled.values).sum(axis=(0, 1))
    lower = (ours.values < resampled.values).sum(axis=(0, 1))
    rivals = [(r[:, i], errors[:, i]) for i in range(3)] + [(hundred[0], hundred[1])]
    return ItemResult(
        numbers=runs.compare_columns(
            TEN_BY_TEN, CROSS_VALIDATION, printed["cells"], printed.causes
        ),
        claims=printed.judge(
            consistent=judge_mean_gap(
                ours.select(CONSISTENT),
                resampled.select(CONSISTENT),
                f"higher in {higher[CONSISTENT]}, lower in {lower[CONSISTENT]} of 12 cells",
            ),
            replicable=judge_mean_gap(
                ours.select(R),
                resampled.select(R),
                f"higher in {higher[R]}, lower in {lower[R]} of 12 cells",
            ),
            best=judge_all(
                [judge_mean_gap(best, rival) for rival in rivals],
                f"mean R {format_values(r.mean(axis=0))} with 1, 2, 5, 10 runs; 100 resamples "
                f"{written(hundred[0].mean(), 3)}",
            ),
        ),
        tables=(_list_near_level(runs, "NB vs NN"),),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )


def _list_near_level(runs: ConsistencyRuns, pair: str) -> ResultTable:
    """Return the data sets whose p values of the 10×10 test are not all on one side of a level."""
    rows = []
    for name, pvalues in runs.find_pvalues(pair, TEN_BY_TEN, "corrected-cv-t@10x10").items():
        low, high = float(pvalues.min()), float(pvalues.max())
        between = [alpha for _, alpha in LEVELS.values() if low <= alpha < high]
        if between:
            below = (f"{(pvalues <= alpha).sum()} at {alpha:g}" for alpha in between)
            rows.append((name, written(low, 4), written(high, 4), ", ".join(below)))
    return ResultTable(
        f"{pair}: data sets whose p values, of {runs.repetitions} repetitions, lie on both sides "
        "of a level; how many lie below it.",
        ("", "lowest p", "highest p", "below"),
        tuple(rows) or (("none", "", "", ""),),
    )


def table4(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The same test at other levels; .05 is a column of Table 3 and counted there."""
    runs = SUITE.run(options, TEN_BY_TEN)
    measured = measure_with_errors(runs, TEN_BY_TEN, LEVELS)
    r, errors = measured.select(R)
    numbers = runs.compare_columns(TEN_BY_TEN, LEVELS, printed["cells"], printed.causes)
    means = r.mean(axis=0)
    low, high = int(means.argmin()), int(means.argmax())
    return ItemResult(
        numbers=tuple(each for each in numbers if "level 0.05:" not in each.label),
        claims=printed.judge(
            above=judge_all(
                [
                    judge_difference(value - ACCEPTABLE, error)
                    for value, error in zip(r.ravel(), errors.ravel(), strict=True)
                ],
                f"from {written(r.min(), 3)} to {written(r.max(), 3)}; standard errors up to "
                f"{written(errors.max(), 3)}",
            ),
            level=judge_mean_gap(
                (r[:, low], errors[:, low]),
                (r[:, high], errors[:, high]),
                f"mean R {format_values(means)} at 1, 2.5, 5, 10 %",
                margin=-0.05,
            ),
        ),
        tables=tuple(_list_near_level(runs, pair) for pair in ("NB vs C4.5", "NB vs NN")),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )


def compare_uncorrected(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The standard t test on one and on ten runs of 10 folds (section 4.3)."""
    runs = SUITE.run(options, TEN_BY_TEN, RANDOM)
    numbers: list[Number] = []
    for design, experiment in UNCORRECTED.items():
        for pair, text in zip(PAIRS, printed["consistent"][experiment], strict=True):
            rejections = runs.count_rejections(pair, TEN_BY_TEN, experiment, 0.05)
            numbers += runs.compare(f"{pair}, {design} uncorrected", (text,), rejections)
    folds = measure_with_errors(
        runs, TEN_BY_TEN, {name: (each, 0.05) for name, each in UNCORRECTED.items()}
    ).select(CONSISTENT)
    resampled = measure_with_errors(runs, RANDOM, RESAMPLING).select(CONSISTENT)

    def column(measured: tuple[Floats, Floats], index: int) -> tuple[Floats, Floats]:
        return measured[0][:, index], measured[1][:, index]

    single, ten_times = column(folds, 0), column(folds, 1)
    ten, hundred = column(resampled, 0), column(resampled, -1)

    def describe(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> str:
        counts = (", ".join(written(count, 0) for count in each[0]) for each in (first, second))
        return " against ".join(counts) + " data sets"

    null = study_null_source(options, UNCORRECTED["10×10"])
    return ItemResult(
        numbers=tuple(numbers),
        claims=printed.judge(
            ten=judge_mean_gap(single, ten, describe(single, ten), margin=-1.0),
            hundred=judge_mean_gap(hundred, single, describe(single, hundred), margin=1.0),
            impressive=judge_mean_gap(ten_times, hundred, describe(ten_times, hundred)),
            very_high=judge_difference(
                null.rejected.value - 0.1,
                standard_error(null.rejected),
                f"{format_interval(null.rejected)} on {null.datasets} data sets of source 1",
            ),
        ),
        trials=runs.trials,
        datasets=runs.counts.checksums,
    )
