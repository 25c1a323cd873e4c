"""Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests.

Naive Bayes and C4.5 on 1000 data sets of 300 rows and 10 independent binary attributes: with how
many degrees of freedom does each test have its level? The tables are not readable in the text at
hand; what is checked is what the text says of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.papers.figure import Figure, Panel, Series
from twofold.papers.item import Claim, Item, Number, Outcome, Paper, Setting
from twofold.papers.networks import sources
from twofold.studies import Findings, study
from twofold.studies.calibrating import calibrate
from twofold.studies.calibration import Calibrated, Calibration

LEVEL = 0.05
DATASETS = 1000
LEVELS = (0.01, 0.05, 0.10)
NULL = "binary:p=0.5"
CLASS_CHANCES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
CALIBRATED = (
    "use-all-data",
    "mean-folds",
    "mean-runs",
    "mean-sorted-runs",
    "mean-folds-averaged-var",
    "mean-runs-averaged-var",
    "mean-sorted-runs-averaged-var",
    "mean-folds-averaged-t",
    "mean-runs-averaged-t",
    "mean-sorted-runs-averaged-t",
)
# Tests that the paper keeps after figure 2.
KEPT = (
    "use-all-data",
    "mean-sorted-runs",
    "mean-folds-averaged-var",
    "mean-runs-averaged-var",
    "mean-folds-averaged-t",
    "mean-runs-averaged-t",
)
OTHERS = ("5x2cv-t@5x2", "cv-t@1x10", "corrected-resampled-t@resample:100:0.1")
AVERAGED_T = ("mean-folds-averaged-t", "mean-runs-averaged-t")


def _sets(setting: Setting) -> int:
    return setting.pick(toy=20, quick=200, full=DATASETS)


def _calibration(setting: Setting, runs: tuple[int, ...], levels: Any = LEVELS) -> Calibration:
    return calibrate(
        NULL,
        ("nb", "c45"),
        rows=setting.pick(toy=60, quick=300, full=300),
        datasets=_sets(setting),
        design=f"{max(runs)}x10",
        runs=list(runs),
        tests=list(CALIBRATED),
        alpha=levels,
        seed=setting.seed,
        store=setting.store,
        workers=setting.workers,
        progress=False,
    )


def figure2(setting: Setting) -> Outcome:
    """Calibrated degrees of freedom, and their Type I error."""
    runs = setting.pick(
        toy=(2, 4), quick=(5, 10, 20), full=(5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100)
    )
    found = _calibration(setting, runs)
    rows = {(one.test, one.runs, one.alpha): one for one in found.entries}
    panels = []
    for level in LEVELS:
        series = []
        for test in CALIBRATED:
            known = [(r, rows[test, r, level].df) for r in runs if (test, r, level) in rows]
            points = [(r, df) for r, df in known if df is not None]
            if points:
                x, y = zip(*points, strict=True)
                series.append(Series(test, x, y))
        panels.append(Panel(f"α = {level:g}", "runs", "calibrated df", tuple(series)))
    at = 10 if 10 in runs else runs[-1]
    use_all = rows["use-all-data", at, LEVEL]
    folds = [rows["mean-folds", r, a].df or 0 for r in runs for a in LEVELS]
    numbers = [_df_number(use_all, "10", at)]
    low = rows["use-all-data", runs[0], LEVEL].df or 0
    last = rows["use-all-data", runs[-1], LEVEL].df or 0
    return Outcome(
        numbers=tuple(numbers) if at == 10 else (),
        claims=(
            Claim(
                "The df of mean folds is very low, at most 7.",
                max(folds) <= 7,
                f"at most {max(folds):g}",
            ),
            Claim(
                "The df of use all data varies little with the number of runs.",
                abs(last - (use_all.df or 0)) <= 4,
                f"{low:g} at {runs[0]} runs, {last:g} at {runs[-1]}",
            ),
        ),
        figures=(
            Figure(
                "df", "Calibrated degrees of freedom against the number of runs.", tuple(panels)
            ),
        ),
        trials=f"{_sets(setting)} data sets; {', '.join(map(str, runs))} runs of 10 folds",
        remarks=(
            "The figure's own values are not readable in the text; 10 degrees of freedom for use "
            "all data at 10×10 is what its conclusions recommend.",
        ),
    )


def _df_number(one: Calibrated, printed: str, runs: int) -> Number:
    """Return a calibrated df; the interval is that of the df at which the error is the level."""
    value = float(one.df or 0)
    label = f"df of {one.test}, {runs}×10, α .05"
    # Theirs rests on as many data sets and is at chance too: the interval is wider by √2.
    reach = float((one.high - one.low) / 2 * np.sqrt(2))
    return Number(label, printed, value, value - reach, value + reach)


def _experiments(setting: Setting) -> list[str]:
    """Return the tests of the paper, with the df that ours calibrates for 10×10."""
    found = _calibration(setting, setting.pick(toy=(4,), quick=(10,), full=(10,)), (LEVEL,))
    runs = setting.pick(toy=4, quick=10, full=10)
    df = {one.test: one.df for one in found.entries if one.runs == runs}
    return [f"{test}(df={df[test]:g})@{runs}x10" for test in KEPT if df.get(test)]


def _study(setting: Setting, source: Any, tests: list[str], repetitions: int) -> Findings:
    return study(
        source,
        ["nb", "c45"],
        rows=setting.pick(toy=60, quick=300, full=300),
        datasets=setting.pick(toy=6, quick=150, full=DATASETS),
        repetitions=repetitions,
        tests=tests,
        predictions=False,
        seed=setting.seed + 1,  # other data sets than those calibrated on
        store=setting.store,
        workers=setting.workers,
        progress=False,
    )


def table2(setting: Setting) -> Outcome:
    """Type I error of calibrated tests for other class probabilities."""
    tests = _experiments(setting)
    chances = setting.pick(toy=(0.2, 0.5), quick=CLASS_CHANCES, full=CLASS_CHANCES)
    found = _study(setting, [f"binary:p={p}" for p in chances], tests, 1)
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
    panel = Panel("300 rows, 10×10 folds", "class probability", "Type I error", lines, level=LEVEL)
    return Outcome(
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
        figures=(Figure("errors", "Type I error by class probability.", (panel,)),),
        trials=f"{count} data sets for each class probability",
        remarks=(
            f"The df are calibrated as in figure 2, here on {_sets(setting)} data sets: "
            "with few of them they are rough, and tests may exceed the level by more than chance.",
        ),
    )


def figure4(setting: Setting) -> Outcome:
    """Power and replicability on the four sources (figure 4, tables 4 to 6)."""
    tests = _experiments(setting)
    short = setting.size == "toy"
    others = ["5x2cv-t@5x2", "cv-t@1x10"] if short else list(OTHERS)
    named = list(sources())
    found = _study(setting, named, tests + others, setting.pick(toy=2, quick=4, full=10))
    power: dict[str, list[float]] = {}
    again: dict[str, list[float]] = {}
    for source in named:
        for row in found.rows:
            if row.source == source.name:
                assert row.consistent is not None
                power.setdefault(row.experiment, []).append(row.rejected.value)
                again.setdefault(row.experiment, []).append(row.consistent.value)
    folded = [name for name in power if name.split("@")[0] in KEPT]
    single = [name for name in power if name not in folded]
    worst = {name: min(values) for name, values in again.items()}
    spread = float(np.ptp([power[name][1:] for name in folded], axis=0).max())
    lowest = min(worst[name] for name in folded)
    order = tuple(name.split("@")[0] for name in power)
    bars = tuple(
        Series(
            f"source {i + 1}", list(range(len(order))), [power[n][i] for n in power], kind="bars"
        )
        for i in range(4)
    )
    same = tuple(
        Series(
            f"source {i + 1}", list(range(len(order))), [again[n][i] for n in again], kind="bars"
        )
        for i in range(4)
    )
    ticks = tuple(str(i + 1) for i in range(len(order)))
    return Outcome(
        claims=(
            Claim(
                "All calibrated tests on 10×10 folds have about the same power.",
                spread < 0.15,
                f"they differ by at most {spread:.3f} on sources 2 to 4",
            ),
            Claim(
                "They are more replicable than 5x2cv, k-fold cv and resampling.",
                lowest > max(worst[name] for name in single),
                ", ".join(f"{name.split('@')[0]} {value:.2f}" for name, value in worst.items()),
            ),
            Claim(
                "5x2cv is least replicable on source 4.",
                again["5x2cv-t@5x2"][3] == min(again["5x2cv-t@5x2"]),
                ", ".join(f"{v:.2f}" for v in again["5x2cv-t@5x2"]),
            ),
            Claim(
                "Use all data is more powerful than 5x2cv and k-fold cv where C4.5 is better.",
                all(
                    np.mean(power[folded[0]][1:]) >= np.mean(power[name][1:])
                    for name in ("5x2cv-t@5x2", "cv-t@1x10")
                ),
            ),
        ),
        figures=(
            Figure(
                "power",
                "Rejections (left; source 1: Type I error) and data sets on which all repetitions "
                f"agree (right). {'; '.join(f'{i + 1}: {name}' for i, name in enumerate(order))}.",
                (
                    Panel("rejections", "test", "share", bars, ticks=ticks, level=LEVEL),
                    Panel("consistent", "test", "share", same, ticks=ticks),
                ),
            ),
        ),
        trials=f"{found.rows[0].datasets} data sets from each source, each test "
        f"{found.rows[0].repetitions} times",
        remarks=("Sources 2 to 4 are stand-ins: see bouckaertfrank2004 table 5.",),
    )


def table7(setting: Setting) -> Outcome:
    """Type I error of use all data with other learners."""
    df = 10
    learners = setting.pick(
        toy=("nb", "nn"),
        quick=("nb", "c45", "nn", "tan", "perceptron"),
        full=("nb", "c45", "nn", "tan", "perceptron"),
    )
    errors: dict[str, float] = {}
    count = 0
    for place, first in enumerate(learners):
        for second in learners[place + 1 :]:
            found = study(
                NULL,
                [first, second],
                rows=setting.pick(toy=60, quick=300, full=300),
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
            errors[f"{first} vs {second}"] = found.rows[0].rejected.value
    allowed = LEVEL + 3 * float(np.sqrt(LEVEL * (1 - LEVEL) / count))
    return Outcome(
        claims=(
            Claim(
                "Calibrated on naive Bayes and C4.5, the test has an acceptable Type I error with "
                "other learners.",
                all(value <= allowed for value in errors.values()),
                ", ".join(f"{name} {value:.3f}" for name, value in errors.items()),
            ),
        ),
        trials=f"{count} data sets of 300 rows for each pair, 10×10 folds, df {df}",
    )


PAPER = Paper(
    "bouckaert2003",
    "Bouckaert (2003), Choosing between two learning algorithms based on calibrated tests",
    (
        Item("figure2", "Calibrated degrees of freedom", figure2),
        Item("table2", "Type I error by class probability", table2),
        Item("figure4", "Power and replicability on four sources", figure4),
        Item("table7", "Type I error with other learners", table7),
    ),
    missing=("table3: its numbers are not in the text at hand, and its networks are not printed",),
)
