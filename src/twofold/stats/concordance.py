"""Do data sets rank the learners alike? Kendall's coefficient of concordance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.result import Interval
from twofold.stats.arguments import Floats, check_size, probability
from twofold.stats.effects import Effect
from twofold.stats.ranking import table_of_ranks
from twofold.stats.t_tests import plain

EVEN_DATA_SETS = 3
"""Weight, in data sets, of deviations that go in all directions alike."""

FEWEST = 4
"""Data sets below which nothing is known of how much W varies."""


def kendalls_w(ranks: ArrayLike, *, confidence: float = 0.95) -> Effect:
    """Return Kendall's coefficient of concordance from ranks (..., data sets, learners).

    0: the data sets rank the learners at random; 1: all rank them alike. Ties are corrected for.

    The interval is for the W expected of as many data sets of this kind, which is never below
    1/N. It inverts the distribution of the squared length of the mean rank vector, a quadratic
    form of a normal vector, approximated by a scaled χ² of the same mean and variance. It covered
    94 to 100 % at a nominal 95 %, 97.6 % on average: 84 cases with 5 to 30 data sets and 3, 4 or
    8 learners, from no to nearly perfect agreement, with ties, 1500 samples each (so ±1.1
    points). Where data sets are of two kinds that disagree it covered less, 90.5 % at the worst.
    With fewer than four data sets it is 0 to 1.
    """
    r = table_of_ranks(ranks, are_ranks=True, higher_is_better=False)
    n, k = r.shape[-2:]
    check_size("ranks", n, 2, "data sets")
    level = probability("confidence", confidence, 0.95)
    centred = r - (k + 1) / 2
    means, squares = centred.mean(axis=-2), (centred**2).sum(axis=(-2, -1)) / n
    above = (means**2).sum(axis=-1)
    w = np.divide(above, squares, out=np.zeros_like(above), where=squares > 1e-12)
    low, high = np.zeros_like(w), np.ones_like(w)
    if n >= FEWEST:
        low, high = _bounds(w, *_shape(centred, means), n, level)
        low, high = (((n - 1) * edge + 1) / n for edge in (low, high))
        low, high = np.minimum(low, w), np.maximum(high, w)
        nothing = squares <= 1e-12
        low, high = np.where(nothing, 0.0, low), np.where(nothing, 1.0, high)
    return Effect("Kendall's W", plain(w), Interval(plain(low), plain(high), level), n)


def _shape(centred: Floats, means: Floats) -> tuple[Floats, Floats]:
    """Describe how data sets deviate from the mean ranks: tr Σ²/(tr Σ)² and u'Σu/tr Σ.

    u is the direction of the mean ranks. Few data sets tell little of it, so that both are
    averaged with 1/(k − 1), their value for deviations in all directions alike.
    """
    n, k = centred.shape[-2:]
    rest = centred - means[..., None, :]
    covariance = np.einsum("...ni,...nj->...ij", rest, rest) / (n - 1)
    trace = np.einsum("...ii->...", covariance)
    length = np.sqrt((means**2).sum(axis=-1))
    along = np.einsum("...i,...ij,...j->...", means, covariance, means)
    even = np.full(trace.shape, 1 / (k - 1))
    square = (covariance**2).sum(axis=(-2, -1))
    seen = trace > 1e-9
    spread = np.divide(square, trace**2, out=even.copy(), where=seen)
    ahead = np.divide(along, length**2 * trace, out=even.copy(), where=seen & (length > 1e-9))
    spread, ahead = (
        (n * part + EVEN_DATA_SETS * even) / (n + EVEN_DATA_SETS) for part in (spread, ahead)
    )
    return spread, ahead


def _bounds(
    w: Floats, spread: Floats, ahead: Floats, n: int, level: float
) -> tuple[Floats, Floats]:
    """Return the smallest and the largest concordance ω with which W agrees."""
    # The covariance is estimated: the variance is wider by as much as t is wider than normal.
    wider = (special.stdtrit(n - 1.0, 0.5 + level / 2) / special.ndtri(0.5 + level / 2)) ** 2

    def below(omega: Floats) -> Floats:
        """P(W ≤ observed), by a scaled χ² of the same mean and variance."""
        rest = (1 - omega) / n
        mean = omega + rest
        variance = wider * (2 * spread * rest**2 + 4 * omega * ahead * rest)
        half = mean**2 / np.maximum(variance, 1e-300)
        return np.asarray(special.gammainc(half, half * w / mean))

    def solve(probability_below: float) -> Floats:
        low, high = np.zeros_like(w), np.full_like(w, 1 - 1e-9)
        for _ in range(40):
            middle = (low + high) / 2
            inside = below(middle) > probability_below
            low, high = np.where(inside, middle, low), np.where(inside, high, middle)
        return (low + high) / 2

    return solve(0.5 + level / 2), solve(0.5 - level / 2)
