"""How often a test finds a difference that is there, before anything is measured.

Each function returns `Chances`: how often the difference is found in its right direction and in the
wrong one. They are exact where that is possible (McNemar, t, mean ranks) and otherwise simulated,
with random numbers that belong to the question, so that the same question has the same answer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import special

from twofold.result import is_significant
from twofold.seeds import rng
from twofold.stats.arguments import Floats
from twofold.stats.distributions import student_quantile
from twofold.stats.effect_models import rank_sum_moments
from twofold.stats.posthoc import critical_value
from twofold.stats.signed_rank import cdf_without_ties, rank_differences

DRAWS = 20_000
"""Experiments that are simulated: a power of .8 is known to ±.006."""

SIMULATED_UP_TO = 60
"""Data sets (or seeds) up to which rank tests are simulated. Beyond, their statistics are so nearly
normal that power by their exact moments is closer than draws."""

LARGEST_SUM = 200_000
"""Values of a sum of differences of ranks up to which each of them has its probability."""

_FAR = 9.0
"""Standard deviations around its mean within which a binomial number is summed over."""

_NODES = 160
"""Points of the integral over a learner's score."""


class Chances(NamedTuple):
    """How often a difference is found: in its right direction, and in the wrong one."""

    right: float
    wrong: float

    @property
    def agreement(self) -> float:
        """How often two independent experiments come to the same verdict, direction included."""
        return self.right**2 + self.wrong**2 + (1 - self.right - self.wrong) ** 2


def mcnemar_power(n: int, discordant: float, difference: float, alpha: float) -> Chances:
    """Return the exact power of the two-sided mid-p McNemar test.

    ``discordant`` is the share of items on which just one of the two is right, ``difference`` that
    of the better one's minus that of the other's. The number of discordant items is binomial, and
    so is, given it, the number of those that speak for the better one.
    """
    spread = _FAR * np.sqrt(n * discordant * (1 - discordant)) + 5
    middle = n * discordant
    total = np.arange(max(0, int(middle - spread)), min(n, int(middle + spread)) + 1.0)
    weight = _binomial_mass(total, n, discordant)
    needed = _critical_wins_midp(total, alpha)
    share = (discordant + difference) / (2 * discordant)
    right = (weight * _binomial_tail(needed, total, share)).sum()
    wrong = (weight * _binomial_tail(needed, total, 1 - share)).sum()
    return Chances(float(min(right, 1.0)), float(min(wrong, 1.0)))


def _binomial_mass(k: Floats, n: int, share: float) -> Floats:
    if share >= 1:
        return np.where(k == n, 1.0, 0.0)
    ways = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.asarray(np.exp(ways + k * np.log(share) + (n - k) * np.log1p(-share)))


def _binomial_tail(wins: Floats, total: Floats, share: float) -> Floats:
    """Return P(X ≥ wins) for a coin that shows heads with probability ``share``."""
    inside = (wins >= 1) & (wins <= total)
    a, b = np.where(inside, wins, 1.0), np.where(inside, total - wins + 1, 1.0)
    tail = special.betainc(a, b, min(max(share, 0.0), 1.0))
    return np.where(inside, tail, np.where(wins < 1, 1.0, 0.0))


def _critical_wins_midp(total: Floats, alpha: float) -> Floats:
    """Return the fewest wins of each total at which mid-p is at most alpha; total + 1 for none."""
    low, high = np.floor(total / 2), total + 1
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        # Two-sided mid-p: twice the tail, less the probability of the outcome itself.
        p = _binomial_tail(middle, total, 0.5) + _binomial_tail(middle + 1, total, 0.5)
        enough = is_significant(p, alpha)
        high, low = np.where(enough, middle, high), np.where(enough, low, middle)
    return high


def t_power(shift: float, df: float, alpha: float, sides: int = 2) -> Chances:
    """Return the power of a t test whose statistic is noncentral t around ``shift``.

    ``shift`` is the true difference over its standard error.
    """
    critical = float(student_quantile(1 - alpha / sides, df))
    if df > 1e6:
        return Chances(
            float(special.ndtr(shift - critical)), float(special.ndtr(-shift - critical))
        )
    right = 1 - special.nctdtr(df, shift, critical)
    wrong = special.nctdtr(df, shift, -critical)
    return Chances(float(np.nan_to_num(right, nan=1.0)), float(np.nan_to_num(wrong)))


