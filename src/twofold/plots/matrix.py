"""Where everything goes in the comparison matrix: the more cells, the less text, but readable."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from twofold.comparison.sentences import p_value
from twofold.plots.decimals import decimals_of
from twofold.plots.matrix_facts import Cell, MatrixFacts
from twofold.plots.picture_labels import shorten, ticks
from twofold.plots.shapes import (
    Area,
    Dot,
    Drawing,
    Measure,
    Point,
    Shape,
    Stroke,
    Word,
    box,
    draw_scale,
)
from twofold.plots.style import (
    ACCENT,
    BAND,
    CONNECTOR,
    INK,
    MARGIN,
    RISE,
    SMALLEST_TYPE,
    WHITE,
    ink_on,
    mix_both_ways,
)
from twofold.rounding import written

LEVELS = (
    ("difference", "interval", "record", "p"),
    ("difference", "record", "p"),
    ("difference", "p"),
    ("difference",),
    (),
)
WORDS = {
    "difference": "row − column",
    "record": "wins/ties/losses",
}
LEAST_DOTTED = 6.0  # cells smaller than that stay empty where nothing was found
Texts = dict[str, str]


@dataclass(frozen=True)
class _Fit:
    """A size of type, the names in it, and how much text of cells it leaves room for."""

    size: float
    left: float
    side: float
    names: list[str]
    number_room: float
    texts: list[list[Texts | None]]
    level: int

    @property
    def parts(self) -> tuple[str, ...]:
        """The lines of text in each cell."""
        return LEVELS[self.level]

    @property
    def height(self) -> float:
        """The height of a cell."""
        if not self.parts:
            return max(min(self.side, 16), 1.2 * self.size)
        return max(1.25 * self.size, len(self.parts) * 1.2 * self.size + 4)


def arrange_matrix(facts: MatrixFacts, width: float, measure: Measure) -> Drawing:
    """Return the matrix of a width in points; its height follows from the text that fits."""
    fits = [_fit_text(facts, width, size, measure) for size in (7.5, SMALLEST_TYPE)]
    fit = min(fits, key=lambda fit: fit.level)
    drawing = Drawing(width, measure)
    top = -MARGIN - 1.35 * fit.size
    _write_names(drawing, facts, fit, top)
    cells: list[Area] = []
    marks: list[Shape] = []
    frames: list[Shape] = []
    for i, row in enumerate(facts.cells):
        y = top - (i + 0.5) * fit.height
        for j, cell in enumerate(row):
            x = fit.left + j * fit.side
            corners = box(x, y - fit.height / 2, x + fit.side, y + fit.height / 2)
            if cell is None:
                cells.append(Area("diagonal", corners, BAND, WHITE, 0.6))
                continue
            fill = mix_both_ways(cell.favour, facts.limit)
            cells.append(Area(f"cell {i} {j}", corners, fill, WHITE, 0.6))
            centre, words, ink = (x + fit.side / 2, y), fit.texts[i][j], ink_on(fill)
            if fit.parts and words is not None:
                marks.extend(_write_cell(cell, words, fit, centre, f"{i} {j}", ink))
                if cell.winner:
                    frames.append(_frame_cell(corners, f"{i} {j}"))
            else:
                room = min(fit.side, fit.height)
                marks.extend(_mark_cell(cell, centre, room, f"{i} {j}", ink))
    # In this order shapes alike share an element in SVG.
    drawing.add(*sorted(cells, key=lambda cell: cell.colour))
    drawing.add(*sorted(marks, key=_order_marks))
    drawing.add(*frames)
    bottom = _draw_legend(drawing, facts, fit, top - len(facts.learners) * fit.height)
    words = WORDS | {"interval": facts.interval_name, "p": facts.p_name}
    parts = [words[part] for part in fit.parts]
    reading = f"; in each cell: {', '.join(parts)}" if parts else ""
    return drawing.finish(bottom, facts.caption + reading)


def _write_names(drawing: Drawing, facts: MatrixFacts, fit: _Fit, top: float) -> None:
    """Write names before rows and above columns; where these are narrow, numbers."""
    k, size, side = len(facts.learners), fit.size, fit.side
    named = all(drawing.measure(name, size, True) <= side - 2 for name in fit.names)
    columns = {j: fit.names[j] for j in range(k)}
    if not named:
        steps = ticks(1, k, lambda step: fit.number_room + 1 <= step * side)
        columns = {n - 1: f"{n}" for n in steps}
    bold = [name in facts.highlight for name in facts.learners]
    for j, text in columns.items():
        at = (fit.left + (j + 0.5) * side, top + 3)
        drawing.add(Word(f"column {j}", at, text, size, "center", bold[j]))
    for i, name in enumerate(fit.names):
        base = top - (i + 0.5) * fit.height - RISE * size
        at = (fit.left - 4 - (0 if named else fit.number_room), base)
        colour = ACCENT if bold[i] else INK
        drawing.add(Word(f"name {i}", at, name, size, "right", bold[i], colour))
        if not named:
            at = (fit.left - 4, base)
            drawing.add(Word(f"number {i}", at, f"{i + 1}", size, "right", bold[i], CONNECTOR))


def _fit_text(facts: MatrixFacts, width: float, size: float, measure: Measure) -> _Fit:
    k = len(facts.learners)
    fits = partial(measure, size=size, bold=True)
    number_room = fits(str(k)) + 3
    names = shorten(facts.learners, [0.3 * width - number_room] * k, [fits] * k)
    left = MARGIN + max(map(fits, names)) + number_room + 4
    side = (width - MARGIN - left) / k
    decimals = decimals_of(cell.difference for row in facts.cells for cell in row if cell)
    texts = [[_describe_cell(cell, decimals) for cell in row] for row in facts.cells]
    return _Fit(size, left, side, names, number_room, texts, _find_level(texts, side - 2, fits))


def _describe_cell(cell: Cell | None, decimals: int) -> Texts | None:
    """Return what a cell may say."""
    if cell is None:
        return None
    texts = {"difference": written(cell.difference, decimals, plus=True)}
    if cell.interval is not None:
        low, high = (written(end, decimals) for end in cell.interval)
        # An end at zero does not belong to the interval of two that differ.
        first, last = ("(" if cell.winner and end == 0 else "[" for end in cell.interval)
        texts["interval"] = f"{first}{low}, {high}{']' if last == '[' else ')'}"
    texts["record"] = "/".join(map(str, cell.record))
    if cell.p is not None:
        texts["p"] = p_value(cell.p).replace(" = ", " ").replace(" < ", " <")
    return texts


def _find_level(texts: list[list[Texts | None]], room: float, fits: Callable[[str], float]) -> int:
    """Return the first level of text of which all lines fit."""
    shapes: dict[str, set[str]] = {part: set() for part in LEVELS[0]}
    for words in (words for row in texts for words in row if words is not None):
        for part, text in words.items():
            shapes[part].add(re.sub(r"\d", "0", text))  # digits are equally wide
    widest = {part: max(map(fits, each), default=0.0) for part, each in shapes.items()}
    return next(n for n, parts in enumerate(LEVELS) if all(widest[part] <= room for part in parts))


def _frame_cell(corners: tuple[Point, ...], role: str) -> Stroke:
    """Return a line within the edge of a cell."""
    (left, bottom), _, (right, top), _ = corners
    inner = box(left + 1.1, bottom + 1.1, right - 1.1, top - 1.1)
    return Stroke(f"frame {role}", (*inner, inner[0], inner[1]), 0.9)


def _write_cell(
    cell: Cell, words: Texts, fit: _Fit, centre: Point, role: str, ink: str
) -> Iterator[Shape]:
    lines = [part for part in fit.parts if part in words]
    for n, part in enumerate(lines):
        base = centre[1] + 1.2 * fit.size * ((len(lines) - 1) / 2 - n) - RISE * fit.size
        at = (centre[0], base)
        yield Word(f"{part} {role}", at, words[part], fit.size, "center", cell.winner != 0, ink)


def _mark_cell(cell: Cell, centre: Point, room: float, role: str, ink: str) -> Iterator[Shape]:
    """Draw a triangle that points up where the row is better, down where it is worse."""
    x, y = centre
    if cell.winner != 0:
        half, up = 0.3 * room, 0.26 * room * cell.winner
        yield Area(f"mark {role}", ((x - half, y - up), (x + half, y - up), (x, y + up)), ink)
    elif room >= LEAST_DOTTED:
        yield Dot(f"none {role}", centre, 0.8, CONNECTOR if ink == INK else WHITE)


def _order_marks(shape: Shape) -> tuple[bool, bool, str]:
    """Return by what marks are sorted, so that those alike follow each other."""
    return isinstance(shape, Dot), isinstance(shape, Word) and shape.bold, shape.colour


def _draw_legend(drawing: Drawing, facts: MatrixFacts, fit: _Fit, top: float) -> float:
    """Draw the range of colours with its ends, and say what marks a difference."""
    limit = written(facts.limit, decimals_of([facts.limit]))
    ends = (f"row worse, {limit}", f"row better, {limit}")
    y = draw_scale(drawing, ends, lambda share: mix_both_ways(2 * share - 1, 1.0), top)
    words = "framed and bold: a difference was found"
    if not fit.parts:
        words = "▲ row better, ▼ row worse, others not told apart"
    return drawing.write_key(words, y)
