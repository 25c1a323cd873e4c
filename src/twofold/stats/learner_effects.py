"""How far learners lie apart, and what mean ranks (or mean scores) of k of them say of each.

Whether a difference that was found would be found again depends on how much such learners usually
differ: among close ones a difference that was found was mostly luck. Two learners alone do not
tell; several do. So a spread of effects is not assumed, but all that are plausible are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from twofold.stats.arguments import Floats

PRIOR_DATA_SETS = 12.0
"""How many data sets the usual variance of a rank is worth against the one seen: learners that rank
alike on a few data sets have not shown that they always do."""

_STEPS = 12
_FIT = 1.92
"""Half the 95 % quantile of χ² with one degree of freedom: by how much log likelihoods may fall."""


@dataclass(frozen=True, slots=True)
class UsualSpread:
    """What is believed of the spread of effects before any are seen: 95 % between two ends.

    Effects are normal around zero, in standard deviations of a difference. The logarithm of their
    standard deviation, the spread, is normal.
    """

    low: float
    high: float

    @property
    def grid(self) -> Floats:
        """Spreads to be looked at, from well below the lower end to well above the upper one."""
        return self.low * (self.high / self.low) ** (np.arange(-_STEPS, 2 * _STEPS + 1) / _STEPS)

    def narrow(self, fit: Floats | float = 0.0) -> tuple[float, float]:
        """Return the ends of the spreads that are plausible, given log likelihoods on the grid."""
        away = np.arange(-_STEPS, 2 * _STEPS + 1) / _STEPS - 0.5
        total = fit - 4 * _FIT * away**2
        plausible = self.grid[total >= total.max() - _FIT * (1 + 1e-9)]
        return float(plausible[0]), float(plausible[-1])


OVER_DATA_SETS = UsualSpread(0.2, 1.0)
"""From variants of one learner to learners that differ much (docs/replicability.md)."""


@dataclass(frozen=True, slots=True, eq=False)
class LearnerEffects:
    """Learners whose means on n data sets were seen; from them new means are drawn."""

    means: Floats
    residuals: Floats
    """What each data set (rows) adds to the means of the learners (columns)."""
    usual: float
    """The variance of a learner on one data set where learners are alike."""
    bounded: bool
    """Means are ranks: they lie between 1 and k, and vary less towards the ends."""

    @classmethod
    def from_table(cls, table: Floats, *, are_ranks: bool) -> LearnerEffects:
        """Return the effects of a table (data sets, learners), each row being taken by itself."""
        rows = table - table.mean(axis=1, keepdims=True)
        means = rows.mean(axis=0)
        residuals = rows - means
        n, k = table.shape
        if are_ranks:
            return cls(means + (k + 1) / 2, residuals, k * (k + 1) / 12, True)
        seen = float((residuals**2).sum()) / ((n - 1) * (k - 1))
        return cls(means, residuals, seen, False)

    def _variance(self, means: Floats) -> Floats:
        """Return what a learner of such a mean varies by on one data set, in general."""
        if not self.bounded:
            return np.full(np.shape(means), self.usual)
        k = self.residuals.shape[1]
        share = np.clip((means - 0.5) / k, 0.5 / k, 1 - 0.5 / k)
        return np.asarray(self.usual * 4 * share * (1 - share))

    def find_spreads(self, *, together: bool) -> tuple[float, float]:
        """Return the ends of the spreads that are plausible; learners tell it ``together``.

        Each learner is judged by what the others tell: k learners count as k − 2.
        """
        if not together:
            return OVER_DATA_SETS.narrow()
        n, k = self.residuals.shape
        x = (self.means - self.means.mean()) / (self._unit or 1.0)
        total = OVER_DATA_SETS.grid**2 + 1 / n
        fit = -0.5 * np.log(total) - (x**2).sum() / (2 * total * (k - 1))
        return OVER_DATA_SETS.narrow((k - 2) * fit)

    @property
    def _unit(self) -> float:
        """What a learner varies by on one data set, as a standard deviation."""
        n, k = self.residuals.shape
        within = (self.residuals**2).sum() / (k - 1)
        usual = PRIOR_DATA_SETS * self._variance(self.means).mean()
        return float(np.sqrt((usual + within) / (PRIOR_DATA_SETS + n - 1)))

    def draw(self, spread: float, noise: Floats) -> Floats:
        """Return what the true means may be, (draws, learners), where learners have that spread.

        ``noise`` (draws, learners) is standard normal.
        """
        n, k = self.residuals.shape
        centre = self.means.mean()
        kept = n * spread**2 / (1 + n * spread**2)
        drawn = kept * (self.means - centre) + self._unit * np.sqrt(kept / n) * noise
        drawn += centre - drawn.mean(axis=1, keepdims=True)
        return np.clip(drawn, 1, k) if self.bounded else drawn

    def repeat(
        self, truth: Floats, count: int, stream: np.random.Generator, size: int
    ) -> Iterator[Floats]:
        """Yield means on n new data sets, (some draws of the truth, count, learners).

        ``size`` is how many of them stand in one array.
        """
        n, k = self.residuals.shape
        # Noise with the covariance seen between the learners, and some of the usual kind.
        alike = np.einsum("ij,jk->ik", stream.standard_normal((count, n)), self.residuals)
        alone = stream.standard_normal((count, k))
        step = max(1, size // (count * k))
        for part in (truth[start : start + step] for start in range(0, len(truth), step)):
            means = alone * np.sqrt(PRIOR_DATA_SETS * self._variance(part))[:, None]
            means -= means.mean(axis=2, keepdims=True)
            means += alike
            means /= np.sqrt((PRIOR_DATA_SETS + n - 1) * n)
            means += part[:, None]
            yield means