@lru_cache(maxsize=256)
def find_shift(df: float, alpha: float, power: float) -> float:
    """Return the difference, in its standard errors, that a two-sided t test finds so often."""
    low, high = 0.0, 4.0
    while t_power(high, df, alpha).right < power and high < 1e6:
        low, high = high, 2 * high
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        if t_power(middle, df, alpha).right < power:
            low = middle
        else:
            high = middle
    return high


def wilcoxon_power(
    n: int, effect: float, alpha: float, noise: Floats | None = None, seed: int = 0
) -> Chances:
    """Return the power of the two-sided Wilcoxon signed-ranks test on n data sets.

    ``effect`` is the mean difference over its standard deviation. Differences are normal, or drawn
    from ``noise``: standardised, symmetric around zero.
    """
    low = _critical_rank_sum(n, alpha)
    top = n * (n + 1) / 2
    if n <= SIMULATED_UP_TO:
        sums = _draw_rank_sums(n, effect, noise, seed)
        return Chances(float((sums >= top - low).mean()), float((sums <= low).mean()))
    if noise is None:
        mean, deviation = (float(x) for x in rank_sum_moments(n, np.asarray(effect)))
    else:
        mean, deviation = _moments_of_noise(n, noise + effect)
    right = special.ndtr((mean - (top - low - 0.5)) / deviation)
    wrong = special.ndtr((low + 0.5 - mean) / deviation)
    return Chances(float(right), float(wrong))


def _critical_rank_sum(n: int, alpha: float) -> int:
    """Return the largest sum of ranks that is small enough; −1 where none is."""
    if n <= 1000:
        return int(np.searchsorted(cdf_without_ties(n), alpha / 2 * (1 + 1e-12), "right")) - 1
    mean, deviation = n * (n + 1) / 4, np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    return int(np.floor(mean + special.ndtri(alpha / 2) * deviation))


def _draw_rank_sums(n: int, effect: float, noise: Floats | None, seed: int) -> Floats:
    x = _draw_noise(n, None if noise is None else noise.tobytes(), seed) + effect
    ranked = rank_differences(x, np.zeros_like(x))
    return np.asarray(np.einsum("ij,ij->i", ranked.ranks, ranked.positive) + ranked.zero_share)


