"""Order statistics of the Walsh averages, the means of all pairs of values, without all of them.

Of n values there are n(n + 1)/2 such means, two million of 2,000 values. Most rows are done by
bins (`twofold.stats.walsh_bins`). The others have many equal values, or values far away: how many
means are at most t is counted quickly where the values are sorted, so bounds are found between
which only few means lie, and these few are made and sorted (as Monahan 1984 does; the first guess
comes from the means of some of the values). The answers are those of sorting them all, to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.stats.arguments import Floats
from twofold.stats.blocks import work_in_blocks
from twofold.stats.walsh_bins import select_by_bins

BINS_FROM = 40
"""Values from which bins are quicker than sorting all means."""

AT_ONCE = 2048
"""Values whose bins are looked at together: more rows take memory that is not in the cache."""

SORTED_UP_TO = 120
"""Values of which all means are sorted where bins do not help."""

GUESSED_FROM = 64
"""Values whose means are the first guess."""

MOST_STEPS = 60
"""Steps to narrow the bounds; where more means than usual are equal, they are taken as they are."""


def walsh_quantiles(x: Floats, low: int, high: int) -> tuple[Floats, Floats, Floats]:
    """Return the median of the means, and the means with two ranks, for each row (rows, n).

    Ranks are counted from 0.
    """
    rows, n = x.shape
    count = n * (n + 1) // 2
    ranks = np.array([[low, low], [(count - 1) // 2, count // 2], [high, high]])
    ends = np.empty((rows, 3, 2))

    def work(part: slice) -> None:
        if n < BINS_FROM:
            ends[part] = _means(x[part])[:, ranks]
            return
        step = max(1, AT_ONCE // n)
        for start in range(part.start, part.stop, step):
            now = slice(start, min(start + step, part.stop))
            ordered = np.sort(x[now], axis=-1)
            ends[now], able = select_by_bins(ordered, ranks)
            if not able.all():
                ends[now][~able] = _select(ordered[~able], ranks)

    work_in_blocks(rows, count if n < BINS_FROM else 8 * n, work)
    middle = ends[:, 1, 0] / 2 + ends[:, 1, 1] / 2
    return middle, ends[:, 0, 0], ends[:, 2, 0]


def _select(ordered: Floats, ranks: Any) -> Floats:
    """Return the means with ranks (targets, 2) of sorted rows, whatever the values are."""
    n = ordered.shape[1]
    if n <= SORTED_UP_TO:
        return np.asarray(_means(ordered)[:, ranks])
    count = n * (n + 1) // 2
    with np.errstate(over="ignore", invalid="ignore"):  # guesses may be wrong
        guesses, slopes = _guess(ordered, ranks[:, 0] / count, count)
        selections = (_Selection(row, ranks) for row in ordered)
        return np.array([s.run(*g) for s, *g in zip(selections, guesses, slopes, strict=True)])


def _means(x: Floats) -> Floats:
    """Return all means of pairs in each row, sorted."""
    first, second = np.triu_indices(x.shape[1])
    means = x[:, first] / 2 + x[:, second] / 2
    means.sort(axis=-1)
    return np.asarray(means)


def _guess(ordered: Floats, shares: Floats, count: int) -> tuple[Floats, Floats]:
    """Return about where the means lie that have these shares below, and what a rank is worth."""
    n = ordered.shape[1]
    means = _means(ordered[:, (np.arange(GUESSED_FROM) * 2 + 1) * n // (2 * GUESSED_FROM)])
    last, near = means.shape[1] - 1, means.shape[1] // 50
    index = np.clip((shares * last).astype(np.intp), near, last - near)
    slopes = (means[:, index + near] - means[:, index - near]) / (2 * near)
    return means[:, index], slopes * means.shape[1] / count


@dataclass(slots=True)
class _Bound:
    """A bound for each of several ranks; row i's means at most that are those up to ``end``."""

    value: Floats
    end: Any
    count: Any

    def update(self, better: Any, value: Floats, end: Any, count: Any) -> None:
        self.value = np.where(better, value, self.value)
        self.end = np.where(better[:, None], end, self.end)
        self.count = np.where(better, count, self.count)


