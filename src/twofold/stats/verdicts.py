"""From an uncertain statistic to the probability of a verdict: −1 for B, 0 for neither, 1 for A."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from twofold.result import Alternative, Interval
from twofold.stats.arguments import Floats
from twofold.stats.blocks import work_in_blocks
from twofold.stats.distributions import student_quantile
from twofold.stats.t_tests import plain


@dataclass(frozen=True, slots=True)
class Decision:
    """A statistic, and the bounds beyond which it decides for B (below) or for A (above)."""

    statistic: Floats
    low: float
    high: float

    def verdict(self) -> Floats:
        """Return −1, 0 or 1."""
        above, below = self.statistic > self.high, self.statistic < self.low
        return above.astype(float) - below.astype(float)

    def probability(self, verdict: Floats, variance: Floats, df: float) -> Floats:
        """Return P(``verdict``) for a t variable around the statistic with that variance."""
        scale = np.sqrt(variance)
        high = _beyond(self.high, self.statistic, scale, df)
        low = _beyond(self.low, self.statistic, scale, df)
        return pick(verdict, high, low)


def student_bounds(alpha: float, side: Alternative, df: float) -> tuple[float, float]:
    """Return the critical values of a t test; an infinite df means the normal distribution."""
    if side == "two-sided":
        bound = float(student_quantile(1 - alpha / 2, df))
        return -bound, bound
    bound = float(student_quantile(1 - alpha, df))
    return (-np.inf, bound) if side == "greater" else (-bound, np.inf)


def pick(verdict: Floats, above_high: Floats, above_low: Floats) -> Floats:
    """Return the probability of a verdict from those to lie above each of the two bounds."""
    below = np.where(verdict < 0, 1 - above_low, above_low - above_high)
    return np.clip(np.where(verdict > 0, above_high, below), 0.0, 1.0)


def _beyond(bound: float, location: Floats, scale: Floats, df: float) -> Floats:
    """Return P(above bound); without scale the variable is a point."""
    if np.isinf(bound):
        return np.full(np.broadcast(location, scale).shape, 0.0 if bound > 0 else 1.0)
    flat = scale == 0
    with np.errstate(over="ignore"):
        z = (location - bound) / np.where(flat, 1.0, scale)
    tail = special.ndtr(z) if np.isinf(df) else special.stdtr(df, z)
    return np.where(flat, (location > bound).astype(float), tail)


def quantiles(agree: Floats, point: Floats, confidence: float) -> Interval:
    """Return the central interval over the last axis, widened to hold the point prediction."""
    edges = np.quantile(agree, [(1 - confidence) / 2, (1 + confidence) / 2], axis=-1)
    low, high = np.minimum(edges[0], point), np.maximum(edges[1], point)
    return Interval(plain(low), plain(high), float(confidence))


def credible_agreement(
    decision: Decision, verdict: Floats, variance: Floats, *, df: float, confidence: float
) -> Interval:
    """Return quantiles of the true probability of agreement over what location and spread may be.

    Given the runs, the variance is scaled inverse χ² and the location normal around the
    statistic. An even grid over both, by probability, replaces random numbers.
    """
    steps = (np.arange(24) + 0.5) / 24
    spreads = df / (2 * special.gammaincinv(df / 2, steps))[:, None]
    shifts = special.ndtri((np.arange(40) + 0.5) / 40)[None, :]
    point = decision.probability(verdict, 2 * variance, df)
    flat = [
        np.broadcast_to(part, point.shape).reshape(-1)
        for part in (decision.statistic, variance, verdict, point)
    ]
    low, high = np.empty(point.size), np.empty(point.size)

    def work(rows: slice) -> None:
        t, v, decided, middle = (part[rows, None, None] for part in flat)
        deviation = np.sqrt(v * spreads)
        centre = t + deviation * shifts
        above_high = _beyond(decision.high, centre, deviation, np.inf)
        above_low = _beyond(decision.low, centre, deviation, np.inf)
        agree = pick(decided, above_high, above_low).reshape(len(t), -1)
        interval = quantiles(agree, middle[:, 0, 0], confidence)
        low[rows], high[rows] = interval.low, interval.high

    work_in_blocks(point.size, spreads.size * shifts.size, work)
    return Interval(plain(low.reshape(point.shape)), plain(high.reshape(point.shape)), confidence)
