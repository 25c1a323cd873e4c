"""Tail probabilities and quantiles of the reference distributions.

Everything comes from scipy.special, which loads in a fraction of the time of scipy.stats.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from twofold.result import Alternative
from twofold.stats.arguments import Floats
from twofold.stats.blocks import work_in_blocks


def student_pvalue(t: Floats, df: Floats | float, alternative: Alternative) -> Floats:
    """Return P(T as extreme as t); an infinite df means the normal distribution."""
    signed = _towards_tail(np.asarray(t, dtype=np.float64), alternative)
    freedom = np.broadcast_to(np.asarray(df, dtype=np.float64), signed.shape)
    tail = np.empty(signed.shape)
    flat, out, dfs = signed.reshape(-1), tail.reshape(-1), freedom.reshape(-1)

    def work(part: slice) -> None:
        normal = np.isinf(dfs[part])
        if normal.any():
            out[part] = np.where(
                normal,
                special.ndtr(flat[part]),
                special.stdtr(np.where(normal, 1.0, dfs[part]), flat[part]),
            )
        else:
            out[part] = special.stdtr(dfs[part], flat[part])

    # One value of t costs about as much as forty additions.
    work_in_blocks(flat.size, 40, work)
    return _double_tail(tail, alternative)


def student_quantile(probability: Floats | float, df: Floats | float) -> Floats:
    """Return the t quantile; an infinite df means the normal distribution."""
    dfs = np.asarray(df, dtype=np.float64)
    finite = np.where(np.isinf(dfs), 1.0, dfs)
    return np.where(np.isinf(dfs), special.ndtri(probability), special.stdtrit(finite, probability))


def normal_pvalue(z: Floats, alternative: Alternative) -> Floats:
    """Return the normal tail probability of z."""
    return _double_tail(special.ndtr(_towards_tail(z, alternative)), alternative)


def chi2_pvalue(x: Floats, df: Floats | float) -> Floats:
    """Return P(χ² ≥ x)."""
    return np.asarray(special.chdtrc(df, x))


def f_pvalue(x: Floats, df1: Floats | float, df2: Floats | float) -> Floats:
    """Return P(F ≥ x); 0 for an infinite statistic."""
    x = np.asarray(x, dtype=np.float64)
    finite = np.isfinite(x)
    return np.where(finite, special.fdtrc(df1, df2, np.where(finite, x, 1.0)), 0.0)


def binomial_pvalue(wins: Floats, n: Floats, alternative: Alternative) -> Floats:
    """Return the exact p value of ``wins`` of ``n`` against a fair coin."""
    wins, n = np.broadcast_arrays(np.asarray(wins, float), np.asarray(n, float))
    if alternative == "greater":
        return _binomial_upper(wins, n)
    if alternative == "less":
        return _binomial_upper(n - wins, n)
    return np.minimum(1.0, 2 * _binomial_upper(np.maximum(wins, n - wins), n))


def _binomial_upper(wins: Floats, n: Floats) -> Floats:
    """P(X ≥ wins) for a fair coin; betainc is exact there and keeps tiny tails."""
    inside = wins >= 1
    safe = np.where(inside, wins, 1.0)
    return np.where(inside, special.betainc(safe, np.maximum(n - safe, 0) + 1, 0.5), 1.0)


def _towards_tail(t: Floats, alternative: Alternative) -> Floats:
    if alternative == "two-sided":
        return -np.abs(t)
    return -t if alternative == "greater" else t


def _double_tail(tail: Floats, alternative: Alternative) -> Floats:
    return np.minimum(1.0, 2.0 * tail) if alternative == "two-sided" else tail
