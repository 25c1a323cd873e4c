"""What the pictures of a study show: which rows, which series, which words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import log10

from twofold.errors import InputError
from twofold.plots.charts import Chart, Panel, Series, Spot, Tone
from twofold.plots.study_axis import Axis, find_axis
from twofold.studies import Estimate, Finding, Findings
from twofold.studies.curves import Curve
from twofold.studies.findings import Point
from twofold.studies.findings_table import HEADS, label, name_pair

MOST_LINES = 7
"""In one panel; further lines get a panel of their own."""

MOST_CURVES = 5
"""In one panel, where lines lie close to each other."""

MOST_PANELS = 12
MOST_TICKS = 7
FEWEST = 10
"""Data sets that a bin of predictions needs to be shown."""

"""Source, rows and level, which findings in one panel share."""


def chart_rates(findings: Findings) -> Chart:
    """Return how often each experiment rejects, sorted, beside the level."""
    return _chart_spots(findings, "rejected", "Rates of rejection")


def chart_power(findings: Findings) -> Chart:
    """Return how often each experiment rejects, against what varies."""
    axis = find_axis(findings)
    if axis is None:
        return chart_rates(findings)
    title = f"Rates of rejection against {axis.words}"
    return _chart_lines(findings, axis, "rejected", _name_rate(findings.rows), title)


def chart_replicability(findings: Findings) -> Chart:
    """Return R of each experiment, against what varies."""
    axis = find_axis(findings)
    if axis is None:
        return _chart_spots(findings, "replicability", "Replicability")
    title = f"Replicability against {axis.words}"
    return _chart_lines(findings, axis, "replicability", "replicability R", title)


def chart_qq(findings: Findings) -> Chart:
    """Return how many p values are at or below each level.

    Levels share their p values, unless df was calibrated for each; the one nearest to .05 is shown.
    """
    null = [row for row in findings.rows if row.null is not False]
    nearest = min((row.alpha for row in null), key=lambda alpha: abs(alpha - 0.05))
    return _chart_curves(
        replace(findings, rows=tuple(row for row in null if row.alpha == nearest)),
        lambda row: row.pvalues,
        "Distribution of p values",
        x_label="level",
        y_label="share of p values at or below it",
        words="on the diagonal a test has every level; above it errs more often",
        log=True,
    )


def chart_predicted(findings: Findings) -> Chart:
    """Return how often predictions came true, against what was predicted."""
    return _chart_curves(
        findings,
        lambda row: row.came_true,
        "Predicted and actual replicability",
        x_label="predicted probability to agree",
        y_label="repetitions that agreed",
        words="above the diagonal predictions are too cautious, below it too bold",
        log=False,
    )


def _name_rate(rows: Iterable[Finding]) -> str:
    kinds = {row.null for row in rows}
    return HEADS[kinds.pop()] if len(kinds) == 1 else "share that finds a difference"


def _title(point: Point, points: Iterable[Point]) -> str:
    """Return what tells a panel from the others."""
    values = list(zip(*points, strict=True))
    # Steps of one source differ behind its name: "binary:p=0.5, equally good".
    bases = {str(source).rpartition(", ")[0] for source in values[0]}
    source = point[0].rpartition(", ")[2] if len(bases) == 1 else point[0]
    texts = source, f"{point[1]} rows", f"α = {point[2]:g}"
    return ", ".join(text for text, each in zip(texts, values, strict=True) if len(set(each)) > 1)


def _caption(findings: Findings, more: str = "") -> str:
    first = findings.rows[0]
    parts = [name_pair(findings.learners)]
    for values, words in (
        ([_name_base(row, findings) for row in findings.rows], "{}"),
        ([row.rows for row in findings.rows], "{} rows"),
        ([f"{row.alpha:g}" for row in findings.rows], "α = {}"),
    ):
        if len(set(values)) == 1:
            parts.append(words.format(values[0]))
    times = "once" if first.repetitions == 1 else f"{first.repetitions} times"
    parts.append(f"{first.datasets} data sets, each {times}")
    parts.append(f"{findings.confidence:.0%} intervals")
    return "; ".join([*parts, more] if more else parts)


def _name_base(row: Finding, findings: Findings) -> str:
    """Return the source of a row, without the step of damage."""
    return row.source.rpartition(", ")[0] if findings.damage else row.source


def _chart_spots(findings: Findings, measure: str, title: str) -> Chart:
    points = findings.group_by_point()
    check_count(len(points))
    rejections = measure == "rejected"
    order: dict[str, int] = {}
    panels = []
    for point, rows in points.items():
        measured = [row for row in rows if getattr(row, measure) is not None]
        if not order:
            ranked = sorted(measured, key=lambda row: -getattr(row, measure).value)
            order = {row.experiment: rank for rank, row in enumerate(ranked)}
        measured.sort(key=lambda row: order.get(row.experiment, len(order)))
        panels.append(
            Panel(
                title=_title(point, points),
                x_label=_name_rate(rows) if rejections else "replicability R",
                spots=tuple(_make_spot(row, getattr(row, measure)) for row in measured),
                level=point[2] if rejections else None,
                x_range=_find_range(rows, measure),
            )
        )
    if not any(panel.spots for panel in panels):
        _refuse(title, "repetitions, two or more")
    more = "broken line: the level" * rejections
    if rejections and any(row.null for row in findings.rows):
        more += "; orange: errs more often than that, blue: less often"
    return Chart(title, tuple(panels), _caption(findings, more))


def _find_range(rows: Sequence[Finding], measure: str) -> tuple[float, float]:
    estimates = [getattr(row, measure) for row in rows if getattr(row, measure) is not None]
    if measure != "rejected":
        return min([0.9, *(estimate.low for estimate in estimates)]) - 0.01, 1.005
    reach = min(1.02, 1.08 * max([0.02, *(estimate.high for estimate in estimates)]))
    # One test that errs all the time would squeeze the others into a corner.
    errors = [row.alpha for row in rows if row.null]
    return 0.0, min(reach, 4 * max(errors)) if len(errors) == len(rows) else reach


def _make_spot(row: Finding, estimate: Estimate) -> Spot:
    tone: Tone = "plain"
    if row.null and estimate is row.rejected:
        above, below = estimate.low > row.alpha, estimate.high < row.alpha
        tone = "high" if above else "low" if below else "plain"
    return Spot(label(row), estimate.value, estimate.low, estimate.high, tone)


def _chart_lines(findings: Findings, axis: Axis, measure: str, y_label: str, title: str) -> Chart:
    groups: dict[Point, dict[str, list[Finding]]] = {}
    for row in findings.rows:
        if getattr(row, measure) is not None:
            groups.setdefault(axis.panel(row), {}).setdefault(axis.line(row), []).append(row)
    if not groups:
        _refuse(title, "repetitions, two or more")
    low, high = _find_range(findings.rows, measure)
    panels = []
    for point, named in groups.items():
        lines = [_make_line(name, rows, axis, measure) for name, rows in named.items()]
        panels += [
            Panel(
                title=_title(point, groups),
                x_label=axis.words,
                y_label=y_label,
                series=chunk,
                level=point[2] if measure == "rejected" else None,
                x_log=axis.log,
                ticks=_choose_ticks(axis, findings),
                y_range=(low, max(high, 1.02) if high > 0.5 else high),
            )
            for chunk in split_evenly(lines)
        ]
    check_count(len(panels))
    more = "broken line: the level" * (measure == "rejected")
    return Chart(title, tuple(panels), _caption(findings, more))


def _choose_ticks(axis: Axis, findings: Findings) -> tuple[float, ...]:
    """Return the values along an axis, where they were chosen and stand apart."""
    values = sorted({axis.of(row) for row in findings.rows})
    if axis.name == "difference" or len(values) > MOST_TICKS:
        return ()
    position = log10 if axis.log else float
    gaps = [position(b) - position(a) for a, b in pairwise(values)]
    apart = min(gaps, default=0.0) >= 0.08 * sum(gaps)
    return tuple(values) if apart else ()


def _make_line(name: str, rows: list[Finding], axis: Axis, measure: str) -> Series:
    ordered = sorted(rows, key=axis.of)
    x = [axis.of(row) for row in ordered]
    return Series.from_estimates(name, x, [getattr(row, measure) for row in ordered])


def split_evenly(lines: list[Series], most: int = MOST_LINES) -> list[tuple[Series, ...]]:
    """Return lines in groups of about one size, none too large to be told apart."""
    count = -(-len(lines) // most)
    cuts = [round(len(lines) * n / count) for n in range(count + 1)]
    return [tuple(lines[start:stop]) for start, stop in pairwise(cuts)]


def _chart_curves(
    findings: Findings,
    curve_of: Callable[[Finding], Curve | None],
    title: str,
    *,
    x_label: str,
    y_label: str,
    words: str,
    log: bool,
) -> Chart:
    points = findings.group_by_point()
    panels = []
    for point, rows in points.items():
        curves = ((label(row), curve_of(row)) for row in rows)
        drawn = [_make_curve(name, curve, log) for name, curve in curves if curve is not None]
        lines = [line for line in drawn if line.x]
        for chunk in split_evenly(lines, MOST_CURVES) if lines else []:
            least = min(min(line.x) for line in chunk)
            ends = (0.001, 1.0) if log else (min(0.5, least) - 0.02, 1.01)
            panels.append(
                Panel(
                    title=_title(point, points),
                    x_label=x_label,
                    y_label=y_label,
                    series=chunk,
                    diagonal=True,
                    x_log=log,
                    y_log=log,
                    x_range=ends,
                    y_range=ends,
                )
            )
    if not panels:
        _refuse(title, "p values" if log else "predictions, and two or more repetitions")
    check_count(len(panels))
    return Chart(title, tuple(panels), _caption(findings, words))


def _make_curve(name: str, curve: Curve, log: bool) -> Series:
    """Return a curve where it can be drawn: not at zero on an axis of ratios."""
    enough = [value > 0 for value in curve.value]
    if not log:
        enough = [count >= FEWEST for count in curve.datasets]
    drawn = [i for i, fits in enumerate(enough) if fits]
    return Series(
        name,
        tuple(curve.x[i] for i in drawn),
        tuple(curve.value[i] for i in drawn),
        tuple(max(curve.low[i], 1e-4 if log else 0.0) for i in drawn),
        tuple(curve.high[i] for i in drawn),
        whiskers=not log,
    )


def check_count(panels: int, named: str = "tests, levels, sources or sizes") -> None:
    """Refuse more panels than a picture holds."""
    if panels > MOST_PANELS:
        rule = f"{panels} panels are too many for one picture, which holds {MOST_PANELS}."
        raise InputError(rule, f"Name fewer {named}.")


def _refuse(title: str, needs: str) -> None:
    raise InputError(f"{title}: these findings lack what is drawn.", f"It needs {needs}.")
