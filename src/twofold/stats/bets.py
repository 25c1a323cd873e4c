"""Bets against a null hypothesis: what they earn, and which values they leave possible.

The bets are mixtures over all stakes, by the arcsine distribution, so that the answer depends on
what was seen and not on its order; of wins and losses this is the estimator of Krichevsky and
Trofimov.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from twofold.result import Alternative, Interval
from twofold.stats.arguments import Floats
from twofold.stats.t_tests import plain

STAKES = np.cos((2 * np.arange(128) + 1) * np.pi / 512)
"""Stakes between 0 and 1 that are mixed, each alike: with their negatives, nodes of Chebyshev."""
MOST_VALUES = 2048
"""Different values that are looked at one by one; more are rounded, against the bet."""
HALVINGS = 30


def bet_on_wins(wins: Floats, losses: Floats, side: Alternative) -> Floats:
    """Return the logarithm of 2^m B(w + ½, l + ½) / B(½, ½), or of the mixture of one side."""
    won, lost = np.asarray(wins) + 0.5, np.asarray(losses) + 0.5
    both = (won + lost - 1) * np.log(2.0) + special.betaln(won, lost) - np.log(np.pi)
    if side == "two-sided":
        return np.asarray(both)
    # Stakes on one side alone: the share of the Beta distribution that lies there, doubled.
    share = (
        special.betainc(lost, won, 0.5) if side == "greater" else special.betainc(won, lost, 0.5)
    )
    with np.errstate(divide="ignore"):
        return np.asarray(both + np.log(2.0) + np.log(share))


def bound_median(ordered: Floats, side: Alternative, level: float) -> Interval:
    """Return the medians that the capital does not rule out: an interval between two values."""
    n = ordered.shape[-1]
    below = np.arange(n // 2 + 1)
    towards: Alternative = "two-sided" if side == "two-sided" else "greater"
    ruled_out = bet_on_wins(n - below, below, towards) >= -np.log1p(-level)
    skip = int(ruled_out.sum())
    low, high = (np.full(ordered.shape[:-1], end) for end in (-np.inf, np.inf))
    if skip and side != "less":
        low = ordered[..., skip - 1]
    if skip and side != "greater":
        high = ordered[..., n - skip]
    return Interval(plain(low), plain(high), level)


Counted = tuple[Floats, Floats, Floats]
"""Values rounded down, the same rounded up, and how often each occurs."""


def count_values(x: Floats, low: float, high: float) -> Counted:
    """Return the values of a row and how often each occurs; very many are rounded both ways."""
    values, weights = np.unique(x, return_counts=True)
    if len(values) <= MOST_VALUES:
        return values, values, weights.astype(np.float64)
    step = (high - low) / MOST_VALUES
    index, weights = np.unique(np.floor((x - low) / step), return_counts=True)
    down = low + index * step
    return down, np.minimum(down + step, high), weights.astype(np.float64)


def bet_on_mean(
    counted: Counted, null: Floats, bounds: tuple[float, float], side: Alternative
) -> Floats:
    """Return the logarithm of the capital against a mean."""
    down, up, weights = counted
    parts = []
    if side != "less":
        parts.append(_log_mixture((down - null) / (null - bounds[0]), weights))
    if side != "greater":
        parts.append(_log_mixture((null - up) / (bounds[1] - null), weights))
    if side != "two-sided":
        return parts[0]
    return np.asarray(np.logaddexp(*parts) - np.log(2.0))


def _log_mixture(gains: Floats, weights: Floats) -> Floats:
    """Return the logarithm of the mean of ∏ (1 + λ gain) over the stakes λ."""
    logs = np.einsum("ij,j->i", np.log1p(STAKES[:, None] * np.maximum(gains, -1.0)), weights)
    return np.asarray(special.logsumexp(logs) - np.log(len(STAKES)))


def bound_means(
    counted: Sequence[Counted],
    shape: tuple[int, ...],
    bounds: tuple[float, float],
    side: Alternative,
    level: float,
) -> Interval:
    """Return intervals for the means of rows of values, in the given shape."""
    ends = np.array([_invert(row, bounds, side, level) for row in counted]).reshape(*shape, 2)
    return Interval(plain(ends[..., 0]), plain(ends[..., 1]), level)


def _invert(
    counted: Counted, bounds: tuple[float, float], side: Alternative, level: float
) -> tuple[float, float]:
    """Return the means against which the capital stays below 1/α."""
    down, up, weights = counted
    mean = float(np.average((down + up) / 2, weights=weights))
    enough = -np.log1p(-level)
    low, high = bounds
    if side != "less":
        low = _find_end(counted, bounds, side, enough, low, mean)
    if side != "greater":
        high = _find_end(counted, bounds, side, enough, high, mean)
    return low, high


def _find_end(
    counted: Counted,
    bounds: tuple[float, float],
    side: Alternative,
    enough: float,
    outside: float,
    inside: float,
) -> float:
    """Return where the capital reaches what is enough, between a bound and the mean."""
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        if not bounds[0] < middle < bounds[1]:
            break
        if bet_on_mean(counted, np.asarray(middle), bounds, side) >= enough:
            outside = middle
        else:
            inside = middle
    return outside
