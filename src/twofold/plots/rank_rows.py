"""Where everything goes in a diagram of ranks with a row for each learner.

Bars along the axis tell the truth where groups are runs of neighbours. Tests of single pairs may
join learners that are not; then every learner has a row, and a group is a line with a dot for each
of its members. Where there are more groups than learners, each row has a dot for each learner that
could not be told apart from its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from twofold.plots.picture_labels import shorten, ticks
from twofold.plots.rank_axis import RankAxis
from twofold.plots.ranking_facts import RankFacts
from twofold.plots.shapes import Dot, Drawing, Measure, Stroke, Word
from twofold.plots.style import ACCENT, CONNECTOR, INK, MARGIN, RISE, SMALLEST_TYPE

GAP = 6.0
LEAST_AXIS = 0.22  # of the width
LEAST_NAME = 60.0
WIDEST_COLUMN, SLIMMEST_COLUMN = 9.0, 2.6


def as_grid(facts: RankFacts) -> bool:
    """Tell whether a dot for each pair takes less room than a line for each group."""
    return len(facts.bar_columns) > len(facts.learners)


def full_caption(facts: RankFacts) -> str:
    """Return the caption, and how to read groups other than plain bars."""
    reading = ""
    if facts.in_rows and as_grid(facts):
        reading = "dots in a row: learners, by number, not told apart from that of the row (blue)"
    elif facts.in_rows:
        reading = "dots on one line: learners not told apart"
    elif any(len(facts.runs(group)) > 1 for group in facts.bars):
        reading = "thin lines pass learners that are not in the group"
    return "; ".join(part for part in (facts.caption, reading) if part)


@dataclass(frozen=True)
class _Rows:
    """The positions of rows and of the columns of groups."""

    facts: RankFacts
    heights: list[float]
    left: float
    step: float
    radius: float

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
    top = -MARGIN - small - 8
    heights = [top - (n + 0.8) * pitch for n in range(k)]
    rows = _Rows(facts, heights, left, step, min(0.42 * step, 0.3 * pitch, 2.2))
    axis.draw(drawing, top, small)
    if facts.critical_difference is not None:
        end = axis.x(min(axis.first + facts.critical_difference, axis.last))
        drawing.add(Stroke("cd-ruler", ((axis.best, top - 3), (end, top - 3)), 2.0))
    for n, i in enumerate(facts.best_first):
        y, bold = heights[n], facts.learners[i] in facts.highlight
        colour, base = ACCENT if bold else INK, heights[n] - RISE * size
        mark = (axis.x(facts.mean_ranks[i]), y)
        rank_at = (left - GAP, base)
        drawing.add(
            Stroke(f"guide {i}", ((left - GAP / 2, y), mark), 0.2, CONNECTOR),
            Word(f"name {i}", (MARGIN + number_room, base), names[i], size, "left", bold, colour),
            Word(f"rank {i}", rank_at, facts.rank_texts[i], size, "right", bold, colour),
            Dot(f"mark {i}", mark, 2.0, colour),
        )
        if grid:
            at = (MARGIN + number_room - GAP, base)
            drawing.add(Word("row", at, str(n + 1), size, "right", False, CONNECTOR))
    if grid:
        for n in ticks(1, k, lambda apart: wide(str(k)) + 2 <= apart * step):
            at = (rows.column(n - 1), top + 3)
            drawing.add(Word("column", at, str(n), small, "center", False, CONNECTOR))
        _draw_grid(drawing, rows)
    else:
        _draw_groups(drawing, rows)
    return drawing.finish(heights[-1] - pitch / 2, full_caption(facts))


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


def _draw_groups(drawing: Drawing, rows: _Rows) -> None:
    """Draw a line for each group, with a dot for each member."""
    order = rows.facts.best_first
    for n, groups in enumerate(rows.facts.bar_columns):
        x = rows.column(n)
        for group in groups:
            ends = ((x, rows.heights[group[0]]), (x, rows.heights[group[-1]]))
            drawing.add(Stroke(f"group {n}", ends, min(0.8, rows.step / 5)))
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
