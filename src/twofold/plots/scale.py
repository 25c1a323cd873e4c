"""Number axes: round ticks, numbers with the same decimals, the axis itself."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from twofold.plots.facts import shortened
from twofold.plots.shapes import BAND, CONNECTOR, MARGIN, Area, Drawing, Measure, Stroke, Word, box


@dataclass(frozen=True)
class Scale:
    """Values to places."""

    left: float
    right: float
    low: float
    high: float

    def x(self, value: float) -> float:
        """Return where a value is."""
        share = (value - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)

    def clipped(self, value: float) -> float:
        """Return where a value is, or the end of the axis that it lies beyond."""
        return self.x(min(max(value, self.low), self.high))


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """Return at most ``most`` round numbers between two, zero among them where it lies between.

    >>> round_ticks(-0.013, 0.04, 6)
    [-0.01, 0.0, 0.01, 0.02, 0.03, 0.04]
    """
    step = 10.0 ** math.floor(math.log10((high - low) / max(most, 2)))
    for factor in (1, 2, 5, 10, 20, 50):
        first = math.ceil(low / (step * factor) - 1e-9)
        last = math.floor(high / (step * factor) + 1e-9)
        if last - first + 1 <= max(most, 2):
            places = max(0, -math.floor(math.log10(step * factor) + 1e-9))
            return [round(i * step * factor, places) + 0.0 for i in range(first, last + 1)]
    return [0.0]


def decimals_of(values: Iterable[float]) -> int:
    """Return how many decimals show three digits of the largest value, at most six."""
    largest = max((abs(v) for v in values if math.isfinite(v)), default=0.0)
    if largest == 0:
        return 2
    return min(6, max(0, 2 - math.floor(math.log10(largest) + 1e-9)))


def written(value: float, decimals: int, *, plus: bool = False) -> str:
    """Return a number with a true minus sign, never "−0.00"."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    elif plus and value > 0:
        text = "+" + text
    return text.replace("-", "−")


def tick_texts(ticks: Sequence[float]) -> list[str]:
    """Return ticks with as few decimals as tell them apart."""
    decimals = 0
    while decimals < 9 and any(abs(round(t, decimals) - t) > 1e-12 * abs(t) for t in ticks):
        decimals += 1
    return [written(tick, decimals) for tick in ticks]


def axis_below(drawing: Drawing, scale: Scale, y: float, size: float, measure: Measure) -> float:
    """Draw an axis with numbers below it at height y; return where the numbers end."""
    room = scale.right - scale.left
    for most in range(8, 1, -1):
        ticks = round_ticks(scale.low, scale.high, most)
        texts = tick_texts(ticks)
        if sum(measure(text, size, False) + 8 for text in texts) <= room:
            break
    drawing.shapes.append(Stroke("axis", ((scale.left, y), (scale.right, y)), 0.8))
    for tick, text in zip(ticks, texts, strict=True):
        x = scale.x(tick)
        drawing.shapes += [
            Stroke("tick", ((x, y), (x, y - 3.5)), 0.8),
            Word("tick-value", (x, y - 5 - 0.8 * size), text, size, "center"),
        ]
    return y - 5 - size


def zero_and_rope(
    drawing: Drawing, scale: Scale, rope: float | None, top: float, bottom: float
) -> None:
    """Draw the line of no difference, and the band of differences that do not matter."""
    if rope:
        corners = box(scale.clipped(-rope), bottom, scale.clipped(rope), top)
        drawing.shapes.append(Area("rope", corners, BAND))
    if scale.low <= 0 <= scale.high:
        x = scale.x(0.0)
        drawing.shapes.append(Stroke("zero", ((x, bottom), (x, top)), 0.7, CONNECTOR))


def sides_below(
    drawing: Drawing,
    scale: Scale,
    measured: str,
    better: tuple[str, str],
    highlight: Sequence[str],
    top: float,
    size: float,
    measure: Measure,
) -> float:
    """Say what the axis measures, and which side of zero is good for whom; return the bottom."""
    fits = partial(measure, size=size, bold=True)
    page = (MARGIN, drawing.width - MARGIN)
    texts = [f"← {better[0]} better", f"{better[1]} better →"]
    ends = (scale.left, scale.right)
    if sum(map(fits, texts)) + 8 > ends[1] - ends[0]:
        ends = page
        room = (ends[1] - ends[0]) / 2 - fits("← better ") - 4
        left, right = shortened(list(better), [room] * 2, [fits] * 2)
        texts = [f"← {left} better", f"{right} better →"]
    (title,) = shortened([measured], [page[1] - page[0]], [fits])
    half = fits(title) / 2
    middle = min(max((scale.left + scale.right) / 2, page[0] + half), page[1] - half)
    y = top - 1.15 * size
    drawing.shapes.append(Word("measured", (middle, y), title, size, "center"))
    y -= 1.3 * size
    bold = [who in highlight for who in better]
    drawing.shapes += [
        Word("side", (ends[0], y), texts[0], size, "left", bold[0], CONNECTOR),
        Word("side", (ends[1], y), texts[1], size, "right", bold[1], CONNECTOR),
    ]
    return y - 0.3 * size
