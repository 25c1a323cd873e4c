"""Dietterich (1998), sections 3.5 and 6: C4.5 and nearest neighbour, made equally good."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from twofold.plots import Panel, Series
from twofold.rounding import written
from twofold.studies import Estimate, share
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_exact
from twofold_papers.dietterich1998.damage import CLOSE, SIZES, Damage, calibrate_damage
from twofold_papers.dietterich1998.damaged_trials import TESTS, Trials, run_trials
from twofold_papers.dietterich1998.error_bars import ACCEPTABLE, LEVEL, TRIALS, chart_errors
from twofold_papers.dietterich1998.learning_tasks import ROWS, LearningTask, exp6, letter, pima
from twofold_papers.figure import build_series
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.measured import MeasuredNumber, judge_near, judge_positive, measure
from twofold_papers.printed import PrintedItem

NAMES = tuple(TESTS)
FOLDS, FIVE, MCNEMAR, PROPORTIONS = "10-fold cv t", "5x2cv t", "McNemar", "Prop. test"
TASKS: dict[str, Callable[[ItemOptions], LearningTask]] = {
    "EXP6": lambda options: exp6(),
    "Letter": lambda options: letter(options.data),
    "Pima": lambda options: pima(options.data),
}


def count_trials(options: ItemOptions) -> int:
    """Return how many data sets the tests are tried on."""
    return options.pick(toy=4, quick=200, full=TRIALS)


@lru_cache(maxsize=8)
def run_task(name: str, options: ItemOptions) -> tuple[Damage, Trials]:
    """Return the damage of a task, and what the tests give on it."""
    task = TASKS[name](options)
    fractions = options.pick(
        toy=(0.0, 1.0), quick=(0.0, 0.25, 0.5, 0.75, 1.0), full=tuple(np.linspace(0, 1, 9).tolist())
    )
    sets = options.pick(toy=3, quick=100, full=500)
    damage = calibrate_damage(task, fractions, sets, options)
    return damage, run_trials(task, damage, count_trials(options), options)


def _measure_rates(trials: Trials, fraction: int) -> dict[str, MeasuredNumber]:
    """Return how often each test rejects at a fraction."""
    return {
        test: measure(row) for test, row in zip(TESTS, trials.rejections[fraction], strict=True)
    }


def _estimate_rates(trials: Trials, fraction: int) -> dict[str, Estimate]:
    """Return how often each test rejects at a fraction, with intervals."""
    rejections = trials.rejections[fraction]
    return {test: share(row, 0.95) for test, row in zip(TESTS, rejections, strict=True)}


def figure2(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Quantiles of the 5x2cv statistic against those of t with 5 degrees of freedom."""
    _, trials = run_task("EXP6", options)
    values = trials.statistics
    y = np.sort(values)
    n = len(y)
    x = special.stdtrit(5.0, (np.arange(1, n + 1) - 0.5) / n)
    # Half of all values lie between the quartiles of t if the statistic follows it.
    inside = measure(np.abs(values) < special.stdtrit(5.0, 0.75))
    beyond = {p: measure(np.abs(values) > special.stdtrit(5.0, 1 - p / 2)) for p in (0.05, 0.01)}
    points = Series("values", x.tolist(), y.tolist(), kind="points")
    labels = "stand-in for EXP6", "t with 5 df", "5x2cv statistic"
    return ItemResult(
        claims=printed.judge(
            fit=judge_near(inside, 0.5, 0.05, f"{inside} of the values between the quartiles of t"),
            tails=judge_all(
                [judge_positive(p - rate) for p, rate in beyond.items()],
                ", ".join(f"{rate} for {p:g}" for p, rate in beyond.items()),
            ),
        ),
        figures=(printed.figure("qq", Panel(*labels, (points,), diagonal=True)),),
        trials=f"{n} data sets of {ROWS} rows",
    )


