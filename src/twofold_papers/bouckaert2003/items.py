"""Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests.

Naive Bayes and C4.5 on 1000 data sets of 300 rows and 10 independent binary attributes: with how
many degrees of freedom does each test have its level? The tables are not readable in the text at
hand; what is checked is what the text says of them.
"""

from __future__ import annotations

import numpy as np

from twofold.studies import Calibrated, Estimate, study
from twofold_papers.agreement import with_interval
from twofold_papers.bouckaert2003.calibrated_tests import (
    AVERAGED_T,
    DATASETS,
    FOLDED,
    KEPT,
    LEVEL,
    NULL,
    RUNS,
    UNREADABLE,
    calibrated,
    experiment,
    null_sets,
    on_sources,
    rows_of,
    runs_of,
)
from twofold_papers.bouckaert2003.four_sources import ITEMS
from twofold_papers.figure import Figure, FigurePanel, Series
from twofold_papers.item import (
    Claim,
    Item,
    ItemOptions,
    ItemResult,
    Number,
    ReproducedPaper,
    ResultTable,
)

SHOWN_LEVELS = (0.01, 0.05, 0.10)
CLASS_CHANCES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
DROPPED = (
    "mean-folds",
    "mean-runs",
    "mean-sorted-runs-averaged-var",
    "mean-sorted-runs-averaged-t",
)


def figure2(setting: ItemOptions) -> ItemResult:
    """Calibrated degrees of freedom, and their Type I error."""
    runs = setting.pick(toy=(2, 4), quick=(5, 10, 20), full=RUNS)
    rows = calibrated(setting, runs, SHOWN_LEVELS)
    shown = (*FOLDED, "resampled-t", "corrected-resampled-t", "cv-t")

    def of(test: str, r: int, level: float) -> Calibrated:
        return rows[test, 1 if test == "cv-t" else r, level]

    left, right = [], []
    for level in SHOWN_LEVELS:
        df, errors = [], []
        for test in shown:
            known = [(r, of(test, r, level)) for r in runs]
            points = [(r, one.df, one.type_one) for r, one in known if one.df is not None]
            # A test that no df keeps to its level has an empty line, so that colours stay the same.
            x = [r for r, _, _ in points]
            df.append(Series(test, x, [float(d) for _, d, _ in points]))
            errors.append(Series(test, x, [e.value for _, _, e in points if e is not None]))
        left.append(FigurePanel(f"α = {level:g}", "runs", "calibrated df", tuple(df), y_log=True))
        right.append(
            FigurePanel(f"α = {level:g}", "runs", "Type I error", tuple(errors), level=level)
        )
    at = 10 if 10 in runs else runs[-1]
    use_all = rows["use-all-data", at, LEVEL]
    folds = [rows["mean-folds", r, a].df or 0 for r in runs for a in SHOWN_LEVELS]
    all_data = [rows["use-all-data", r, LEVEL].df or 0 for r in runs]
    lower = [
        1 - (rows["resampled-t", r, a].df or 1) / rows["resampled-t", r, a].textbook
        for r in runs
        for a in SHOWN_LEVELS
    ]
    steady = [test for test in KEPT if "averaged" in test or test == "use-all-data"]
    later = [r for r in runs if r >= at]
    moves = {test: float(np.ptp([rows[test, r, LEVEL].df or 0 for r in later])) for test in steady}
    high = {test: [rows[test, r, LEVEL].df or 0 for r in runs] for test in DROPPED}
    return ItemResult(
        numbers=(_df_number(use_all, "10", at),) if at == 10 else (),
        claims=(
            Claim(
                "The df of mean folds is very low, at most 7.",
                max(folds) <= 7,
                f"at most {max(folds):g}",
            ),
            Claim(
                "The df of resampling is up to 90 % lower than the theoretical one.",
                max(lower) >= 0.5,
                f"up to {max(lower):.0%} lower",
            ),
            Claim(
                "The df of mean folds, mean runs, sorted runs averaged var and T are low or "
                "erratic.",
                all(
                    max(high[test]) <= 7 or max(high[test]) > 3 * max(1, min(high[test]))
                    for test in DROPPED
                ),
                ", ".join(f"{t} {min(v):g} to {max(v):g}" for t, v in high.items()),
            ),
            Claim(
                "The df of use all data varies little with the number of runs.",
                max(all_data) - min(all_data) <= 4,
                ", ".join(f"{one:g}" for one in all_data) + f" at {', '.join(map(str, runs))} runs",
            ),
            Claim(
                "From ten runs on, the df of use all data, folds and runs averaged var and T "
                "hardly vary.",
                max(moves.values()) <= 4,
                ", ".join(f"{test} by {value:g}" for test, value in moves.items()),
            ),
        ),
        figures=(
            Figure("df", "Calibrated degrees of freedom against the number of runs.", tuple(left)),
            Figure("errors", "Type I error with those degrees of freedom.", tuple(right)),
        ),
        trials=f"{null_sets(setting)} data sets; {', '.join(map(str, runs))} runs of 10 folds, and "
        "as many resamples",
        remarks=(
            "The figure's own values are not readable in the text; 10 degrees of freedom for use "
            "all data at 10×10 is what its conclusions recommend. Sentences about the figure are "
            "cut off in the text at hand; they are completed here by what seems meant.",
        ),
    )


