"""Predicted replicability of the two 5x2cv tests, which the jackknife over runs does not fit.

The t test's numerator is one fold that might as well be another, and F has no direction. But if
the ten differences are alike, with mean μ and standard deviation σ, the chance of each verdict
depends on δ = μ/σ alone; the ten at hand tell what δ may be.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.errors import InputError
from twofold.result import Alternative, Interval
from twofold.seeds import rng
from twofold.stats.arguments import Floats
from twofold.stats.resampled import five_by_two_cv_f, five_by_two_cv_t
from twofold.stats.verdicts import pick, quantiles, student_bounds

DRAWS = 100_000


def verdict_5x2(test: str, x: Floats, alpha: float, side: Alternative) -> Floats:
    """Return the present verdict."""
    if test == "5x2cv-t":
        t = np.asarray(five_by_two_cv_t(x, alternative=side, confidence=None).statistic)
        low, high = student_bounds(alpha, side, 5.0)
        return np.asarray((t > high).astype(float) - (t < low).astype(float))
    if side != "two-sided":
        raise InputError("`5x2cv-f` is two-sided only.", "Use `5x2cv-t`.")
    result = five_by_two_cv_f(x)
    return np.sign(np.asarray(result.estimate)) * (np.asarray(result.pvalue) <= alpha)


def agreement_5x2(
    test: str, x: Floats, verdict: Floats, alpha: float, side: Alternative, confidence: float | None
) -> tuple[Floats, Interval | None]:
    """Return the predicted chance that a repetition agrees, and its credible interval."""
    mean, deviation = x.mean(axis=(-2, -1)), x.std(axis=(-2, -1), ddof=1)
    flat = deviation <= 1e-12 * np.abs(mean)
    ratio = np.where(flat, 0.0, mean / np.where(flat, 1.0, deviation))
    # δ given the ten differences, on an even grid by probability.
    spreads = np.sqrt(2 * special.gammaincinv(4.5, (np.arange(24) + 0.5) / 24) / 9)
    shifts = special.ndtri((np.arange(40) + 0.5) / 40) / np.sqrt(10)
    delta = ratio[..., None, None] * spreads[:, None] + shifts[None, :]
    for_a, for_b = _thresholds(test, alpha, side)
    high = np.searchsorted(for_a, delta) / DRAWS
    low = np.searchsorted(for_b, delta) / DRAWS
    agree = np.where(flat[..., None, None], 1.0, pick(verdict[..., None, None], high, low))
    agree = agree.reshape(*mean.shape, -1)
    point = agree.mean(axis=-1)
    return point, None if confidence is None else quantiles(agree, point, confidence)


@lru_cache(maxsize=32)
def _thresholds(
    test: str, alpha: float, side: Alternative
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return, sorted over draws of noise, the δ above which each decides for A, or no longer for B.

    Given the noise z, A is found better exactly if δ lies above a bound that solves the test's
    inequality, so that one set of draws serves every δ.
    """
    z = rng(0, "prediction of 5x2cv").standard_normal((DRAWS, 5, 2))
    pooled = ((z[..., 0] - z[..., 1]) ** 2 / 2).mean(axis=-1)
    if test == "5x2cv-t":
        low, high = student_bounds(alpha, side, 5.0)
        unit = np.sqrt(pooled)
        for_a, for_b = (np.sort(bound * unit - z[:, 0, 0]) for bound in (high, low))
    else:
        centre, spread = z.mean(axis=(-2, -1)), z.var(axis=(-2, -1))
        critical = float(special.fdtri(10, 5, 1 - alpha))
        for_a = np.sort(np.sqrt(np.maximum(critical * pooled - spread, 0.0)) - centre)
        for_b = for_a
    # Noise and its mirror image are equally likely, so that swapping learners mirrors the answer.
    return for_a, -for_a[::-1] if side == "two-sided" else for_b
