"""Bounds on the z of the Wilcoxon signed-ranks test, without sorting.

Absolute differences are counted in bins of equal width. The rank of a difference lies among those
of its bin and the two beside it, whatever is tied; so do the sum of signed ranks and its variance.
A test that needs no more than which side of a critical value z is on is decided by that nearly
always.
"""

from __future__ import annotations

import numpy as np

from twofold.stats.arguments import ROUNDING, Floats

BINS = 512


def bound_z(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Return the smallest and the largest |z| that `wilcoxon` may find in each row of scores.

    That is z with its variance given the ties, and with zeros split or left out.
    """
    rows, n = a.shape
    x = a - b
    size = np.abs(x)
    largest = size.max(axis=-1)
    # Where bins are not far wider than rounding errors, ties may reach over several of them.
    noise = n * ROUNDING * np.maximum(np.abs(a).max(axis=-1), np.abs(b).max(axis=-1))
    able = largest > 4 * BINS * noise
    size *= ((BINS - 1) / np.where(able, largest, np.inf))[:, None]
    index = size.astype(np.intp)
    index += (x > 0) * BINS + np.arange(0, 2 * rows * BINS, 2 * BINS)[:, None]
    counts = np.bincount(index.ravel(), minlength=2 * rows * BINS).reshape(rows, 2, BINS)
    minus, plus = counts[:, 0], counts[:, 1]
    both = (plus + minus).astype(float)
    middle = np.cumsum(both, axis=-1) - (both - 1) / 2
    reach = both.copy()
    reach[:, 1:] += both[:, :-1]
    reach[:, :-1] += both[:, 1:]
    total = np.abs(np.einsum("ij,ij->i", (plus - minus).astype(float), middle))
    # An odd number of zeros takes one off every rank.
    doubt = np.einsum("ij,ij->i", both, reach) + n
    low = np.maximum(middle - reach - 1, 0.0)
    high = middle + reach
    smallest, greatest = (np.einsum("ij,ij,ij->i", both, end, end) for end in (low, high))
    with np.errstate(divide="ignore"):
        upper = (total + doubt) / np.sqrt(smallest)
    lower = np.maximum(total - doubt, 0.0) / np.sqrt(greatest)
    return np.where(able, lower, 0.0), np.where(able, upper, np.inf)
