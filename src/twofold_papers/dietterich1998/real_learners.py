"""Dietterich (1998), sections 3.5, 4.1 and 6: C4.5 and nearest neighbour, made equally good."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from twofold.plots import Panel, Series
from twofold.seeds import rng
from twofold.simulation import CurvedSource
from twofold.studies import Estimate, share
from twofold_papers.dietterich1998.damage import SIZES, Damage, calibrate_damage, predict_tree
from twofold_papers.dietterich1998.damaged_trials import TESTS, Trials, run_trials
from twofold_papers.dietterich1998.learning_tasks import ROWS, LearningTask, exp6, letter, pima
from twofold_papers.figure import build_series
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.printed import Number, PrintedItem

LEVEL = 0.05
FOLDS, FIVE = "10-fold cv t", "5x2cv t"
TASKS: dict[str, Callable[[ItemOptions], LearningTask]] = {
    "EXP6": lambda options: exp6(),
    "Letter": lambda options: letter(options.data),
    "Pima": lambda options: pima(options.data),
}


@lru_cache(maxsize=8)
def run_task(name: str, options: ItemOptions) -> tuple[Damage, Trials]:
    """Return the damage of a task, and what the tests give on it."""
    task = TASKS[name](options)
    fractions = options.pick(
        toy=(0.0, 1.0), quick=(0.0, 0.25, 0.5, 0.75, 1.0), full=tuple(np.linspace(0, 1, 9).tolist())
    )
    sets = options.pick(toy=3, quick=100, full=500)
    trials = options.pick(toy=4, quick=200, full=1000)
    damage = calibrate_damage(task, fractions, sets, options)
    return damage, run_trials(task, damage, trials, options)


def _measure_rates(trials: Trials, fraction: int) -> dict[str, Estimate]:
    """Return how often each test rejects at a fraction."""
    rejected = (trials.pvalues[fraction] <= LEVEL).astype(float)
    return {test: share(each, 0.95) for test, each in zip(TESTS, rejected, strict=True)}


def figure2(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Quantiles of the 5x2cv statistic against those of t with 5 degrees of freedom."""
    _, trials = run_task("EXP6", options)
    y = np.sort(trials.statistics)
    n = len(y)
    x = special.stdtrit(5.0, (np.arange(1, n + 1) - 0.5) / n)
    # The paper's tail: beyond the critical values at .05.
    tail = np.abs(x) > special.stdtrit(5.0, 0.975)
    middle = np.abs(x) < 1
    slope = float((x[middle] * y[middle]).sum() / (x[middle] ** 2).sum())
    gap = np.abs(y[tail]).mean() - np.abs(x[tail]).mean() if tail.any() else 0.0
    points = Series("values", x.tolist(), y.tolist(), kind="points")
    labels = "stand-in for EXP6", "t with 5 df", "5x2cv statistic"
    return ItemResult(
        claims=printed.judge(
            follows=(0.7 < slope < 1.3, f"slope {slope:.2f} between −1 and 1"),
            tails=(
                gap < 0 or not tail.any(),
                f"values beyond ±2.57 are {gap:+.2f} away from those of t on average",
            ),
        ),
        figures=(printed.figure("qq", Panel(*labels, (points,), diagonal=True)),),
        trials=f"{n} data sets of {ROWS} rows",
    )


