"""Means and standard deviations of many samples at once."""

from __future__ import annotations

import numpy as np

from twofold.stats.arguments import LARGEST, Floats, not_finite
from twofold.stats.blocks import work_in_blocks

NOISE = 1e-12
"""Spread below this share of the mean is rounding noise of values that are all the same."""


def mean_and_deviation(x: Floats, name: str = "a") -> tuple[Floats, Floats]:
    """Return mean and sample standard deviation (divisor n − 1) over the last axis.

    Two passes over a block while it is in the cache: as exact as the textbook formula, without a
    temporary of the input's size. Refuses values that are not finite, which show in the sums.
    """
    shape, n = x.shape[:-1], x.shape[-1]
    flat = x.reshape(-1, n)
    mean = np.empty(len(flat))
    squares = np.empty(len(flat))

    def work(rows: slice) -> None:
        block = flat[rows]
        with np.errstate(all="ignore"):  # overflow is looked at below
            centre = np.einsum("ij->i", block) / n
            rest = block - centre[:, None]
            mean[rows] = centre
            np.einsum("ij,ij->i", rest, rest, out=squares[rows])

    work_in_blocks(len(flat), n, work)
    deviation = np.sqrt(squares / max(1, n - 1))
    _repair_extremes(flat, mean, deviation, name)
    deviation[deviation <= NOISE * np.abs(mean)] = 0.0
    return mean.reshape(shape), deviation.reshape(shape)


def _repair_extremes(flat: Floats, mean: Floats, deviation: Floats, name: str) -> None:
    """Compute rows again, scaled, whose squares left the range of floating-point numbers."""
    odd = np.flatnonzero(~(np.isfinite(mean) & np.isfinite(deviation)) | (deviation < 1e-140))
    if not odd.size:
        return
    rows = flat[odd]
    if not np.abs(rows).max() <= LARGEST:
        raise not_finite(name, flat)
    scale = np.abs(rows).max(axis=-1)
    scale[scale == 0] = 1.0
    small = rows / scale[:, None]
    mean[odd] = small.mean(axis=-1) * scale
    deviation[odd] = small.std(axis=-1, ddof=1 if flat.shape[1] > 1 else 0) * scale