def figure7(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error of four tests on three tasks."""
    trials = {name: run_task(name, options)[1] for name in TASKS}
    rates = {name: _measure_rates(each, 0) for name, each in trials.items()}
    bars = {name: _estimate_rates(each, 0) for name, each in trials.items()}
    rest = [test for test in TESTS if test != FOLDS]

    def describe(*tests: str) -> str:
        return "; ".join(
            f"{test}: " + ", ".join(f"{name} {each[test]}" for name, each in rates.items())
            for test in tests
        )

    return ItemResult(
        claims=printed.judge(
            exceeds=judge_all(
                [judge_positive(each[FOLDS] - LEVEL) for each in rates.values()], describe(FOLDS)
            ),
            twice=judge_all(
                [judge_positive(2 * LEVEL - each[FOLDS]) for each in rates.values()],
                describe(FOLDS),
            ),
            rest=judge_all(
                [judge_positive(ACCEPTABLE - each[t]) for t in rest for each in rates.values()],
                describe(*rest),
            ),
            mcnemar=judge_all(
                [judge_positive(LEVEL - each[MCNEMAR]) for each in rates.values()],
                describe(MCNEMAR),
            ),
        ),
        figures=(printed.figure("bars", chart_errors("C4.5 and NN, equally good", bars)),),
        trials=f"{count_trials(options)} data sets of {ROWS} rows from each task",
    )


def figure8(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Learning curves between those of C4.5 and nearest neighbour, on Letter."""
    damages = {name: run_task(name, options)[0] for name in TASKS}
    damage = damages["Letter"]
    sizes = sorted(SIZES)
    tree, nearest, errors = damage.tree, damage.nearest, damage.errors
    series = tuple(
        Series(f"λ = {part:g}", sizes, [errors[part, m] for m in sizes])
        for part in damage.fractions
    )
    off = {
        (part, m): abs(errors[part, m] - (tree[m] - part * (tree[m] - nearest[m])))
        for part in damage.fractions
        for m in sizes
    }
    matched = max(off[0.0, m] for m in sizes)
    gaps = {name: measure(each.gaps) for name, each in damages.items()}
    better = {name: gap * (-1.0 if name == "Pima" else 1.0) for name, gap in gaps.items()}
    return ItemResult(
        claims=printed.judge(
            better=judge_all(
                [judge_positive(gap - 0.02) for gap in better.values()],
                "C4.5's error less that of NN at 300 rows: "
                + ", ".join(f"{name} {gap}" for name, gap in gaps.items()),
            ),
            matched=judge_exact(
                matched <= CLOSE, f"largest gap {written(100 * matched, 2)} points"
            ),
            positioned=judge_exact(
                max(off.values()) <= CLOSE,
                f"largest gap {written(100 * max(off.values()), 2)} points",
            ),
        ),
        figures=(printed.figure("curves", Panel("Letter", "training set size", "error", series)),),
        trials=f"training sets of {', '.join(map(str, sizes))} rows",
    )


def draw_power(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Power of four tests against the difference between the learners."""
    name = printed["task"]
    damage, trials = run_task(name, options)
    # As in the paper: by how much the learners would differ when trained on all rows.
    points = [100 * part * abs(float(damage.gaps.mean())) for part in damage.fractions]
    rates = [_estimate_rates(trials, index) for index in range(len(points))]
    series = tuple(build_series(test, points, [each[test] for each in rates]) for test in TESTS)
    labels = name, "difference in error, trained on 300 rows (points)", "power"
    return ItemResult(
        claims=printed.judge(**_judge_power(trials, points, printed)),
        figures=(printed.figure("power", Panel(*labels, series, y_range=(0, 1))),),
        trials=f"{count_trials(options)} data sets of {ROWS} rows, {len(points)} differences",
    )


def _judge_power(trials: Trials, points: list[float], printed: PrintedItem) -> dict[str, Verdict]:
    """Compare mean powers over all differences, data set by data set."""
    power = dict(zip(TESTS, trials.rejections[1:].mean(axis=0), strict=True))
    rest = [test for test in TESTS if test != FOLDS]
    listed = ", ".join(f"{test} {measure(values)}" for test, values in power.items())
    verdicts = {
        "folds": judge_all(
            [judge_positive(measure(power[FOLDS] - 1.5 * power[test])) for test in rest],
            f"mean power: {listed}",
        ),
        "five_by_two": judge_all(
            judge_positive(
                measure(power[FIVE] - power[test]),
                f"{measure(power[FIVE] - power[test])} more than {test}",
            )
            for test in (MCNEMAR, PROPORTIONS)
        ),
        "similar": judge_near(
            measure(power[FIVE] - power[MCNEMAR]),
            0.0,
            0.05,
            f"{FIVE} less {MCNEMAR}: {measure(power[FIVE] - power[MCNEMAR])}",
        ),
        "low": judge_all(
            [judge_positive(measure(power[test] - power[PROPORTIONS])) for test in (MCNEMAR, FIVE)],
            f"mean power: {listed}",
        ),
    }
    if "ten_points" in printed.claims:
        last: Any = dict(zip(TESTS, trials.rejections[-1], strict=True))
        verdicts["ten_points"] = judge_near(
            measure(np.mean([last[test] for test in rest], axis=0)),
            1 / 3,
            0.05,
            f"at {written(points[-1], 1)} points: "
            + ", ".join(f"{test} {measure(last[test])}" for test in rest),
        )
    return verdicts
