"""What power depends on in each situation: a model gives it for any n and any difference.

Each model is that of the test which `compare` would choose. ``level`` is the level of one
comparison, after sharing it among several.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from scipy import special

from twofold.stats.distributions import student_quantile
from twofold.stats.power import (
    Chances,
    flip_power,
    mcnemar_power,
    mean_rank_bound,
    mean_rank_power,
    rank_gaps,
    rank_sum_power,
    t_power,
    wilcoxon_power,
)
from twofold.stats.sample_sizes import (
    connor_items,
    miller_items,
    noether_data_sets,
    noether_seeds,
)
from twofold.stats.two_levels import weigh_runs

Floats = np.ndarray

VARIANCES = 50
"""Values of the variance between runs that power is averaged over."""


FLIPPED_UP_TO = 10
"""Clusters from which on flips of signs have the power of a t test; of fewer few flips exist."""


class Formula(NamedTuple):
    """How many a published formula asks for, and whose it is."""

    source: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerModel(ABC):
    """Power as a function of n and of the difference."""

    level: float
    fewest: ClassVar[int] = 2
    free_of_distribution: ClassVar[bool] = False
    """Whether the formula decides n, since the model knows one distribution among many."""

    @abstractmethod
    def find(self, n: int, difference: float) -> Chances:
        """Return how often a difference is found by n."""

    def agree(self, n: int, difference: float) -> float:
        """Return how often a repetition of the experiment comes to the same verdict."""
        return self.find(n, difference).agreement

    def apply_formula(self, difference: float, power: float) -> Formula | None:
        """Return what a published formula says, if there is one."""
        return None

    def largest_difference(self) -> float:
        """Return the largest difference there can be."""
        return math.inf

    def guess_difference(self, n: int) -> float:
        """Return a difference of about the right size, from which others are tried."""
        return 0.1

    def complete(self, n: int) -> int:
        """Return the next n that can be had: items come in whole clusters."""
        return n


@dataclass(frozen=True, slots=True, kw_only=True)
class RightWrongModel(PowerModel):
    """Items that are answered right or wrong: the mid-p McNemar test."""

    discordant: float

    def find(self, n: int, difference: float) -> Chances:
        """Return how often the better learner is found to be better."""
        return mcnemar_power(n, self.discordant, difference, self.level)

    def apply_formula(self, difference: float, power: float) -> Formula | None:
        """Return Connor's number of items."""
        n = connor_items(self.discordant, difference, self.level, power)
        return Formula("Connor (1987)", math.ceil(n))

    def largest_difference(self) -> float:
        """Return the difference if one learner wins all items on which the two differ."""
        return self.discordant

    def guess_difference(self, n: int) -> float:
        """Return the size that Connor's formula has for so many items."""
        return min(self.discordant, 2.8 * math.sqrt(self.discordant / n))


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemMeanModel(PowerModel):
    """Items with any score, in clusters or not: the mean difference over its standard error.

    ``variance`` is that of the difference on an item. Clusters of ``cluster_size`` items multiply
    that of the mean by ``inflation``, and there are n / cluster_size of them. Where answers are
    right or wrong, ``discordant`` is the share of items that tells the learners apart, and the
    variance follows from it and the difference.
    """

    variance: float
    cluster_size: float = 1.0
    inflation: float = 1.0
    discordant: float | None = None

    def find(self, n: int, difference: float) -> Chances:
        """Return how often the better learner is found to be better."""
        clusters = n / self.cluster_size
        if clusters < 2:
            return Chances(0.0, 0.0)
        error = math.sqrt(self._variance_at(difference) * self.inflation / n)
        if clusters < FLIPPED_UP_TO:
            whole = int(clusters)
            effect = difference / (error * math.sqrt(clusters))
            return flip_power(whole, round(effect, 9), self.level)
        return t_power(difference / error, clusters - 1, self.level)

    def _variance_at(self, difference: float) -> float:
        if self.discordant is None:
            return self.variance
        return max(self.discordant - difference**2, 1e-12)

    def apply_formula(self, difference: float, power: float) -> Formula | None:
        """Return Miller's number of items."""
        variance = self._variance_at(difference) * self.inflation
        return Formula(
            "Miller (2024)", math.ceil(miller_items(variance, difference, self.level, power))
        )

    def complete(self, n: int) -> int:
        """Return the items of whole clusters."""
        if self.cluster_size == 1 or self.cluster_size != int(self.cluster_size):
            return n
        size = int(self.cluster_size)
        return -(-n // size) * size

    def largest_difference(self) -> float:
        """Return the share of items that differ, where answers are right or wrong."""
        return math.inf if self.discordant is None else self.discordant

    def guess_difference(self, n: int) -> float:
        """Return the size that Miller's formula has for so many items."""
        variance = self.variance if self.discordant is None else self.discordant
        return min(self.largest_difference(), 2.8 * math.sqrt(variance * self.inflation / n))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DataSetModel(PowerModel):
    """Two learners over data sets: the Wilcoxon signed-ranks test.

    Differences have the standard deviation ``deviation``; they are normal, or shaped like
    ``noise`` (standardised, symmetric around zero).
    """

    deviation: float
    noise: Floats | None = None
    seed: int = 0
    _known: dict[tuple[int, float], Chances] = field(default_factory=dict, init=False, repr=False)

    def find(self, n: int, difference: float) -> Chances:
        """Return how often the better learner is found to be better."""
        key = n, difference
        if key not in self._known:
            effect = difference / self.deviation
            self._known[key] = wilcoxon_power(n, effect, self.level, self.noise, self.seed)
        return self._known[key]

    def apply_formula(self, difference: float, power: float) -> Formula | None:
        """Return Noether's number of data sets."""
        n = noether_data_sets(difference / self.deviation, self.level, power)
        return Formula("Noether (1987)", math.ceil(n))

    def guess_difference(self, n: int) -> float:
        """Return the size that a t test on so many data sets would find."""
        return 2.9 * self.deviation / math.sqrt(n)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeanRankModel(PowerModel):
    """Several learners over data sets: the difference of two mean ranks.

    One learner is apart from the others, which are equal; asked is whether it is found to differ
    from a given one of them. ``by_range``: by the critical difference of all pairs; else by its
    own p value at ``level``. ``find_gaps`` gives the probability of each difference of ranks on one
    data set; without it scores are normal.
    """

    learners: int
    deviation: float
    by_range: bool
    find_gaps: Callable[[float], Floats] | None = None

    def find(self, n: int, difference: float) -> Chances:
        """Return how often the learner apart is found to differ from a given other."""
        if self.find_gaps is None:
            gaps = rank_gaps(self.learners, difference / self.deviation)
        else:
            gaps = self.find_gaps(difference)
        bound = mean_rank_bound(n, self.learners, self.level, by_range=self.by_range)
        return mean_rank_power(n, gaps, bound)

    def guess_difference(self, n: int) -> float:
        """Return the size that a t test on so many data sets would find."""
        return 3.5 * self.deviation / math.sqrt(n)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunModel(PowerModel):
    """Runs of folds, or random splits, on one data set, by the t test that `compare` takes.

    ``deviation`` is that of the differences of folds; n counts runs. What the folds share since
    they come from one data set does not shrink with runs: its variance is ``ratio``, test rows
    over training rows, times that of a fold (Nadeau & Bengio 2003). ``between`` is the variance of
    the means of runs, as a share of what it would be if all folds were independent; splits have
    none.
    """

    deviation: float
    folds: int
    ratio: float
    between: float = 0.0

    def find(self, n: int, difference: float) -> Chances:
        """Return how often the better learner is found to be better, over data sets of a kind."""
        count = n * self.folds
        if not self.between:
            error = self.deviation * math.sqrt(1 / count + self.ratio)
            return t_power(difference / error, count - 1, self.level)
        spread = math.sqrt(self.between / count + self.ratio)
        right, wrong = self._exceed(n, np.array(difference / self.deviation), spread)
        return Chances(float(right), float(wrong))

    def find_at_most(self, difference: float) -> Chances:
        """Return how often endless runs would find it."""
        bound = float(student_quantile(1 - self.level / 2, math.inf))
        bound *= math.sqrt(self.ratio + self._count_between())
        ends = [(side * difference / self.deviation - bound) / self.ratio**0.5 for side in (1, -1)]
        return Chances(*map(float, special.ndtr(ends)))

    def agree(self, n: int, difference: float) -> float:
        """Return how often a repetition on the same data, with other splits, says the same."""
        count = n * self.folds
        points, weights = np.polynomial.hermite_e.hermegauss(60)
        # The mean that endless runs would show on this data set, in standard deviations of a fold.
        centre = difference / self.deviation + math.sqrt(self.ratio) * points
        if self.between:
            right, wrong = self._exceed(n, centre, math.sqrt(self.between / count))
        else:
            bound = float(student_quantile(1 - self.level / 2, count - 1.0))
            bound *= math.sqrt(1 + count * self.ratio)
            shift = centre * math.sqrt(count)
            right = 1 - np.nan_to_num(special.nctdtr(count - 1, shift, bound))
            wrong = np.nan_to_num(special.nctdtr(count - 1, shift, -bound))
        same = right**2 + wrong**2 + (1 - right - wrong) ** 2
        return float((weights * same).sum() / weights.sum())

    def guess_difference(self, n: int) -> float:
        """Return the size that so many runs would find."""
        square = 1 / (n * self.folds) + self.ratio + self._count_between()
        return 2.9 * self.deviation * math.sqrt(square)

    def _count_between(self) -> float:
        """Return what the test adds for the variance between runs, in variances of a fold."""
        return float(weigh_runs(np.array(self.ratio))) * self.between / self.folds

    def _exceed(self, n: int, centre: Floats, spread: float) -> tuple[Floats, Floats]:
        """Return how often means around ``centre`` are above the bound, and below the other one.

        All in standard deviations of a fold. The variance between runs that an experiment sees
        varies as one with n − 1 degrees of freedom does.
        """
        shares = (np.arange(VARIANCES) + 0.5) / VARIANCES
        seen = special.chdtri(n - 1, 1 - shares) / (n - 1)
        square = 1 / (n * self.folds) + self.ratio + self._count_between() * seen
        bound = float(student_quantile(1 - self.level / 2, n * self.folds - 1.0)) * np.sqrt(square)
        right, wrong = (
            special.ndtr((side * centre[..., None] - bound) / spread).mean(axis=-1)
            for side in (1, -1)
        )
        return right, wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedModel(PowerModel):
    """Seeds of two learners: the one-sided Mann–Whitney test; the difference is P(A > B)."""

    seed: int = 0
    free_of_distribution: ClassVar[bool] = True

    def find(self, n: int, difference: float) -> Chances:
        """Return how often the better learner is found to be better."""
        return rank_sum_power(n, difference, self.level, self.seed)

    def apply_formula(self, difference: float, power: float) -> Formula | None:
        """Return the number of seeds that Bouthillier et al. take."""
        n = noether_seeds(difference, self.level, power)
        return Formula("Noether (1987), as in Bouthillier et al. (2021)", math.ceil(n))

    def largest_difference(self) -> float:
        """Return the probability of a learner that always wins."""
        return 1 - 1e-9

    def guess_difference(self, n: int) -> float:
        """Return the probability that Noether's formula has for so many seeds."""
        return min(0.5 + 1.35 / math.sqrt(n), 0.99)
