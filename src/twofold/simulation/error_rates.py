"""Two learners of which nothing is known but how often they err, and how often just one of them.

Task I of Bouckaert (2005) for any situation: the learners ignore what they are trained on, so that
an experiment is known by how many rows of each kind fall into each test part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute
from twofold.errors import InputError
from twofold.rounding import number
from twofold.simulation.source import (
    Drawn,
    TwoClasses,
    as_written,
    binary_attributes,
    check_number,
    check_size,
)

ROUNDING = 1e-12


@dataclass(frozen=True)
class ErrorRates(TwoClasses):
    """Rows of two equally likely classes, and two learners with these error rates.

    Attributes
    ----------
    a, b : float
        Error rates of A and of B.
    disagree : float, optional
        The share of rows on which just one of them errs. Left out, that of errors which are
        independent of each other; errors of real learners seldom are, and disagree less.
    """

    a: float | None = None
    b: float | None = None
    disagree: float | None = None

    def __post_init__(self) -> None:
        for name in ("a", "b"):
            if getattr(self, name) is None:
                raise InputError(
                    f"'errors' needs the error rate `{name}`.",
                    "Write for instance errors:a=0.1:b=0.12:disagree=0.08.",
                )
            object.__setattr__(self, name, check_number(name, getattr(self, name)))
        assert self.a is not None
        assert self.b is not None
        share = self.a * (1 - self.b) + self.b * (1 - self.a)
        if self.disagree is not None:
            share = check_number("disagree", self.disagree)
        least, most = abs(self.a - self.b), min(self.a + self.b, 2 - self.a - self.b)
        if not least - ROUNDING <= share <= most + ROUNDING:
            raise InputError(
                f"Error rates of {self.a:g} and {self.b:g} leave {number(least, 6)} to "
                f"{number(most, 6)} of all "
                f"rows on which just one errs, not {share:g}.",
                "Write disagree=… within that, or leave it out for independent errors.",
            )
        object.__setattr__(self, "disagree", share)

    @property
    def name(self) -> str:
        """Its name on the command line."""
        a, b, disagree = (as_written(float(x or 0.0)) for x in (self.a, self.b, self.disagree))
        return f"errors:a={a}:b={b}:disagree={disagree}"

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Two columns: the class that A predicts, and that which B predicts."""
        return binary_attributes(2)

    @property
    def accuracies(self) -> tuple[float, float]:
        """The true accuracies of A and of B."""
        return 1 - float(self.a or 0.0), 1 - float(self.b or 0.0)

    @property
    def difference(self) -> float:
        """The true accuracy of B less that of A."""
        return float(self.a or 0.0) - float(self.b or 0.0)

    @property
    def disagreement(self) -> float:
        """The probability that A and B predict different classes."""
        return float(self.disagree or 0.0)

    @property
    def bayes_accuracy(self) -> float:
        """What the best use of both columns can reach."""
        return float(self.outcomes.max(axis=0).sum())

    @property
    def outcomes(self) -> NDArray[np.float64]:
        """Probabilities: [[B only right, both wrong], [A only right, both right]]."""
        a, b, share = 1 - self.accuracies[0], 1 - self.accuracies[1], self.disagreement
        cells = [[share + a - b, a + b - share], [share + b - a, 2 - a - b - share]]
        return np.maximum(np.array(cells) / 2, 0.0)

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return what A and B predict, and the class."""
        check_size(count, rows)
        y = rng.random((count, rows)) < 0.5
        kind = np.searchsorted(np.cumsum(self.outcomes.ravel())[:-1], rng.random((count, rows)))
        a_wrong, b_wrong = kind <= 1, (kind == 1) | (kind == 2)
        X: NDArray[Any] = np.stack([y ^ a_wrong, y ^ b_wrong], axis=-1)
        return X.view(np.uint8), y.view(np.uint8)
