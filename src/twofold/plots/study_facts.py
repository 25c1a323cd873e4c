"""What the pictures of a study show: which rows, which lines, which words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import log10

from twofold.errors import InputError
from twofold.plots.charts import Chart, Line, Panel, Spot, Tone
from twofold.plots.study_axis import Axis, axis_of
from twofold.studies import Estimate, Finding, Findings
from twofold.studies.curves import Curve
from twofold.studies.findings_table import HEADS, label, name_pair

MOST_LINES = 7
"""In one panel; further lines get a panel of their own."""

MOST_CURVES = 5
"""In one panel, where lines lie close to each other."""

MOST_PANELS = 12
MOST_TICKS = 7
FEWEST = 10
"""Data sets that a bin of predictions needs to be shown."""

Point = tuple[str, int, float]


def rates(found: Findings) -> Chart:
    """Return how often each experiment rejects, sorted, beside the level."""
    return _spots(found, "rejected", "Rates of rejection")


def power(found: Findings) -> Chart:
    """Return how often each experiment rejects, against what varies."""
    axis = axis_of(found)
    if axis is None:
        return rates(found)
    title = f"Rates of rejection against {axis.words}"
    return _against(found, axis, "rejected", _rate_word(found.rows), title)


def replicability(found: Findings) -> Chart:
    """Return R of each experiment, against what varies."""
    axis = axis_of(found)
    if axis is None:
        return _spots(found, "replicability", "Replicability")
    title = f"Replicability against {axis.words}"
    return _against(found, axis, "replicability", "replicability R", title)


def qq(found: Findings) -> Chart:
    """Return how many p values are at or below each level.

    Levels share their p values, unless df was calibrated for each; the one nearest to .05 is shown.
    """
    null = [row for row in found.rows if row.null is not False]
    nearest = min((row.alpha for row in null), key=lambda alpha: abs(alpha - 0.05))
    shown = replace(found, rows=tuple(row for row in null if row.alpha == nearest))
    return _curves(
        shown,
        lambda row: row.pvalues,
        "Distribution of p values",
        x_label="level",
        y_label="share of p values at or below it",
        words="on the diagonal a test has every level; above it errs more often",
        log=True,
    )


def predicted(found: Findings) -> Chart:
    """Return how often predictions came true, against what was predicted."""
    return _curves(
        found,
        lambda row: row.came_true,
        "Predicted and actual replicability",
        x_label="predicted chance to agree",
        y_label="repetitions that agreed",
        words="above the diagonal predictions are too cautious, below it too bold",
        log=False,
    )


def _rate_word(rows: Iterable[Finding]) -> str:
    kinds = {row.null for row in rows}
    return HEADS[kinds.pop()] if len(kinds) == 1 else "share that finds a difference"


def _points(found: Findings) -> dict[Point, list[Finding]]:
    points: dict[Point, list[Finding]] = {}
    for row in found.rows:
        points.setdefault((row.source, row.rows, row.alpha), []).append(row)
    return points


def _title(point: Point, every: Iterable[Point]) -> str:
    """Return what tells a panel from the others."""
    parts = [
        text
        for place, text in enumerate((point[0], f"{point[1]} rows", f"α = {point[2]:g}"))
        if len({one[place] for one in every}) > 1
    ]
    return ", ".join(parts)


def _caption(found: Findings, more: str = "") -> str:
    one = found.rows[0]
    parts = [name_pair(found.learners)]
    for values, words in (
        ([row.source for row in found.rows], "{}"),
        ([row.rows for row in found.rows], "{} rows"),
        ([f"{row.alpha:g}" for row in found.rows], "α = {}"),
    ):
        if len(set(values)) == 1:
            parts.append(words.format(values[0]))
    times = "once" if one.repetitions == 1 else f"{one.repetitions} times"
    parts.append(f"{one.datasets} data sets, each {times}")
    parts.append(f"{found.confidence:.0%} intervals")
    return "; ".join([*parts, more] if more else parts)


def _spots(found: Findings, measure: str, title: str) -> Chart:
    points = _points(found)
    _check(len(points))
    order: dict[str, int] = {}
    panels = []
    for point, rows in points.items():
        shown = [row for row in rows if getattr(row, measure) is not None]
        if not order:
            ranked = sorted(shown, key=lambda row: -getattr(row, measure).value)
            order = {row.experiment: place for place, row in enumerate(ranked)}
        shown.sort(key=lambda row: order.get(row.experiment, len(order)))
        rejections = measure == "rejected"
        panels.append(
            Panel(
                title=_title(point, points),
                x_label=_rate_word(rows) if rejections else "replicability R",
                spots=tuple(_spot(row, getattr(row, measure)) for row in shown),
                level=point[2] if rejections else None,
                x_range=_reach(rows, measure),
            )
        )
    if not any(panel.spots for panel in panels):
        _refuse(title, "repetitions, two or more")
    errors = measure == "rejected" and any(row.null for row in found.rows)
    more = "broken line: the level" if measure == "rejected" else ""
    if errors:
        more += "; orange: errs more often than that, blue: less often"
    return Chart(title, tuple(panels), _caption(found, more))


def _reach(rows: Sequence[Finding], measure: str) -> tuple[float, float]:
    known = [getattr(row, measure) for row in rows if getattr(row, measure) is not None]
    if measure != "rejected":
        return min([0.9, *(one.low for one in known)]) - 0.01, 1.005
    reach = min(1.02, 1.08 * max([0.02, *(one.high for one in known)]))
    # One test that errs all the time would squeeze the others into a corner.
    errors = [row.alpha for row in rows if row.null]
    return 0.0, min(reach, 4 * max(errors)) if len(errors) == len(rows) else reach


def _spot(row: Finding, one: Estimate) -> Spot:
    tone: Tone = "plain"
    if row.null and one is row.rejected:
        tone = "high" if one.low > row.alpha else "low" if one.high < row.alpha else "plain"
    return Spot(label(row), one.value, one.low, one.high, tone)


def _against(found: Findings, axis: Axis, measure: str, y_label: str, title: str) -> Chart:
    groups: dict[Point, dict[str, list[Finding]]] = {}
    for row in found.rows:
        if getattr(row, measure) is not None:
            groups.setdefault(axis.panel(row), {}).setdefault(axis.line(row), []).append(row)
    if not groups:
        _refuse(title, "repetitions, two or more")
    panels = []
    for point, named in groups.items():
        lines = [
            _line(name, sorted(rows, key=axis.of), axis, measure, place)
            for place, (name, rows) in enumerate(named.items())
        ]
        heading = _title(point, groups)
        low, high = _y_range(found, measure)
        for some in chunks(lines):
            panels.append(
                Panel(
                    title=heading,
                    x_label=axis.words,
                    y_label=y_label,
                    lines=tuple(some),
                    level=point[2] if measure == "rejected" else None,
                    log=axis.log,
                    ticks=_ticks(axis, found),
                    y_range=(low, high),
                )
            )
    _check(len(panels))
    more = "broken line: the level" if measure == "rejected" else ""
    return Chart(title, tuple(panels), _caption(found, more))


def _ticks(axis: Axis, found: Findings) -> tuple[float, ...]:
    """Return the values along an axis, where they were chosen and stand apart."""
    values = sorted({axis.of(row) for row in found.rows})
    if axis.name == "difference" or len(values) > MOST_TICKS:
        return ()
    place = log10 if axis.log else float
    gaps = [place(b) - place(a) for a, b in pairwise(values)]
    apart = min(gaps, default=0.0) >= 0.08 * sum(gaps)
    return tuple(values) if apart else ()


def _y_range(found: Findings, measure: str) -> tuple[float, float]:
    low, high = _reach(found.rows, measure)
    return low, max(high, 1.02) if high > 0.5 else high


def _line(name: str, rows: list[Finding], axis: Axis, measure: str, place: int) -> Line:
    values = [getattr(row, measure) for row in rows]
    return Line(
        name,
        tuple(axis.of(row) for row in rows),
        tuple(one.value for one in values),
        tuple(one.low for one in values),
        tuple(one.high for one in values),
        place % MOST_LINES,
    )


def chunks(lines: list[Line], most: int = MOST_LINES) -> list[list[Line]]:
    """Return lines in groups of about one size, none too large to be told apart."""
    count = -(-len(lines) // most)
    cuts = [round(len(lines) * place / count) for place in range(count + 1)]
    return [lines[start:stop] for start, stop in pairwise(cuts)]


def _curves(
    found: Findings,
    curve_of: Callable[[Finding], Curve | None],
    title: str,
    *,
    x_label: str,
    y_label: str,
    words: str,
    log: bool,
) -> Chart:
    points = _points(found)
    panels = []
    for point, rows in points.items():
        lines: list[Line] = []
        for row in rows:
            curve = curve_of(row)
            line = None if curve is None else _curve_line(label(row), curve, log, len(lines))
            if line is not None:
                lines.append(line)
        for some in chunks(lines, MOST_CURVES) if lines else []:
            least = min((min(line.x) for line in some), default=0.5)
            ends = (0.001, 1.0) if log else (min(0.5, least) - 0.02, 1.01)
            panels.append(
                Panel(
                    title=_title(point, points),
                    x_label=x_label,
                    y_label=y_label,
                    lines=tuple(some),
                    diagonal=True,
                    log="both" if log else False,
                    x_range=ends,
                    y_range=ends,
                )
            )
    if not panels:
        _refuse(title, "p values" if log else "predictions, and two or more repetitions")
    _check(len(panels))
    return Chart(title, tuple(panels), _caption(found, words))


def _curve_line(name: str, curve: Curve, log: bool, place: int) -> Line | None:
    # Zero has no place on an axis of ratios; a few data sets tell nothing.
    enough = [
        i
        for i, count in enumerate(curve.datasets)
        if (curve.value[i] > 0 if log else count >= FEWEST)
    ]
    if not enough:
        return None
    floor = 1e-4 if log else 0.0
    return Line(
        name,
        tuple(curve.x[i] for i in enough),
        tuple(curve.value[i] for i in enough),
        tuple(max(curve.low[i], floor) for i in enough),
        tuple(curve.high[i] for i in enough),
        place % MOST_CURVES,
        bars=not log,
    )


def _check(count: int) -> None:
    if count > MOST_PANELS:
        raise InputError(
            f"{count} panels are too many for one picture, which holds {MOST_PANELS}.",
            "Name fewer tests, levels, sources or sizes.",
        )


def _refuse(title: str, what: str) -> None:
    raise InputError(f"{title}: these findings lack what is drawn.", f"It needs {what}.")
