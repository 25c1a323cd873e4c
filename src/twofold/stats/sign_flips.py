"""Flips of the signs of clusters: how often they reach as far, and which shifts they agree with.

T_g is the sum of a cluster's differences and n_g its size; U and V are the sums of both. Flipping
some signs makes u of U and v of V. A shift δ of all differences is rejected where few flips give
|u − δv| ≥ |U − δV|. That holds exactly for δ between (U − u)/(V − v) and (U + u)/(V + v), the mean
differences of the flipped clusters and of the others, so that the interval of all shifts which are
not rejected is found from the order of these means, without trying any shift.

All flips are tried of up to 16 clusters. Of more, the saddlepoint approximation of Robinson (1982)
gives their share: ±T_g has the cumulant generating function log cosh(x T_g). Sums that are large
beside the others make the distribution lumpy; all their signs are tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special

from twofold.result import Alternative
from twofold.stats.arguments import ROUNDING, Floats
from twofold.stats.blocks import work_in_blocks
from twofold.stats.distributions import student_quantile

FLIPPED_EXACTLY_UP_TO = 16
"""Clusters up to which all flips of signs are tried."""
APPROXIMATED_UP_TO = 1000
"""Clusters up to which flips are approximated by the saddlepoint; beyond by the normal."""
LARGE, LARGE_AT_MOST = 0.05, 4
"""A sum is large from this share of all squares on; so many have all their signs tried."""
_NEWTON_STEPS, _SECANT_STEPS = 25, 25


def flip_pvalues(totals: Floats, side: Alternative) -> Floats:
    """Return the share of flips that reach as far, for each row of (rows, clusters).

    Flips that reach exactly as far count by half, but for what was observed.
    """
    observed = totals.sum(axis=-1)
    far = {"two-sided": np.abs(observed), "greater": observed, "less": -observed}[side]
    sizes = np.abs(totals)
    varied = (sizes > 0).sum(axis=-1)
    share = np.ones(len(totals))
    if totals.shape[-1] > APPROXIMATED_UP_TO:
        some = varied > 0
        spread = np.sqrt((sizes[some] ** 2).sum(axis=-1))
        share[some] = special.ndtr(-far[some] / spread)
    else:
        many = varied > FLIPPED_EXACTLY_UP_TO
        share[many] = reach_by_saddlepoint(sizes[many], far[many])
        for i in np.flatnonzero(~many & (varied > 0)):
            share[i] = _reach_exactly(sizes[i][sizes[i] > 0], far[i])
    return np.where(varied == 0, 1.0, np.minimum(1.0, share * (2 if side == "two-sided" else 1)))


def _reach_exactly(sizes: Floats, far: float) -> float:
    """Return the share of all flips whose sum is at least ``far``, which one of them attains."""
    sums = _flip_all(sizes)
    slack = ROUNDING * float(sizes.sum())
    above = int((sums > far + slack).sum() + (-sums > far + slack).sum())
    equal = int((np.abs(sums - far) <= slack).sum() + (np.abs(sums + far) <= slack).sum())
    return (above + (equal + 1) / 2) / (2 * len(sums))


def _flip_all(values: Floats) -> Floats:
    """Return the sums under all flips but for their mirror images: the last sign stays."""
    sums = values[-1:]
    for value in values[:-1]:
        sums = np.concatenate([sums + value, sums - value])
    return sums


def reach_by_saddlepoint(sizes: Floats, far: Floats) -> Floats:
    """Return about which share of the flips of (rows, clusters) has a sum of at least ``far``."""
    ordered = -np.sort(-sizes, axis=-1)
    limit = LARGE * (ordered**2).sum(axis=-1, keepdims=True)
    large = (ordered[:, :LARGE_AT_MOST] ** 2 > limit).sum(axis=-1)
    share = np.empty(len(sizes))

    def work(rows: slice) -> None:
        for count in np.unique(large[rows]):
            chosen = np.flatnonzero(large[rows] == count) + rows.start
            signs = 2.0 * (np.arange(2**count)[:, None] >> np.arange(count) & 1) - 1
            moved = (ordered[chosen, None, :count] * signs).sum(axis=-1)
            left = far[chosen, None] - moved
            share[chosen] = _find_tail(ordered[chosen, None, count:], left).mean(axis=-1)

    work_in_blocks(len(sizes), 2**LARGE_AT_MOST * sizes.shape[-1], work)
    return np.asarray(np.maximum(share, 0.5 ** (sizes > 0).sum(axis=-1)))


def _find_tail(sizes: Floats, far: Floats) -> Floats:
    """Return P(Σ ±sizes ≥ far), of sizes (..., clusters), by r* (Barndorff-Nielsen 1991)."""
    most = sizes.sum(axis=-1)
    goal = np.minimum(np.abs(far), most * (1 - 1e-9))
    alone = np.where(np.abs(far) > most * (1 + 1e-9), 0.0, 0.5 ** (sizes > 0).sum(axis=-1))
    square = sizes**2
    x = goal / square.sum(axis=-1)
    for _ in range(_NEWTON_STEPS):  # from below, as the slope falls: no step goes too far
        tanh = np.tanh(x[..., None] * sizes)
        slope = (square * (1 - tanh**2)).sum(axis=-1)
        step = (goal - (sizes * tanh).sum(axis=-1)) / np.maximum(slope, 1e-300)
        x = x + np.maximum(step, 0.0)
        if (step <= 1e-12 * x).all():
            break
    scaled = x[..., None] * sizes
    slope = (square / np.cosh(np.minimum(scaled, 300.0)) ** 2).sum(axis=-1)
    r = np.sqrt(2 * _depart(scaled).sum(axis=-1))
    # Near the middle log(u/r)/r is a difference of equal numbers: its first term, by cumulants.
    variance = square.sum(axis=-1)
    first = -x * (square**2).sum(axis=-1) / (4 * variance**1.5)
    with np.errstate(divide="ignore", invalid="ignore"):
        corrected = r + np.where(r < 0.1, first, np.log(x * np.sqrt(slope) / r) / r)
    tail = np.where(np.abs(far) > most * (1 - 1e-9), alone, special.ndtr(-corrected))
    return np.where(far < 0, 1 - tail, tail)


def _depart(s: Floats) -> Floats:
    """Return s tanh s − log cosh s, by its series where both are nearly equal."""
    direct = s * np.tanh(s) - (s + np.log1p(np.exp(-2 * s)) - math.log(2))
    y = s**2
    series = y * (1 / 2 - y * (1 / 4 - y * (1 / 9 - y * (17 / 360 - y * 31 / 1575))))
    return np.where(s < 0.1, series, direct)


def flip_intervals(
    totals: Floats, sizes: Floats, side: Alternative, confidence: float
) -> tuple[Floats, Floats]:
    """Return the shifts that flips of (rows, clusters) do not reject at level 1 − confidence."""
    count = totals.shape[-1]
    if count <= FLIPPED_EXACTLY_UP_TO:
        flipped = _flip_all(sizes)
        ends = [_order_shifts(row, sizes, flipped, side, confidence) for row in totals]
        low, high = np.array(ends).reshape(-1, 2).T
        return low, high
    tail = (1 - confidence) / (2 if side == "two-sided" else 1)
    find = _solve_normal if count > APPROXIMATED_UP_TO else _solve_end
    open_end = np.full(len(totals), np.inf)
    high = open_end if side == "greater" else find(totals, sizes, tail)
    low = -open_end if side == "less" else -find(-totals, sizes, tail)
    return low, high


def _order_shifts(
    totals: Floats, sizes: Floats, flipped_sizes: Floats, side: Alternative, confidence: float
) -> tuple[float, float]:
    """Return the ends of one interval from the order of the means under all flips."""
    sums, observed, whole = _flip_all(totals), float(totals.sum()), float(sizes.sum())
    with np.errstate(divide="ignore", invalid="ignore"):
        flipped = (observed - sums) / (whole - flipped_sizes)
        rest = (observed + sums) / (whole + flipped_sizes)
    # Where no sign is flipped, or all are, every shift is agreed with.
    none = whole - np.abs(flipped_sizes) <= ROUNDING * whole
    if side == "two-sided":
        lows = np.where(none, -np.inf, np.minimum(flipped, rest))
        highs = np.where(none, np.inf, np.maximum(flipped, rest))
    else:
        # The flip of none agrees with every shift, that of all with those beyond the estimate.
        ends = np.full(int(none.sum()), np.inf)
        middle = np.full(len(ends), observed / whole)
        means = np.concatenate([middle, flipped[~none], rest[~none]])
        lows, highs = np.concatenate([-ends, means]), np.concatenate([ends, means])
    skipped = math.floor((1 - confidence) * len(lows) + 1e-9)
    last = len(highs) - 1 - skipped
    low = -math.inf if side == "less" else float(np.partition(lows, skipped)[skipped])
    high = math.inf if side == "greater" else float(np.partition(highs, last)[last])
    return low, high


def _solve_normal(totals: Floats, sizes: Floats, tail: float) -> Floats:
    """Return the largest shifts with which the normal distribution of flips agrees."""
    z2 = float(student_quantile(1 - tail, np.inf)) ** 2
    # (U − δV)² ≤ z² Σ(T_g − δn_g)², a quadratic in δ.
    square = sizes.sum() ** 2 - z2 * (sizes**2).sum()
    if square <= 0:  # one cluster is nearly all items
        return np.full(len(totals), np.inf)
    middle = totals.sum(axis=-1) * sizes.sum() - z2 * (totals * sizes).sum(axis=-1)
    rest = totals.sum(axis=-1) ** 2 - z2 * (totals**2).sum(axis=-1)
    return np.asarray((middle + np.sqrt(np.maximum(middle**2 - square * rest, 0.0))) / square)


def _solve_end(totals: Floats, sizes: Floats, tail: float) -> Floats:
    """Return the largest shifts with which the saddlepoint approximation agrees."""
    whole, wanted = float(sizes.sum()), float(special.ndtri(tail))
    if tail <= 0.5 ** len(sizes):
        return np.full(len(totals), np.inf)

    def look(shift: Floats, rows: np.ndarray) -> Floats:
        moved = totals[rows] - shift[:, None] * sizes
        reached = reach_by_saddlepoint(np.abs(moved), -moved.sum(axis=-1))
        return np.asarray(special.ndtri(reached) - wanted)

    middle = totals.sum(axis=-1) / whole
    off = totals - middle[:, None] * sizes
    error = np.sqrt((off**2).sum(axis=-1)) / whole
    scale = ROUNDING * np.abs(totals).max(axis=-1, initial=0) / sizes.min()
    guess = _solve_normal(totals, sizes, tail)
    guess = np.where(np.isfinite(guess), guess, middle - wanted * error)
    return _find_roots(look, middle, -wanted, guess, error > scale)


def _find_roots(
    look: Callable[[Floats, np.ndarray], Floats],
    start: Floats,
    first: float,
    guess: Floats,
    varies: np.ndarray,
) -> Floats:
    """Return where falling functions are zero above ``start``, where all have the value ``first``.

    By secants within brackets (Illinois). Without spread the start is the end; functions that stay
    above zero have no end.
    """
    ends = np.where(varies, np.inf, start)
    low, high, before = start.copy(), guess.copy(), np.zeros(len(start))
    below, above = np.full(len(start), first), np.zeros(len(start))
    rows = np.flatnonzero(varies)
    above[rows] = look(high[rows], rows)
    for _ in range(60):
        short = rows[above[rows] > 0]
        if not len(short):
            break
        low[short], below[short] = high[short], above[short]
        high[short] += 0.1 * (high - start)[short]
        above[short] = look(high[short], short)
    rows = rows[above[rows] <= 0]
    for _ in range(_SECANT_STEPS):
        if not len(rows):
            break
        share = below[rows] / (below[rows] - above[rows])
        ends[rows] = low[rows] + (high - low)[rows] * share
        value = look(ends[rows], rows)
        side = np.where(value > 0, 1.0, -1.0)
        # An end that stays twice counts by half, so that both move.
        halved = np.where(before[rows] == side, 0.5, 1.0)
        before[rows] = side
        up, down = rows[value > 0], rows[value <= 0]
        low[up], below[up] = ends[up], value[value > 0]
        above[up] *= halved[value > 0]
        high[down], above[down] = ends[down], value[value <= 0]
        below[down] *= halved[value <= 0]
        wide = (high - low)[rows] > 1e-8 * (guess - start)[rows]
        rows = rows[(np.abs(value) > 1e-8) & wide]
    return ends
