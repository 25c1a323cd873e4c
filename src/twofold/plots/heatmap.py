"""Where everything goes in the heat map of a table."""

from __future__ import annotations

import re
from functools import partial

from twofold.plots.colours import BETTER, mixed
from twofold.plots.facts import shortened, ticks
from twofold.plots.shapes import (
    ACCENT,
    FAINT,
    INK,
    MARGIN,
    RISE,
    SMALLEST_TYPE,
    Area,
    Drawing,
    Measure,
    Word,
    box,
    caption,
)
from twofold.plots.table_facts import TableFacts

MANY_ROWS = 60


def arrange_table(facts: TableFacts, width: float, measure: Measure) -> Drawing:
    """Return the heat map of a width in points; its height follows from the rows."""
    rows, columns = len(facts.datasets), len(facts.learners)
    size = 7.5 if width >= 360 else SMALLEST_TYPE
    row_size = size if rows <= MANY_ROWS else 6.0
    fits = partial(measure, size=row_size, bold=True)
    names = shortened(facts.datasets, [0.3 * width] * rows, [fits] * rows)
    left = MARGIN + max(map(fits, names)) + 4
    longest = max(measure(name, size, True) for name in facts.learners)
    side = min((width - MARGIN - left) / columns, max(60.0, min(longest + 6, 110.0)))
    high = 1.45 * row_size if rows <= 30 else 1.2 * row_size
    shapes = {re.sub(r"\d", "0", text) for row in facts.texts for text in row}
    widest = max(measure(text, row_size, True) for text in shapes)  # digits are equally wide
    numbered = widest <= side - 2

    drawing = Drawing(width)
    top, key = _heads(drawing, facts, left, side, size, measure)
    for i, name in enumerate(names):
        y = top - (i + 0.5) * high
        bold = facts.datasets[i] in facts.highlight
        at = (left - 4, y - RISE * row_size)
        colour = ACCENT if bold else INK
        drawing.shapes.append(Word(f"name {i}", at, name, row_size, "right", bold, colour))
        for j, share in enumerate(facts.shares[i]):
            x = left + j * side
            corners = box(x, y - high / 2, x + side, y + high / 2)
            if share is None:
                drawing.shapes.append(
                    Area(f"missing {i} {j}", corners, "white", FAINT, 0.4, hatched=True)
                )
                continue
            fill = mixed(0.06 + 0.94 * share, BETTER)
            drawing.shapes.append(Area(f"cell {i} {j}", corners, fill, "white", 0.4))
            if numbered:
                word = (x + side / 2, y - RISE * row_size)
                best = share == max(s for s in facts.shares[i] if s is not None)
                text = facts.texts[i][j]
                drawing.shapes.append(Word(f"value {i} {j}", word, text, row_size, "center", best))
    y = top - rows * high
    words = f"{key}; {facts.caption}" if key else facts.caption
    y = caption(drawing, words + ("; bold: best" if numbered else ""), y, SMALLEST_TYPE, measure)
    drawing.finish(y)
    return drawing


def _heads(
    drawing: Drawing, facts: TableFacts, left: float, side: float, size: float, measure: Measure
) -> tuple[float, str]:
    """Write the learners above their columns: level, upright, or as numbers with a key.

    Returns where the cells begin, and the key.
    """
    fits = partial(measure, size=size, bold=True)
    bold = [name in facts.highlight for name in facts.learners]
    count = len(facts.learners)
    if all(fits(name) <= side - 3 for name in facts.learners):
        top = -MARGIN - 1.35 * size
        for j, name in enumerate(facts.learners):
            at = (left + (j + 0.5) * side, top + 3)
            drawing.shapes.append(Word(f"column {j}", at, name, size, "center", bold[j]))
        return top, ""
    if side >= 1.15 * size:
        names = shortened(facts.learners, [90.0] * count, [fits] * count)
        top = -MARGIN - max(map(fits, names)) - 3
        for j, name in enumerate(names):
            at = (left + (j + 0.5) * side + RISE * size, top + 3)
            drawing.shapes.append(Word(f"column {j}", at, name, size, "left", bold[j], INK, 90))
        return top, ""
    top = -MARGIN - 1.35 * size
    room = fits(str(count)) + 2
    for n in ticks(1, count, lambda step: room <= step * side):
        at = (left + (n - 0.5) * side, top + 3)
        drawing.shapes.append(Word(f"column {n - 1}", at, str(n), size, "center", bold[n - 1]))
    return top, "; ".join(f"{n}: {name}" for n, name in enumerate(facts.learners, 1))
