"""Where everything goes in the triangle of posterior draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from twofold.plots.bayes_facts import BINS, SimplexFacts, Triangle
from twofold.plots.picture_labels import shorten
from twofold.plots.shapes import Area, Drawing, Measure, Point, Stroke, Word
from twofold.plots.style import CONNECTOR, DARK, INK, MARGIN, mix
from twofold.rounding import written
from twofold.stats import entry

HEIGHT = math.sqrt(3) / 2
LARGEST = 180.0  # side of a triangle, in points
WIDEST = 260.0  # with the words at its corners


@dataclass(frozen=True)
class _Frame:
    """The position of a triangle: "equal" at the top, the second learner left, the first right."""

    middle: float
    top: float
    side: float
    room: float
    size: float

    @property
    def foot(self) -> float:
        """The height of its lower side."""
        return self.top - 3.9 * self.size - 4 - self.side * HEIGHT

    def point(self, a: float, b: float) -> Point:
        """Return where the learners have these probabilities of being better."""
        x = self.middle + self.side / 2 * (a - b)
        return x, self.foot + self.side * HEIGHT * (1 - a - b)


def arrange_simplex(facts: SimplexFacts, width: float, measure: Measure) -> Drawing:
    """Return the picture of a width in points; triangles stand side by side where they fit."""
    size = 8.0 if width >= 360 else 7.5
    count = len(facts.triangles)
    across = count if width >= 200 * count else 1
    room = min((width - 2 * MARGIN) / across, WIDEST)
    drawing = Drawing(across * room + 2 * MARGIN, measure)
    y = -MARGIN
    for n, triangle in enumerate(facts.triangles):
        column = n % across
        middle = MARGIN + (column + 0.5) * room
        frame = _Frame(middle, y, min(room - 24, LARGEST), room, size)
        _draw_triangle(drawing, triangle, frame, n)
        _write_answers(drawing, facts, triangle, frame, n)
        if column == across - 1:
            y = frame.foot - 2.7 * size - (6.0 if n < count - 1 else 0.0)
    return drawing.finish(y, facts.caption)


def _draw_triangle(drawing: Drawing, triangle: Triangle, frame: _Frame, n: int) -> None:
    """Draw the bins, the darker the more draws, and the borders of the thirds."""
    at = frame.point
    most = max(triangle.bins.values())
    for (i, j, up), draws in triangle.bins.items():
        u, v, s = i / BINS, j / BINS, 1 / BINS
        corner = at(u, v) if up else at(u + s, v + s)
        # Counts differ by orders of magnitude; a single draw must still be seen.
        colour = mix(0.15 + 0.85 * math.log1p(draws) / math.log1p(most), DARK)
        corners = (corner, at(u + s, v), at(u, v + s))
        drawing.add(Area(f"bin {n}", corners, colour, colour, 0.2))
    centre = at(1 / 3, 1 / 3)
    for edge in (at(0.5, 0.5), at(0.5, 0.0), at(0.0, 0.5)):
        drawing.add(  # seen on light and on dark
            Stroke("border-light", (centre, edge), 1.8, "#FFFFFF"),
            Stroke("border", (centre, edge), 0.8, INK, dashed=True),
        )
    drawing.add(Stroke(f"outline {n}", (at(0, 0), at(1, 0), at(0, 1), at(0, 0)), 1.0))


def _write_answers(
    drawing: Drawing, facts: SimplexFacts, triangle: Triangle, frame: _Frame, n: int
) -> None:
    """Write at each corner what it means, and both probabilities of that answer."""
    size, middle, half = frame.size, frame.middle, frame.room / 2
    fits = partial(drawing.measure, size=size, bold=True)

    def write_probabilities(answer: int, x: float, y: float) -> None:
        bold, plain = (
            written(triangle.coming[answer], 3),
            f" ({written(triangle.probabilities[answer], 3)})",
        )
        first = x - (fits(bold) + drawing.measure(plain, size, False)) / 2
        drawing.add(
            Word(f"coming {n}", (first, y), bold, size, "left", True),
            Word(f"share {n}", (first + fits(bold), y), plain, size, "left"),
        )

    title, top = entry(triangle.method).title, frame.top - size
    drawing.add(
        Word(f"method {n}", (middle, top), title, size - 0.5, "center", False, CONNECTOR),
        Word(f"corner {n}", (middle, top - 2.4 * size), "practically equal", size, "center"),
    )
    write_probabilities(1, middle, top - 1.2 * size)
    left, right = shorten([facts.b, facts.a], [half - fits(" better") - 6] * 2, [fits] * 2)
    base = frame.foot - 1.2 * size
    for name, learner, answer, side in ((left, facts.b, 2, -1), (right, facts.a, 0, 1)):
        text = f"{name} better"
        reach = half - fits(text) / 2 - 1
        x = middle + side * min(frame.side / 2, reach)
        bold = learner in facts.highlight
        drawing.add(Word(f"corner {n}", (x, base), text, size, "center", bold, INK))
        write_probabilities(answer, x, base - 1.25 * size)
