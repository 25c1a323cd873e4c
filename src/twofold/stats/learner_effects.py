"""What mean ranks (or mean scores) of k learners on n data sets say of the learners themselves.

Of several learners the one that came out best was also lucky, and the more learners the luckier. So
their effects are learned together: first how far learners like these lie apart, from all of them,
then where each one lies. Distances are in standard deviations of a learner on one data set.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from twofold.stats.arguments import Floats

EFFECTS: Floats = np.linspace(-5.0, 5.0, 151)
SPREADS: Floats = np.linspace(0.025, 2.5, 50)

SPREAD_SCALE = 0.6
"""How far apart learners are believed to lie before they are seen: normal, with a standard
deviation that is itself half-normal with this scale (docs/replicability.md)."""

CONTROL_SPREAD = 1.2
"""How far a control may lie from the compared, for a start."""

PRIOR_LEARNERS = 10.0
"""How many learners that belief is worth against the shape that the learners at hand show."""

PRIOR_DATA_SETS = 12.0
"""How many data sets the usual variance of a rank is worth against the one seen: learners that rank
alike on a few data sets have not shown that they always do."""

_ROUNDS = 60


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

    def draw(self, count: int, stream: np.random.Generator, control: int | None = None) -> Floats:
        """Return what the true means may be, (count, learners).

        A control was not taken from among the compared, but for what sets it apart: what they tell
        of each other does not hold for it.
        """
        n, k = self.residuals.shape
        centre = self.means.mean()
        weight = PRIOR_DATA_SETS + n - 1
        within = (self.residuals**2).sum() / (k - 1)
        variance = (PRIOR_DATA_SETS * self._variance(self.means).mean() + within) / weight
        unit = np.sqrt(variance)
        if not unit:
            return np.broadcast_to(self.means, (count, k))
        levels = np.cumsum(_posterior((self.means - centre) / unit, n, control), axis=1)
        shares = stream.random((count, k))
        step = EFFECTS[1] - EFFECTS[0]
        where = np.stack([np.searchsorted(a, u) for a, u in zip(levels, shares.T, strict=True)], 1)
        effects = EFFECTS[np.minimum(where, len(EFFECTS) - 1)]
        drawn = unit * (effects + (stream.random((count, k)) - 0.5) * step)
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


def _posterior(x: Floats, n: int, control: int | None) -> Floats:
    """Return how probable each of `EFFECTS` is for each learner, (learners, effects).

    Empirical Bayes: the belief before is a normal distribution whose spread all learners tell, then
    mixed with what the learners show of their distribution (by expectation and maximisation).
    """
    compared = np.arange(len(x)) != control
    count = int(compared.sum())
    total = SPREADS**2 + 1 / n
    fit = -(count - 1) / 2 * np.log(total) - (x[compared] ** 2).sum() / (2 * total)
    fit -= 0.5 * (SPREADS / SPREAD_SCALE) ** 2
    shapes = np.exp(-0.5 * (EFFECTS / SPREADS[:, None]) ** 2)
    shapes /= shapes.sum(axis=1, keepdims=True)
    belief = np.einsum("i,ij->j", np.exp(fit - fit.max()), shapes)
    belief /= belief.sum()
    likelihood = np.exp(-0.5 * n * (x[:, None] - EFFECTS) ** 2) + 1e-300
    mixed = belief
    for _ in range(_ROUNDS):
        shares = likelihood * mixed
        shares /= shares.sum(axis=1, keepdims=True)
        mixed = (shares[compared].sum(axis=0) + PRIOR_LEARNERS * belief) / (count + PRIOR_LEARNERS)
    if control is not None:
        alone = likelihood[control] * np.exp(-0.5 * (EFFECTS / CONTROL_SPREAD) ** 2)
        shares[control] = alone / alone.sum()
    return np.asarray(shares)
