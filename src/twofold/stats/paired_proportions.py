"""The difference of two accuracies on one test set, against zero or any other difference.

McNemar's test asks whether two classifiers are equally accurate. Whether one is worse by less than
a margin needs a null hypothesis with a difference in it: Tango's score test (1998).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Alternative, Interval, Result
from twofold.stats.arguments import (
    Floats,
    broadcast_counts,
    check_alternative,
    counts,
    floats,
    probability,
)
from twofold.stats.counts import note_no_discordance
from twofold.stats.distributions import normal_pvalue
from twofold.stats.t_tests import plain

HALVINGS = 60
"""Steps that find the end of an interval: each halves where it may lie."""


def tango(
    n01: ArrayLike,
    n10: ArrayLike,
    n: ArrayLike,
    *,
    difference: ArrayLike = 0.0,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
    guarded: bool = False,
) -> Result:
    """Compare two classifiers on one test set by Tango's score test for paired proportions.

    The statistic is (n10 − n01 − nδ) / √(n (2q + δ(1 − δ))), where δ is the difference of
    accuracies under the null hypothesis and q the most likely share of examples that A alone
    misclassifies, given that difference. With δ = 0 its square is McNemar's χ² without
    continuity correction.

    Parameters
    ----------
    n01, n10 : counts
        Examples that only A, and only B, misclassifies (see `disagreements`).
    n : counts
        Size of the test set.
    difference : number
        Accuracy of A − B under the null hypothesis, between −1 and 1.
    alternative : {"two-sided", "less", "greater"}
        "greater": the accuracy of A exceeds that of B by more than ``difference``.
    confidence : float or None
        Level of the score interval for the difference, which inverts the test.
    guarded : bool
        For a one-sided test of one pair of counts: where few examples may be discordant, p is at
        least the exact probability of such a statistic for any share of them that the data allow
        (Berger & Boos 1994). The normal distribution is too sure there.

    Notes
    -----
    Null hypothesis: on new examples the accuracies of A and B differ by ``difference``.

    Examples
    --------
    >>> result = tango(1, 7, 21)
    >>> round(result.interval.low, 3), round(result.interval.high, 3)
    (0.026, 0.517)
    """
    side = check_alternative(alternative)
    only_a, only_b, size, null = broadcast_counts(
        counts("n01", n01), counts("n10", n10), counts("n", n), floats("difference", difference)
    )
    if (only_a + only_b > size).any() or (size < 1).any():
        raise InputError(
            "`n` must be at least n01 + n10 and at least 1.",
            "Pass the size of the whole test set.",
        )
    if (np.abs(null) >= 1).any():
        raise InputError(
            "A difference, or margin, must lie between −1 and 1: accuracies do not differ by more.",
            "Pass a difference of shares, as 0.01.",
        )
    z = _score(only_a, only_b, size, null)
    nothing = (only_a + only_b == 0) & (null == 0)
    pvalue = normal_pvalue(z, side)
    if guarded and z.ndim == 0 and side != "two-sided":
        pvalue = np.maximum(pvalue, find_exact_bound(only_a, only_b, size, null, side))
    interval = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        interval = _invert(only_a, only_b, size, side, level)
    return Result(
        method="tango",
        statistic=plain(z),
        pvalue=plain(np.where(nothing, 1.0, pvalue)),
        df=None,
        estimate=plain((only_b - only_a) / size),
        interval=interval,
        alternative=side,
        null="On new examples the accuracies of A and B differ by the given difference.",
        n=int(np.max(size)),
        notes=tuple(note_no_discordance(nothing)),
    )


def _score(only_a: Floats, only_b: Floats, n: Floats, difference: Floats) -> Floats:
    """Return the score statistic at a difference of accuracies."""
    linear = -only_a - only_b + (2 * n - only_b + only_a) * difference
    constant = -only_a * difference * (1 - difference)
    root = np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0))
    # The larger root of the quadratic, written so that no digits cancel.
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(linear > 0, -2 * constant / (root + linear), (root - linear) / (4 * n))
    variance = n * (2 * share + difference * (1 - difference))
    gap = only_b - only_a - n * difference
    safe = np.where(variance > 0, variance, 1.0)
    limit = np.where(gap == 0, 0.0, np.copysign(np.inf, gap))
    return np.where(variance > 0, gap / np.sqrt(safe), limit)


def _invert(
    only_a: Floats, only_b: Floats, n: Floats, side: Alternative, confidence: float
) -> Interval:
    """Return the differences that the test does not reject."""
    tail = (1 - confidence) / (2 if side == "two-sided" else 1)
    bound = -special.ndtri(tail)
    estimate = (only_b - only_a) / n
    low, high = np.full(estimate.shape, -1.0), np.full(estimate.shape, 1.0)
    if side != "less":
        low = _solve(only_a, only_b, n, np.full(estimate.shape, -1.0), estimate, bound)
    if side != "greater":
        high = _solve(only_a, only_b, n, np.full(estimate.shape, 1.0), estimate, bound)
    return Interval(plain(low), plain(high), confidence)


def _solve(
    only_a: Floats, only_b: Floats, n: Floats, outside: Floats, inside: Floats, bound: float
) -> Floats:
    """Return where |z| reaches the bound, between a rejected difference and the estimate."""
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        rejected = np.abs(_score(only_a, only_b, n, middle)) > bound
        outside, inside = np.where(rejected, middle, outside), np.where(rejected, inside, middle)
    # At an estimate of ±1 nothing lies beyond it.
    return np.where(np.abs(inside) > 1 - 1e-15, np.sign(inside), inside)


FEW = 60.0
"""Discordant examples that may be expected where probabilities are summed up."""
MOST = 150
"""More of either kind than these do not occur where so few are expected."""
REGION = 1e-4
"""How probably the true share of discordant examples lies outside of those that are tried."""


def find_exact_bound(
    only_a: Floats, only_b: Floats, n: Floats, difference: Floats, side: Alternative
) -> float:
    """Return the largest exact p value over the shares of discordant examples that may be."""
    size, seen = float(n), float(only_a + only_b)
    low = 0.0 if seen == 0 else float(special.betaincinv(seen, size - seen + 1, REGION / 2))
    high = 1.0
    if seen < size:
        high = float(special.betaincinv(seen + 1, size - seen, 1 - REGION / 2))
    gap = float(difference)
    # Both kinds have a share: no fewer are discordant than the difference of the two.
    low, high = max(low, abs(gap) * (1 + 1e-9), 1e-12), min(high, FEW / size, 1.0)
    if low > high:
        return 0.0
    most = int(min(MOST, size))
    a, b = (grid.ravel().astype(np.float64) for grid in np.indices((most + 1, most + 1)))
    fits = a + b <= size
    a, b = a[fits], b[fits]
    z = _score(a, b, np.full(a.shape, size), np.full(a.shape, gap))
    own = float(_score(only_a, only_b, n, difference))
    extreme = z >= own - 1e-9 if side == "greater" else z <= own + 1e-9
    a, b = a[extreme], b[extreme]
    ways = special.gammaln(size + 1) - special.gammaln(a + 1) - special.gammaln(b + 1)
    ways = ways - special.gammaln(size - a - b + 1)
    shares = np.geomspace(low, high, 40)
    totals = []
    for share in shares.tolist():
        of_a, of_b = max((share - gap) / 2, 1e-300), max((share + gap) / 2, 1e-300)
        logs = ways + a * np.log(of_a) + b * np.log(of_b)
        logs += (size - a - b) * np.log1p(-min(share, 1 - 1e-12))
        totals.append(float(np.exp(logs).sum()))
    return min(1.0, max(totals) + REGION)
