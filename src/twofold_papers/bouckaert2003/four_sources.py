"""Bouckaert (2003), section 5.2: four sources, and numbers of runs."""

from __future__ import annotations

import numpy as np

from twofold.learners import read_learners
from twofold.plots import Panel
from twofold.rounding import written
from twofold.seeds import rng
from twofold.studies import predictor
from twofold_papers.bouckaert2003.calibrated_tests import (
    DATASETS,
    FIRST,
    LEVEL,
    MARGIN,
    RETAINED,
    RUNS,
    calibrate_tests,
    pick_null_sets,
    pick_rows,
    write_experiment,
)
from twofold_papers.bouckaert2003.paired_outcomes import (
    PerDataset,
    SourceOutcomes,
    average,
    estimate,
    judge_higher,
)
from twofold_papers.claim_verdicts import judge_all, judge_difference
from twofold_papers.figure import build_series
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.networks import DELTAS, sources
from twofold_papers.printed import PrintedItem

TEST_ROWS = 10_000
TESTS = (*FIRST, *RETAINED)


def table3(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Accuracies of both learners on the four sources."""
    sets = options.pick(toy=4, quick=200, full=DATASETS)
    learners = read_learners(["nb", "c45"])
    cells = np.array([[(i >> j) & 1 for j in range(10)] for i in range(1024)], dtype=np.uint8)
    rows, gaps, errors = [], [], []
    for index, (source, delta) in enumerate(zip(sources(), DELTAS, strict=True)):
        X, y = source.draw_many(sets, pick_rows(options), rng(options.seed, "table3", index))
        test, truth = (
            array[0] for array in source.draw_many(1, TEST_ROWS, rng(options.seed, index))
        )
        cell = (test.astype(np.intp) << np.arange(10)).sum(axis=1)
        predictions = [predictor(learner)(X, y, cells)[:, cell] for learner in learners]
        accuracy = np.array([(each == truth).mean(axis=1) for each in predictions])
        gap = 100 * (accuracy[1] - accuracy[0])
        disagreement = float((predictions[0] != predictions[1]).mean())
        # Of the data sets that were trained on, and of the one test set.
        gaps.append(float(gap.mean()))
        errors.append(float(np.hypot(gap.std(ddof=1) / np.sqrt(sets), _test_error(disagreement))))
        means = (written(100 * each.mean(), 2) for each in accuracy)
        shares = written(100 * disagreement, 1)
        rows.append((f"set {index + 1}", *means, shares, written(gaps[-1], 2, plus=True), delta))
    return ItemResult(
        claims=printed.judge(
            equal=judge_difference(
                1.0 - abs(gaps[0]),
                errors[0],
                f"{written(gaps[0], 2, plus=True)} points, standard error {written(errors[0], 2)}",
            ),
            margin=judge_all(
                [
                    judge_difference(gaps[i] - before, float(np.hypot(errors[i], error)))
                    for i, before, error in zip(
                        (1, 2, 3), (0.0, *gaps[1:3]), (0.0, *errors[1:3]), strict=True
                    )
                ],
                ", ".join(
                    f"{written(gap, 2, plus=True)} ({written(e, 2)})"
                    for gap, e in zip(gaps, errors, strict=True)
                )
                + " points and standard errors, sets 1 to 4",
            ),
        ),
        tables=(
            ResultTable(
                "Accuracy (%), trained on 300 rows, measured on 10,000 rows; on how many of these "
                "the learners disagree (%); and the difference, which chose the networks.",
                ("", "naive Bayes", "C4.5", "disagree", "difference", "printed"),
                tuple(rows),
            ),
        ),
        trials=f"{sets} data sets of {pick_rows(options)} rows from each source, one test set of "
        f"{TEST_ROWS:,} rows each",
    )


def _test_error(disagreement: float) -> float:
    """Return the standard error in points that one test set has."""
    return 100 * float(np.sqrt(disagreement / TEST_ROWS))


def figure4(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Rejections against the number of runs, on four sources."""
    runs = options.pick(toy=(2, 4), quick=(5, 10, 20, 40), full=RUNS)
    freedom = calibrate_tests(options, runs, (LEVEL,))
    named = {(test, r): write_experiment(test, r, LEVEL, freedom) for test in TESTS for r in runs}
    sets = options.pick(toy=6, quick=150, full=DATASETS)
    designs = f"{runs[-1]}x10", f"resample:{runs[-1]}:0.1"
    outcomes = SourceOutcomes(options, sets, 1, options.seed + 1, designs)
    power: dict[tuple[int, str], list[PerDataset]] = {}
    panels = []
    for index, source in enumerate(sources()):
        series = []
        for test in TESTS:
            each = [outcomes.measure_power(source, named[test, r], LEVEL) for r in runs]
            power[index, test] = each
            series.append(build_series(test, runs, list(map(estimate, each)), dashed=test in FIRST))
        title = "Type I error on set 1" if index == 0 else f"power on set {index + 1}"
        labels = title, "runs", "share rejected"
        level = None if index else LEVEL
        panels.append(Panel(*labels, tuple(series), level=level, possible=(0.0, 1.0)))
    last = {test: [power[i, test][-1] for i in (1, 2, 3)] for test in TESTS}
    means = {test: average(each)[0] for test, each in last.items()}
    ten = 1 if len(runs) > 1 else 0
    moved = {
        test: average([power[i, test][-1] - power[i, test][ten] for i in (1, 2, 3)])
        for test in RETAINED
    }
    best, worst = (pick(RETAINED, key=means.__getitem__) for pick in (max, min))
    null_sets = pick_null_sets(options)
    # The df were found on data sets of their own, which adds their error.
    of_df = float(np.sqrt(LEVEL * (1 - LEVEL) / null_sets))
    errors = {test: average([np.mean(power[0, test], axis=0)]) for test in TESTS}
    plain = FIRST[:2]
    return ItemResult(
        claims=printed.judge(
            level=judge_all(
                [
                    judge_difference(LEVEL + MARGIN - rate, float(np.hypot(error, of_df)))
                    for rate, error in errors.values()
                ],
                "mean over the numbers of runs: "
                + ", ".join(f"{test} {written(rate, 3)}" for test, (rate, _) in errors.items())
                + f"; the df alone have a standard error of {written(of_df, 3)}",
            ),
            similar=judge_higher(
                last[worst],
                last[best],
                f"at {runs[-1]} runs the mean power on sets 2 to 4 is between "
                f"{written(means[worst], 3)} "
                f"({worst}) and {written(means[best], 3)} ({best})",
                margin=-0.05,
            ),
            resampling=judge_all(
                [
                    judge_higher(
                        [power[i, test][-1] for i in (1, 2, 3)],
                        [power[i, test][0] for i in (1, 2, 3)],
                    )
                    for test in plain
                ],
                f"mean power on sets 2 to 4 from {runs[0]} to {runs[-1]} runs: "
                + ", ".join(
                    f"{test} {written(average([power[i, test][0] for i in (1, 2, 3)])[0], 3)} to "
                    f"{written(means[test], 3)}"
                    for test in plain
                ),
            ),
            more_power=judge_all(
                [judge_higher(last[test], last["cv-t"]) for test in RETAINED],
                ", ".join(f"{test} {written(value, 3)}" for test, value in means.items()),
            ),
            steady=judge_all(
                [judge_difference(0.05 - abs(mean), error) for mean, error in moved.values()],
                f"from {runs[ten]} to {runs[-1]} runs the mean power moves by "
                + ", ".join(
                    f"{written(mean, 3, plus=True)} ({test})" for test, (mean, _) in moved.items()
                ),
            ),
        ),
        figures=(printed.figure("runs", *panels),),
        trials=f"{sets} data sets from each source; {', '.join(map(str, runs))} runs",
    )
