"""The studentized range and Dunnett's distribution, for any number of learners.

Both are integrals over one normal variable and, with finite degrees of freedom, over the
estimated standard deviation. The integrands below are upper tails written without a difference
from one, so that even tiny p values keep their digits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy import special

from twofold.stats.arguments import Floats
from twofold.stats.blocks import BLOCK_VALUES

NODES = 128
DEGREE = 96
REACH = 39.0  # the normal density underflows beyond


@lru_cache(maxsize=64)
def _legendre(count: int) -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return nodes, weights


def range_pvalue(q: Floats, k: int, df: float = np.inf) -> Floats:
    """Return P(Q ≥ q) for the studentized range of ``k`` means with ``df`` degrees of freedom."""
    return _average_over_deviation(np.asarray(q, dtype=np.float64), df, lambda x: _range_tail(x, k))


@lru_cache(maxsize=4096)
def range_quantile(alpha: float, k: int, df: float = np.inf) -> float:
    """Return the value that the studentized range exceeds with probability ``alpha``."""
    return _invert(lambda q: range_pvalue(q, k, df), alpha)


def dunnett_pvalue(t: Floats, comparisons: int, df: float, sides: int = 2) -> Floats:
    """Return P(max T ≥ t), or of max |T| with two sides, for comparisons with one control.

    The comparisons share the control, so that each pair of them has correlation one half.
    """
    x = np.asarray(t, dtype=np.float64)
    tail = _dunnett_two_sided if sides == 2 else _dunnett_one_sided
    return _average_over_deviation(x, df, lambda value: tail(value, comparisons))


@lru_cache(maxsize=4096)
def dunnett_quantile(alpha: float, comparisons: int, df: float, sides: int = 2) -> float:
    """Return what the largest absolute T, with one side T, exceeds with probability ``alpha``."""
    return _invert(lambda t: dunnett_pvalue(t, comparisons, df, sides), alpha)


def _range_tail(q: Floats, k: int) -> Floats:
    """P(range of k standard normals ≥ q) = k ∫ φ(z) (Φ(z)ᵐ − (Φ(z) − Φ(z−q))ᵐ) dz, m = k − 1."""
    safe = np.clip(q, 0.0, 2 * REACH)
    # With z as the largest of the k values, the integrand lives between q/2, where it peaks when
    # q is large, and the expected maximum, where it peaks when q is small.
    top = np.sqrt(2 * np.log(max(k, 2)))
    low, high = np.minimum(safe / 2, top) - 8.5, np.maximum(safe / 2, top) + 8.5

    def integrand(z: Floats) -> Floats:
        inside = np.minimum(special.log_ndtr(z - safe[..., None]) - special.log_ndtr(z), 0.0)
        with np.errstate(divide="ignore"):
            smaller = (k - 1) * np.log1p(-np.exp(np.minimum(inside, -1e-300)))
        largest = -0.5 * z**2 + (k - 1) * special.log_ndtr(z)
        return np.exp(largest) * -np.expm1(smaller)

    total = k / np.sqrt(2 * np.pi) * _integrate(integrand, low, high)
    return np.where(q <= 0, 1.0, np.clip(total, 0.0, 1.0))


def _dunnett_two_sided(c: Floats, m: int) -> Floats:
    """P(max |T| ≥ c), Tᵢ = (Zᵢ − Z₀)/√2: given Z₀ = z the comparisons are independent."""

    def outside(z: Floats, width: Floats) -> Floats:
        return special.ndtr(z - width) + special.ndtr(-z - width)

    return _dunnett_tail(c, m, outside)


def _dunnett_one_sided(c: Floats, m: int) -> Floats:
    return _dunnett_tail(c, m, lambda z, width: special.ndtr(z - width))


def _dunnett_tail(c: Floats, m: int, outside: Callable[[Floats, Floats], Floats]) -> Floats:
    width = np.sqrt(2.0) * np.clip(c, -REACH, REACH)[..., None]

    def integrand(z: Floats) -> Floats:
        miss = np.minimum(outside(z, width), 1.0)
        with np.errstate(divide="ignore"):
            all_inside = m * np.log1p(-miss)
        return np.exp(-0.5 * z**2) * -np.expm1(all_inside)

    # Tails of the product sit where z has already gone half of the way.
    reach = np.abs(width[..., 0]) / 2 + 10
    total = _integrate(integrand, -reach, reach) / np.sqrt(2 * np.pi)
    return np.clip(total, 0.0, 1.0)


def _integrate(integrand: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    nodes, weights = _legendre(NODES)
    half = np.asarray((high - low) / 2)
    z = np.asarray(low)[..., None] + half[..., None] * (nodes + 1)
    return np.asarray(np.einsum("...i,i->...", integrand(z), weights) * half)


def _average_over_deviation(x: Floats, df: float, tail: Callable[[Floats], Floats]) -> Floats:
    """Average the normal tail over s, the estimated standard deviation on ``df`` degrees."""
    if np.isinf(df):
        return _smoothly(x, tail)
    # The logarithm of s has a smooth density at any df. Small s matter most where x is large:
    # there the tail is still near one, so the lower end follows the largest x.
    largest = float(np.max(x, initial=1.0, where=np.isfinite(x)))
    low = min(
        np.log(2 * special.gammaincinv(df / 2, 1e-16) / df) / 2,
        -np.log(max(largest, 1.0)) - 35 / df,
    )
    high = np.log(special.chdtri(df, 1e-18) / df) / 2 + 1 / np.sqrt(2 * df)
    # The fewer degrees of freedom, the further the density reaches.
    nodes, weights = _legendre(144 + int(320 / df))
    half = (high - low) / 2
    log_s = low + half * (nodes + 1)
    log_density = (
        np.log(2.0)
        + df / 2 * np.log(df / 2)
        - special.gammaln(df / 2)
        + df * log_s
        - df / 2 * np.exp(2 * log_s)
    )
    mass = np.exp(log_density) * weights * half

    def average(values: Floats) -> Floats:
        out = np.empty(values.size)
        for row, value in enumerate(values.reshape(-1)):  # a row of all nodes at a time
            out[row] = np.einsum("...i,i->...", tail(value * np.exp(log_s)), mass)
        return np.clip(out, 0.0, 1.0).reshape(values.shape)

    return np.where(np.isposinf(x), 0.0, _smoothly(np.where(np.isposinf(x), 1.0, x), average))


def _smoothly(x: Floats, tail: Callable[[Floats], Floats]) -> Floats:
    """Evaluate a tail at many points by interpolating a few: its logarithm is smooth in x."""
    if x.size <= 2 * DEGREE:
        return tail(x)
    # Beyond the reach a polynomial does not follow.
    far = x > REACH
    if far.any():
        out = np.empty(x.shape)
        pieces = np.array_split(x[far], 1 + far.sum() * NODES // BLOCK_VALUES)
        out[far], out[~far] = np.concatenate([*map(tail, pieces)]), _smoothly(x[~far], tail)
        return out
    low, high = float(x.min()), float(x.max())
    if high - low < 1e-9:
        return np.broadcast_to(tail(np.array([low])), x.shape).copy()
    angles = np.pi * (np.arange(DEGREE) + 0.5) / DEGREE
    points = np.cos(angles)
    with np.errstate(divide="ignore"):
        logs = np.log(tail(low + (points + 1) * (high - low) / 2))
    if not np.isfinite(logs).all():
        return tail(x)
    series = (np.cos(np.multiply.outer(np.arange(DEGREE), angles)) * logs).sum(axis=1) * 2 / DEGREE
    series[0] /= 2
    scaled = np.clip(2 * (x - low) / (high - low) - 1, -1, 1)
    return np.minimum(np.exp(np.polynomial.chebyshev.chebval(scaled, series)), 1.0)


def _invert(pvalue: Callable[[Floats], Floats], alpha: float) -> float:
    """Find where a falling tail crosses ``alpha``: secant steps on its logarithm, and halving."""
    target = np.log(alpha)

    def excess(q: float) -> float:
        return float(np.log(np.maximum(pvalue(np.array(q)), 1e-300)) - target)

    low, high = 0.0, 4.0
    at_low, at_high = excess(low), excess(high)
    while at_high > 0:
        low, at_low = high, at_high
        high *= 2
        at_high = excess(high)
    for _ in range(100):
        if high - low <= 1e-13 * high:
            break
        guess = low + (high - low) * at_low / (at_low - at_high)
        # A step that stays near one end is replaced by halving, so that both ends close in.
        margin = 0.02 * (high - low)
        guess = min(max(guess, low + min(margin, 1e-9)), high - min(margin, 1e-9))
        value = excess(guess)
        if abs(value) < 1e-13:
            return guess
        if value > 0:
            low, at_low = guess, value
        else:
            high, at_high = guess, value
        middle = (low + high) / 2
        value = excess(middle)
        if value > 0:
            low, at_low = middle, value
        else:
            high, at_high = middle, value
    return (low + high) / 2
