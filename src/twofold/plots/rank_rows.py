"""Where everything goes in a diagram of ranks with a row for each learner.

More learners than an axis has room for are drawn so, and those with long names. A group of
neighbours is a bar beside its rows. Tests of single pairs may join learners that are no neighbours;
such a group is a line with a dot for each of its members. Where there are more groups than
learners, each row has a dot for each learner that could not be told apart from its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from twofold.plots.picture_labels import shorten, ticks
from twofold.plots.rank_axis import RankAxis
from twofold.plots.ranking_facts import RankFacts
from twofold.plots.shapes import Area, Dot, Drawing, Measure, Shape, Stroke, Word, box
from twofold.plots.style import ACCENT, BAND, CONNECTOR, INK, MARGIN, RISE, SMALLEST_TYPE, WHITE

GAP = 6.0
LEAST_AXIS = 0.22  # of the width
LEAST_NAME = 60.0
WIDEST_COLUMN, SLIMMEST_COLUMN = 9.0, 2.6


def as_grid(facts: RankFacts) -> bool:
    """Tell whether a dot for each pair takes less room than a line for each group."""
    return len(facts.bar_columns) > len(facts.learners)


def describe_reading(facts: RankFacts, *, in_rows: bool) -> str:
    """Return the caption with how to read the diagram."""
    parts = [facts.caption, "the best is on top" if in_rows else "the best is at the right"]
    if in_rows and as_grid(facts):
        parts.append("dots in a row: learners, by number, not told apart from that of the row")
    elif facts.bars:
        parts.append("bars join learners not told apart")
        if in_rows and any(not _is_run(rows) for rows in _list_groups(facts)):
            parts.append("dots on one line do too")
        elif not in_rows and any(len(facts.runs(group)) > 1 for group in facts.bars):
            parts.append("thin lines pass learners that are not in the group")
    if facts.control is not None and facts.critical_difference is not None:
        where = "grey band" if in_rows else "thick line"
        parts.append(f"{where}: one critical difference to both sides of the control")
    return "; ".join(part for part in parts if part)


def draw_difference(drawing: Drawing, facts: RankFacts, axis: RankAxis, size: float) -> float:
    """Draw the critical difference at the top, if there is one; return where the rest begins."""
    if facts.critical_difference is None:
        return -MARGIN
    if facts.control is None:
        return axis.draw_ruler(drawing, facts.critical_difference, -MARGIN, size)
    rank = facts.mean_ranks[facts.control]
    return axis.name_reach(drawing, rank, facts.critical_difference, -MARGIN, size)


def _list_groups(facts: RankFacts) -> list[tuple[int, ...]]:
    return [rows for column in facts.bar_columns for rows in column]


def _is_run(rows: tuple[int, ...]) -> bool:
    return rows[-1] - rows[0] == len(rows) - 1


@dataclass(frozen=True)
class _Rows:
    """The positions of rows and of the columns of groups."""

    facts: RankFacts
    heights: list[float]
    left: float
    step: float
    radius: float
    pitch: float

    def column(self, n: int) -> float:
        """Return the middle of a column."""
        return self.left + (n + 0.5) * self.step


def arrange_in_rows(facts: RankFacts, width: float, measure: Measure) -> Drawing:
    """Return the diagram of a width in points, best learner on top."""
    grid, k = as_grid(facts), len(facts.learners)
    size = 8.5 if width >= 360 and k <= 30 else SMALLEST_TYPE
    pitch = 1.3 * size if k <= 60 else 1.15 * size
    wide = partial(measure, size=size, bold=bool(facts.highlight))
    number_room = wide(str(k)) + GAP if grid else 0.0
    rank_room = max(map(wide, facts.rank_texts))
    columns = k if grid else len(facts.bar_columns)
    names, name_room = _fit_names(facts, width, columns, number_room + rank_room, wide)
    left = MARGIN + number_room + name_room + GAP + rank_room + GAP
    step = (width * (1 - LEAST_AXIS) - MARGIN - left) / max(columns, 1)
    step = min(step, WIDEST_COLUMN)
    axis = RankAxis(left + step * columns + 2 * GAP, width - MARGIN - 3, *facts.axis)

    drawing = Drawing(width, measure)
    small = max(SMALLEST_TYPE, size - 1)
    top = draw_difference(drawing, facts, axis, small) - small - 8
    heights = [top - (n + 0.8) * pitch for n in range(k)]
    rows = _Rows(facts, heights, left, step, min(0.42 * step, 0.3 * pitch, 2.2), pitch)
    bottom = heights[-1] - pitch / 2
    _shade_reach(drawing, facts, axis, top, bottom)
    axis.draw(drawing, top, small)
    _draw_learners(drawing, rows, names, axis, MARGIN + number_room, size)
    if grid:
        at = MARGIN + number_room - GAP
        for n, y in enumerate(heights, 1):
            base = (at, y - RISE * size)
            drawing.add(Word("row", base, str(n), size, "right", False, CONNECTOR))
        for n in ticks(1, k, lambda apart: wide(str(k)) + 2 <= apart * step):
            head = (rows.column(n - 1), top + 3)
            drawing.add(Word("column", head, str(n), small, "center", False, CONNECTOR))
        _draw_grid(drawing, rows)
    else:
        _draw_groups(drawing, rows)
    bottom = drawing.write_key(facts.key, bottom)
    return drawing.finish(bottom, describe_reading(facts, in_rows=True))


def _fit_names(
    facts: RankFacts, width: float, columns: int, beside: float, wide: Callable[[str], float]
) -> tuple[list[str], float]:
    """Return the names, shortened where axis and columns would lose their room, and their width."""
    names = list(facts.labels)
    need = max(map(wide, names))
    room = width * (1 - LEAST_AXIS) - 2 * MARGIN - beside - 4 * GAP - columns * SLIMMEST_COLUMN
    if need > room:
        room = max(room, min(need, LEAST_NAME))
        names = shorten(names, [room] * len(names), [wide] * len(names))
        need = max(map(wide, names))
    return names, need


def _draw_learners(
    drawing: Drawing,
    rows: _Rows,
    names: Sequence[str],
    axis: RankAxis,
    left: float,
    size: float,
) -> None:
    """Draw names, ranks and marks; those that differ from a control are filled, others open."""
    facts = rows.facts
    parts: dict[str, list[Shape]] = {"guide": [], "name": [], "rank": [], "mark": [], "open": []}
    for i, y in zip(facts.best_first, rows.heights, strict=True):
        bold = facts.learners[i] in facts.highlight
        colour, base = ACCENT if bold else INK, y - RISE * size
        mark, rank = (axis.x(facts.mean_ranks[i]), y), facts.rank_texts[i]
        guide = ((rows.left - GAP / 2, y), mark)
        parts["guide"].append(Stroke(f"guide {i}", guide, 0.2, CONNECTOR))
        parts["name"].append(Word(f"name {i}", (left, base), names[i], size, "left", bold, colour))
        at = (rows.left - GAP, base)
        parts["rank"].append(Word(f"rank {i}", at, rank, size, "right", bold, colour))
        parts["mark"].append(Dot(f"mark {i}", mark, 2.0, colour))
        if facts.marked and i not in facts.marked:
            parts["open"].append(Dot(f"open {i}", mark, 1.2, WHITE))
    for shapes in parts.values():  # in this order shapes alike share an element in SVG
        drawing.add(*shapes)


def _shade_reach(
    drawing: Drawing, facts: RankFacts, axis: RankAxis, top: float, bottom: float
) -> None:
    """Shade one critical difference to both sides of the control."""
    if facts.control is None or facts.critical_difference is None:
        return
    centre, reach = facts.mean_ranks[facts.control], facts.critical_difference
    ends = [axis.x(min(max(centre + side * reach, axis.first), axis.last)) for side in (-1, 1)]
    drawing.add(Area("interval", box(ends[0], bottom, ends[1], top), BAND))


def _draw_groups(drawing: Drawing, rows: _Rows) -> None:
    """Draw a bar for each group of neighbours; for others a line with a dot for each member."""
    order, reach = rows.facts.best_first, 0.32 * rows.pitch
    for n, groups in enumerate(rows.facts.bar_columns):
        x = rows.column(n)
        for group in groups:
            first, last = rows.heights[group[0]], rows.heights[group[-1]]
            if _is_run(group):
                ends = ((x, first + reach), (x, last - reach))
                drawing.add(Stroke(f"span {n}", ends, min(2.8, 0.55 * rows.step)))
                continue
            drawing.add(Stroke(f"group {n}", ((x, first), (x, last)), min(0.8, rows.step / 5)))
            for row in group:
                drawing.add(Dot(f"member {n} {order[row]}", (x, rows.heights[row]), rows.radius))


def _draw_grid(drawing: Drawing, rows: _Rows) -> None:
    """Draw a dot for each pair in a common group, both ways, and the diagonal."""
    row = {i: n for n, i in enumerate(rows.facts.best_first)}
    joined = {(i, j) for group in rows.facts.bars for i in group for j in group if i != j}
    for i, n in row.items():
        drawing.add(Dot(f"itself {i}", (rows.column(n), rows.heights[n]), rows.radius, ACCENT))
    for i, j in sorted(joined):
        drawing.add(Dot(f"alike {i} {j}", (rows.column(row[j]), rows.heights[row[i]]), rows.radius))