class _Selection:
    """The means of the sorted values of a row whose ranks lie from ``ranks[:, 0]`` to ``[:, 1]``.

    Equal values are counted, and looked at once.
    """

    def __init__(self, ordered: Floats, ranks: Any) -> None:
        starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
        self.half = ordered[starts] / 2
        self.times = np.diff(starts, append=len(ordered))
        self.before = np.append(starts, len(ordered))  # as many values stand before each
        self.same = self.times * (self.times - 1) // 2  # pairs of equal values count once
        self.index = np.arange(len(starts))
        self.first, self.last = ranks.T
        rows = len(ranks), len(starts)
        total = len(ordered) * (len(ordered) + 1) // 2
        low, high = np.broadcast_to(self.index, rows), np.full(rows, len(starts))
        self.low = _Bound(np.full(rows[0], -np.inf), low, np.zeros(rows[0], dtype=np.intp))
        self.high = _Bound(np.full(rows[0], np.inf), high, np.full(rows[0], total))

    def split(self, bounds: Floats) -> tuple[Any, Any]:
        """Return, for each bound and value, with which value its larger means begin; and a count.

        A pair of values belongs to the one that stands first.
        """
        end = np.searchsorted(self.half, bounds[:, None] - self.half, side="right")
        end = np.maximum(end, self.index)
        pairs = self.times * (self.before[end] - self.before[:-1]) - self.same * (end > self.index)
        return end, pairs.sum(axis=-1)

    def narrow(self, bounds: Floats) -> Any:
        """Take these values as bounds where they fit; return how many means are up to them."""
        end, count = self.split(bounds)
        self.low.update((count <= self.first) & (bounds > self.low.value), bounds, end, count)
        self.high.update((count > self.last) & (bounds < self.high.value), bounds, end, count)
        return count

    def run(self, guess: Floats, slope: Floats) -> Floats:
        """Return the means with the first and the last rank, (ranks, 2)."""
        few = 2 * len(self.index)
        size = float(np.abs(self.half).max())
        slope = np.maximum(slope, (self.half[-1] - self.half[0]) * 1e-9)
        bounds, reach = guess, len(self.before) / 4
        for step in range(MOST_STEPS):
            many = (self.high.end - self.low.end).sum(axis=-1) > few
            if not many.any():
                break
            count = self.narrow(bounds)
            missing = self.first + 0.5 - count
            # A little farther than seems right, so that the next bound lies on the other side.
            beyond = bounds + slope * (missing + np.sign(missing) * (np.abs(missing) / 4 + reach))
            bounds = self.between(step) if step > 1 else beyond
            reach *= 4
        noise = 8 * np.finfo(float).eps * size
        return np.array([self.pick(target, noise) for target in range(len(self.first))])

    def between(self, step: int) -> Floats:
        """Return values between the bounds: by their counts, and by halves in every third step."""
        low = np.where(np.isinf(self.low.value), 2 * self.half[0], self.low.value)
        high = np.where(np.isinf(self.high.value), 2 * self.half[-1], self.high.value)
        share = (self.first + 0.5 - self.low.count) / (self.high.count - self.low.count)
        share = np.clip(share, 0.02, 0.98) if step % 3 else np.full(len(low), 0.5)
        return np.asarray(low + share * (high - low))

    def pick(self, target: int, noise: float) -> tuple[float, float]:
        """Return the means with the ranks of a target, from among those between its bounds."""
        while True:
            begin, end = self.low.end[target], self.high.end[target]
            count = end - begin
            i = np.repeat(self.index, count)
            j = np.arange(len(i)) + np.repeat(begin - np.cumsum(count) + count, count)
            means = self.half[i] + self.half[j]
            order = np.argsort(means)
            weight = (self.times[i] * self.times[j] - self.same[i] * (i == j))[order]
            reached = self.low.count[target] + np.cumsum(weight)
            ranks = self.first[target], self.last[target]
            first, last = means[order[np.searchsorted(reached, ranks, side="right")]]
            low, high = self.low.value[target], self.high.value[target]
            # Rounding errors put means this close to a bound on either side of it.
            if low + noise <= first and last <= high - noise:
                return first, last
            bounds = np.array([low - 2 * noise, high + 2 * noise])
            ends, counts = self.split(bounds)
            self.low.value[target], self.high.value[target] = bounds
            self.low.end[target], self.high.end[target] = ends
            self.low.count[target], self.high.count[target] = counts
