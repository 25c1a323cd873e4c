"""Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests.

Naive Bayes and C4.5 on 1000 data sets of 300 rows and 10 independent binary attributes: with how
many degrees of freedom does each test have its level? The tables are not readable in the text at
hand; what is checked is what the text says of them.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from twofold.plots import Panel, Series
from twofold.studies import Estimate
from twofold_papers.agreement import format_interval
from twofold_papers.bouckaert2003.calibrated_tests import (
    AVERAGED_T,
    DATASETS,
    FOLDED,
    LEVEL,
    NULL,
    RETAINED,
    RUNS,
    calibrate_tests,
    pick_null_sets,
    pick_runs,
    study_sources,
    write_experiment,
)
from twofold_papers.bouckaert2003.four_sources import figure4, table3, table4, table5, table6
from twofold_papers.collection import build_paper
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import PrintedItem

FIGURE_LEVELS = (0.01, 0.05, 0.10)
DROPPED = (
    "mean-folds",
    "mean-runs",
    "mean-sorted-runs-averaged-var",
    "mean-sorted-runs-averaged-t",
)


def figure2(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Calibrated degrees of freedom, and their Type I error."""
    runs = options.pick(toy=(2, 4), quick=(5, 10, 20), full=RUNS)
    freedom = calibrate_tests(options, runs, FIGURE_LEVELS)
    left, right = [], []
    for level in FIGURE_LEVELS:
        df, errors = [], []
        for test in (*FOLDED, "resampled-t", "corrected-resampled-t", "cv-t"):
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
    at_level = {test: [freedom[test, r, LEVEL].df or 0 for r in runs] for test in FOLDED}
    folds = max(freedom["mean-folds", r, a].df or 0 for r in runs for a in FIGURE_LEVELS)
    resampled = [freedom["resampled-t", r, a] for r in runs for a in FIGURE_LEVELS]
    lower = max(1 - (row.df or 1) / row.textbook for row in resampled)
    steady = [test for test in RETAINED if "averaged" in test or test == "use-all-data"]
    moves = {test: float(np.ptp(at_level[test][runs.index(ten) :])) for test in steady}
    dropped = {test: at_level[test] for test in DROPPED}
    use_all = at_level["use-all-data"]
    row = freedom["use-all-data", ten, LEVEL]
    # Theirs rests on as many data sets and is random too: the interval is wider by √2.
    reach = float((row.high - row.low) / 2 * np.sqrt(2))
    numbers = [printed.compare(label, row.df or 0, reach) for label in printed.numbers]
    return ItemResult(
        numbers=tuple(numbers) if ten == 10 else (),
        claims=printed.judge(
            mean_folds=(folds <= 7, f"at most {folds:g}"),
            resampling=(lower >= 0.5, f"up to {lower:.0%} lower"),
            erratic=(
                all(max(v) <= 7 or max(v) > 3 * max(1, min(v)) for v in dropped.values()),
                ", ".join(f"{t} {min(v):g} to {max(v):g}" for t, v in dropped.items()),
            ),
            use_all=(
                max(use_all) - min(use_all) <= 4,
                ", ".join(f"{df:g}" for df in use_all) + f" at {', '.join(map(str, runs))} runs",
            ),
            steady=(
                max(moves.values()) <= 4,
                ", ".join(f"{test} by {value:g}" for test, value in moves.items()),
            ),
        ),
        figures=(printed.figure("df", *left), printed.figure("errors", *right)),
        trials=f"{pick_null_sets(options)} data sets; {', '.join(map(str, runs))} runs of 10 "
        "folds, and as many resamples",
    )


def table2(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error of calibrated tests for other class probabilities."""
    runs = pick_runs(options)
    freedom = calibrate_tests(options, (runs,), (LEVEL,))
    tests = [write_experiment(test, runs, LEVEL, freedom) for test in RETAINED]
    every = tuple(printed["class_probabilities"])
    chosen = options.pick(toy=(0.2, 0.5), quick=every, full=every)
    findings = study_sources(options, [f"binary:p={p}:various=1" for p in chosen], tests, 1)
    count = findings.rows[0].datasets
    # What so many data sets cannot tell from the level.
    allowed = LEVEL + 2.5 * float(np.sqrt(LEVEL * (1 - LEVEL) / count))
    errors: dict[str, list[float]] = {}
    for row in findings.rows:
        errors.setdefault(row.test, []).append(row.rejected.value)
    plain = {test: max(values) for test, values in errors.items() if test not in AVERAGED_T}
    low, even = (float(np.mean([values[i] for values in errors.values()])) for i in (0, -1))
    lines = tuple(Series(test, chosen, values) for test, values in errors.items())
    labels = "300 rows, 10×10 folds", "class probability", "Type I error"
    return ItemResult(
        claims=printed.judge(
            level=(
                all(value <= allowed for value in plain.values()),
                ", ".join(f"{test} {value:.3f}" for test, value in plain.items())
                + f" at most; {count} data sets cannot tell {allowed:.3f} from .05",
            ),
            lower=(low < even, f"{low:.3f} at {chosen[0]:g}, {even:.3f} at {chosen[-1]:g}"),
        ),
        tables=(
            ResultTable(
                f"Data sets of {count} on which a difference is found, by class probability.",
                ("", *(f"{p:g}" for p in chosen)),
                tuple((t, *(f"{v * count:.0f}" for v in values)) for t, values in errors.items()),
            ),
        ),
        figures=(printed.figure("errors", Panel(*labels, lines, level=LEVEL)),),
        trials=f"{count} data sets for each class probability",
        remarks=printed.write_remarks(calibrated_on=pick_null_sets(options)),
    )


def table7(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error of use all data with other learners."""
    df = 10
    every = ("nb", "c45", "nn", "tan", "perceptron")
    learners = options.pick(toy=("nb", "nn"), quick=every, full=every)
    datasets = options.pick(toy=4, quick=40, full=DATASETS)
    errors: dict[str, Estimate] = {}
    for pair in combinations(learners, 2):
        findings = study_sources(
            options,
            NULL,
            [f"use-all-data(df={df})@10x10"],
            1,
            learners=pair,
            datasets=datasets,
            seed=options.seed,
        )
        errors[" vs ".join(pair)] = findings.rows[0].rejected
    allowed = LEVEL + 3 * float(np.sqrt(LEVEL * (1 - LEVEL) / datasets))
    worst = max(error.value for error in errors.values())
    return ItemResult(
        claims=printed.judge(
            acceptable=(
                worst <= allowed,
                f"at most {worst:.3f}; {datasets} data sets cannot tell {allowed:.3f} from .05",
            )
        ),
        tables=(
            ResultTable(
                "Type I error.",
                ("", "use all data"),
                tuple((pair, format_interval(error)) for pair, error in errors.items()),
            ),
        ),
        trials=f"{datasets} data sets of 300 rows for each pair, 10×10 folds, df {df}",
    )


PAPER = build_paper(
    "bouckaert2003", figure2, table2, table3, figure4, table4, table5, table6, table7
)
