"""Task I of Bouckaert (2005): two learners that ignore what they are trained on.

A row is a binary x and a binary class y, each value with probability one half. Learner A always
predicts 1, learner B predicts x. With P(x = y = 0) = P(x = y = 1) = q, A is right half the time and
B with probability 2q, whatever the training set. They disagree where x = 0, so on half of all rows.

The paper steps the difference from 0 to ½ in 100 steps. Its worst cases, "Δ = 6 %, power 46.2 %" at
20,000 rows and likewise at 100,000 and 200,000, are what steps 6, 3 and 2 give, that is differences
of 3, 1.5 and 1 points: the percentages printed there count steps, and are twice the difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute
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
class Task1(TwoClasses):
    """Task I; ``q`` from ¼, where A and B are alike, to ½, where B is always right."""

    q: float = 0.25

    def __post_init__(self) -> None:
        object.__setattr__(self, "q", check_number("q", self.q, lowest=0.25, highest=0.5))

    @classmethod
    def from_step(cls, step: int, *, steps: int = 100) -> Task1:
        """Return the task at one of the paper's steps: 0 is no difference, the last one half."""
        step = check_whole("step", step, highest=check_whole("steps", steps, lowest=1))
        return cls(q=0.25 + 0.25 * step / steps)

    @classmethod
    def with_difference(cls, difference: float) -> Task1:
        """Return the task in which B is better than A by this much accuracy."""
        return cls(q=0.25 + check_number("difference", difference, highest=0.5) / 2)

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return f"task1:q={as_written(self.q)}"

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The one column x."""
        return binary_attributes(1)

    @property
    def bayes_accuracy(self) -> float:
        """What B gets: nothing is better."""
        return 2 * self.q

    @property
    def accuracies(self) -> tuple[float, float]:
        """The true accuracies of A and of B."""
        return 0.5, 2 * self.q

    @property
    def difference(self) -> float:
        """The true accuracy of B less that of A."""
        return 2 * self.q - 0.5

    @property
    def disagreement(self) -> float:
        """The probability that A and B predict different classes."""
        return 0.5

    @property
    def outcomes(self) -> NDArray[np.float64]:
        """Probabilities: [[B only right, both wrong], [A only right, both right]], by class."""
        return np.array([[self.q, 0.5 - self.q], [0.5 - self.q, self.q]])

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return x and y."""
        check_size(count, rows)
        y = rng.random((count, rows)) < 0.5
        same = rng.random((count, rows)) < 2 * self.q
        return (y == same).view(np.uint8)[:, :, None], y.view(np.uint8)


def predict_one(X: NDArray[Any]) -> NDArray[np.uint8]:
    """Predict as learner A does."""
    return np.ones(X.shape[:-1], dtype=np.uint8)


def predict_x(X: NDArray[Any]) -> NDArray[np.uint8]:
    """Predict as learner B does."""
    return X[..., 0].astype(np.uint8)
