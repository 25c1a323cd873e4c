"""Figures 1 to 4 of Bouckaert (2005), and what its text says of their curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from twofold.rounding import written
from twofold_papers.bouckaert2005.curve_view import POWER, REPLICABILITY, CurveView
from twofold_papers.bouckaert2005.step_curves import Curves, Point, Points, run_curves
from twofold_papers.bouckaert2005.task_one import ROWS, StepJob, plan_test, run_steps
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_exact
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.measured import average, judge_near, judge_positive
from twofold_papers.printed import PrintedItem

Verdicts = dict[str, Verdict]
NEAR_HALF = 0.15
"""How far from one half "circa 50%" may be."""
SAME = 0.05
"""How far apart replicabilities may be that "remain the same"."""


def draw_curves(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Power and replicability against the difference, three designs, three sizes."""
    designs: dict[str, str] = printed["designs"]
    beside: dict[str, str] = printed.values.get("beside", {})
    curves = run_curves(options, {**designs, **beside})
    view = CurveView(curves, tuple(designs), tuple(beside), _measure_points(curves))
    return ItemResult(
        claims=printed.judge(**JUDGES[printed.name](view)),
        figures=(printed.figure("curves", *map(curves.draw_panel, designs)),),
        tables=(_tabulate(view),),
        trials=curves.describe(),
    )


def _tabulate(v: CurveView) -> ResultTable:
    """Show every experiment, also those that the text compares with."""
    labels = (*v.designs, *v.beside)
    rows = []
    for label in labels:
        null = [(label, size, 0) for size in ROWS]
        error = average([v.points.measure(POWER, point) for point in null])
        same = average([v.points.measure(REPLICABILITY, point) for point in null])
        worst = [v.points.measure(REPLICABILITY, v.worst(label, size)) for size in ROWS]
        cells = (error, same, *worst)
        rows.append((label, *map(str, cells)))
    head = ("", "Type I error", "2R − 1 there", *(f"worst, {size:,}" for size in ROWS))
    caption = (
        "Where A and B are alike: Type I error and replicability 2R − 1, on average over sizes; "
        "and 2R − 1 at the worst step of each size; with standard errors"
    )
    return ResultTable(caption, head, tuple(rows))


def _measure_points(curves: Curves) -> Points:
    """Measure more closely where A and B are alike, and where each experiment is worst."""
    points = [(rows, 0) for rows in ROWS]
    for label in curves.designs:
        points += [(rows, curves.find_worst_step(label, rows)) for rows in ROWS]
        points += [(ROWS[0], curves.find_power_step(label, ROWS[0], p)) for p in (0.2, 0.8)]
    return curves.measure_closer(points)


def judge_sizes(v: CurveView) -> Verdict:
    """Judge whether the power is higher on larger data sets."""
    pairs = list(pairwise(ROWS))
    parts, words = [], []
    for label in v.designs:
        means = {rows: v.curves.combine(POWER, {label: 1.0}, rows) for rows in ROWS}
        parts += [judge_positive(means[large] - means[small]) for small, large in pairs]
        words.append(f"{label}: {', '.join(written(mean.value, 3) for mean in means.values())}")
    return judge_all(parts, f"mean power over all steps at {_sizes()} rows: {'; '.join(words)}")


def judge_worst_power(v: CurveView) -> Verdict:
    """Judge whether the power is about a half where the replicability is lowest."""
    powers = [v.points.measure(POWER, v.worst(d, r)) for d, r in _near_half(v)]
    if not powers:
        return Verdict("cannot be told", "no step comes near half power")
    low, high = min(p.value for p in powers), max(p.value for p in powers)
    detail = f"power there from {written(low, 2)} to {written(high, 2)}"
    return judge_all([judge_near(p, 0.5, NEAR_HALF) for p in powers], detail)


def judge_worst_sizes(v: CurveView, labels: Iterable[str] | None = None) -> Verdict:
    """Judge whether worst-case replicability is the same at all sizes."""
    parts, words = [], []
    for label in labels or v.designs:
        sizes = [rows for design, rows in _near_half(v) if design == label]
        values = [v.points.measure(REPLICABILITY, v.worst(label, rows)) for rows in sizes]
        parts += [judge_near(value - values[0], 0.0, SAME) for value in values[1:]]
        listed = ", ".join(written(x.value, 3) for x in values)
        words.append(f"{label}: {listed} at {', '.join(f'{r:,}' for r in sizes)} rows")
    if not parts:
        return Verdict("cannot be told", "fewer than two sizes have a step near half power")
    return judge_all(parts, "; ".join(words))


