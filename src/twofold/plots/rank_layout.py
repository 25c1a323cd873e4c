"""Where everything in a critical difference diagram goes.

`arrange` turns facts into strokes, dots and words at points (1/72 inch, upwards from the lower left
corner). It knows no drawing library: matplotlib and TikZ draw the same list.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from twofold.plots.picture_labels import shorten
from twofold.plots.rank_axis import RankAxis
from twofold.plots.rank_rows import arrange_in_rows, full_caption
from twofold.plots.ranking_facts import SAME, RankFacts
from twofold.plots.shapes import Dot, Drawing, Measure, Point, Stroke, Word
from twofold.plots.style import ACCENT, CONNECTOR, INK, MARGIN, RISE, SMALLEST_TYPE

GAP = 4.0  # between a name, its rank and its connector
STUB = 5.0  # of each connector outside the axis
APART = 6.0  # between bars in one row
OVERSHOOT = 2.0  # of bars beyond the outermost marks
LEAST_AXIS = 0.25  # of the width; names are shortened rather than the axis
STACKED = 20  # learners at most that may have their ranks below long names


@dataclass(frozen=True)
class _Labels:
    """Two columns of labels: learners of each side from the top, their texts, the room used."""

    size: float
    stacked: bool  # ranks below names, not beside them
    left: tuple[int, ...]
    right: tuple[int, ...]
    names: tuple[str, ...]
    rank_room: float
    left_room: float
    right_room: float

    @property
    def pitch(self) -> float:
        return self.size * (2.5 if self.stacked else 1.3)


def arrange(facts: RankFacts, width: float, measure: Measure) -> Drawing:
    """Return the diagram of a width in points; its height follows from the content."""
    if facts.in_rows:
        return arrange_in_rows(facts, width, measure)
    labels = _arrange_labels(facts, width, measure)
    edge = GAP + STUB + MARGIN
    axis = RankAxis(width - labels.right_room - edge, labels.left_room + edge, *facts.axis)
    drawing = Drawing(width, measure)
    small = max(SMALLEST_TYPE, labels.size - 1)
    # Downwards from zero; shifted when the height is known.
    y = -MARGIN
    if facts.critical_difference is not None:
        y = _draw_ruler(drawing, axis, facts.critical_difference, y, small)
    y -= small + 5.5
    axis.draw(drawing, y, small)
    bars, bottom = _arrange_bars(facts, axis, y)
    top = bottom - 0.2 * labels.size - labels.pitch / 2
    _draw_labels(drawing, facts, labels, axis, y, top)
    drawing.add(*bars)
    if facts.control is not None:
        _draw_interval(drawing, facts, facts.control, axis, y)
    rows = max(len(labels.left), len(labels.right))
    y = top - (rows - 0.5) * labels.pitch
    return drawing.finish(y, full_caption(facts))


def _arrange_labels(facts: RankFacts, width: float, measure: Measure) -> _Labels:
    """Split the learners into sides, and give their names as much room as there is."""
    order = facts.best_first
    half = len(order) // 2
    if len(order) % 2:  # the one in the middle goes to the nearer end of the axis
        first, last = facts.axis
        half += facts.mean_ranks[order[half]] <= (first + last) / 2
    right, left = order[:half], tuple(reversed(order[half:]))
    names = list(facts.labels)
    bold = [name in facts.highlight for name in facts.learners]
    styles = [(8.5 if width >= 360 else 7.5, False), (SMALLEST_TYPE, False)]
    if len(names) <= STACKED or max(map(len, facts.rank_texts)) > 6:
        styles.append((SMALLEST_TYPE, True))
    for size, stacked in styles:
        ranks = zip(facts.rank_texts, bold, strict=True)
        rank_room = max(measure(text, size, heavy) for text, heavy in ranks)
        beside = 0.0 if stacked else rank_room + GAP
        room = width * (1 - LEAST_AXIS) - 2 * (beside + GAP + STUB + MARGIN)
        wide = [measure(name, size, heavy) for name, heavy in zip(names, bold, strict=True)]
        need_left, need_right = max(wide[i] for i in left), max(wide[i] for i in right)
        if need_left + need_right <= room:
            break
    else:
        at_most = max(room / 2, room - need_right), max(room / 2, room - need_left)
        need_left, need_right = min(need_left, at_most[0]), min(need_right, at_most[1])
        rooms = [need_left if i in left else need_right for i in range(len(names))]
        smallest = partial(measure, size=SMALLEST_TYPE)
        names = shorten(names, rooms, [partial(smallest, bold=heavy) for heavy in bold])
    left_room, right_room = (max(need + beside, rank_room) for need in (need_left, need_right))
    return _Labels(size, stacked, left, right, tuple(names), rank_room, left_room, right_room)


def _draw_ruler(drawing: Drawing, axis: RankAxis, reach: float, top: float, size: float) -> float:
    """Draw the critical difference from the axis's left end; return where the rest begins."""
    text = f"CD = {reach:.3f}"
    y = top - size - 4.5
    fits = reach <= axis.last - axis.first + SAME
    end = axis.worst + reach * axis.unit if fits else axis.best
    middle = max((axis.worst + end) / 2, MARGIN + drawing.measure(text, size, False) / 2)
    drawing.add(
        Word("cd-value", (middle, top - 0.8 * size), text, size, "center"),
        Stroke("cd-ruler", ((axis.worst, y), (end, y)), 1.0),
        Stroke("cd-end", ((axis.worst, y - 2.5), (axis.worst, y + 2.5)), 1.0),
    )
    if fits:
        drawing.add(Stroke("cd-end", ((end, y - 2.5), (end, y + 2.5)), 1.0))
    else:  # no two learners can be that far apart: the ruler goes on
        head = ((end - 4, y - 2.5), (end, y), (end - 4, y + 2.5))
        drawing.add(Stroke("cd-arrow", head, 1.0))
    return y - 6


