"""Binomial intervals: how accurate is a classifier, given its hits on a test set?"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Interval
from twofold.stats.arguments import Floats, broadcast_counts, counts, probability
from twofold.stats.t_tests import plain


def wilson(successes: ArrayLike, n: ArrayLike, *, confidence: float = 0.95) -> Interval:
    """Return Wilson's score interval for a proportion (Wilson 1927).

    Answers Dietterich's question 1: the accuracy of a given classifier on new examples.

    >>> interval = wilson(90, 100)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.8256, 0.9448)
    """
    hits, trials = _hits_and_trials(successes, n)
    level = probability("confidence", confidence, 0.95)
    return wilson_of_share(hits / trials, trials, level)


def wilson_of_share(share: Floats, n: Floats, confidence: float) -> Interval:
    """Return Wilson's interval around a share, which need not be a whole number of successes."""
    z = special.ndtri(0.5 + confidence / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    # At 0 and 1 the bound is exact; subtraction would leave rounding noise.
    low = np.where(share <= 0, 0.0, np.maximum(centre - reach, 0.0))
    high = np.where(share >= 1, 1.0, np.minimum(centre + reach, 1.0))
    return Interval(plain(low), plain(high), confidence)


def clopper_pearson(successes: ArrayLike, n: ArrayLike, *, confidence: float = 0.95) -> Interval:
    """Return the exact interval for a proportion (Clopper & Pearson 1934); never too narrow.

    >>> interval = clopper_pearson(0, 10)
    >>> interval.low, round(interval.high, 4)
    (0.0, 0.3085)
    """
    hits, trials = _hits_and_trials(successes, n)
    level = probability("confidence", confidence, 0.95)
    tail = (1 - level) / 2
    misses = trials - hits
    low = np.where(hits == 0, 0.0, special.betaincinv(np.maximum(hits, 1), misses + 1, tail))
    high = np.where(misses == 0, 1.0, special.betaincinv(hits + 1, np.maximum(misses, 1), 1 - tail))
    return Interval(plain(low), plain(high), level)


def _hits_and_trials(successes: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    hits, trials = broadcast_counts(counts("successes", successes), counts("n", n))
    if (trials < 1).any():
        raise InputError("`n` must be at least 1.", "An empty test set tells nothing.")
    if (hits > trials).any():
        raise InputError(
            "`successes` must not be larger than `n`.", "Pass the successes first, then the total."
        )
    return hits, trials
