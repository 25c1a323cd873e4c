"""Where everything goes in the heat map of a table."""

from __future__ import annotations

import re
from functools import partial

from twofold.plots.heatmap_facts import HeatmapFacts
from twofold.plots.picture_labels import shorten, ticks
from twofold.plots.shapes import Area, Drawing, Measure, Word, box
from twofold.plots.style import (
    ACCENT,
    BETTER,
    FAINT,
    INK,
    MARGIN,
    RISE,
    SMALLEST_TYPE,
    WHITE,
    mix,
)

MANY_ROWS = 60


def arrange_heatmap(facts: HeatmapFacts, width: float, measure: Measure) -> Drawing:
    """Return the heat map of a width in points; its height follows from the rows."""
    rows, columns = len(facts.datasets), len(facts.learners)
    size = 7.5 if width >= 360 else SMALLEST_TYPE
    row_size = size if rows <= MANY_ROWS else 6.0
    fits = partial(measure, size=row_size, bold=True)
    names = shorten(facts.datasets, [0.3 * width] * rows, [fits] * rows)
    left = MARGIN + max(map(fits, names)) + 4
    longest = max(measure(name, size, True) for name in facts.learners)
    side = min((width - MARGIN - left) / columns, max(60.0, min(longest + 6, 110.0)))
    high = (1.45 if rows <= 30 else 1.2) * row_size
    shapes = {re.sub(r"\d", "0", text) for row in facts.texts for text in row}
    numbered = max(map(fits, shapes)) <= side - 2  # digits are equally wide

    drawing = Drawing(width, measure)
    top, key = _write_heads(drawing, facts, left, side, size)
    for i, name in enumerate(names):
        bold = facts.datasets[i] in facts.highlight
        at = (left - 4, top - (i + 0.5) * high - RISE * row_size)
        colour = ACCENT if bold else INK
        drawing.add(Word(f"name {i}", at, name, row_size, "right", bold, colour))
    _fill_cells(drawing, facts, (left, top), (side, high), row_size if numbered else None)
    caption = "; ".join(filter(None, (key, facts.caption, "bold: best" if numbered else "")))
    return drawing.finish(top - rows * high, caption)


def _fill_cells(
    drawing: Drawing,
    facts: HeatmapFacts,
    corner: tuple[float, float],
    extent: tuple[float, float],
    size: float | None,
) -> None:
    """Colour the cells, and write scores into them where type has a size."""
    (left, top), (side, high) = corner, extent
    cells: list[Area] = []
    values: list[Word] = []
    for i, row in enumerate(facts.shares):
        best = max(share for share in row if share is not None)
        y = top - (i + 1) * high
        for j, share in enumerate(row):
            x = left + j * side
            corners = box(x, y, x + side, y + high)
            if share is None:
                cells.append(Area(f"missing {i} {j}", corners, WHITE, FAINT, 0.4, hatched=True))
                continue
            fill = mix(0.06 + 0.94 * share, BETTER)
            cells.append(Area(f"cell {i} {j}", corners, fill, WHITE, 0.4))
            if size is not None:
                at = (x + side / 2, y + high / 2 - RISE * size)
                text, bold = facts.texts[i][j], share == best
                values.append(Word(f"value {i} {j}", at, text, size, "center", bold))
    # In this order shapes alike share an element in SVG.
    drawing.add(*sorted(cells, key=lambda cell: cell.colour))
    drawing.add(*sorted(values, key=lambda word: word.bold))


def _write_heads(
    drawing: Drawing, facts: HeatmapFacts, left: float, side: float, size: float
) -> tuple[float, str]:
    """Write the heads of columns; return the height at which cells begin, and a key.

    Learners are named on the level, upright, or by numbers with a key, as there is room.
    """
    fits = partial(drawing.measure, size=size, bold=True)
    count = len(facts.learners)
    heads, room, key, turned = dict(enumerate(facts.learners)), 1.35 * size, "", False
    if any(fits(name) > side - 3 for name in facts.learners):
        turned = side >= 1.15 * size
        if turned:
            heads = dict(enumerate(shorten(facts.learners, [90.0] * count, [fits] * count)))
            room = max(map(fits, heads.values())) + 3
        else:
            wide = fits(str(count)) + 2
            numbers = ticks(1, count, lambda step: wide <= step * side)
            heads = {n - 1: str(n) for n in numbers}
            key = "; ".join(f"{n}: {name}" for n, name in enumerate(facts.learners, 1))
    top = -MARGIN - room
    for j, head in heads.items():
        bold = facts.learners[j] in facts.highlight
        middle = left + (j + 0.5) * side
        at = (middle + (RISE * size if turned else 0), top + 3)
        drawing.add(
            Word(f"head {j}", at, head, size, "left" if turned else "center", bold, turned=turned)
        )
    return top, key