def judge_shape(v: CurveView) -> Verdict:
    """Judge whether the replicability falls up to half power and rises from there on."""
    rows, parts, words = ROWS[0], [], []
    for label in v.designs:
        steps = [v.curves.find_power_step(label, rows, power) for power in (0.2, 0.8)]
        worst = v.worst(label, rows)
        before, after = ((label, rows, step) for step in steps)
        if len({(label, rows, 0), before, worst, after}) < 4:
            return Verdict("cannot be told", "too few steps")
        falling = [((label, rows, 0), before), (before, worst), (after, worst)]
        parts += [
            judge_positive(v.points.combine(REPLICABILITY, {high: 1.0, low: -1.0}))
            for high, low in falling
        ]
        shown = ((label, rows, 0), before, worst, after)
        values = [v.points.measure(REPLICABILITY, point).value for point in shown]
        words.append(f"{label}: {', '.join(written(value, 3) for value in values)}")
    detail = (
        "with no difference, at a power of about .2, at the worst step, at about .8; 1,000 rows"
    )
    return judge_all(parts, f"{detail}: {'; '.join(words)}")


def _near_half(v: CurveView) -> list[tuple[str, int]]:
    """Return experiments and sizes that have a step near half power."""
    near = []
    for label in v.designs:
        for rows in ROWS:
            step = v.curves.find_power_step(label, rows, 0.5)
            power = float(v.curves.outcomes[label, rows, step].power.mean())
            if abs(power - 0.5) < NEAR_HALF - 0.03:
                near.append((label, rows))
    return near


def _sizes() -> str:
    return ", ".join(f"{rows:,}" for rows in ROWS)


def _judge_ascending_worst(v: CurveView, labels: tuple[str, ...], least: float = 0.0) -> Verdict:
    pairs = list(pairwise(labels))
    parts = [
        judge_positive(v.contrast_worst(more, less, rows) - least)
        for less, more in pairs
        for rows in ROWS
    ]
    return judge_all(parts, v.describe_worst(labels))


def _judge_mcnemar(v: CurveView) -> Verdicts:
    small, middle, large = v.designs
    null = [
        judge_near(v.contrast_null(REPLICABILITY, more, small, rows), 0.0, SAME)
        for more in (middle, large)
        for rows in ROWS
    ]
    below = [
        judge_positive(0.5 - v.points.measure(REPLICABILITY, v.worst(label, rows)))
        for label in v.designs
        for rows in ROWS
    ]
    return {
        "power_rows": judge_sizes(v),
        "shape": judge_shape(v),
        "half": judge_worst_power(v),
        "sizes": judge_worst_sizes(v),
        "power_share": judge_all(
            [
                judge_positive(v.contrast_curves(POWER, middle, small)),
                judge_positive(v.contrast_curves(POWER, large, middle)),
            ],
            f"mean power over steps and sizes: {v.describe_curves(POWER, v.designs)}",
        ),
        "worst_share": _judge_ascending_worst(v, v.designs),
        "type_one_share": judge_all(null, v.describe_null(REPLICABILITY, v.designs)),
        "low": judge_all(below, v.describe_worst(v.designs)),
    }


def _judge_resampling(v: CurveView) -> Verdicts:
    ten, hundred, five_hundred = v.designs
    tenth, half = v.beside
    larger = (hundred, five_hundred)
    doubled = average(
        [
            v.curves.combine(POWER, {hundred: 1.5, ten: -0.5, five_hundred: -1.0}, rows)
            for rows in ROWS
        ]
    )
    means = f"mean power over steps and sizes: {v.describe_curves(POWER, v.designs)}"
    null = v.describe_null(REPLICABILITY, v.designs)
    return {
        "power_rows": judge_sizes(v),
        "half": judge_worst_power(v),
        "sizes": judge_worst_sizes(v),
        "tenth": judge_all(
            [
                judge_positive(v.contrast_curves(POWER, ten, tenth)),
                judge_positive(v.mean_worst(ten, tenth)),
            ],
            f"mean power: {v.describe_curves(POWER, (ten, tenth))}; worst case: "
            f"{v.describe_worst((ten, tenth))}",
        ),
        "tenth_type_one": judge_positive(
            v.mean_null(REPLICABILITY, tenth, ten), v.describe_null(REPLICABILITY, (ten, tenth))
        ),
        "half_tested": judge_all(
            [judge_positive(v.contrast_curves(name, half, ten)) for name in (POWER, REPLICABILITY)],
            f"mean power: {v.describe_curves(POWER, (ten, half))}; mean replicability: "
            f"{v.describe_curves(REPLICABILITY, (ten, half))}",
        ),
        "type_one_error": judge_near(
            v.mean_null(POWER, hundred, ten), 0.0, 0.02, v.describe_null(POWER, (ten, hundred))
        ),
        "more_power": judge_positive(v.contrast_curves(POWER, hundred, ten), means),
        "more_replicability": judge_all(
            [
                judge_positive(v.contrast_curves(REPLICABILITY, more, less))
                for less, more in ((ten, hundred), (hundred, five_hundred))
            ],
            v.describe_curves(REPLICABILITY, v.designs),
        ),
        "worst": judge_positive(v.mean_worst(hundred, ten) - 0.1, v.describe_worst((ten, hundred))),
        "same_type_one": judge_all(
            [judge_near(v.mean_null(REPLICABILITY, more, ten), 0.0, SAME) for more in larger],
            null,
        ),
        "same_worst": judge_near(
            v.mean_worst(hundred, ten), 0.0, SAME, v.describe_worst(v.designs)
        ),
        "limit": judge_positive(doubled, means),
        "goes_on": judge_positive(v.mean_worst(five_hundred, hundred), v.describe_worst(larger)),
        "linear": judge_all(
            [
                judge_positive(
                    v.points.combine(
                        REPLICABILITY,
                        {v.worst(five_hundred, rows): -5.0, v.worst(hundred, rows): 1.0},
                    )
                    - (1.0 - 5.0)
                )
                for rows in ROWS
            ],
            f"worst case {v.describe_worst(larger)}",
        ),
    }


