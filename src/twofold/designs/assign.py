"""Dealing rows out at random: evenly, by class, and whole groups at a time.

Rows are put into a random order, then sorted by class without disturbing that order within a class.
Dealing them out one by one, round and round, leaves every class and every fold with sizes that
differ by one at most. Taking rows from that order at even steps does the same for a share of them.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]
# How many random choices of groups are looked at for the one whose classes are most alike.
TRIES = 8


def shuffled(strata: NDArray[np.int16] | None, rows: int, rng: np.random.Generator) -> Places:
    """Return all rows in random order, sorted by stratum where there are strata."""
    order: Places = rng.permutation(rows)
    if strata is None:
        return order
    # A stable sort of small integers counts instead of comparing.
    return order[np.argsort(strata[order], kind="stable")]


def into_folds(order: Places, turns: Places, folds: int, rng: np.random.Generator) -> Places:
    """Deal rows out into folds; which fold gets the surplus is left to chance.

    ``turns`` are 0, 1, …, folds − 1, 0, 1, … for as many rows as there are.
    """
    result = np.empty(len(order), dtype=np.intp)
    result[order] = rng.permutation(folds)[turns]
    return result


def even_steps(rows: int, chosen: int) -> NDArray[np.bool_]:
    """Mark ``chosen`` of ``rows`` places on a circle at even steps, twice around.

    Any stretch of it as long as the circle has ``chosen`` marks, and each part of a stretch its
    share of them, but for less than one.
    """
    steps = np.arange(2 * rows + 1, dtype=np.int64) * chosen // rows
    marked: NDArray[np.bool_] = np.diff(steps) > 0
    return marked


def share_of(rows: int, share: Fraction) -> int:
    """Return the share of the rows as a number of rows, halves rounded up."""
    return int(share * rows + Fraction(1, 2))


def groups_into_folds(
    groups: Places, strata: NDArray[np.int16] | None, folds: int, rng: np.random.Generator
) -> Places:
    """Give whole groups to folds, keeping sizes and classes as even as they can be kept.

    Large groups come first, but groups of similar size (within a factor of two) in random order:
    strictly by size, every run would be the same. Each goes where the squared distance from an
    even share, relative to that share, grows least.
    """
    counts = _counts(groups, strata)
    sizes = counts[:, 0]
    order = rng.permutation(len(sizes))
    magnitude = np.frexp(sizes)[1]
    order = order[np.argsort(-magnitude[order], kind="stable")]
    wanted = counts.sum(axis=0) / folds
    excess = np.tile(-wanted, (folds, 1))
    labels = rng.permutation(folds)  # which of several equal folds comes first
    home = np.empty(len(sizes), dtype=np.intp)
    relative = counts / wanted
    for group in order:
        best = int(np.argmin(excess @ relative[group]))
        home[group] = labels[best]
        excess[best] += counts[group]
    return home[groups]


def groups_for_test(
    groups: Places, strata: NDArray[np.int16] | None, wanted: int, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Choose whole groups at random whose sizes add up to about ``wanted`` rows.

    Of a few random choices the one is taken whose size and classes come closest.
    """
    counts = _counts(groups, strata)
    share = counts.sum(axis=0) * (wanted / len(groups))
    best, least = np.zeros(len(counts), dtype=bool), np.inf
    for _ in range(TRIES):
        order = rng.permutation(len(counts))
        reached = np.cumsum(counts[order, 0])
        # One group at least on either side, whatever the sizes say.
        last = min(int(np.argmin(np.abs(reached - wanted))), len(counts) - 2)
        chosen = np.zeros(len(counts), dtype=bool)
        chosen[order[: last + 1]] = True
        distance = float((((counts[chosen].sum(axis=0) - share) ** 2) / share).sum())
        if distance < least:
            best, least = chosen, distance
    return best[groups]


def _counts(groups: Places, strata: NDArray[np.int16] | None) -> NDArray[np.float64]:
    """Return for each group its size, then its rows of each class."""
    number = int(groups.max()) + 1
    sizes = np.bincount(groups, minlength=number).astype(np.float64)[:, None]
    if strata is None:
        return sizes
    classes = int(strata.max()) + 1
    cells = np.bincount(groups * classes + strata, minlength=number * classes)
    by_class = cells.reshape(number, classes)
    return np.hstack([sizes, by_class[:, by_class.any(axis=0)]])
