"""Order statistics of the means of all pairs of values, from how the values fall into bins.

Two values in bins p and q of equal width have a sum that lies in p + q or the bin after it. How
many pairs of values have each p + q is the convolution of the counts with themselves. So the few
pairs are found that may have a rank, and only their sums are made. Rounding keeps the order of
sums, so that the answers are those of sorting them all, to the bit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.stats.arguments import Floats

BINS = 2
"""Bins for each value, at least."""

MOST_PAIRS = 16
"""Pairs that may have a rank, for each value, up to which they are looked at."""


def select_by_bins(ordered: Floats, ranks: Any) -> tuple[Floats, Any]:
    """Return the means with ranks (targets, 2) of sorted rows, and for which rows it was possible.

    The two ranks of a target are equal or follow each other. It is not possible where too many
    values share a bin, since they are equal or another one lies far away.
    """
    rows, n = ordered.shape
    half = ordered / 2
    bins = 1 << (BINS * n - 1).bit_length()
    with np.errstate(all="ignore"):  # rows without a width are not possible
        position = half - half[:, :1]
        position *= (bins - 1) / position[:, -1:]
    able = np.isfinite(position[:, -1])
    position[~able] = 0.0
    own = position.astype(np.intp)
    row = np.arange(rows)[:, None]
    counts = np.bincount((own + row * bins).ravel(), minlength=rows * bins).reshape(rows, bins)
    able &= np.count_nonzero(counts, axis=1) * MOST_PAIRS >= n
    if not able.any():
        return np.full((rows, *ranks.shape), np.nan), able
    fewer = _count_pairs(counts)
    # One search through all rows, each of which begins where the row before it ended.
    shift = row[..., None] * (n * (n + 1) // 2)
    sums = np.searchsorted((fewer + shift[..., 0]).ravel(), ranks + shift, side="right")
    sums -= row[..., None] * fewer.shape[1] + 1
    # One bin farther on either side than exact arithmetic would need.
    low, high = np.maximum(sums[..., 0] - 2, 0), sums[..., 1] + 3
    skipped = np.take_along_axis(fewer, low, axis=1).astype(np.intp)
    before = np.zeros((rows, bins + 1), dtype=np.intp)
    np.cumsum(counts, axis=1, out=before[:, 1:])
    # A pair of values belongs to the one that stands first: others follow from begin to end.
    ends_of_rows = row[..., None] * (bins + 1)
    begin, end = (
        np.maximum(
            before.ravel()[np.clip(edge[..., None] - own[:, None], 0, bins) + ends_of_rows],
            np.arange(n),
        )
        for edge in (low, high)
    )
    size = end - begin
    able &= size.sum(axis=-1).max(axis=-1) <= MOST_PAIRS * n
    size[~able] = 0
    return _pick(half, begin, size, ranks - skipped[..., None]), able


def _count_pairs(counts: Any) -> Floats:
    """Return how many pairs of values have bins whose numbers add up to less than 0, 1, …

    A value makes a pair with itself, too.
    """
    bins = counts.shape[1]
    waves = np.fft.rfft(counts, 2 * bins)
    pairs = np.rint(np.fft.irfft(waves * waves, 2 * bins))  # in either order
    pairs[:, ::2] += counts
    fewer = np.zeros((len(counts), 2 * bins + 1))
    np.cumsum(pairs, axis=1, out=fewer[:, 1:])
    fewer /= 2
    return fewer


def _pick(half: Floats, begin: Any, size: Any, ranks: Any) -> Floats:
    """Return the means with ranks (rows, targets, 2) among those that each value begins.

    It begins as many as its size (rows, targets, values), with other values from ``begin`` on.
    """
    rows, n = half.shape
    times = size.ravel()
    stops = np.cumsum(times)
    start_of_row = np.arange(rows)[:, None, None] * n
    other = np.repeat((begin + start_of_row).ravel() - stops + times, times)
    other += np.arange(len(other))
    means = np.repeat(np.broadcast_to(half[:, None], size.shape).ravel(), times)
    means += half.ravel()[other]
    ends = np.full(ranks.shape, np.nan)
    stop = 0
    for target in np.ndindex(ranks.shape[:2]):
        start, stop = stop, int(stops[(target[0] * ranks.shape[1] + target[1] + 1) * n - 1])
        if stop > start:
            part = means[start:stop]
            part.partition(ranks[target])
            ends[target] = part[ranks[target]]
    return ends
