"""A null hypothesis with signal: two halves of the attributes that tell equally much.

Given the class, all attributes are independent normal numbers of the same two means. So their
order does not matter, and one learner that sees the first half of them and the same learner that
sees the second half are equally good on average over training sets, whatever the learner is: an
exact null on which learners learn something, unlike a class that depends on nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from twofold.dataset import Attribute
from twofold.errors import InputError
from twofold.simulation.source import (
    Drawn,
    TwoClasses,
    as_written,
    check_number,
    check_size,
    check_whole,
)


@dataclass(frozen=True)
class HalvesSource(TwoClasses):
    """Two equally likely classes, and exchangeable attributes.

    Attributes
    ----------
    signal : float
        How far the two classes are apart on every attribute, in standard deviations. With 0 the
        class depends on nothing.
    width : int
        The number of attributes, an even one.
    """

    signal: float = 0.5
    width: int = 10

    def __post_init__(self) -> None:
        object.__setattr__(self, "signal", check_number("signal", self.signal, highest=10.0))
        object.__setattr__(
            self, "width", check_whole("attributes", self.width, lowest=2, highest=4096)
        )
        if self.width % 2:
            raise InputError(
                f"`attributes` of 'halves' must be an even number, got {self.width}.",
                f"Write for instance attributes={self.width + 1}.",
            )

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return f"halves:signal={as_written(self.signal)}:attributes={self.width}"

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Columns of numbers."""
        return tuple(Attribute(f"x{number}") for number in range(1, self.width + 1))

    @property
    def exchangeable_halves(self) -> bool:
        """A study runs one learner twice here: on the first half of the columns and the second."""
        return True

    @property
    def bayes_accuracy(self) -> float:
        """What a learner of all attributes can reach; of one half it is less."""
        return _integrate_normal(self.signal / 2 * math.sqrt(self.width))

    @property
    def half_accuracy(self) -> float:
        """What a learner of one half of the attributes can reach."""
        return _integrate_normal(self.signal / 2 * math.sqrt(self.width / 2))

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return X of numbers and y of zeros and ones."""
        check_size(count, rows)
        y = (rng.random((count, rows)) < 0.5).view(np.uint8)
        X = rng.standard_normal((count, rows, self.width))
        X += self.signal * (y[:, :, None] - 0.5)
        return X, y


def _integrate_normal(z: float) -> float:
    """Return the probability that a standard normal number is at most z."""
    return (1 + math.erf(z / math.sqrt(2))) / 2
