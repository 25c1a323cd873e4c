"""Where everything goes in the heat map of a table.

Data sets have rows and learners columns, or the other way round where the names of columns would
have no room. Heads of columns are level, upright, or above and below in turn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from twofold.plots.heatmap_facts import HeatmapFacts
from twofold.plots.picture_labels import shorten, ticks
from twofold.plots.shapes import Area, Drawing, Measure, Word, box, draw_scale
from twofold.plots.style import (
    ACCENT,
    DARK,
    FAINT,
    INK,
    MARGIN,
    RISE,
    SMALLEST_TYPE,
    WHITE,
    ink_on,
    mix,
)

MANY_ROWS, MOST_ROWS = 60, 100  # of small type, and on a page
WIDEST_HEAD = 90.0  # points of an upright name
NARROW_CELL, WIDE_CELL = 36.0, 110.0

Heads = Literal["level", "upright", "in turn", "none"]


@dataclass(frozen=True)
class _Layout:
    """Which way round the table stands, and what its names and cells have room for."""

    rows: Sequence[str]
    columns: Sequence[str]
    turned: bool  # learners have rows
    size: float
    row_size: float
    left: float
    side: float
    high: float
    names: Sequence[str]
    heads: Heads

    @property
    def fits(self) -> bool:
        """Whether every row and column is named, on a page."""
        return self.heads != "none" and len(self.rows) <= MOST_ROWS

    def cell(self, i: int, j: int) -> tuple[int, int]:
        """Return the row and column of the i-th data set and the j-th learner."""
        return (j, i) if self.turned else (i, j)


def arrange_heatmap(facts: HeatmapFacts, width: float, measure: Measure) -> Drawing:
    """Return the heat map within a width in points; it is as large as its content."""
    plain, turned = (_fit(facts, width, measure, turned) for turned in (False, True))
    layout = next((each for each in (plain, turned) if each.fits), None)
    if layout is None:
        layout = turned if len(turned.rows) <= MOST_ROWS else plain
    drawing = Drawing(layout.left + len(layout.columns) * layout.side + MARGIN, measure)
    top, key = _write_heads(drawing, facts, layout)
    for i, name in enumerate(layout.names):
        bold = layout.rows[i] in facts.highlight
        at = (layout.left - 4, top - (i + 0.5) * layout.high - RISE * layout.row_size)
        colour = ACCENT if bold else INK
        drawing.add(Word(f"name {i}", at, name, layout.row_size, "right", bold, colour))
    numbered = _fill_cells(drawing, facts, layout, top)
    bottom = top - len(layout.rows) * layout.high
    bottom -= _write_feet(drawing, facts, layout, bottom)
    bottom = draw_scale(drawing, ("worst", "best"), lambda share: mix(share, DARK), bottom)
    caption = "; ".join(filter(None, (facts.caption, "bold: best" if numbered else "", key)))
    return drawing.finish(bottom, caption)


def _fit(facts: HeatmapFacts, width: float, measure: Measure, turned: bool) -> _Layout:
    rows, columns = facts.datasets, facts.learners
    if turned:
        rows, columns = columns, rows
    size = 7.5 if width >= 360 else SMALLEST_TYPE
    row_size = size if len(rows) <= MANY_ROWS else 6.0
    fits = partial(measure, size=row_size, bold=True)
    names = shorten(rows, [0.3 * width] * len(rows), [fits] * len(rows))
    left = MARGIN + max(map(fits, names)) + 4
    longest = max(measure(name, size, True) for name in columns)
    side = (width - MARGIN - left) / len(columns)
    side = min(side, max(NARROW_CELL, min(longest + 8, WIDE_CELL)))
    high = (1.45 if len(rows) <= 30 else 1.2) * row_size
    heads: Heads = "none"
    if longest <= side - 3:
        heads = "level"
    elif side >= 1.15 * size:
        heads = "upright"
    elif 2 * side >= 1.15 * size:
        heads = "in turn"
    return _Layout(rows, columns, turned, size, row_size, left, side, high, names, heads)


def _fill_cells(drawing: Drawing, facts: HeatmapFacts, layout: _Layout, top: float) -> bool:
    """Colour the cells, and write scores into them where they fit; tell whether they do."""
    fits = partial(drawing.measure, size=layout.row_size, bold=True)
    forms = {re.sub(r"\d", "0", text) for row in facts.texts for text in row}
    numbered = max(map(fits, forms)) <= layout.side - 2  # digits are equally wide
    cells: list[Area] = []
    values: list[Word] = []
    for i, shares in enumerate(facts.shares):
        best = max(share for share in shares if share is not None)
        for j, share in enumerate(shares):
            row, column = layout.cell(i, j)
            x, y = layout.left + column * layout.side, top - (row + 1) * layout.high
            corners = box(x, y, x + layout.side, y + layout.high)
            if share is None:
                cells.append(Area(f"missing {i} {j}", corners, WHITE, FAINT, 0.4, hatched=True))
                continue
            fill = mix(0.04 + 0.96 * share, DARK)
            cells.append(Area(f"cell {i} {j}", corners, fill, WHITE, 0.4))
            if numbered:
                at = (x + layout.side / 2, y + layout.high / 2 - RISE * layout.row_size)
                text, bold, ink = facts.texts[i][j], share == best, ink_on(fill)
                word = Word(f"value {i} {j}", at, text, layout.row_size, "center", bold, ink)
                values.append(word)
    # In this order shapes alike share an element in SVG.
    drawing.add(*sorted(cells, key=lambda cell: cell.colour))
    drawing.add(*sorted(values, key=lambda word: (word.bold, word.colour)))
    return numbered


def _write_heads(drawing: Drawing, facts: HeatmapFacts, layout: _Layout) -> tuple[float, str]:
    """Write the heads of columns; return the height at which cells begin, and a key.

    Where learners have no room for names they have numbers, and data sets nothing.
    """
    size, side, count = layout.size, layout.side, len(layout.columns)
    fits = partial(drawing.measure, size=size, bold=True)
    if layout.heads == "none" and layout.turned:
        return -MARGIN, f"columns: {count} data sets"
    if layout.heads == "none":
        numbers = ticks(1, count, lambda step: fits(str(count)) + 2 <= step * side)
        heads = {n - 1: str(n) for n in numbers}
        key = "; ".join(f"{n}: {name}" for n, name in enumerate(layout.columns, 1))
    else:
        heads, key = _shorten_heads(drawing, layout), ""
    upright = layout.heads in ("upright", "in turn")
    heads = {j: head for j, head in heads.items() if layout.heads != "in turn" or j % 2 == 0}
    top = -MARGIN - (max(map(fits, heads.values())) + 3 if upright else 1.35 * size)
    _write_columns(drawing, facts, layout, heads, top + 3)
    return top, key


def _write_feet(drawing: Drawing, facts: HeatmapFacts, layout: _Layout, bottom: float) -> float:
    """Write the names that stand below columns; return the room that they take."""
    if layout.heads != "in turn":
        return 0.0
    feet = {j: name for j, name in _shorten_heads(drawing, layout).items() if j % 2}
    _write_columns(drawing, facts, layout, feet, bottom - 3, below=True)
    return max(drawing.measure(name, layout.size, True) for name in feet.values()) + 3


def _shorten_heads(drawing: Drawing, layout: _Layout) -> dict[int, str]:
    fits = partial(drawing.measure, size=layout.size, bold=True)
    count = len(layout.columns)
    room = layout.side if layout.heads == "level" else WIDEST_HEAD
    return dict(enumerate(shorten(layout.columns, [room] * count, [fits] * count)))


def _write_columns(
    drawing: Drawing,
    facts: HeatmapFacts,
    layout: _Layout,
    names: dict[int, str],
    y: float,
    *,
    below: bool = False,
) -> None:
    upright = layout.heads in ("upright", "in turn")
    align: Literal["left", "right", "center"] = "center"
    if upright:
        align = "right" if below else "left"
    for j, name in names.items():
        bold = layout.columns[j] in facts.highlight
        middle = layout.left + (j + 0.5) * layout.side
        at = (middle + (RISE * layout.size if upright else 0), y)
        drawing.add(Word(f"head {j}", at, name, layout.size, align, bold, turned=upright))
