"""Where everything goes in a picture with a row for each difference."""

from __future__ import annotations

from functools import partial

from twofold.plots.facts import shortened
from twofold.plots.row_facts import MINUS, Row, RowsFacts
from twofold.plots.scale import Scale, axis_below, sides_below, zero_and_rope
from twofold.plots.shapes import (
    ACCENT,
    CONNECTOR,
    FAINT,
    INK,
    MARGIN,
    RISE,
    SMALLEST_TYPE,
    Area,
    Dot,
    Drawing,
    Measure,
    Stroke,
    Word,
    caption,
)

GAP = 6.0
LEAST_PLOT = 0.34  # of the width; words and names give way first
MANY_ROWS = 60  # beyond that a page needs smaller type


def arrange_rows(facts: RowsFacts, width: float, measure: Measure) -> Drawing:
    """Return the picture of a width in points; its height follows from the rows."""
    every = (*facts.rows, *((facts.overall,) if facts.overall else ()))
    size = 8.0 if width >= 360 else 7.5
    if len(every) > 30:
        size = SMALLEST_TYPE if len(every) <= MANY_ROWS else 6.0
    pitch = size * (1.5 if len(every) <= 30 else 1.22 if len(every) <= MANY_ROWS else 1.12)
    small = max(min(size, SMALLEST_TYPE), size - 0.5)

    names = [row.label for row in every]
    wide = [measure(row.label, size, row.bold) for row in every]
    columns = _columns(facts, every, width, max(wide), size, measure)
    words_room = sum(room + GAP for _, room in columns)
    room = width * (1 - LEAST_PLOT) - words_room - 2 * MARGIN - GAP
    name_room = min(max(wide), room)
    if max(wide) > room:
        names = _short_labels(every, room, size, measure)

    left = MARGIN + name_room + GAP + 2
    right = width - MARGIN - words_room - 2
    scale = Scale(left, right, *facts.span)
    drawing = Drawing(width)
    top = -MARGIN - (1.35 * small if columns else 0.0)
    bottom = top - pitch * len(every) - (4.0 if facts.overall else 0.0)
    zero_and_rope(drawing, scale, facts.rope, top, bottom)
    _heads(drawing, columns, facts.heads, width, -MARGIN, small)
    for n, (row, name) in enumerate(zip(every, names, strict=True)):
        y = top - (n + 0.5) * pitch
        last = facts.overall is not None and n == len(every) - 1
        if last:
            y -= 4.0
            line = ((MARGIN, y + pitch / 2 + 1), (width - MARGIN, y + pitch / 2 + 1))
            drawing.shapes.append(Stroke("rule", line, 0.5, FAINT))
        colour = ACCENT if row.bold and not last else INK
        at = (MARGIN + name_room, y - RISE * size)
        drawing.shapes.append(Word(f"name {n}", at, name, size, "right", row.bold, colour))
        _mark(drawing, scale, row, n, y, min(pitch, 9.0), colour, diamond=last)
        edge = width - MARGIN
        for column, space in reversed(columns):
            if row.words[column]:
                place = (edge, y - RISE * size)
                word = Word(f"words {n}", place, row.words[column], size, "right", row.bold)
                drawing.shapes.append(word)
            edge -= space + GAP
    y = axis_below(drawing, scale, bottom, small, measure)
    words = (facts.below, facts.above)
    y = sides_below(drawing, scale, facts.measured, words, facts.highlight, y, small, measure)
    y = caption(drawing, facts.caption, y, max(SMALLEST_TYPE, small), measure)
    drawing.finish(y)
    return drawing


def _short_labels(every: tuple[Row, ...], room: float, size: float, measure: Measure) -> list[str]:
    """Return labels that fit; the names of a pair are cut each, and alike in every row."""
    fits = partial(measure, size=size, bold=True)
    pairs = any(len(row.parts) > 1 for row in every)
    each = (room - fits(MINUS)) / 2 if pairs else room
    names = list(dict.fromkeys(part for row in every for part in row.parts))
    short = dict(
        zip(names, shortened(names, [each] * len(names), [fits] * len(names)), strict=True)
    )
    return [MINUS.join(short[part] for part in row.parts) for row in every]


def _columns(
    facts: RowsFacts,
    every: tuple[Row, ...],
    width: float,
    names: float,
    size: float,
    measure: Measure,
) -> list[tuple[int, float]]:
    """Return the columns of words that fit, with their room: the most important before others."""
    found: list[tuple[int, float]] = []
    # Names may be cut to this, but not for the sake of words.
    free = (
        width * (1 - LEAST_PLOT)
        - min(names, (0.48 if len(every[0].parts) > 1 else 0.34) * width)
        - 2 * MARGIN
        - 2 * GAP
    )
    for column, head in enumerate(facts.heads):
        texts = [measure(row.words[column], size, row.bold) for row in every]
        room = max(*texts, measure(head, size, False))
        if not head or not max(texts) or room + GAP > free:
            continue
        free -= room + GAP
        found.append((column, room))
    return found


def _heads(
    drawing: Drawing,
    columns: list[tuple[int, float]],
    heads: tuple[str, ...],
    width: float,
    top: float,
    size: float,
) -> None:
    edge = width - MARGIN
    for column, room in reversed(columns):
        at = (edge, top - 0.85 * size)
        drawing.shapes.append(Word("head", at, heads[column], size, "right", False, CONNECTOR))
        edge -= room + GAP


def _mark(
    drawing: Drawing,
    scale: Scale,
    row: Row,
    n: int,
    y: float,
    room: float,
    colour: str,
    *,
    diamond: bool,
) -> None:
    """Draw the interval, open-ended where it leaves the axis, and the estimate on it."""
    x = scale.x(row.estimate)
    if row.interval is not None:
        ends = [scale.clipped(end) for end in row.interval]
        drawing.shapes.append(
            Stroke(f"interval {n}", ((ends[0], y), (ends[1], y)), 1.6 if diamond else 1.0, colour)
        )
        for end, value, sign in zip(ends, row.interval, (-1, 1), strict=True):
            if not scale.low <= value <= scale.high:
                head = ((end - 3 * sign, y + 2), (end, y), (end - 3 * sign, y - 2))
                drawing.shapes.append(Stroke(f"beyond {n}", head, 1.0, colour))
            elif diamond:
                line = ((end, y - 3), (end, y + 3))
                drawing.shapes.append(Stroke(f"interval-end {n}", line, 1.2, colour))
    half = 0.27 * room + 0.6
    if diamond:
        half = 0.45 * room
        corners = ((x - half, y), (x, y + half), (x + half, y), (x, y - half))
        fill = colour if row.found else "white"
        drawing.shapes.append(Area("overall", corners, fill, colour, 1.0))
    else:
        drawing.shapes.append(Dot(f"estimate {n}", (x, y), half, colour, hollow=not row.found))
