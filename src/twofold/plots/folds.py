"""Where everything goes in the picture of two learners on one data set."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.plots.fold_facts import FoldFacts
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

RADIUS = 1.8
MANY_RUNS = 40


def arrange_folds(facts: FoldFacts, width: float, measure: Measure) -> Drawing:
    """Return the picture of a width in points: a row of dots for each run, the estimate below."""
    size = 8.0 if width >= 360 else 7.5
    if len(facts.runs) > MANY_RUNS:
        size = SMALLEST_TYPE
    words = (*facts.labels, "mean")
    left = MARGIN + max(measure(word, size, True) for word in words) + 8
    scale = Scale(left, width - MARGIN - 2, *facts.span)
    swarms = [_swarm([scale.x(gap) for gap in run]) for run in facts.runs]
    tallest = max(abs(up) for swarm in swarms for up in swarm)
    single = len(facts.runs) == 1
    pitch = max(1.3 * size, min(2 * tallest + 3 * RADIUS, 90.0 if single else 22.0))
    squeeze = min(1.0, (pitch - 2.4 * RADIUS) / (2 * tallest)) if tallest else 1.0

    drawing = Drawing(width)
    top = -MARGIN
    foot = top - pitch * len(facts.runs)
    bottom = foot - 3.0 - 1.8 * size
    zero_and_rope(drawing, scale, facts.rope, top, bottom)
    for n, (run, swarm) in enumerate(zip(facts.runs, swarms, strict=True)):
        y = top - (n + 0.5) * pitch
        at = (left - 8, y - RISE * size)
        drawing.shapes.append(Word(f"name {n}", at, facts.labels[n], size, "right"))
        for gap, up in zip(run, swarm, strict=True):
            place = (scale.x(gap), y + squeeze * up)
            drawing.shapes.append(Dot(f"fold {n}", place, RADIUS, CONNECTOR))
        if not single:
            x = scale.x(facts.means[n])
            line = ((x, y - 0.42 * pitch), (x, y + 0.42 * pitch))
            drawing.shapes.append(Stroke(f"run-mean {n}", line, 1.4, ACCENT))
    rule = ((MARGIN, foot - 1.5), (width - MARGIN, foot - 1.5))
    drawing.shapes.append(Stroke("rule", rule, 0.5, FAINT))
    _estimate(drawing, facts, scale, (foot - 3 + bottom) / 2, left - 8, size)
    y = axis_below(drawing, scale, bottom, max(SMALLEST_TYPE, size - 0.5), measure)
    sides = (facts.below, facts.above)
    y = sides_below(
        drawing, scale, facts.measured, sides, facts.highlight, y, SMALLEST_TYPE + 0.3, measure
    )
    y = caption(drawing, facts.caption, y, max(SMALLEST_TYPE, size - 0.5), measure)
    drawing.finish(y)
    return drawing


def _estimate(
    drawing: Drawing, facts: FoldFacts, scale: Scale, y: float, edge: float, size: float
) -> None:
    drawing.shapes.append(Word("name mean", (edge, y - RISE * size), "mean", size, "right", True))
    if facts.interval is not None:
        ends = [scale.clipped(end) for end in facts.interval]
        drawing.shapes.append(Stroke("interval", ((ends[0], y), (ends[1], y)), 1.6))
        for end, value, sign in zip(ends, facts.interval, (-1, 1), strict=True):
            if scale.low <= value <= scale.high:
                line = ((end, y - 3), (end, y + 3))
                drawing.shapes.append(Stroke("interval-end", line, 1.2))
            else:
                head = ((end - 3 * sign, y + 2), (end, y), (end - 3 * sign, y - 2))
                drawing.shapes.append(Stroke("beyond", head, 1.0))
    x, half = scale.x(facts.estimate), 4.0
    corners = ((x - half, y), (x, y + half), (x + half, y), (x, y - half))
    drawing.shapes.append(Area("estimate", corners, INK if facts.found else "white", INK, 1.0))


def _swarm(places: Sequence[float]) -> list[float]:
    """Return how far up or down each dot moves, so that dots at one place stand beside each other.

    From left to right, each takes the level nearest to the middle at which it touches none.
    """
    ups = [0.0] * len(places)
    done: list[int] = []
    for i in sorted(range(len(places)), key=lambda i: (places[i], i)):
        near = [j for j in done if places[i] - places[j] < 2 * RADIUS]
        for level in range(2 * len(near) + 1):
            up = (level + 1) // 2 * 2 * RADIUS * (1 if level % 2 else -1)
            if all(
                (places[i] - places[j]) ** 2 + (up - ups[j]) ** 2 >= 4 * RADIUS**2 for j in near
            ):
                ups[i] = up
                break
        done.append(i)
    return ups
