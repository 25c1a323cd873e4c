"""From an uncertain statistic to the chance of a verdict: −1 for B, 0 for neither, 1 for A."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from twofold.result import Alternative, Interval
from twofold.stats.arguments import Floats
from twofold.stats.student import plain
from twofold.stats.tails import student_quantile


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

    def chance(self, verdict: Floats, variance: Floats, df: float) -> Floats:
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
    """Return the chance of a verdict from the chances to lie above each of the two bounds."""
    chance = np.where(verdict < 0, 1 - above_low, above_low - above_high)
    return np.clip(np.where(verdict > 0, above_high, chance), 0.0, 1.0)


def _beyond(bound: float, location: Floats, scale: Floats, df: float) -> Floats:
    """Return P(above bound); without scale the variable is a point."""
    if np.isinf(bound):
        return np.full(np.broadcast(location, scale).shape, 0.0 if bound > 0 else 1.0)
    flat = scale == 0
    with np.errstate(over="ignore"):
        z = (location - bound) / np.where(flat, 1.0, scale)
    tail = special.ndtr(z) if np.isinf(df) else special.stdtr(df, z)
    return np.where(flat, (location > bound).astype(float), tail)


def credible_agreement(
    decision: Decision,
    verdict: Floats,
    variance: Floats,
    *,
    location_share: float,
    df: float,
    confidence: float,
) -> Interval:
    """Return quantiles of the true chance of agreement over what location and spread may be.

    Given the runs, the variance is scaled inverse χ² and the location normal around the
    statistic, with ``location_share`` of the variance. An even grid over both, by probability,
    replaces random numbers.
    """
    chances = (np.arange(24) + 0.5) / 24
    spreads = df / (2 * special.gammaincinv(df / 2, chances))
    shifts = special.ndtri((np.arange(40) + 0.5) / 40) * np.sqrt(location_share)
    t, v, said = (
        np.asarray(part)[..., None, None] for part in (decision.statistic, variance, verdict)
    )
    deviation = np.sqrt(v * spreads[:, None])
    centre = t + deviation * shifts[None, :]
    high = _beyond(decision.high, centre, deviation, np.inf)
    low = _beyond(decision.low, centre, deviation, np.inf)
    agree = pick(said, high, low)
    agree = agree.reshape(*agree.shape[:-2], -1)
    edges = np.quantile(agree, [(1 - confidence) / 2, (1 + confidence) / 2], axis=-1)
    return Interval(plain(edges[0]), plain(edges[1]), float(confidence))
