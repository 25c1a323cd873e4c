"""Bouckaert (2003), sections 4, 5.1 and 5.5: data sets on which no learner is better."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from twofold.plots import Panel, Series
from twofold.rounding import percentage, written
from twofold.simulation import read_source
from twofold.studies import Calibrated
from twofold_papers.agreement import format_interval, standard_error
from twofold_papers.bouckaert2003.calibrated_tests import (
    AVERAGED_T,
    DATASETS,
    FIRST,
    FOLDED,
    LEVEL,
    MARGIN,
    NULL,
    RETAINED,
    RUNS,
    Freedom,
    calibrate_tests,
    pick_null_sets,
    pick_runs,
    write_experiment,
)
from twofold_papers.bouckaert2003.paired_outcomes import SourceOutcomes, average, estimate
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_difference, judge_exact
from twofold_papers.figure import build_series
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import PrintedItem

FIGURE_LEVELS = (0.01, 0.05, 0.10)
DROPPED = (
    "mean-folds",
    "mean-runs",
    "mean-sorted-runs-averaged-var",
    "mean-sorted-runs-averaged-t",
)
STEADY = tuple(test for test in RETAINED if test != "mean-sorted-runs")
VERY_LOW = 7
"""What the paper calls very low: the df of mean folds is at most that."""


def figure2(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Calibrated degrees of freedom, and their Type I error."""
    runs = options.pick(toy=(2, 4), quick=(5, 10, 20), full=RUNS)
    freedom = calibrate_tests(options, runs, FIGURE_LEVELS)
    left, right = [], []
    for level in FIGURE_LEVELS:
        df, errors = [], []
        for test in (*FOLDED, *FIRST):
            rows = {r: freedom[test, 1 if test == "cv-t" else r, level] for r in runs}
            # A test that no df keeps to its level has an empty line, so that colours stay the same.
            points = {r: row for r, row in rows.items() if row.df is not None}
            rates = [row.type_one for row in points.values()]
            df.append(Series(test, list(points), [float(row.df or 0) for row in points.values()]))
            errors.append(Series(test, list(points), [e.value for e in rates if e is not None]))
        title = f"α = {level:g}"
        left.append(Panel(title, "runs", "calibrated df", tuple(df), y_log=True))
        right.append(Panel(title, "runs", "Type I error", tuple(errors), level=level))
    ten = 10 if 10 in runs else runs[-1]
    row = freedom["use-all-data", ten, LEVEL]
    # Theirs rests on as many data sets and is random too: the interval is wider by √2.
    reach = float((row.high - row.low) / 2 * np.sqrt(2))
    numbers = [printed.compare(label, row.df or 0, reach) for label in printed.numbers]
    single = freedom["cv-t", 1, LEVEL].type_one_textbook
    return ItemResult(
        numbers=tuple(numbers) if ten == 10 else (),
        claims=printed.judge(
            mean_folds=_judge_low(freedom, ("mean-folds",)),
            dropped=_judge_low(freedom, DROPPED),
            uncalibratable=_judge_uncalibratable(freedom),
            elevated=judge_difference(
                single.value - LEVEL, standard_error(single), format_interval(single)
            ),
            resampling=_judge_resampling(freedom),
            steady=_judge_steady(freedom, [r for r in runs if r >= ten]),
        ),
        figures=(printed.figure("df", *left), printed.figure("errors", *right)),
        trials=f"{pick_null_sets(options)} data sets; {', '.join(map(str, runs))} runs of 10 "
        "folds, and as many resamples",
    )


def _error_of(row: Calibrated) -> float:
    """Return the standard error of a calibrated df."""
    return (row.high - row.low) / 3.92


def _judge_low(freedom: Freedom, tests: tuple[str, ...]) -> Verdict:
    """Return whether df of tests are very low, at all levels and numbers of runs."""
    rows = [row for (test, _, _), row in freedom.items() if test in tests]
    parts = [
        judge_exact(True)
        if row.df is None  # not even the lowest df keeps the level
        else judge_difference(VERY_LOW + 0.5 - row.df, _error_of(row))
        for row in rows
    ]
    highest = {
        test: max((row.df or 0 for row in rows if row.test == test), default=0) for test in tests
    }
    words = (f"{test} at most {df:g}" if df else f"{test} none" for test, df in highest.items())
    return judge_all(parts, ", ".join(words))


def _judge_uncalibratable(freedom: Freedom) -> Verdict:
    """Return whether there is a test that errs too often with every df, at .05."""
    lowest = [
        (row.rejections[0] / row.datasets, key[0], row)
        for key, row in freedom.items()
        if key[2] == LEVEL and row.rejections
    ]
    rate, test, row = max(lowest, key=lambda each: each[0])
    error = float(np.sqrt(rate * (1 - rate) / row.datasets))
    none = sorted({t for (t, _, _), each in freedom.items() if each.df is None})
    return judge_difference(
        rate - LEVEL,
        error,
        f"with the lowest df, {row.lowest}, {test} at {row.runs} runs still errs "
        f"{written(rate, 3)}; no df "
        f"keeps its level somewhere: {', '.join(none) or 'none'}",
    )


def _judge_resampling(freedom: Freedom) -> Verdict:
    """Return whether the df of resampling is lower by 85 to 95 % where it is lowest."""
    rows = [row for (test, _, _), row in freedom.items() if test == "resampled-t" and row.df]
    row = min(rows, key=lambda each: (each.df or 0) / each.textbook)
    lower, error = 1 - (row.df or 0) / row.textbook, _error_of(row) / row.textbook
    detail = f"up to {percentage(lower, 1)} lower: {row.df:g} for {row.textbook:g}"
    return judge_all(
        [judge_difference(lower - 0.85, error), judge_difference(0.95 - lower, error)], detail
    )


