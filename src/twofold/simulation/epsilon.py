"""Dietterich's simulated learners (1998, section 4): errors with probability ε(x).

On the first half of all points A errs with probability ε/2 and B with 3ε/2, on the second half the
other way round. So both have the error ε, while a sample with more points of one half than of the
other favours one of them. Errors are drawn anew whenever a point is tested on, independently of
each other and of the training set. To stand for training sets of varying quality, one number β from
[−0.02, 0.02] may be added to all probabilities of both learners in each test part. Dietterich says
so for the k-fold test; for 5x2cv it is open, and the others do without.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute
from twofold.simulation.fold_counts import Counts, check_split, count_tested, divide_evenly
from twofold.simulation.hypergeometric import Integers, draw_counts
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
class EpsilonSource(TwoClasses):
    """Points of two halves, and two learners of the same error rate.

    Attributes
    ----------
    epsilon : float
        The error rate of both learners; at most 2/3, so that 3ε/2 is a probability.
    beta : float
        How far the probability of an error may vary from one test part to the next.
    """

    epsilon: float = 0.1
    beta: float = 0.02

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", check_number("epsilon", self.epsilon, highest=2 / 3))
        object.__setattr__(self, "beta", check_number("beta", self.beta))

    @property
    def name(self) -> str:
        """Its name on the command line."""
        return f"epsilon:{as_written(self.epsilon)}:beta={as_written(self.beta)}"

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The one column that says which half a point is of."""
        return binary_attributes(1)

    @property
    def accuracies(self) -> tuple[float, float]:
        """The true accuracies of A and B, but for β, which is zero on average."""
        return 1 - self.epsilon, 1 - self.epsilon

    @property
    def difference(self) -> float:
        """The true difference: none."""
        return 0.0

    @property
    def disagreement(self) -> float:
        """The probability that just one of the two errs on a point: 2ε − 3ε²/2."""
        return 2 * self.epsilon - 1.5 * self.epsilon**2

    @property
    def errors(self) -> NDArray[np.float64]:
        """Probabilities of an error: [[A, B] on the first half, [A, B] on the second]."""
        low, high = self.epsilon / 2, 3 * self.epsilon / 2
        return np.array([[low, high], [high, low]])

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return which half each point is of, and a class by the toss of a coin."""
        check_size(count, rows)
        half = rng.random((count, rows)) < 0.5
        y = rng.random((count, rows)) < 0.5
        return half.view(np.uint8)[:, :, None], y.view(np.uint8)

    def draw_errors(self, X: NDArray[Any], rng: np.random.Generator, *, vary: bool) -> NDArray[Any]:
        """Return whether A and B err on each row of one test part, (rows, 2)."""
        shift = rng.uniform(-self.beta, self.beta) if vary else 0.0
        levels = self.errors[X[:, 0].astype(np.intp)] + shift
        return rng.random(levels.shape) < levels


def epsilon_fold_counts(
    source: EpsilonSource,
    n: int,
    runs: int,
    folds: int,
    experiments: int,
    rng: np.random.Generator,
    *,
    vary: bool = True,
) -> Counts:
    """Draw data sets of n points, and cross-validate both learners on each.

    ``vary`` says whether β is added, one for each fold.
    """
    check_split(n, runs, folds, experiments)
    sizes = divide_evenly(np.array(n), folds)
    return _count(source, sizes, runs, experiments, rng, vary=vary, parts=folds)


def epsilon_resample_counts(
    source: EpsilonSource,
    n: int,
    resamples: int,
    share: float | Fraction,
    experiments: int,
    rng: np.random.Generator,
    *,
    vary: bool = False,
) -> Counts:
    """Draw data sets of n points, and test both learners on random shares of each."""
    check_size(experiments, n)
    check_whole("resamples", resamples, lowest=1)
    tested = count_tested(n, share)
    sizes = np.array([tested, n - tested])
    return _count(source, sizes, resamples, experiments, rng, vary=vary, parts=1)


def _count(
    source: EpsilonSource,
    sizes: Integers,
    runs: int,
    experiments: int,
    rng: np.random.Generator,
    *,
    vary: bool,
    parts: int,
) -> Counts:
    n = int(sizes.sum())
    of_first = rng.binomial(n, 0.5, size=(experiments, 1))
    first = draw_counts(of_first, sizes, runs=runs, kinds=1, rng=rng)[:, :, :parts, 0]
    sizes = sizes[:parts]
    shift = rng.uniform(-source.beta, source.beta, size=first.shape) if vary else 0.0
    total = np.zeros((3, *first.shape), dtype=np.int32)
    for rows, (error_a, error_b) in zip((first, sizes - first), source.errors, strict=True):
        probability_a, probability_b = (
            np.clip(rate + shift, 0.0, 1.0) for rate in (error_a, error_b)
        )
        wrong_a = rng.binomial(rows, probability_a)
        right_a = rows - wrong_a
        only_a = rng.binomial(right_a, probability_b)
        only_b = wrong_a - rng.binomial(wrong_a, probability_b)
        total += np.stack([only_a, only_b, right_a - only_a]).astype(np.int32)
    return Counts(total[0], total[1], total[2], sizes, n)
