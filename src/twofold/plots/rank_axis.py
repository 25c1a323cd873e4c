"""The axis of mean ranks."""

from __future__ import annotations

from dataclasses import dataclass

from twofold.plots.picture_labels import ticks
from twofold.plots.shapes import Drawing, Stroke, Word


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
        ends = sorted((self.best, self.worst))
        drawing.add(Stroke("axis", ((ends[0], y), (ends[1], y)), 0.8))
