"""The axis of mean ranks."""

from __future__ import annotations

from dataclasses import dataclass

from twofold.plots.picture_labels import ticks
from twofold.plots.shapes import Drawing, Stroke, Word
from twofold.plots.style import MARGIN
from twofold.rounding import written

SAME = 1e-9
"""Mean ranks that differ by less differ by rounding."""


@dataclass(frozen=True)
class RankAxis:
    """Ranks to positions: the first stands at ``best``, left or right, the last at ``worst``."""

    best: float
    worst: float
    first: int
    last: int

    @property
    def unit(self) -> float:
        """The length from one whole rank to the next."""
        return abs(self.worst - self.best) / (self.last - self.first)

    @property
    def left(self) -> float:
        """Its left end."""
        return min(self.best, self.worst)

    @property
    def right(self) -> float:
        """Its right end."""
        return max(self.best, self.worst)

    def x(self, rank: float) -> float:
        """Return where a rank is."""
        share = (rank - self.first) / (self.last - self.first)
        return self.best + share * (self.worst - self.best)

    def draw(self, drawing: Drawing, y: float, size: float) -> None:
        """Draw the axis with its numbers above."""
        widest = drawing.measure(str(self.last), size, False) + 4
        numbered = ticks(self.first, self.last, lambda step: widest <= step * self.unit)
        for rank in range(self.first, self.last + 1):
            x = self.x(rank)
            if rank in numbered:
                drawing.add(
                    Word("tick-value", (x, y + 6.5), str(rank), size, "center"),
                    Stroke("tick", ((x, y), (x, y + 4.5)), 0.8),
                )
            elif self.unit >= 3:
                drawing.add(Stroke("tick-small", ((x, y), (x, y + 2.5)), 0.5))
        drawing.add(Stroke("axis", ((self.left, y), (self.right, y)), 0.8))

    def draw_ruler(self, drawing: Drawing, reach: float, top: float, size: float) -> float:
        """Draw the critical difference from the left end; return where the rest begins."""
        text = f"CD = {written(reach, 3)}"
        y = top - size - 4.5
        fits = reach <= self.last - self.first + SAME
        end = self.left + reach * self.unit if fits else self.right
        self._write_above(drawing, (self.left + end) / 2, top, text, size)
        drawing.add(
            Stroke("cd-ruler", ((self.left, y), (end, y)), 1.0),
            Stroke("cd-end", ((self.left, y - 2.5), (self.left, y + 2.5)), 1.0),
        )
        if fits:
            drawing.add(Stroke("cd-end", ((end, y - 2.5), (end, y + 2.5)), 1.0))
        else:  # no two learners can be that far apart: the ruler goes on
            head = ((end - 4, y - 2.5), (end, y), (end - 4, y + 2.5))
            drawing.add(Stroke("cd-arrow", head, 1.0))
        return y - 6

    def name_reach(
        self, drawing: Drawing, rank: float, reach: float, top: float, size: float
    ) -> float:
        """Write the critical difference above the control; return where the rest begins."""
        self._write_above(drawing, self.x(rank), top, f"± CD = {written(reach, 3)}", size)
        return top - size - 2

    def _write_above(self, drawing: Drawing, x: float, top: float, text: str, size: float) -> None:
        half = drawing.measure(text, size, False) / 2
        x = min(max(x, MARGIN + half), drawing.width - MARGIN - half)
        drawing.add(Word("cd-value", (x, top - 0.8 * size), text, size, "center"))