def figure3(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """How often C4.5 errs on each of 7670 points, trained on 100."""
    sets = options.pick(toy=3, quick=60, full=1000)
    points = options.pick(toy=200, quick=printed["points"], full=printed["points"])
    source, task = CurvedSource(), exp6()
    X, truth = (array[0] for array in source.draw_many(1, points, rng(options.seed, "points")))
    wrong = np.zeros(points)
    for number in range(sets):
        rows, y = source.draw_many(1, 100, rng(options.seed, "figure3", number))
        wrong += predict_tree(task, rows[0], y[0].astype(np.intp), X, (100,))[0] != truth
    error = np.sort(wrong / sets)
    never, hard = float((error == 0).mean()), float((error > 0.5).mean())
    between = float(((error > 0.05) & (error < 0.95)).mean())
    x = list(range(0, points, max(1, points // 400)))
    curve = Series("ε(x)", x, error[x].tolist())
    panel = Panel("C4.5 trained on 100 rows", "point", "ε(x)", (curve,), y_range=(0, 1))
    return ItemResult(
        claims=printed.judge(
            differ=(
                between > 0.3 and error[-1] > 0.8 and error[0] < 0.05,
                f"{never:.2f} are never misclassified, {hard:.2f} more often than not",
            )
        ),
        figures=(printed.figure("sorted", panel),),
        trials=f"{sets} training sets of 100 rows, {points} points",
    )


def chart_errors(title: str, rates: dict[str, dict[str, Estimate]]) -> Panel:
    """Return the Type I errors of tests as bars, in one colour for each source or task."""
    tests = tuple(next(iter(rates.values())))
    bars = tuple(
        build_series(name, list(range(len(tests))), list(each.values()), kind="bars")
        for name, each in rates.items()
    )
    return Panel(title, "", "probability of Type I error", bars, ticks=tests, level=LEVEL)


def figure7(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error of four tests on three tasks."""
    rates = {name: _measure_rates(run_task(name, options)[1], 0) for name in TASKS}
    folds = {name: each[FOLDS].value for name, each in rates.items()}
    rest = [test for test in TESTS if test != FOLDS]
    highest = {test: max(each[test].value for each in rates.values()) for test in rest}
    _, trials = run_task("Letter", options)
    panel = chart_errors("C4.5 and NN, equally good", rates)
    return ItemResult(
        numbers=(_compare_fold_correlation(trials, options, printed),),
        claims=printed.judge(
            exceeds=(
                max(folds.values()) > LEVEL,
                ", ".join(f"{name} {value:.3f}" for name, value in folds.items()),
            ),
            rest=(
                all(each[test].low <= LEVEL for test in rest for each in rates.values()),
                ", ".join(f"{test} {value:.3f}" for test, value in highest.items()) + " at most",
            ),
        ),
        figures=(printed.figure("bars", panel),),
        trials=f"{len(trials.statistics)} data sets of {ROWS} rows from each task",
    )


def _compare_fold_correlation(trials: Trials, options: ItemOptions, printed: PrintedItem) -> Number:
    """Return the correlation of differences on two folds of one cross-validation."""
    random = rng(options.seed, "fold correlation")
    x = trials.folds - trials.folds.mean()
    again = [_correlate_folds(x[random.integers(len(x), size=len(x))]) for _ in range(300)]
    reach = 1.96 * float(np.std(again)) * float(np.sqrt(1 + len(x) / 1000))
    (label,) = printed.numbers
    return printed.compare(label, _correlate_folds(x), reach)


def _correlate_folds(x: Any) -> float:
    folds = x.shape[1]
    square = (x**2).sum(axis=1)
    product = (x.sum(axis=1) ** 2 - square).mean() / (folds * (folds - 1))
    spread = square.mean() / folds
    return float(product / spread) if spread > 0 else 0.0


def figure8(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Learning curves between those of C4.5 and nearest neighbour, on Letter."""
    damage, _ = run_task("Letter", options)
    sizes = sorted(SIZES)
    tree, nearest, errors = damage.tree, damage.nearest, damage.errors
    series = tuple(
        Series(f"λ = {part:g}", sizes, [errors[part, m] for m in sizes])
        for part in damage.fractions
    )
    gap = max(
        abs(errors[part, m] - (tree[m] - part * (tree[m] - nearest[m])))
        for part in damage.fractions
        for m in sizes
    )
    return ItemResult(
        claims=printed.judge(
            better=(
                all(nearest[m] < tree[m] for m in sizes),
                f"errors at 270 rows {nearest[270]:.3f} and {tree[270]:.3f}",
            ),
            damage=(gap <= 0.002, f"largest gap {100 * gap:.2f} points"),
        ),
        figures=(printed.figure("curves", Panel("Letter", "training set size", "error", series)),),
        trials=f"training sets of {', '.join(map(str, sizes))} rows",
    )


def draw_power(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Power of four tests against the difference between the learners."""
    name = printed["task"]
    damage, trials = run_task(name, options)
    other = damage.nearest[270] if name == "Pima" else damage.tree[270]
    points = [100 * abs(damage.errors[part, 270] - other) for part in damage.fractions]
    rates = [_measure_rates(trials, index) for index in range(len(points))]
    order = np.argsort(points)
    series = tuple(
        build_series(test, [points[i] for i in order], [rates[i][test] for i in order])
        for test in TESTS
    )
    mean = {test: float(np.mean([each[test].value for each in rates[1:]])) for test in TESTS}
    rest = {test: value for test, value in mean.items() if test != FOLDS}
    verdicts: dict[str, Any] = {
        "folds": (
            mean[FOLDS] > max(rest.values()),
            ", ".join(f"{test} {value:.3f}" for test, value in mean.items()) + " on average",
        ),
        "five_by_two": rest[FIVE] == max(rest.values()),
    }
    if "ten_points" in printed.claims:
        last = {curve.name: curve.y[-1] for curve in series}
        verdicts["ten_points"] = (
            max(last[test] for test in rest) < 0.6,
            f"at {max(points):.1f} points: "
            + ", ".join(f"{test} {value:.2f}" for test, value in last.items()),
        )
    labels = name, "difference in error, trained on 270 rows (points)", "power"
    return ItemResult(
        claims=printed.judge(**verdicts),
        figures=(printed.figure("power", Panel(*labels, series, y_range=(0, 1))),),
        trials=f"{len(trials.statistics)} data sets of {ROWS} rows, {len(points)} differences",
    )
