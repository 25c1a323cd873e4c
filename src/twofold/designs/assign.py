"""Assigning rows at random: evenly, by class, and whole groups at a time.

Rows are put into a random order, then sorted by class without disturbing that order within a class.
Assigning them in turn leaves every class and every fold with sizes that differ by one at most.
Taking rows from that order at even steps does the same for a share of them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from twofold.designs.run import Rows

# How many random choices of groups are looked at for the one whose classes are most alike.
TRIES = 8


def shuffle(strata: NDArray[np.int16] | None, rows: int, rng: np.random.Generator) -> Rows:
    """Return all rows in random order, sorted by stratum where there are strata."""
    order: Rows = rng.permutation(rows)
    if strata is None:
        return order
    # A stable sort of small integers counts instead of comparing.
    return order[np.argsort(strata[order], kind="stable")]


def assign_in_turn(order: Rows, folds: int, rng: np.random.Generator) -> Rows:
    """Assign rows to folds in turn; which fold gets the surplus is random."""
    result = np.empty(len(order), dtype=np.intp)
    result[order] = rng.permutation(folds)[_count_round(len(order), folds)]
    return result


@lru_cache(maxsize=1)
def _count_round(rows: int, folds: int) -> Rows:
    """Return 0 … folds − 1, again and again; the same for every run."""
    return np.arange(rows) % folds


def choose_tested(
    groups: Rows | None,
    strata: NDArray[np.int16] | None,
    rows: int,
    share: Fraction,
    rng: np.random.Generator,
) -> tuple[NDArray[np.bool_], Rows]:
    """Choose a share of the rows, or whole groups, to test on.

    Returns which rows are tested, and the others in the order in which they were shuffled.
    """
    size = count_share(rows, share)
    if groups is not None:
        tested = choose_groups(groups, strata, size, rng)
        return tested, np.flatnonzero(~tested)
    order = shuffle(strata, rows, rng)
    start = int(rng.integers(rows))
    marks = mark_even_steps(rows, size)[start : start + rows]
    tested = np.empty(rows, dtype=bool)
    tested[order] = marks
    return tested, order[~marks]


def mark_even_steps(rows: int, chosen: int) -> NDArray[np.bool_]:
    """Mark ``chosen`` of ``rows`` positions on a circle at even steps, twice around.

    Any stretch of it as long as the circle has ``chosen`` marks, and each part of a stretch its
    share of them, but for less than one.
    """
    steps = np.arange(2 * rows + 1, dtype=np.int64) * chosen // rows
    marked: NDArray[np.bool_] = np.diff(steps) > 0
    return marked


def count_share(rows: int, share: Fraction) -> int:
    """Return the share of the rows as a number of rows, halves rounded up."""
    return int(share * rows + Fraction(1, 2))


def count_left(counts: Rows, share: Fraction) -> Rows:
    """Return how many rows of each class are surely not tested on."""
    rows = int(counts.sum())
    left: Rows = counts + (-counts * count_share(rows, share)) // rows
    return left


def assign_groups(
    groups: Rows, strata: NDArray[np.int16] | None, folds: int, rng: np.random.Generator
) -> Rows:
    """Assign whole groups to folds, keeping sizes and classes as even as they can be kept.

    Large groups come first, but groups of similar size (within a factor of two) in random order:
    strictly by size, every run would be the same. Each goes where the squared distance from an
    even share, relative to that share, grows least.
    """
    counts = _count_rows(groups, strata)
    sizes = counts[:, 0]
    order = rng.permutation(len(sizes))
    magnitude = np.frexp(sizes)[1]
    order = order[np.argsort(-magnitude[order], kind="stable")]
    even = counts.sum(axis=0) / folds
    excess = np.tile(-even, (folds, 1))
    labels = rng.permutation(folds)  # which of several equal folds comes first
    home = np.empty(len(sizes), dtype=np.intp)
    relative = counts / even
    for group in order:
        best = int(np.argmin((excess * relative[group]).sum(axis=1)))
        home[group] = labels[best]
        excess[best] += counts[group]
    return home[groups]


def choose_groups(
    groups: Rows, strata: NDArray[np.int16] | None, size: int, rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Choose whole groups at random whose sizes add up to about ``size`` rows.

    Of a few random choices the one is taken whose size and classes come closest.
    """
    counts = _count_rows(groups, strata)
    share = counts.sum(axis=0) * (size / len(groups))
    best, least = np.zeros(len(counts), dtype=bool), np.inf
    for _ in range(TRIES):
        order = rng.permutation(len(counts))
        reached = np.cumsum(counts[order, 0])
        # One group at least on either side, whatever the sizes say.
        last = min(int(np.argmin(np.abs(reached - size))), len(counts) - 2)
        chosen = np.zeros(len(counts), dtype=bool)
        chosen[order[: last + 1]] = True
        distance = float((((counts[chosen].sum(axis=0) - share) ** 2) / share).sum())
        if distance < least:
            best, least = chosen, distance
    return best[groups]


def _count_rows(groups: Rows, strata: NDArray[np.int16] | None) -> NDArray[np.float64]:
    """Return for each group its size, then its rows of each class."""
    number = int(groups.max()) + 1
    sizes = np.bincount(groups, minlength=number).astype(np.float64)[:, None]
    if strata is None:
        return sizes
    classes = int(strata.max()) + 1
    cells = np.bincount(groups * classes + strata, minlength=number * classes)
    by_class = cells.reshape(number, classes)
    return np.hstack([sizes, by_class[:, by_class.any(axis=0)]])