def _df_number(one: Calibrated, printed: str, runs: int) -> Number:
    """Return a calibrated df; the interval is that of the df at which the error is the level."""
    value = float(one.df or 0)
    label = f"df of {one.test}, {runs}×10, α .05"
    # Theirs rests on as many data sets and is at chance too: the interval is wider by √2.
    reach = float((one.high - one.low) / 2 * np.sqrt(2))
    return Number(label, printed, value, value - reach, value + reach)


def table2(setting: ItemOptions) -> ItemResult:
    """Type I error of calibrated tests for other class probabilities."""
    runs = runs_of(setting)
    df = calibrated(setting, (runs,), (LEVEL,))
    tests = [experiment(test, runs, LEVEL, df) for test in KEPT]
    chances = setting.pick(toy=(0.2, 0.5), quick=CLASS_CHANCES, full=CLASS_CHANCES)
    found = on_sources(setting, [f"binary:p={p}:various=1" for p in chances], tests, 1)
    count = found.rows[0].datasets
    # What so many data sets cannot tell from the level.
    allowed = LEVEL + 2.5 * float(np.sqrt(LEVEL * (1 - LEVEL) / count))
    by_test: dict[str, list[float]] = {}
    for row in found.rows:
        by_test.setdefault(row.test, []).append(row.rejected.value)
    plain = {name: values for name, values in by_test.items() if name not in AVERAGED_T}
    low = float(np.mean([values[0] for values in by_test.values()]))
    even = float(np.mean([values[-1] for values in by_test.values()]))
    lines = tuple(Series(name, chances, values) for name, values in by_test.items())
    table = ResultTable(
        f"Data sets of {count} on which a difference is found, by class probability.",
        ("", *(f"{one:g}" for one in chances)),
        tuple((n, *(f"{v * count:.0f}" for v in vs)) for n, vs in by_test.items()),
    )
    panel = FigurePanel(
        "300 rows, 10×10 folds", "class probability", "Type I error", lines, level=LEVEL
    )
    return ItemResult(
        claims=(
            Claim(
                "But for the averaged T tests, none has a Type I error above the level.",
                all(max(values) <= allowed for values in plain.values()),
                ", ".join(f"{name} {max(values):.3f}" for name, values in plain.items())
                + " at most; "
                f"{count} data sets cannot tell {allowed:.3f} from .05",
            ),
            Claim(
                "The error is considerably lower with the lower class probabilities.",
                low < even,
                f"{low:.3f} at {chances[0]:g}, {even:.3f} at {chances[-1]:g}",
            ),
        ),
        tables=(table,),
        figures=(Figure("errors", "Type I error by class probability.", (panel,)),),
        trials=f"{count} data sets for each class probability",
        remarks=(
            UNREADABLE,
            f"The df are calibrated as in figure 2, here on {null_sets(setting)} data sets: "
            "with few of them they are rough, and tests may exceed the level by more than chance.",
        ),
    )


def table7(setting: ItemOptions) -> ItemResult:
    """Type I error of use all data with other learners."""
    df = 10
    learners = setting.pick(
        toy=("nb", "nn"),
        quick=("nb", "c45", "nn", "tan", "perceptron"),
        full=("nb", "c45", "nn", "tan", "perceptron"),
    )
    errors: dict[str, Estimate] = {}
    count = 0
    for place, first in enumerate(learners):
        for second in learners[place + 1 :]:
            found = study(
                NULL,
                [first, second],
                rows=rows_of(setting),
                datasets=setting.pick(toy=4, quick=40, full=DATASETS),
                repetitions=1,
                tests=[f"use-all-data(df={df})@10x10"],
                predictions=False,
                seed=setting.seed,
                store=setting.store,
                workers=setting.workers,
                progress=False,
            )
            count = found.rows[0].datasets
            errors[f"{first} vs {second}"] = found.rows[0].rejected
    allowed = LEVEL + 3 * float(np.sqrt(LEVEL * (1 - LEVEL) / count))
    return ItemResult(
        claims=(
            Claim(
                "Calibrated on naive Bayes and C4.5, the test has an acceptable Type I error with "
                "other learners.",
                all(one.value <= allowed for one in errors.values()),
                f"at most {max(one.value for one in errors.values()):.3f}; {count} data sets "
                f"cannot tell {allowed:.3f} from .05",
            ),
        ),
        tables=(
            ResultTable(
                "Type I error.",
                ("", "use all data"),
                tuple((name, with_interval(one)) for name, one in errors.items()),
            ),
        ),
        remarks=(UNREADABLE,),
        trials=f"{count} data sets of 300 rows for each pair, 10×10 folds, df {df}",
    )


PAIR = ("nb", "c45")
PAPER = ReproducedPaper(
    "bouckaert2003",
    "Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests",
    (
        Item("figure2", "Calibrated degrees of freedom", figure2, (), PAIR, 1),
        Item("table2", "Type I error by class probability", table2, (), PAIR, 1),
        *ITEMS,
        Item(
            "table7",
            "Type I error with other learners",
            table7,
            learners=("nb", "c45", "nn", "tan", "perceptron"),
            minutes=4,
        ),
    ),
)