def _arrange_bars(facts: RankFacts, axis: RankAxis, axis_y: float) -> tuple[list[Stroke], float]:
    """Return a bar for each group, best first, in the first row where it touches no other.

    The lower end of all bars stands beside them.
    """
    pieces = {n: _split_bar(facts, group, axis) for n, group in enumerate(facts.bars)}
    ends: list[float] = []  # the left end of each row's last bar
    rows: dict[int, int] = {}
    for n in sorted(pieces, key=lambda n: (-pieces[n][0][1], -pieces[n][-1][0])):
        right, left = pieces[n][0][1], pieces[n][-1][0]
        row = next((i for i, end in enumerate(ends) if right <= end - APART), len(ends))
        ends[row : row + 1] = [left]
        rows[n] = row
    pitch, weight = (5.5, 2.8) if len(ends) <= 12 else (4.2, 2.0)
    bars = []
    for n, row in rows.items():
        y = axis_y - 6.0 - row * pitch
        if len(pieces[n]) > 1:
            whole = ((pieces[n][-1][0], y), (pieces[n][0][1], y))
            bars.append(Stroke(f"bar-thread {n}", whole, 0.8))
        bars += [Stroke(f"bar {n}", ((a, y), (b, y)), weight) for a, b in pieces[n]]
    return bars, axis_y - (2.0 + pitch * len(ends) if ends else 5.0)


def _split_bar(facts: RankFacts, group: tuple[int, ...], axis: RankAxis) -> list[Point]:
    """Return a bar's pieces from the best, each from left to right.

    They go a little beyond the outermost marks, but never as far as a mark outside the group.
    """
    outside = [rank for i, rank in enumerate(facts.mean_ranks) if i not in group]

    def beyond(gaps: list[float]) -> float:
        free = min((gap * axis.unit for gap in gaps if gap > SAME), default=OVERSHOOT / 0.4)
        return min(OVERSHOOT, 0.4 * free)

    pieces = []
    for low, high in facts.runs(group):
        right = beyond([low - rank for rank in outside])
        left = beyond([rank - high for rank in outside])
        if high - low <= SAME:
            right, left = max(right, 0.8), max(left, 0.8)
        pieces.append((axis.x(high) - left, axis.x(low) + right))
    return pieces


def _draw_labels(
    drawing: Drawing, facts: RankFacts, labels: _Labels, axis: RankAxis, axis_y: float, top: float
) -> None:
    """Draw names and ranks; lines from outer marks end higher, so that none cross."""
    words: list[Word] = []
    for side, sign in ((labels.left, -1), (labels.right, 1)):
        edge = axis.worst - STUB if sign < 0 else axis.best + STUB
        for row, i in enumerate(side):
            y = top - row * labels.pitch
            x = axis.x(facts.mean_ranks[i])
            bold = facts.learners[i] in facts.highlight
            path = ((x, axis_y), (x, y), (edge, y))
            weight, shade = (1.0, ACCENT) if bold else (0.55, CONNECTOR)
            drawing.add(Stroke(f"connector {i}", path, weight, shade))
            base = y - RISE * labels.size
            outwards: Literal["left", "right"] = "right" if sign < 0 else "left"
            if labels.stacked:
                name_at = edge + sign * GAP, base + 0.58 * labels.size
                rank_at, rank_align = (name_at[0], base - 0.58 * labels.size), outwards
            else:  # ranks are aligned at their last digit on both sides
                name_at = edge + sign * (2 * GAP + labels.rank_room), base
                rank_at = edge - GAP if sign < 0 else edge + GAP + labels.rank_room, base
                rank_align = "right"
            size, colour = labels.size, ACCENT if bold else INK
            rank, name = facts.rank_texts[i], labels.names[i]
            words += [
                Word(f"name {i}", name_at, name, size, outwards, bold, colour),
                Word(f"rank {i}", rank_at, rank, size, rank_align, bold, colour),
            ]
    drawing.add(*words)


def _draw_interval(
    drawing: Drawing, facts: RankFacts, control: int, axis: RankAxis, y: float
) -> None:
    """Draw what does not differ from the control: one critical difference to both sides."""
    centre = axis.x(facts.mean_ranks[control])
    if facts.critical_difference is not None:
        reach = facts.critical_difference * axis.unit
        for sign, limit in ((-1, MARGIN), (1, drawing.width - MARGIN)):
            end = centre + sign * reach
            fits = sign * end <= sign * limit
            end = end if fits else limit
            drawing.add(Stroke("interval", ((centre, y), (end, y)), 2.8))
            if fits:
                drawing.add(Stroke("interval-end", ((end, y - 4), (end, y + 4)), 1.4))
    drawing.add(Dot("control", (centre, y), 3.0))