def _judge_steady(freedom: Freedom, runs: list[int]) -> Verdict:
    """Return whether the df of each test stay within 2 of each other."""
    parts, words = [], []
    for test in STEADY:
        rows = [freedom[test, r, LEVEL] for r in runs]
        df = [row.df or 0 for row in rows]
        parts.append(judge_difference(2.5 - float(np.ptp(df)), max(map(_error_of, rows))))
        words.append(f"{test} {min(df):g} to {max(df):g}")
    return judge_all(parts, f"from {runs[0]} runs on: {', '.join(words)}")


def table2(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error of calibrated tests for other class probabilities."""
    runs = pick_runs(options)
    freedom = calibrate_tests(options, (runs,), (LEVEL,))
    named = {test: write_experiment(test, runs, LEVEL, freedom) for test in RETAINED}
    every = tuple(printed["class_probabilities"])
    chosen = options.pick(toy=(0.2, 0.5), quick=every, full=every)
    count = options.pick(toy=6, quick=150, full=DATASETS)
    outcomes = SourceOutcomes(options, count, 1, options.seed + 1, (f"{runs}x10",))
    sources = [read_source(f"binary:p={p}:various=1") for p in chosen]
    errors = {
        test: [outcomes.measure_power(source, written, LEVEL) for source in sources]
        for test, written in named.items()
    }
    plain = {test: each for test, each in errors.items() if test not in AVERAGED_T}
    together = [np.mean([errors[test][i] for test in RETAINED], axis=0) for i in range(len(chosen))]
    means = [average([each]) for each in together]
    lines = tuple(
        build_series(test, chosen, [estimate(each) for each in samples])
        for test, samples in errors.items()
    )
    labels = "300 rows, 10×10 folds", "class probability", "Type I error"
    panel = Panel(*labels, lines, level=LEVEL, possible=(0.0, 1.0))
    (low, low_error), (even, even_error) = means[0], means[-1]
    half, half_error = even / 2 - low, float(np.hypot(even_error / 2, low_error))
    return ItemResult(
        claims=printed.judge(
            level=judge_all(
                [
                    judge_difference(LEVEL - rate, error)
                    for samples in plain.values()
                    for rate, error in (average([each]) for each in samples)
                ],
                ", ".join(
                    f"{test} {written(max(float(each.mean()) for each in samples), 3)}"
                    for test, samples in plain.items()
                )
                + f" at most; standard errors up to {written(_largest_error(plain), 3)}",
            ),
            lower=judge_difference(
                half,
                half_error,
                f"{written(low, 3)} at {chosen[0]:g}, {written(even, 3)} at {chosen[-1]:g}",
            ),
            highest=judge_all(
                [
                    judge_difference(even - rate, float(np.hypot(even_error, error)))
                    for rate, error in means[:-1]
                ],
                ", ".join(
                    f"{written(m, 3)} at {p:g}" for p, (m, _) in zip(chosen, means, strict=True)
                ),
            ),
        ),
        tables=(
            ResultTable(
                f"Data sets of {count} on which a difference is found, by class probability.",
                ("", *(f"{p:g}" for p in chosen)),
                tuple((t, *(written(each.sum(), 0) for each in v)) for t, v in errors.items()),
            ),
        ),
        figures=(printed.figure("errors", panel),),
        trials=f"{count} data sets for each class probability",
        remarks=printed.write_remarks(calibrated_on=pick_null_sets(options)),
    )


def _largest_error(samples: dict[str, list[np.ndarray]]) -> float:
    return max(average([each])[1] for group in samples.values() for each in group)


def table7(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error with other learners, of use all data and of the other calibrated tests."""
    every = ("nb", "c45", "nn", "tan", "perceptron")
    learners = options.pick(toy=("nb", "nn"), quick=every, full=every)
    datasets = options.pick(toy=4, quick=40, full=DATASETS)
    freedom = calibrate_tests(options, (10,), (LEVEL,))
    recommended = "use-all-data(df=10)@10x10"
    others = {t: write_experiment(t, 10, LEVEL, freedom) for t in RETAINED if t != "use-all-data"}
    rows, acceptable, near = [], [], []
    worst = farthest = 0.0
    for pair in combinations(learners, 2):
        outcomes = SourceOutcomes(options, datasets, 1, options.seed, ("10x10",), pair)
        ours = outcomes.measure_power(NULL, recommended, LEVEL)
        rate, error = average([ours])
        worst = max(worst, rate)
        acceptable.append(judge_difference(LEVEL + MARGIN - rate, error))
        cells = [" vs ".join(pair), format_interval(estimate(ours))]
        for experiment in others.values():
            other = outcomes.measure_power(NULL, experiment, LEVEL)
            gap, of_gap = average([other - ours])
            near.append(judge_difference(MARGIN - abs(gap), of_gap))
            farthest = max(farthest, abs(gap))
            cells.append(written(other.mean(), 3))
        rows.append(tuple(cells))
    holding = sum(each.word == "holds" for each in acceptable)
    return ItemResult(
        claims=printed.judge(
            acceptable=judge_all(
                acceptable,
                f"at most {written(worst, 3)}; surely at most {LEVEL + MARGIN:g} for {holding} of "
                f"{len(acceptable)} pairs",
            ),
            representative=judge_all(
                near,
                f"they differ by at most {written(farthest, 3)}; surely by less than .01 in "
                f"{sum(each.word == 'holds' for each in near)} of {len(near)} cases",
            ),
        ),
        tables=(
            ResultTable(
                "Type I error of use all data with df 10, and of the other tests with their df.",
                ("", "use-all-data", *others),
                tuple(rows),
            ),
        ),
        trials=f"{datasets} data sets of 300 rows for each pair, 10×10 folds",
    )
