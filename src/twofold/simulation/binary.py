"""Independent binary attributes, and a class that depends on none of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute
from twofold.seeds import rng as seeded
from twofold.simulation.source import (
    Drawn,
    TwoClasses,
    as_written,
    binary_attributes,
    check_number,
    check_size,
    check_whole,
)


@dataclass(frozen=True)
class BinarySource(TwoClasses):
    """Source 1 of Bouckaert and Frank (2004): no learner can be better than another.

    Attributes
    ----------
    p : float
        The probability of the second class.
    width : int
        The number of attributes.
    various : int, optional
        Each attribute has its own probability of a one, drawn once with this seed; left out, all
        have one half. Bouckaert and Frank write of "various different probabilities" without
        naming them, Bouckaert (2003) only of independent binary variables.
    """

    p: float = 0.5
    width: int = 10
    various: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", check_number("p", self.p))
        object.__setattr__(
            self, "width", check_whole("attributes", self.width, lowest=1, highest=4096)
        )
        if self.various is not None:
            object.__setattr__(self, "various", check_whole("various", self.various))

    @property
    def name(self) -> str:
        """Its name on the command line."""
        ones = "" if self.various is None else f":various={self.various}"
        return f"binary:p={as_written(self.p)}:attributes={self.width}{ones}"

    @cached_property
    def attributes(self) -> tuple[Attribute, ...]:
        """Columns of zeros and ones."""
        return binary_attributes(self.width)

    @cached_property
    def ones(self) -> NDArray[np.float64]:
        """The probability that each attribute is one."""
        if self.various is None:
            return np.full(self.width, 0.5)
        return seeded(self.various, "binary", "ones").uniform(size=self.width)

    @property
    def bayes_accuracy(self) -> float:
        """What always naming the likelier class gets."""
        return max(self.p, 1 - self.p)

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return X and y of zeros and ones."""
        check_size(count, rows)
        shape = (count, rows, self.width)
        if self.various is None:
            X = draw_bits(shape, rng)
        else:
            # A long row is compared several times as fast as many rows of a few columns.
            level = np.tile(self.ones, rows)
            X = (rng.random((count, level.size)) < level).view(np.uint8).reshape(shape)
        y = rng.random((count, rows)) < self.p
        return X, y.view(np.uint8)


def draw_bits(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return zeros and ones of equal probability, an eighth of a random byte each."""
    size = math.prod(shape)
    raw = np.frombuffer(rng.bytes(-(-size // 8)), dtype=np.uint8)
    return np.unpackbits(raw, count=size).reshape(shape)
