"""Where everything goes in the picture of a posterior density."""

from __future__ import annotations

from functools import partial

import numpy as np

from twofold.plots.bayes_facts import PosteriorFacts
from twofold.plots.colours import BETTER, WORSE, mixed
from twofold.plots.facts import shortened
from twofold.plots.scale import Scale, axis_below, sides_below
from twofold.plots.shapes import (
    CONNECTOR,
    FAINT,
    MARGIN,
    SMALLEST_TYPE,
    Area,
    Drawing,
    Measure,
    Stroke,
    Word,
    caption,
)


def arrange_posterior(facts: PosteriorFacts, width: float, measure: Measure) -> Drawing:
    """Return the picture of a width in points: the density in three parts, with their shares."""
    size = 8.0 if width >= 360 else 7.5
    scale = Scale(MARGIN + 10, width - MARGIN - 10, *facts.span)
    drawing = Drawing(width)
    top = -MARGIN - 2.9 * size
    bottom = top - min(0.3 * width, 120.0)
    _parts(drawing, facts, scale, top, bottom)
    _shares(drawing, facts, -MARGIN - size, size, measure)
    y = axis_below(drawing, scale, bottom, size - 0.5, measure)
    words = (facts.below, facts.above)
    y = sides_below(drawing, scale, facts.measured, words, facts.highlight, y, size - 0.5, measure)
    y = caption(drawing, facts.caption, y, max(SMALLEST_TYPE, size - 0.5), measure)
    drawing.finish(y)
    return drawing


def _parts(
    drawing: Drawing, facts: PosteriorFacts, scale: Scale, top: float, bottom: float
) -> None:
    """Fill the density: below the rope, within it and above it."""
    if not facts.density:
        at = scale.x(facts.centre)
        drawing.shapes.append(Stroke("density", ((at, bottom), (at, top)), 2.0))
    else:
        x, height = np.array(facts.x), np.array(facts.density)
        unit = (top - bottom) / height.max()
        a_above = facts.above == facts.a
        left, right = (WORSE, BETTER) if a_above else (BETTER, WORSE)
        ends = [
            (-np.inf, -facts.rope, left),
            (-facts.rope, facts.rope, None),
            (facts.rope, np.inf, right),
        ]
        for n, (low, high, colour) in enumerate(ends):
            first, last = max(low, x[0]), min(high, x[-1])
            if first >= last:
                continue
            inner = x[(x > first) & (x < last)]
            xs = np.concatenate([[first], inner, [last]])
            ys = np.interp(xs, x, height) * unit + bottom
            points = [(scale.x(p), float(q)) for p, q in zip(xs.tolist(), ys, strict=True)]
            points = [(points[0][0], bottom), *points, (points[-1][0], bottom)]
            fill = FAINT if colour is None else mixed(0.75, colour)
            drawing.shapes.append(Area(f"part {n}", tuple(points), fill))
        curve = tuple(
            (scale.x(p), bottom + unit * q) for p, q in zip(facts.x, facts.density, strict=True)
        )
        drawing.shapes.append(Stroke("density", curve, 1.2))
    for edge in sorted({-facts.rope, facts.rope}):
        at = scale.x(edge)
        drawing.shapes.append(
            Stroke("rope", ((at, bottom), (at, top)), 0.7, CONNECTOR, dashed=True)
        )


def _shares(
    drawing: Drawing, facts: PosteriorFacts, base: float, size: float, measure: Measure
) -> None:
    """Write the three shares in a line above: left, within the rope, right."""
    fits = partial(measure, size=size, bold=True)
    a, equal, b = facts.shares
    a_above = facts.above == facts.a
    left, right = (b, a) if a_above else (a, b)
    room = (drawing.width - 2 * MARGIN) / 3 - 6
    who = [facts.below, facts.above]
    words = [f"{name} better" for name in who]
    if max(map(fits, words)) > room:
        words = shortened(who, [room] * 2, [fits] * 2)
    names = (
        words[0],
        "practically equal" if fits("practically equal") <= room else "equal",
        words[1],
    )
    places = (MARGIN + room / 2 + 3, drawing.width / 2, drawing.width - MARGIN - room / 2 - 3)
    for n, (name, share, x) in enumerate(zip(names, (left, equal, right), places, strict=True)):
        if n == 1 and not facts.rope:
            continue
        drawing.shapes += [
            Word(f"share {n}", (x, base), f"{share:.3f}", size, "center", True),
            Word(f"share-name {n}", (x, base - 1.25 * size), name, size, "center"),
        ]