@lru_cache(maxsize=4)
def _draw_noise(n: int, noise: bytes | None, seed: int) -> Floats:
    """Return differences without effect; many effects are tried on the same draws."""
    random = rng(seed, "power of signed ranks", n)
    if noise is None:
        half = random.standard_normal((DRAWS // 2, n))
    else:
        half = random.choice(np.frombuffer(noise), (DRAWS // 2, n))
    # Each draw comes with its mirror image: noise is symmetric, and power is then known better.
    return np.concatenate([half, -half])


def _moments_of_noise(n: int, x: Floats) -> tuple[float, float]:
    """Return mean and deviation of R+ where differences are drawn from ``x``."""
    values = np.sort(x)
    # For each value: the share of others whose sum with it is positive.
    above = 1 - np.searchsorted(values, -values, "right") / len(values)
    single, double, both = (values > 0).mean(), above.mean(), (above**2).mean()
    pairs = n * (n - 1) / 2
    variance = (
        n * single * (1 - single)
        + pairs * (2 * (single - double) ** 2 + 3 * double * (1 - double))
        + 2 * pairs * (n - 2) * (both - double**2)
    )
    return float(n * single + pairs * double), float(np.sqrt(max(variance, 1e-12)))


@lru_cache(maxsize=64)
def flip_power(n: int, effect: float, alpha: float, seed: int = 0) -> Chances:
    """Return the power of flipping the signs of so few normal differences that all can be tried.

    ``effect`` is the mean difference over its standard deviation.
    """
    if 2.0 ** (1 - n) > alpha:
        return Chances(0.0, 0.0)
    x = _draw_noise(n, None, seed) + effect
    signs = 1.0 - 2.0 * (np.arange(2 ** (n - 1))[:, None] >> np.arange(n) & 1)  # half of them
    sums = np.abs(x @ signs.T)
    p = (sums >= sums[:, :1] * (1 - 1e-12)).mean(axis=1)
    rejected = is_significant(p, alpha)
    up = x.sum(axis=1) > 0
    return Chances(float((rejected & up).mean()), float((rejected & ~up).mean()))


def rank_sum_power(n: int, probability: float, alpha: float, seed: int = 0) -> Chances:
    """Return the power of the one-sided Mann–Whitney test on n runs of each of two learners.

    ``probability`` is that of a run of the better learner scoring above one of the other; scores
    are normal with equal spread. A verdict in the wrong direction does not exist.
    """
    unit = np.sqrt(n * n * (2 * n + 1) / 12)
    critical = n * n / 2 + 0.5 - special.ndtri(alpha) * unit
    if n <= SIMULATED_UP_TO:
        random = rng(seed, "power of rank sums", n)
        x = random.standard_normal((DRAWS, n)) + np.sqrt(2) * special.ndtri(probability)
        both = np.concatenate([x, random.standard_normal((DRAWS, n))], axis=1)
        order = np.argsort(both, axis=1)
        sums = np.where(order < n, np.arange(1.0, 2 * n + 1), 0.0).sum(axis=1) - n * (n + 1) / 2
        return Chances(float((sums >= critical).mean()), 0.0)
    shift = special.ndtri(probability)
    both_above = probability - 2 * special.owens_t(shift, np.sqrt(1 / 3))
    variance = probability * (1 - probability) + 2 * (n - 1) * (both_above - probability**2)
    z = (n * n * probability - critical + 0.5) / (n * np.sqrt(variance))
    return Chances(float(special.ndtr(z)), 0.0)


def mean_rank_power(n: int, gaps: Floats, critical: float) -> Chances:
    """Return the exact power of a test that compares a difference of mean ranks with a bound.

    ``gaps`` has the probability of each difference of two learners' ranks on one data set, from
    −(k − 1) to k − 1; the sum over n data sets is their n-fold convolution.
    """
    reach = (len(gaps) - 1) // 2
    size = 2 * n * reach + 1
    if size > LARGEST_SUM:
        return _approximate_mean_ranks(n, gaps, critical)
    length = 1 << (size - 1).bit_length()
    mass = np.fft.irfft(np.fft.rfft(gaps, length) ** n, length)[:size]
    means = (np.arange(size) - n * reach) / n
    edge = critical * (1 - 1e-12)
    right, wrong = mass[means >= edge].sum(), mass[means <= -edge].sum()
    return Chances(float(np.clip(right, 0, 1)), float(np.clip(wrong, 0, 1)))


def _approximate_mean_ranks(n: int, gaps: Floats, critical: float) -> Chances:
    """Return the power where so many differences of ranks are summed that they are normal."""
    values = np.arange(len(gaps)) - (len(gaps) - 1) // 2
    mean = float((gaps * values).sum())
    deviation = np.sqrt(max(float((gaps * values**2).sum()) - mean**2, 1e-12) / n)
    right, wrong = (special.ndtr((side * mean - critical) / deviation) for side in (1, -1))
    return Chances(float(right), float(wrong))


@lru_cache(maxsize=64)
def rank_gaps(learners: int, effect: float) -> Floats:
    """Return the probability of each difference of ranks on one data set, for normal scores.

    One learner lies ``effect`` above all others, which are equal, in standard deviations of the
    difference of two learners; its rank is subtracted from that of one given other.
    """
    points, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    weights = weights / weights.sum()
    below = special.ndtr(points + np.sqrt(2) * effect)
    # How many of k − 2 equal learners lie between the two is binomial in a share that the other's
    # score decides; over all its scores below (above) a given one that is an incomplete beta.
    gaps = np.zeros(2 * learners - 1)
    for others in range(learners - 1):
        shape = others + 1.0, learners - 1.0 - others
        for side, share in ((1, below), (-1, 1 - below)):
            chance = (weights * special.betainc(*shape, share)).sum() / (learners - 1)
            gaps[learners - 1 + side * (others + 1)] = chance
    return gaps / gaps.sum()


@lru_cache(maxsize=64)
def mean_rank_bound(n: int, learners: int, level: float, *, by_range: bool) -> float:
    """Return by how much mean ranks must differ: by their range, or for one pair at its level."""
    unit = np.sqrt(learners * (learners + 1) / (6 * n))
    if by_range:
        return float(critical_value(learners, alpha=level) * unit)
    return float(-special.ndtri(level / 2) * unit)