def _judge_folds(v: CurveView) -> Verdicts:
    pairs = list(zip(v.designs, v.beside, strict=True))
    _, ten, fifty = v.designs
    everything = (*v.designs, *v.beside)
    fits = [[plan_test(v.curves.designs[label]).fits for label in pair] for pair in pairs]

    def judge_disagreement(point: Callable[[str, int], Point]) -> Verdict:
        # 1 − R of cross-validation is below four fifths of that of resampling.
        return judge_all(
            judge_positive(
                v.points.combine(REPLICABILITY, {point(a, rows): 1.0, point(b, rows): -0.8}) - 0.2
            )
            for a, b in pairs
            for rows in ROWS
        )

    null = judge_disagreement(lambda label, rows: (label, rows, 0))
    worst = judge_disagreement(v.worst)
    return {
        "trends": judge_all([judge_sizes(v), judge_shape(v), judge_worst_power(v)]),
        "sizes": judge_worst_sizes(v),
        "effort": judge_exact(
            all(a == b for a, b in fits),
            f"classifiers trained in one experiment: {'; '.join(f'{a} and {b}' for a, b in fits)}",
        ),
        "power": judge_all(
            [judge_positive(v.contrast_curves(POWER, a, b)) for a, b in pairs],
            f"mean power over steps and sizes: {v.describe_curves(POWER, everything)}",
        ),
        "type_one": judge_all([null], v.describe_null(REPLICABILITY, everything)),
        "worst": judge_all([worst], v.describe_worst(everything)),
        "repeats": judge_near(
            v.contrast_curves(POWER, fifty, ten),
            0.0,
            0.01,
            f"mean power over steps and sizes: {v.describe_curves(POWER, v.designs)}",
        ),
        "more": _judge_ascending_worst(v, v.designs),
    }


def _judge_sorted(v: CurveView) -> Verdicts:
    single, ten, fifty = v.designs
    corrected, corrected_ten, corrected_fifty = v.beside
    alike = ((ten, corrected_ten), (fifty, corrected_fifty))
    similar = [
        judge_near(difference, 0.0, SAME)
        for a, b in alike
        for difference in (
            v.contrast_curves(POWER, a, b),
            *(v.contrast_null(REPLICABILITY, a, b, rows) for rows in ROWS),
            *(v.contrast_worst(a, b, rows) for rows in ROWS),
        )
    ]
    both = (ten, corrected_ten, fifty, corrected_fifty)
    errors = [v.points.measure(POWER, (corrected, rows, 0)) for rows in ROWS]
    higher = [v.contrast_null(REPLICABILITY, corrected, single, rows) for rows in ROWS]
    return {
        "similar": judge_all(
            similar,
            f"mean power {v.describe_curves(POWER, both)}; worst case {v.describe_worst(both)}",
        ),
        "difference": _judge_single_runs(v),
        "type_one": judge_all(
            [*(judge_positive(0.05 - e) for e in errors), *map(judge_positive, higher)],
            f"Type I error {average(errors)}; replicability "
            f"{v.describe_null(REPLICABILITY, (corrected, single))}",
        ),
        "worst": judge_all(
            [judge_positive(v.contrast_worst(single, corrected, rows)) for rows in ROWS],
            v.describe_worst((single, corrected)),
        ),
        "better": judge_all(
            [judge_positive(v.contrast_worst(a, b, rows)) for a, b in alike for rows in ROWS],
            f"worst case {v.describe_worst(both)}",
        ),
    }


def _judge_single_runs(v: CurveView) -> Verdict:
    """Judge whether one run of sorted folds decides as one run without the correction factor."""
    tests = ("sorted-cv-t@1x10", "cv-t@1x10")
    jobs = [StepJob(ROWS[0], step, v.curves.datasets, tests) for step in range(0, 30, 5)]
    outcomes = run_steps(v.curves.options, jobs)
    pairs = [[outcomes[job, test].rejections for test in tests] for job in jobs]
    apart = sum(int((first != second).sum()) for first, second in pairs)
    total = sum(len(first) for first, _ in pairs)
    detail = f"decisions differ on {apart} of {total} data sets, each tried ten times"
    return judge_exact(apart == 0, detail)


def _judge_schemes(v: CurveView) -> Verdicts:
    return {
        "trends": judge_all([judge_sizes(v), judge_shape(v), judge_worst_power(v)]),
        "sizes": judge_worst_sizes(v),
    }


JUDGES: dict[str, Callable[[CurveView], Any]] = {
    "figure1": _judge_mcnemar,
    "figure2": _judge_resampling,
    "figure3": _judge_folds,
    "figure4": _judge_sorted,
    "schemes": _judge_schemes,
}
