"""A stand-in for EXP6: six classes on a square, with curved boundaries between them.

Dietterich (1998) uses EXP6 of Kong and Dietterich (1995): points of the square from 0 to 15 either
way, whose six classes meet in curves, so that trees with splits along the axes need many rows.
Its boundaries are not printed there. This one has the same square, number of attributes and of
classes and the same grid of 22,801 points; its boundaries are its own: three rings around (6, 8),
each cut in two by a wave. Rates found on it are not those of EXP6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute
from twofold.simulation.source import Drawn, Source, check_size

SIDE = 15.0
CENTRE = (6.0, 8.0)
RADII = (3.5, 6.5)


@dataclass(frozen=True)
class CurvedSource(Source):
    """Six classes without noise, evenly drawn points."""

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return "exp6"

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Two numbers."""
        return (Attribute("x"), Attribute("y"))

    @property
    def classes(self) -> tuple[str, ...]:
        """One to six."""
        return ("1", "2", "3", "4", "5", "6")

    @property
    def bayes_accuracy(self) -> float:
        """Every point has one class."""
        return 1.0

    def class_of(self, X: NDArray[Any]) -> NDArray[np.uint8]:
        """Return the class of points (…, 2)."""
        x, y = X[..., 0], X[..., 1]
        distance = (x - CENTRE[0]) ** 2 + (y - CENTRE[1]) ** 2
        ring = (distance > RADII[0] ** 2).astype(np.uint8)
        ring += distance > RADII[1] ** 2
        above = y > SIDE / 2 + 2.5 * np.sin(2 * np.pi / 10 * x)
        return 2 * ring + above

    def grid(self) -> Drawn:
        """Return the points of a grid of step 0.1, (22801, 2), and their classes."""
        ticks = np.arange(151) / 10
        X = np.stack(np.meshgrid(ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 2)
        return X, self.class_of(X)

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return X of numbers and y."""
        check_size(count, rows)
        X = rng.uniform(0.0, SIDE, size=(count, rows, 2))
        return X, self.class_of(X)
