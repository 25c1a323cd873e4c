"""Bounds on the z of the Wilcoxon signed-ranks test, without sorting, and on its exact p.

Absolute differences are counted in bins of equal width. The rank of a difference lies among those
of its bin and the two beside it, whatever is tied; so do the sum of signed ranks and its variance.
A test that needs no more than which side of a critical value z is on is decided by that nearly
always.
"""

from __future__ import annotations

import numpy as np

from twofold.stats.arguments import ROUNDING, Floats
from twofold.stats.signed_rank import cdf_without_ties, rank_differences, tie_tolerance

BINS = 512


def bound_z(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the smallest and the largest |z| that `wilcoxon` may find in each row of scores.

    That is z with its variance given the ties, and with zeros split or left out.
    """
    rows, n = a.shape
    size = a - b
    ahead = size > 0
    np.abs(size, out=size)
    largest = size.max(axis=-1)
    # Where bins are not far wider than rounding errors, ties may reach over several of them.
    noise = n * ROUNDING * np.maximum(np.abs(a).max(axis=-1), np.abs(b).max(axis=-1))
    able = largest > 4 * BINS * noise
    size *= ((BINS - 1) / np.where(able, largest, np.inf))[:, None]
    index = size.astype(np.intp)
    del size  # threads do this at the same time: what is needed no more goes at once
    index += ahead * BINS
    index += np.arange(0, 2 * rows * BINS, 2 * BINS)[:, None]
    counts = np.bincount(index.ravel(), minlength=2 * rows * BINS).reshape(rows, 2, BINS)
    del index
    minus, plus = counts[:, 0], counts[:, 1]
    both = np.add(plus, minus, dtype=np.float64)
    balance = np.subtract(plus, minus, dtype=np.float64)
    del counts, minus, plus
    middle = np.cumsum(both, axis=-1)
    middle -= (both - 1) / 2
    reach = both.copy()
    reach[:, 1:] += both[:, :-1]
    reach[:, :-1] += both[:, 1:]
    total = np.abs(np.einsum("ij,ij->i", balance, middle))
    # An odd number of zeros takes one off every rank.
    doubt = np.einsum("ij,ij->i", both, reach) + n
    high = np.add(middle, reach, out=balance)
    greatest = np.einsum("ij,ij,ij->i", both, high, high)
    low = np.subtract(middle, reach, out=middle)
    low -= 1
    np.maximum(low, 0.0, out=low)
    smallest = np.einsum("ij,ij,ij->i", both, low, low)
    with np.errstate(divide="ignore"):
        upper = (total + doubt) / np.sqrt(smallest)
    lower = np.maximum(total - doubt, 0.0) / np.sqrt(greatest)
    return np.where(able, lower, 0.0), np.where(able, upper, np.inf)


def bound_exact_p(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the smallest and the largest exact two-sided p of `wilcoxon` for each row of scores.

    With ties each pattern has its own distribution. But a sum of average ranks is never further
    from that of the ranks 1 … N, picked by the same coins, than half the sum of their distances;
    so the distribution without ties, at a sum that much smaller or larger, bounds it. Rows with
    zero differences have no bounds.
    """
    x = a - b
    ranked = rank_differences(x, tie_tolerance(a, b, x))
    n = x.shape[-1]
    r_plus = np.einsum("ij,ij->i", ranked.ranks, ranked.positive)
    moved = np.abs(ranked.ranks - np.arange(1.0, n + 1)).sum(axis=-1) / 2
    cdf = cdf_without_ties(n)
    low, high = (
        np.minimum(_tail(cdf, r_plus + reach), _tail(cdf, len(cdf) - 1 - r_plus + reach))
        for reach in (-moved, moved)
    )
    zeros = ranked.ranks[:, 0] == 0
    # Both ends give way to rounding errors.
    low = np.where(zeros, 0.0, np.minimum(2 * low * (1 - 1e-9), 1.0))
    return low, np.where(zeros, 1.0, np.minimum(2 * high * (1 + 1e-9), 1.0))


def _tail(cdf: Floats, end: Floats) -> Floats:
    """Return P(W ≤ end) for sums that may lie between or beyond whole numbers."""
    index = np.floor(end + 1e-9).astype(np.intp)
    return np.where(index < 0, 0.0, cdf[np.clip(index, 0, len(cdf) - 1)])
