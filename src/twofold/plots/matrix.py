"""Where everything goes in the comparison matrix: the more cells, the less text, but readable."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from twofold.comparison.sentences import p_value
from twofold.plots.colours import diverging
from twofold.plots.facts import shorten, ticks
from twofold.plots.matrix_facts import Cell, MatrixFacts
from twofold.plots.scale import decimals_of, written
from twofold.plots.shapes import (
    ACCENT,
    BAND,
    CONNECTOR,
    INK,
    MARGIN,
    RISE,
    SMALLEST_TYPE,
    Area,
    Dot,
    Drawing,
    Measure,
    Word,
    box,
    caption,
)

LEVELS = (
    ("difference", "interval", "record", "p"),
    ("difference", "record", "p"),
    ("difference", "p"),
    ("difference",),
    (),
)
WORDS = {
    "difference": "row − column",
    "interval": "interval of the pair by itself",
    "record": "wins/ties/losses",
}
LEAST_DOTTED = 6.0  # cells smaller than that stay empty where nothing was found
Texts = dict[str, str]


def arrange_matrix(facts: MatrixFacts, width: float, measure: Measure) -> Drawing:
    """Return the matrix of a width in points; its height follows from the text that fits."""
    k = len(facts.learners)
    numbers = [f"{i + 1}" for i in range(k)]
    found = [_fitted(facts, width, size, measure) for size in (7.5, SMALLEST_TYPE)]
    fit = min(found, key=lambda one: one.level)
    size, left, names, texts, level = fit.size, fit.left, fit.names, fit.texts, fit.level
    fits = partial(measure, size=size, bold=True)
    number_room = fits(numbers[-1]) + 3
    side = (width - MARGIN - left) / k
    lines = len(LEVELS[level])
    high = max(1.25 * size, lines * 1.2 * size + 4) if lines else max(min(side, 16), 1.2 * size)

    drawing, limit = Drawing(width), facts.limit
    top = -MARGIN - 1.35 * size
    named = all(fits(name) <= side - 2 for name in names)
    shown = names if named else numbers
    written_columns = range(k) if named else _columns(k, side, number_room)
    for j in written_columns:
        at = (left + (j + 0.5) * side, top + 3)
        bold = facts.learners[j] in facts.highlight
        drawing.shapes.append(Word(f"column {j}", at, shown[j], size, "center", bold))
    for i, name in enumerate(names):
        y = top - (i + 0.5) * high
        bold = facts.learners[i] in facts.highlight
        colour = ACCENT if bold else INK
        base = y - RISE * size
        at = (left - 4 - (0 if named else number_room), base)
        drawing.shapes.append(Word(f"name {i}", at, name, size, "right", bold, colour))
        if not named:
            drawing.shapes.append(
                Word(f"number {i}", (left - 4, base), numbers[i], size, "right", bold, CONNECTOR)
            )
        for j, cell in enumerate(facts.cells[i]):
            x = left + j * side
            corners = box(x, y - high / 2, x + side, y + high / 2)
            if cell is None:
                drawing.shapes.append(Area("diagonal", corners, BAND, "white", 0.6))
                continue
            fill = diverging(cell.favour, limit)
            drawing.shapes.append(Area(f"cell {i} {j}", corners, fill, "white", 0.6))
            words = texts[i][j]
            if lines and words is not None:
                _write(drawing, cell, words, LEVELS[level], (x + side / 2, y), size, f"{i} {j}")
            else:
                _mark(drawing, cell, (x + side / 2, y), min(side, high), f"{i} {j}")
    y = _legend(drawing, facts, level, left, top - k * high, size, measure)
    y = caption(drawing, facts.caption, y, SMALLEST_TYPE, measure)
    drawing.finish(y)
    return drawing


def _columns(k: int, side: float, room: float) -> list[int]:
    return [n - 1 for n in ticks(1, k, lambda step: room + 1 <= step * side)]


@dataclass(frozen=True)
class _Fit:
    """A size of type, and how much text it leaves room for."""

    size: float
    left: float
    names: list[str]
    texts: list[list[Texts | None]]
    level: int


def _fitted(facts: MatrixFacts, width: float, size: float, measure: Measure) -> _Fit:
    k = len(facts.learners)
    fits = partial(measure, size=size, bold=True)
    number_room = fits(str(k)) + 3
    names = shorten(facts.learners, [0.3 * width - number_room] * k, [fits] * k)
    left = MARGIN + max(map(fits, names)) + number_room + 4
    decimals = decimals_of(one.difference for row in facts.cells for one in row if one is not None)
    texts = [
        [None if cell is None else _texts(cell, decimals) for cell in row] for row in facts.cells
    ]
    level = _level(texts, (width - MARGIN - left) / k - 2, size, measure)
    return _Fit(size, left, names, texts, level)


def _texts(cell: Cell, decimals: int) -> Texts:
    """Return what a cell may say."""
    texts = {"difference": written(cell.difference, decimals, plus=True)}
    if cell.interval is not None:
        texts["interval"] = "[" + ", ".join(written(e, decimals) for e in cell.interval) + "]"
    texts["record"] = "/".join(map(str, cell.record))
    if cell.p is not None:
        texts["p"] = p_value(cell.p).replace(" = ", " ").replace(" < ", " <")
    return texts


def _level(texts: list[list[Texts | None]], room: float, size: float, measure: Measure) -> int:
    """Return the first level of text of which all lines fit."""
    shapes: dict[str, set[str]] = {part: set() for part in LEVELS[0]}
    for words in (words for row in texts for words in row if words is not None):
        for part, text in words.items():
            shapes[part].add(re.sub(r"\d", "0", text))  # digits are equally wide
    widest = {
        part: max((measure(text, size, True) for text in found), default=0.0)
        for part, found in shapes.items()
    }
    return next(n for n, parts in enumerate(LEVELS) if all(widest[part] <= room for part in parts))


def _write(
    drawing: Drawing,
    cell: Cell,
    words: Texts,
    parts: tuple[str, ...],
    centre: tuple[float, float],
    size: float,
    place: str,
) -> None:
    lines = [part for part in parts if part in words]
    step = 1.2 * size
    for n, part in enumerate(lines):
        base = centre[1] + step * ((len(lines) - 1) / 2 - n) - RISE * size
        bold = cell.winner != 0
        drawing.shapes.append(
            Word(f"{part} {place}", (centre[0], base), words[part], size, "center", bold)
        )


def _mark(
    drawing: Drawing, cell: Cell, centre: tuple[float, float], room: float, place: str
) -> None:
    """Draw a triangle that points up where the row is better, down where it is worse."""
    x, y = centre
    if cell.winner == 0:
        if room >= LEAST_DOTTED:
            drawing.shapes.append(Dot(f"none {place}", (x, y), 0.8, CONNECTOR))
        return
    half, up = 0.3 * room, 0.26 * room * cell.winner
    corners = ((x - half, y - up), (x + half, y - up), (x, y + up))
    drawing.shapes.append(Area(f"mark {place}", corners, INK))


def _legend(
    drawing: Drawing,
    facts: MatrixFacts,
    level: int,
    left: float,
    top: float,
    size: float,
    measure: Measure,
) -> float:
    """Draw the range of colours with its ends, and say what stands in the cells."""
    steps, high = 21, 6.0
    decimals = decimals_of([facts.limit])
    ends = [
        "row worse " + written(facts.limit, decimals),
        written(facts.limit, decimals) + " row better",
    ]
    room = drawing.width - 2 * MARGIN - sum(measure(end, size, False) for end in ends) - 8
    wide = min(120.0, room)
    middle = min(max((left + drawing.width) / 2, drawing.width / 2), drawing.width - MARGIN)
    need = measure(ends[1], size, False) + 4 + wide / 2
    middle = min(middle, drawing.width - MARGIN - need)
    first, y = middle - wide / 2, top - 6 - high
    for n in range(steps):
        value = (n - steps // 2) / (steps // 2)
        corners = box(first + n * wide / steps, y, first + (n + 1) * wide / steps, y + high)
        drawing.shapes.append(Area("colour", corners, diverging(value, 1.0)))
    base = y + high / 2 - RISE * size
    drawing.shapes += [
        Word("colour-end", (first - 4, base), ends[0], size, "right"),
        Word("colour-end", (first + wide + 4, base), ends[1], size, "left"),
    ]
    if level == len(LEVELS) - 1:
        words = "▲ row better, ▼ row worse, others not told apart"
    else:
        parts = [facts.p_name if part == "p" else WORDS[part] for part in LEVELS[level]]
        words = f"In each cell: {', '.join(parts)}; bold: a difference was found"
    return caption(drawing, f"{words} ({facts.measured})", y + 1, SMALLEST_TYPE, measure)
