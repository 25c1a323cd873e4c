"""Where everything goes in the triangle of posterior draws."""

from __future__ import annotations

import math
from functools import partial

from twofold.plots.bayes_facts import BINS, SimplexFacts, Triangle
from twofold.plots.colours import DARK, mix
from twofold.plots.facts import shorten
from twofold.plots.shapes import (
    CONNECTOR,
    INK,
    MARGIN,
    SMALLEST_TYPE,
    Area,
    Drawing,
    Measure,
    Point,
    Stroke,
    Word,
    caption,
)

HEIGHT = math.sqrt(3) / 2
LARGEST = 180.0  # side of a triangle, in points


def arrange_simplex(facts: SimplexFacts, width: float, measure: Measure) -> Drawing:
    """Return the picture of a width in points; triangles stand side by side where they fit."""
    size = 8.0 if width >= 360 else 7.5
    count = len(facts.triangles)
    across = count if width >= 200 * count else 1
    room = (width - 2 * MARGIN) / across
    side = min(room - 24, LARGEST)
    drawing = Drawing(width)
    y = -MARGIN
    for n, triangle in enumerate(facts.triangles):
        column = n % across
        middle = MARGIN + (column + 0.5) * room
        end = _triangle(drawing, facts, triangle, n, (middle, y), side, room, size, measure)
        if column == across - 1:
            y = end - (6.0 if n < count - 1 else 0.0)
    y = caption(drawing, facts.caption, y, max(SMALLEST_TYPE, size - 0.5), measure)
    drawing.finish(y)
    return drawing


def _triangle(
    drawing: Drawing,
    facts: SimplexFacts,
    triangle: Triangle,
    n: int,
    top_middle: Point,
    side: float,
    room: float,
    size: float,
    measure: Measure,
) -> float:
    """Draw one triangle: "equal" at the top, the learners at the foot; return its lower end."""
    middle, top = top_middle
    fits = partial(measure, size=size, bold=True)
    heads = 2.7 * size
    foot = top - heads - 4 - side * HEIGHT

    def at(a: float, b: float) -> Point:
        """Return the place where a and b have these probabilities: b is left, a right."""
        return middle + side / 2 * (a - b), foot + side * HEIGHT * (1 - a - b)

    most = max(triangle.bins.values())
    for (i, j, up), draws in triangle.bins.items():
        u, v, s = i / BINS, j / BINS, 1 / BINS
        if up:
            corners = (at(u, v), at(u + s, v), at(u, v + s))
        else:
            corners = (at(u + s, v), at(u, v + s), at(u + s, v + s))
        # Counts differ by orders of magnitude; a single draw must still be seen.
        share = 0.15 + 0.85 * math.log1p(draws) / math.log1p(most)
        colour = mix(share, DARK)
        drawing.shapes.append(Area(f"bin {n}", corners, colour, colour, 0.2))
    centre = at(1 / 3, 1 / 3)
    for edge in (at(0.5, 0.5), at(0.5, 0.0), at(0.0, 0.5)):
        drawing.shapes += [  # seen on light and on dark
            Stroke("border-light", (centre, edge), 1.8, "#FFFFFF"),
            Stroke("border", (centre, edge), 0.8, INK, dashed=True),
        ]
    outline = (at(0, 0), at(1, 0), at(0, 1), at(0, 0))
    drawing.shapes.append(Stroke(f"outline {n}", outline, 1.0))
    words = [
        (f"{coming:.3f}", f" ({likeliest:.3f})")
        for coming, likeliest in zip(triangle.coming, triangle.probabilities, strict=True)
    ]

    def number(n_words: int, middle_x: float, y: float) -> list[Word]:
        """Write both probabilities of an answer around a point."""
        bold, plain = words[n_words]
        first = middle_x - (fits(bold) + measure(plain, size, False)) / 2
        return [
            Word(f"coming {n}", (first, y), bold, size, "left", True),
            Word(f"share {n}", (first + fits(bold), y), plain, size, "left"),
        ]

    left, right = shorten([facts.b, facts.a], [room / 2 - fits(" better") - 6] * 2, [fits] * 2)
    corner = (middle - room / 2 + 2, top - size)
    drawing.shapes += [
        *number(1, middle, top - size),
        Word(f"corner {n}", (middle, top - 2.2 * size), "practically equal", size, "center"),
        Word(f"method {n}", corner, triangle.method, size - 0.5, "left", False, CONNECTOR),
    ]
    base = foot - 1.2 * size
    for name, learner, answer, x in (
        (left, facts.b, 2, middle - side / 2),
        (right, facts.a, 0, middle + side / 2),
    ):
        wide = fits(f"{name} better")
        place = min(max(x, middle - room / 2 + wide / 2 + 1), middle + room / 2 - wide / 2 - 1)
        bold = learner in facts.highlight
        drawing.shapes += [
            Word(f"corner {n}", (place, base), f"{name} better", size, "center", bold, INK),
            *number(answer, place, base - 1.25 * size),
        ]
    return base - 1.5 * size
