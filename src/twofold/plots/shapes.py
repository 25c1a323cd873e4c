"""What pictures are made of: strokes, dots, areas and words, at points (1/72 inch) from below left.

They know no drawing library; matplotlib draws all of them, TikZ those of the rank diagram.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from twofold.plots.style import INK, MARGIN, RISE, SMALLEST_TYPE, WHITE


class Measure(Protocol):
    """Tells how wide a text is."""

    def __call__(self, text: str, size: float, bold: bool) -> float:
        """Return the width in points."""
        ...


Point = tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """A line through points."""

    role: str
    points: tuple[Point, ...]
    weight: float
    colour: str = INK
    dashed: bool = False


@dataclass(frozen=True)
class Dot:
    """A filled circle."""

    role: str
    centre: Point
    radius: float
    colour: str = INK


@dataclass(frozen=True)
class Area:
    """A polygon, filled or hatched."""

    role: str
    points: tuple[Point, ...]
    colour: str
    edge: str | None = None
    weight: float = 0.5
    hatched: bool = False

    @property
    def is_cell(self) -> bool:
        """Whether it is a box with a white edge, as in a grid of them."""
        if self.edge != WHITE or self.hatched or len(self.points) != 4:
            return False
        return self.points == box(*self.points[0], *self.points[2])


@dataclass(frozen=True)
class Word:
    """A text on a base line, to the right or left of a point or around it; turned, upwards."""

    role: str
    at: Point
    text: str
    size: float
    align: Literal["left", "right", "center"]
    bold: bool = False
    colour: str = INK
    turned: bool = False


Shape = Stroke | Dot | Area | Word


@dataclass
class Drawing:
    """All shapes, in the order in which they are drawn, and how wide texts are.

    The caption says how to read them; it is no part of the picture unless it is added.
    """

    width: float
    measure: Measure
    height: float = 0.0
    shapes: list[Shape] = field(default_factory=list)
    caption: str = ""

    def add(self, *shapes: Shape) -> None:
        """Draw shapes above those that are there."""
        self.shapes += shapes

    def write_below(self, text: str, bottom: float, size: float, role: str = "caption") -> float:
        """Write in as many lines as it needs, in the middle; return where they end."""
        lines = wrap(text, self.width - 2 * MARGIN, size, self.measure)
        y = bottom - 5.0 if lines else bottom
        for line in lines:
            self.add(Word(role, (self.width / 2, y - 0.8 * size), line, size, "center"))
            y -= 1.3 * size
        return y

    def write_key(self, text: str, bottom: float) -> float:
        """Write what signs mean, below the picture; return where it ends."""
        return self.write_below(text, bottom, SMALLEST_TYPE, "key") if text else bottom

    def finish(self, bottom: float, caption: str) -> Drawing:
        """Move up what was drawn downwards from zero; the caption is for the text around it."""
        self._move_up(MARGIN - bottom)
        self.caption = caption
        return self

    def add_caption(self) -> Drawing:
        """Write the caption below the picture."""
        self._move_up(MARGIN - self.write_below(self.caption, MARGIN, SMALLEST_TYPE))
        return self

    def _move_up(self, room: float) -> None:
        """Make room below what is there."""
        self.shapes = [shift(shape, room) for shape in self.shapes]
        self.height += room


def draw_scale(
    drawing: Drawing, ends: tuple[str, str], colour: Callable[[float], str], top: float
) -> float:
    """Draw the range of colours from 0 to 1 between the words for its ends; return its foot."""
    steps, high, size = 21, 6.0, SMALLEST_TYPE
    wide_ends = [drawing.measure(end, size, False) for end in ends]
    room = drawing.width - 2 * MARGIN - sum(wide_ends) - 8
    wide = min(120.0, room)
    first = MARGIN + wide_ends[0] + 4 + (room - wide) / 2
    y = top - 6 - high
    for n in range(steps):
        corners = box(first + n * wide / steps, y, first + (n + 1) * wide / steps, y + high)
        drawing.add(Area("colour", corners, colour(n / (steps - 1))))
    base = y + high / 2 - RISE * size
    drawing.add(
        Word("colour-end", (first - 4, base), ends[0], size, "right"),
        Word("colour-end", (first + wide + 4, base), ends[1], size, "left"),
    )
    return y - 1


def shift(shape: Shape, up: float) -> Shape:
    """Return the shape at another height."""
    if isinstance(shape, Stroke | Area):
        return replace(shape, points=tuple((x, y + up) for x, y in shape.points))
    if isinstance(shape, Dot):
        return replace(shape, centre=(shape.centre[0], shape.centre[1] + up))
    return replace(shape, at=(shape.at[0], shape.at[1] + up))


def box(left: float, bottom: float, right: float, top: float) -> tuple[Point, ...]:
    """Return the corners of a rectangle."""
    return (left, bottom), (right, bottom), (right, top), (left, top)


def wrap(text: str, room: float, size: float, measure: Measure) -> list[str]:
    """Return a text in lines, which end at semicolons if they can, lest a number stand alone."""

    def join(parts: list[str]) -> list[str]:
        lines: list[str] = []
        for part in parts:
            longer = f"{lines[-1]} {part}" if lines else part
            if lines and measure(longer, size, False) <= room:
                lines[-1] = longer
            else:
                lines.append(part)
        return lines

    lines = join([part.strip() for part in re.split(r"(?<=;) ", text) if part.strip()])
    if any(measure(line, size, False) > room for line in lines):
        lines = join(text.split())
    return lines
