"""The picture of ranks that learners may have: a bar from the lowest to the highest in each row."""

from __future__ import annotations

from functools import partial
from itertools import groupby

from twofold.plots.picture_labels import shorten
from twofold.plots.rank_axis import RankAxis
from twofold.plots.rank_set_facts import RankSetFacts, RankSetRow
from twofold.plots.shapes import Area, Dot, Drawing, Measure, Shape, Stroke, Word, box
from twofold.plots.style import (
    ACCENT,
    BAND,
    CONNECTOR,
    FAINT,
    INK,
    MARGIN,
    RISE,
    SMALLEST_TYPE,
    WHITE,
)

GAP = 6.0
LEAST_AXIS = 0.4  # of the width; names give way
MOST_AIRY, MOST_SPACED = 30, 60


def arrange_rank_sets(facts: RankSetFacts, width: float, measure: Measure) -> Drawing:
    """Return the picture of a width in points, the first tier on top."""
    rows, k = facts.rows, len(facts.rows)
    size = 8.5 if width >= 360 and k <= MOST_AIRY else SMALLEST_TYPE
    pitch = 1.45 * size if k <= MOST_AIRY else 1.3 * size if k <= MOST_SPACED else 1.15 * size
    wide = partial(measure, size=size, bold=bool(facts.highlight))
    names = [row.learner for row in rows]
    tier_room = wide(f"tier {rows[-1].tier}")
    room = width * (1 - LEAST_AXIS) - 2 * MARGIN - 2 * GAP - tier_room
    if max(map(wide, names)) > room:
        names = shorten(names, [room] * k, [wide] * k)
    left, right = MARGIN + max(map(wide, names)) + GAP, width - MARGIN - tier_room - GAP
    half = (right - left) / (2 * k)  # a rank is as wide as its share of the axis
    axis = RankAxis(left + half, right - half, 1, k)

    drawing = Drawing(width, measure)
    small = max(SMALLEST_TYPE, size - 1)
    top = -MARGIN - small - 8
    heights = [top - (n + 0.7) * pitch for n in range(k)]
    bottom = heights[-1] - 0.7 * pitch
    _draw_tiers(drawing, rows, heights, pitch, size)
    axis.draw(drawing, top, small)
    drawing.add(Stroke("axis-end", ((left, top), (right, top)), 0.8))
    _draw_sets(drawing, facts, names, heights, axis, size)
    bottom = drawing.write_key("●  place in the ranking", bottom)
    reading = "tiers from top to bottom; tier 1 may be the best"
    return drawing.finish(bottom, f"{facts.caption}; {reading}")


def _draw_tiers(
    drawing: Drawing,
    rows: tuple[RankSetRow, ...],
    heights: list[float],
    pitch: float,
    size: float,
) -> None:
    """Shade every other tier, and write its number at the right end."""
    start = 0
    for tier, members in groupby(row.tier for row in rows):
        end = start + len(list(members))
        high, low = heights[start] + pitch / 2, heights[end - 1] - pitch / 2
        if tier % 2 == 0:
            drawing.add(Area("band", box(MARGIN, low, drawing.width - MARGIN, high), BAND))
        at = (drawing.width - MARGIN - 2, heights[start] - RISE * size)
        drawing.add(Word(f"tier {tier}", at, f"tier {tier}", size, "right", False, CONNECTOR))
        start = end


def _draw_sets(
    drawing: Drawing,
    facts: RankSetFacts,
    names: list[str],
    heights: list[float],
    axis: RankAxis,
    size: float,
) -> None:
    parts: dict[str, list[Shape]] = {"guide": [], "name": [], "set": [], "edge": [], "place": []}
    thick = min(0.42 * size, 3.4)
    for i, (row, y) in enumerate(zip(facts.rows, heights, strict=True)):
        bold = row.learner in facts.highlight
        colour = ACCENT if bold else INK
        at = (MARGIN, y - RISE * size)
        parts["name"].append(Word(f"name {i}", at, names[i], size, "left", bold, colour))
        first, last = axis.x(row.lowest - 0.5), axis.x(row.highest + 0.5)
        guide = ((axis.x(0.5), y), (first, y))
        parts["guide"].append(Stroke(f"guide {i}", guide, 0.25, FAINT))
        parts["set"].append(Stroke(f"set {i}", ((first, y), (last, y)), thick, colour))
        mark = (axis.x(row.place), y)
        parts["edge"].append(Dot(f"edge {i}", mark, 0.75 * thick, WHITE))
        parts["place"].append(Dot(f"place {i}", mark, 0.5 * thick, colour))
    for shapes in parts.values():  # in this order shapes alike share an element in SVG
        drawing.add(*shapes)
