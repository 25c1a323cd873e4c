"""What a test over data sets says of the effect behind it, and what it would say of new data sets.

The effect δ of a pair of learners is its mean difference over the data sets of the kind, in units
of their standard deviation. Given δ, the distribution of a test's statistic on n data sets is known
(for normal differences); given the statistic, Bayes' rule tells which δ are plausible. A
repetition's statistic follows by drawing δ first and new data sets then, so that the uncertainty of
the effect itself is not forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from scipy import special

from twofold.result import Alternative
from twofold.seeds import rng
from twofold.stats.arguments import Floats
from twofold.stats.catalog import Model
from twofold.stats.distributions import binomial_pvalue, normal_pvalue, student_pvalue
from twofold.stats.learner_effects import OVER_DATA_SETS
from twofold.stats.signed_rank import cdf_without_ties

EFFECTS: Floats = np.linspace(-4.0, 4.0, 161)
"""Effects that are considered, in standard deviations of the differences."""

LARGEST_LATTICE = 30
"""Data sets up to which signed ranks are counted out; beyond, their sum is nearly normal."""

_NOISE = 4000
_QUANTILES = 400


class EffectModel(Protocol):
    """How a statistic on ``n`` data sets depends on the effect."""

    def likelihood(self, statistic: Floats) -> Floats:
        """Return how likely each statistic is (pairs) under each of `EFFECTS` (pairs, effects)."""

    def pvalues(self, effects: Floats, noise: Floats, stream: np.random.Generator) -> Any:
        """Return p values and leanings (−1, 0, 1) of new data sets.

        ``effects`` and ``noise`` broadcast against each other; the noise is standard normal.
        """


def effect_model(statistic: Model, n: int, alternative: Alternative) -> EffectModel:
    """Return the model of a statistic: R+ of "signed ranks", "wins", or "t"."""
    if statistic == "wins":
        return LatticeModel(_sign_tail(n), binomial_lattice_pvalues(n, alternative))
    if statistic == "signed ranks" and n <= LARGEST_LATTICE:
        return LatticeModel(_rank_sum_tail(n), rank_sum_pvalues(n, alternative))
    if statistic == "signed ranks":
        return NormalRankModel(n, alternative)
    return StudentModel(n, alternative)


def believe(spread: Floats | float) -> Floats:
    """Return how probable each effect is before it is seen, in a row for each spread."""
    shapes = np.exp(-0.5 * (EFFECTS / np.reshape(spread, (-1, 1))) ** 2)
    return np.asarray(shapes / shapes.sum(axis=1, keepdims=True))


def find_spreads(likelihood: Floats, learners: int) -> tuple[float, float]:
    """Return the ends of the spreads that are plausible for pairs of learners, all compared.

    Each pair is judged by what the others tell, and pairs share learners: together they count as
    learners − 2, so that two alone tell nothing.
    """
    shares = np.einsum("pe,se->ps", likelihood, believe(OVER_DATA_SETS.grid))
    fit = np.log(shares + 1e-300).mean(axis=0)
    return OVER_DATA_SETS.narrow((learners - 2) * fit)


def draw_effects(likelihood: Floats, belief: Floats, noise: Floats) -> Floats:
    """Return effects (draws, pairs) from their distributions given the statistics.

    ``noise`` (draws, pairs) is standard normal; the effects are correlated as it is over pairs.
    """
    weights = likelihood * belief
    total = weights.sum(axis=-1, keepdims=True)
    # A statistic beyond all effects considered tells no more than that the effect is at the edge.
    weights = np.where(total > 0, weights, likelihood == likelihood.max(axis=-1, keepdims=True))
    levels = np.cumsum(weights, axis=-1)
    levels = (levels - weights / 2) / levels[:, -1:]
    shares = special.ndtr(noise)
    return np.stack(
        [np.interp(u, level, EFFECTS) for u, level in zip(shares.T, levels, strict=True)], axis=-1
    )


@dataclass(frozen=True, slots=True, eq=False)
class LatticeModel:
    """A statistic of whole numbers, by the probability of each upper tail under each effect."""

    tail: Floats
    """P(statistic ≥ w | effect), a row for w = 0, 1, …, and a last one of zeros."""
    p: Floats
    """The p value of each statistic."""

    def likelihood(self, statistic: Floats) -> Floats:
        """Return how likely each statistic is under each effect."""
        w = np.clip(np.rint(statistic), 0, len(self.p) - 1).astype(int)
        return np.asarray(self.tail[w] - self.tail[w + 1] + 1e-12)

    def pvalues(self, effects: Floats, noise: Floats, stream: np.random.Generator) -> Any:
        """Return p values and leanings of new data sets."""
        column = np.clip(np.rint((effects - EFFECTS[0]) / (EFFECTS[1] - EFFECTS[0])), 0, 160)
        row = np.minimum((special.ndtr(noise) * _QUANTILES).astype(int), _QUANTILES - 1)
        w = self._quantiles()[column.astype(int), row]
        return self.p[w], np.sign(2 * w - (len(self.p) - 1))

    def _quantiles(self) -> Any:
        shares = 1 - (np.arange(_QUANTILES) + 0.5) / _QUANTILES
        # As many steps as have a tail that is larger than what the share leaves above it.
        return np.stack([np.searchsorted(-col[1:], -shares) for col in self.tail.T])


@dataclass(frozen=True, slots=True)
class NormalRankModel:
    """The sum of positive signed ranks of many data sets, which is nearly normal."""

    n: int
    alternative: Alternative

    def likelihood(self, statistic: Floats) -> Floats:
        """Return how likely each statistic is under each effect."""
        mean, deviation = rank_sum_moments(self.n, EFFECTS)
        u = (np.asarray(statistic)[:, None] - mean) / deviation
        return np.asarray(np.exp(-0.5 * u**2) / deviation)

    def pvalues(self, effects: Floats, noise: Floats, stream: np.random.Generator) -> Any:
        """Return p values and leanings of new data sets."""
        means, deviations = rank_sum_moments(self.n, EFFECTS)
        sums = np.interp(effects, EFFECTS, means) + np.interp(effects, EFFECTS, deviations) * noise
        middle, unit = rank_sum_moments(self.n, np.zeros(()))
        z = (sums - middle) / unit
        return normal_pvalue(z, self.alternative), np.sign(z)


@dataclass(frozen=True, slots=True)
class StudentModel:
    """The t statistic of n differences."""

    n: int
    alternative: Alternative

    def likelihood(self, statistic: Floats) -> Floats:
        """Return how likely each statistic is under each effect (Johnson and Welch's formula)."""
        df = self.n - 1
        t = np.asarray(statistic, dtype=np.float64)[:, None]
        shift, share = np.sqrt(self.n) * EFFECTS, 1 - 1 / (4 * df)
        u = (t * share - shift) / np.sqrt(1 + t**2 / (2 * df))
        # The density is that of u times du/dt, as far as that depends on the effect.
        return np.asarray(np.exp(-0.5 * u**2) * np.maximum(share + shift * t / (2 * df), 1e-12))

    def pvalues(self, effects: Floats, noise: Floats, stream: np.random.Generator) -> Any:
        """Return p values and leanings of new data sets."""
        df = self.n - 1.0
        shift = np.sqrt(self.n) * effects + noise
        # One spread for all pairs: theirs are alike, and their order cannot matter.
        t = shift / np.sqrt(stream.chisquare(df, (*noise.shape[:-1], 1)) / df)
        return student_pvalue(t, df, self.alternative), np.sign(t)


def binomial_lattice_pvalues(n: int, alternative: Alternative) -> Floats:
    """Return the sign test's p value for each number of wins."""
    wins = np.arange(n + 1.0)
    return np.asarray(binomial_pvalue(wins, np.full(n + 1, float(n)), alternative))


def rank_sum_pvalues(n: int, alternative: Alternative) -> Floats:
    """Return the Wilcoxon test's p value for each sum of positive ranks, without ties."""
    below = cdf_without_ties(n)
    above = below[::-1]
    if alternative == "two-sided":
        return np.minimum(1.0, 2 * np.minimum(below, above))
    return below if alternative == "less" else above


@lru_cache(maxsize=16)
def _sign_tail(n: int) -> Floats:
    wins = np.arange(n + 2.0)[:, None]
    return np.asarray(np.where(wins == 0, 1.0, special.bdtrc(wins - 1, n, special.ndtr(EFFECTS))))


@lru_cache(maxsize=16)
def _rank_sum_tail(n: int) -> Floats:
    """Return P(R+ ≥ w | effect) for normal differences.

    R+ counts the Walsh averages above zero. Adding an effect shifts them all, so that R+ ≥ w
    exactly if the w-th largest of them without effect lies above −δ: one set of draws serves every
    effect.
    """
    half = rng(0, "signed ranks under an effect", n).standard_normal((_NOISE // 2, n))
    noise = np.vstack([half, -half])
    first, second = np.triu_indices(n)
    walsh = np.sort((noise[:, first] + noise[:, second]) / 2, axis=1)[:, ::-1]
    top = walsh.shape[1]
    tail = np.zeros((top + 2, len(EFFECTS)))
    tail[0] = 1.0
    for w in range(1, top + 1):
        column = np.sort(walsh[:, w - 1])
        tail[w] = 1 - np.searchsorted(column, -EFFECTS, side="right") / _NOISE
    return tail


def rank_sum_moments(n: int, effects: Floats) -> tuple[Floats, Floats]:
    """Return mean and deviation of R+ for normal differences (Lehmann 1975, section 4.2)."""
    h = np.sqrt(2) * effects
    single, double = special.ndtr(effects), special.ndtr(h)
    both = double - 2 * special.owens_t(h, np.sqrt(1 / 3))
    pairs = n * (n - 1) / 2
    mean = n * single + pairs * double
    variance = (
        n * single * (1 - single)
        + pairs * (2 * (single - double) ** 2 + 3 * double * (1 - double))
        + 2 * pairs * (n - 2) * (both - double**2)
    )
    return mean, np.sqrt(np.maximum(variance, 1e-12))
