"""Flips of the signs of clusters: how often they reach as far, and which shifts they agree with.

T_g is the sum of a cluster's differences and n_g its size; U and V are the sums of both. Flipping
some signs makes u of U and v of V. A shift δ of all differences is rejected where few flips give
|u − δv| ≥ |U − δV|. That holds exactly for δ between (U − u)/(V − v) and (U + u)/(V + v), the mean
differences of the flipped clusters and of the others, so that the interval of all shifts which are
not rejected is found from the order of these means, without trying any shift.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twofold.result import Alternative
from twofold.seeds import rng
from twofold.stats.arguments import ROUNDING, Floats
from twofold.stats.distributions import normal_pvalue, student_quantile
from twofold.stats.t_tests import ratio_or_limit

FLIPPED_EXACTLY_UP_TO = 20
"""Clusters up to which all flips of signs are tried: about a million."""
FLIPS = 100_000
"""Flips that are drawn where there are more."""
DRAWN_AT_ONCE = 1000
DRAWN_UP_TO = 1000
"""Clusters up to which flips are drawn; beyond, the normal distribution is nearer than draws."""


@dataclass(frozen=True, slots=True, eq=False)
class Flipped:
    """The sums of one comparison under flips, and the sums as they were observed.

    ``beside`` counts the observed sums where they are not among the flips. All flips are those of
    which the last sign stays, for the others mirror them.
    """

    sums: Floats
    sizes: Floats
    observed: float
    total: float
    reach: float  # the sum of absolute values: what rounding errors are measured by
    beside: int

    def pvalue(self, side: Alternative) -> float:
        """Return the share of flips that reach as far as what was observed."""
        slack = ROUNDING * self.reach
        if side == "two-sided":
            hits = float((np.abs(self.sums) >= abs(self.observed) - slack).sum())
            return (hits + self.beside) / (len(self.sums) + self.beside)
        far = (self.observed if side == "greater" else -self.observed) - slack
        hits = float((self.sums >= far).sum() + (-self.sums >= far).sum())
        hits += self.beside * (1 + (-far - slack >= far))
        return hits / (2 * (len(self.sums) + self.beside))

    def interval(self, side: Alternative, confidence: float) -> tuple[float, float]:
        """Return the shifts that the test does not reject at level 1 − confidence."""
        with np.errstate(divide="ignore", invalid="ignore"):
            flipped = (self.observed - self.sums) / (self.total - self.sizes)
            rest = (self.observed + self.sums) / (self.total + self.sizes)
        # Where no sign is flipped, or all are, every shift is agreed with.
        none = self.total - np.abs(self.sizes) <= ROUNDING * self.total
        if side == "two-sided":
            lows = np.where(none, -np.inf, np.minimum(flipped, rest))
            highs = np.where(none, np.inf, np.maximum(flipped, rest))
            beside = self.beside
        else:
            # The flip of none agrees with every shift, that of all with those beyond the estimate.
            ends = np.full(int(none.sum()) + self.beside, np.inf)
            middle = np.full(len(ends), self.observed / self.total)
            means = np.concatenate([middle, flipped[~none], rest[~none]])
            lows, highs = np.concatenate([-ends, means]), np.concatenate([ends, means])
            beside = 0
        skipped = math.floor((1 - confidence) * (len(lows) + beside) - beside + 1e-9)
        low = -math.inf if skipped < 0 else float(np.partition(lows, skipped)[skipped])
        last = len(highs) - 1 - skipped
        high = math.inf if skipped < 0 else float(np.partition(highs, last)[last])
        return (-math.inf if side == "less" else low, math.inf if side == "greater" else high)


def flip_all(totals: Floats, sizes: Floats) -> Flipped:
    """Return the sums of one comparison (clusters) under all flips but for their mirror images."""
    sums, counts = np.array([totals[-1]]), np.array([sizes[-1]])
    for value, size in zip(totals[:-1], sizes[:-1], strict=True):
        sums = np.concatenate([sums + value, sums - value])
        counts = np.concatenate([counts + size, counts - size])
    return _hold(sums, counts, totals, sizes, beside=0)


def draw_flips(
    columns: Floats, sizes: Floats, draws: int, seed: int
) -> tuple[Floats, NDArray[np.float64]]:
    """Return the sums of each row of ``columns`` (rows, clusters) under drawn flips, and sizes.

    All rows are flipped alike, so that differences of rows are flipped by differences of sums.
    """
    count = columns.shape[-1]
    sums, flipped_sizes = np.empty((len(columns), draws)), np.empty(draws)
    for start in range(0, draws, DRAWN_AT_ONCE):
        random = rng(seed, "sign flips", count, start)
        part = slice(start, min(start + DRAWN_AT_ONCE, draws))
        bits = np.frombuffer(random.bytes(count * DRAWN_AT_ONCE // 8), dtype=np.uint8)
        kept = np.unpackbits(bits).reshape(count, DRAWN_AT_ONCE)[:, : part.stop - part.start]
        kept = kept.astype(np.float64)
        sums[:, part], flipped_sizes[part] = columns @ kept, sizes @ kept
    # Kept signs are 1 and turned ones 0 so far; they are 1 and −1.
    sums, flipped_sizes = 2 * sums - columns.sum(axis=1)[:, None], 2 * flipped_sizes - sizes.sum()
    return sums, flipped_sizes


def hold_drawn(sums: Floats, flipped_sizes: Floats, totals: Floats, sizes: Floats) -> Flipped:
    """Return the sums of one comparison (clusters) under flips that were drawn."""
    return _hold(sums, flipped_sizes, totals, sizes, beside=1)


def _hold(
    sums: Floats, flipped_sizes: Floats, totals: Floats, sizes: Floats, *, beside: int
) -> Flipped:
    return Flipped(
        sums,
        flipped_sizes,
        float(totals.sum()),
        float(sizes.sum()),
        float(np.abs(totals).sum()),
        beside,
    )


class FlippedColumns:
    """Flips of the clusters of several learners, for pairs of whom they are looked up.

    ``columns`` are sums of clusters, (learners, clusters).
    """

    def __init__(self, columns: Floats, sizes: Floats, seed: int, draws: int = FLIPS) -> None:
        self._columns, self._sizes = columns, sizes
        self._drawn = None
        if columns.shape[1] > FLIPPED_EXACTLY_UP_TO:
            self._drawn = draw_flips(columns, sizes, draws, seed)

    def compare(self, first: int, second: int) -> Flipped:
        """Return the flips of the differences of two learners."""
        totals = self._columns[first] - self._columns[second]
        if self._drawn is None:
            return flip_all(totals, self._sizes)
        sums, sizes = self._drawn
        return hold_drawn(sums[first] - sums[second], sizes, totals, self._sizes)


def normal_flips(totals: Floats, side: Alternative) -> Floats:
    """Return p values where the normal distribution stands for flips of (..., clusters)."""
    z = ratio_or_limit(totals.sum(axis=-1), np.sqrt((totals**2).sum(axis=-1)))
    return np.where((totals == 0).all(axis=-1), 1.0, normal_pvalue(z, side))


def normal_interval(
    totals: Floats, sizes: Floats, side: Alternative, confidence: float
) -> tuple[Floats, Floats]:
    """Return the shifts with which the normal distribution of flips agrees."""
    tail = (1 - confidence) / (2 if side == "two-sided" else 1)
    z2 = float(student_quantile(1 - tail, np.inf)) ** 2
    # (U − δV)² ≤ z² Σ(T_g − δn_g)², a quadratic in δ.
    square = sizes.sum() ** 2 - z2 * (sizes**2).sum()
    middle = totals.sum(axis=-1) * sizes.sum() - z2 * (totals * sizes).sum(axis=-1)
    rest = totals.sum(axis=-1) ** 2 - z2 * (totals**2).sum(axis=-1)
    root = np.sqrt(np.maximum(middle**2 - square * rest, 0.0))
    if square <= 0:  # one cluster is nearly all items
        low, high = np.full_like(middle, -np.inf), np.full_like(middle, np.inf)
    else:
        low, high = (middle - root) / square, (middle + root) / square
    if side == "less":
        low = np.full_like(low, -np.inf)
    elif side == "greater":
        high = np.full_like(high, np.inf)
    return low, high
