"""Where everything in a critical difference diagram goes.

`arrange` turns facts into strokes, dots and words at points (1/72 inch, upwards from the lower left
corner). It knows no drawing library: matplotlib and TikZ draw the same list. Up to fifteen learners
stand at both sides of the axis, as in Demšar's figure; more of them, and long names, have rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from twofold.plots.rank_axis import SAME, RankAxis
from twofold.plots.rank_rows import arrange_in_rows, describe_reading, draw_difference
from twofold.plots.ranking_facts import RankFacts
from twofold.plots.shapes import Dot, Drawing, Measure, Point, Stroke, Word
from twofold.plots.style import ACCENT, CONNECTOR, INK, MARGIN, RISE, SMALLEST_TYPE

GAP = 4.0  # between a name, its rank and its connector
STUB = 5.0  # of each connector outside the axis
APART = 6.0  # between bars in one row
OVERSHOOT = 2.0  # of bars beyond the outermost marks
LEAST_AXIS = 0.3  # of the width; where names leave less, each learner has a row


@dataclass(frozen=True)
class _Labels:
    """Two columns of labels: learners of each side from the top, and the room that they use."""

    size: float
    left: tuple[int, ...]
    right: tuple[int, ...]
    rank_room: float
    left_room: float
    right_room: float

    @property
    def pitch(self) -> float:
        return 1.3 * self.size


def arrange(facts: RankFacts, width: float, measure: Measure) -> Drawing:
    """Return the diagram of a width in points; its height follows from the content."""
    labels = None if facts.in_rows else _fit_labels(facts, width, measure)
    if labels is None:
        return arrange_in_rows(facts, width, measure)
    edge = GAP + STUB + MARGIN
    axis = RankAxis(width - labels.right_room - edge, labels.left_room + edge, *facts.axis)
    drawing = Drawing(width, measure)
    small = max(SMALLEST_TYPE, labels.size - 1)
    # Downwards from zero; shifted when the height is known.
    y = draw_difference(drawing, facts, axis, small)
    y -= small + 5.5
    axis.draw(drawing, y, small)
    bars, bottom = _arrange_bars(facts, axis, y)
    top = bottom - 0.2 * labels.size - labels.pitch / 2
    _draw_labels(drawing, facts, labels, axis, y, top)
    drawing.add(*bars)
    if facts.control is not None:
        _draw_interval(drawing, facts, facts.control, axis, y)
    rows = max(len(labels.left), len(labels.right))
    y = drawing.write_key(facts.key, top - (rows - 0.5) * labels.pitch)
    return drawing.finish(y, describe_reading(facts, in_rows=False))


def _fit_labels(facts: RankFacts, width: float, measure: Measure) -> _Labels | None:
    """Split the learners into sides; return nothing where names leave the axis too little room."""
    order = facts.best_first
    half = len(order) // 2
    if len(order) % 2:  # the one in the middle goes to the nearer end of the axis
        first, last = facts.axis
        half += facts.mean_ranks[order[half]] <= (first + last) / 2
    right, left = order[:half], tuple(reversed(order[half:]))
    bold = [name in facts.highlight for name in facts.learners]
    for size in (8.5 if width >= 360 else 7.5, SMALLEST_TYPE):
        ranks = zip(facts.rank_texts, bold, strict=True)
        rank_room = max(measure(text, size, heavy) for text, heavy in ranks)
        wide = [measure(name, size, heavy) for name, heavy in zip(facts.labels, bold, strict=True)]
        need_left, need_right = max(wide[i] for i in left), max(wide[i] for i in right)
        room = width * (1 - LEAST_AXIS) - 2 * (rank_room + 2 * GAP + STUB + MARGIN)
        if need_left + need_right <= room:
            beside = rank_room + GAP
            return _Labels(size, left, right, rank_room, need_left + beside, need_right + beside)
    return None


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
            # Ranks are aligned at their last digit on both sides.
            name_at = edge + sign * (2 * GAP + labels.rank_room), base
            rank_at = edge - GAP if sign < 0 else edge + GAP + labels.rank_room, base
            size, colour = labels.size, ACCENT if bold else INK
            rank, name = facts.rank_texts[i], facts.labels[i]
            words += [
                Word(f"name {i}", name_at, name, size, outwards, bold, colour),
                Word(f"rank {i}", rank_at, rank, size, "right", bold, colour),
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
