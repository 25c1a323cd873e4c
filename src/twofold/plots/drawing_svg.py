"""Our own shapes as an SVG element for a page: text stays text, and shapes alike share a path.

Lengths are whole tenths of a point. A picture with a cell for each pair or each score takes less
than a tenth of what matplotlib writes, where letters are outlines and each cell is an element.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from twofold.plots.fonts import FAMILIES, join_lines
from twofold.plots.shapes import Area, Dot, Drawing, Shape, Stroke, Word
from twofold.plots.style import FAINT, INK

ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
HATCH = (
    '<pattern id="hatch" width="40" height="40" patternUnits="userSpaceOnUse">'
    f'<path d="M0 40L40 0" stroke="{FAINT}" stroke-width="6"/></pattern>'
)


class _Mark(NamedTuple):
    """A shape in SVG: what it shares with shapes around it, its colour, and what is its own."""

    shared: str
    colour: str
    text: str
    is_path: bool


def drawing_svg(drawing: Drawing, title: str, words: str, families: str = FAMILIES) -> str:
    """Return the drawing as an SVG element to put into a page."""
    marks = [_convert(shape, drawing.height) for shape in drawing.shapes]
    hatched = any(isinstance(shape, Area) and shape.hatched for shape in drawing.shapes)
    return open_svg(drawing.width, drawing.height, 10, title, words, families) + (
        f"{HATCH if hatched else ''}{''.join(_write_groups(marks))}</svg>"
    )


def open_svg(width: float, height: float, scale: int, title: str, words: str, families: str) -> str:
    """Return the start of a picture of a size in points: white, in our type, with its title."""
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "role": "img",
        "aria-label": f"{title}. {words}" if words else title,
        "width": f"{width:g}pt",
        "height": f"{height:g}pt",
        "viewBox": f"0 0 {width * scale:g} {height * scale:g}",
        "font-family": families,
        "fill": INK,
    }
    written = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    return f"<svg {written}><title>{escape(title)}</title>"


def _write_groups(marks: list[_Mark]) -> Iterator[str]:
    for shared, same_kind in groupby(marks, key=lambda mark: mark.shared):
        yield f"<g{shared}>"
        for (colour, is_path), group in groupby(same_kind, key=lambda m: (m.colour, m.is_path)):
            texts = "".join(mark.text for mark in group)
            if is_path:
                yield f'<path{colour} d="{texts}"/>'
            else:
                yield f"<g{colour}>{texts}</g>" if colour else texts
        yield "</g>"


def _convert(shape: Shape, height: float) -> _Mark:
    if isinstance(shape, Word):
        return _convert_word(shape, height)
    if isinstance(shape, Dot):
        # A line without length and with round ends takes a third of a circle's bytes.
        x, y = _tenths(shape.centre, height)
        shared = f' stroke-linecap="round" stroke-width="{_length(2 * shape.radius)}"'
        return _Mark(shared, f' stroke="{shape.colour}"', f"M{x} {y}h0", True)
    points = [_tenths(point, height) for point in shape.points]
    if isinstance(shape, Stroke):
        dashes = ' stroke-dasharray="30 20"' if shape.dashed else ""
        shared = f' fill="none" stroke-width="{_length(shape.weight)}"{dashes}'
        return _Mark(shared, f' stroke="{shape.colour}"', _trace(points), True)
    if shape.is_cell:
        return _convert_cell(shape, height)
    edge = ""
    if shape.edge:
        edge = f' stroke="{shape.edge}" stroke-width="{_length(shape.weight)}"'
    fill = "url(#hatch)" if shape.hatched else shape.colour
    colour = "" if fill == INK else f' fill="{fill}"'
    return _Mark(edge, colour, _trace(points) + "z", True)


def _convert_cell(cell: Area, height: float) -> _Mark:
    """Return a box with a white edge as a thick line, which takes half of the bytes."""
    (left, bottom), (right, top) = cell.points[0], cell.points[2]
    inset = cell.weight / 2
    x, y = _tenths((left + inset, (bottom + top) / 2), height)
    shared = f' stroke-width="{_length(top - bottom - cell.weight)}"'
    length = _length(right - left - cell.weight)
    return _Mark(shared, f' stroke="{cell.colour}"', f"M{x} {y}h{length}", True)


def _convert_word(word: Word, height: float) -> _Mark:
    x, y = _tenths(word.at, height)
    turn = f' transform="rotate(-90 {x} {y})"' if word.turned else ""
    shared = f' font-size="{_length(word.size)}"{ANCHORS[word.align]}'
    if word.bold:
        shared += ' font-weight="bold"'
    colour = "" if word.colour == INK else f' fill="{word.colour}"'
    letters = escape(join_lines(word.text))
    if letters.startswith(" "):  # which a browser would drop
        letters = "\N{NO-BREAK SPACE}" + letters[1:]
    return _Mark(shared, colour, f'<text x="{x}" y="{y}"{turn}>{letters}</text>', False)


def _tenths(point: tuple[float, float], height: float) -> tuple[int, int]:
    """Return a point in tenths, downwards from the top."""
    return round(10 * point[0]), round(10 * (height - point[1]))


def _length(points: float) -> int:
    return max(1, round(10 * points))


def _trace(points: list[tuple[int, int]]) -> str:
    """Return a line through points: an absolute start, then steps."""
    (x, y), *rest = points
    steps = []
    for next_x, next_y in rest:
        gap = "" if next_y < y else " "  # a minus sign separates as well
        steps.append(f"{next_x - x}{gap}{next_y - y}")
        x, y = next_x, next_y
    return f"M{points[0][0]} {points[0][1]}l{' '.join(steps)}"
