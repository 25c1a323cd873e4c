"""Adjustments that know the hypotheses to be all pairs of k learners.

If A = B and B = C then A = C, so not every set of hypotheses can be true together: exactly those
that hold inside the blocks of a partition of the learners.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.stats.adjust import pvalues_checked
from twofold.stats.arguments import Floats

LARGEST_K = 12
"""Learners that Bergmann–Hommel accepts: 4.2 million partitions, a few seconds."""


def shaffer(pvalues: ArrayLike) -> Floats:
    """Adjust the p values of all pairs of learners by Shaffer's static procedure (1986).

    As Holm's, but each step counts only as many hypotheses as can still be true.

    Parameters
    ----------
    pvalues : array (..., k(k−1)/2)
        In any fixed order of the pairs.

    Examples
    --------
    >>> shaffer([0.01, 0.02, 0.03]).tolist()
    [0.03, 0.03, 0.03]
    """
    p = pvalues_checked(pvalues)
    m = p.shape[-1]
    k = learners_of(m)
    possible = np.array(_numbers_of_true(k))
    # With i hypotheses rejected, at most the largest possible number ≤ m − i can be true.
    left = m - np.arange(m)
    factor = possible[np.searchsorted(possible, left, side="right") - 1]
    order = np.argsort(p, axis=-1)
    raised = np.maximum.accumulate(np.take_along_axis(p, order, axis=-1) * factor, axis=-1)
    out = np.empty_like(p)
    np.put_along_axis(out, order, np.minimum(raised, 1.0), axis=-1)
    return out


def bergmann_hommel(pvalues: ArrayLike) -> Floats:
    """Adjust the p values of all pairs of learners by the procedure of Bergmann & Hommel (1988).

    The most powerful of the adjustments here that holds under any dependence. The adjusted p
    value of a pair is the largest, over all sets of hypotheses that can be true together and
    contain it, of the set's size times its smallest p value. All partitions of the learners are
    looked at, so that the answer is exact; their number limits k to 12.

    Parameters
    ----------
    pvalues : array (..., k(k−1)/2)
        Pairs in the order (0, 1), (0, 2), …, (1, 2), …, as `itertools.combinations` gives them.

    Examples
    --------
    >>> bergmann_hommel([0.01, 0.02, 0.03]).tolist()
    [0.03, 0.03, 0.03]
    """
    p = pvalues_checked(pvalues)
    k = learners_of(p.shape[-1])
    if k > LARGEST_K:
        raise InputError(
            f"`bergmann-hommel` is limited to {LARGEST_K} learners, got {k}: their partitions "
            "are too many to look at.",
            "Use `shaffer`, which needs no enumeration, or compare with a control by `holm`.",
        )
    flat = p.reshape(-1, p.shape[-1])
    adjusted = np.stack([_bergmann_hommel(row, k) for row in flat])
    return np.minimum(np.maximum(adjusted, flat), 1.0).reshape(p.shape)


def _bergmann_hommel(p: Floats, k: int) -> Floats:
    blocks = partitions(k)
    sizes = np.zeros(len(blocks[0]), dtype=np.int16)
    smallest = np.zeros(len(blocks[0]))
    pairs = list(combinations(range(k), 2))
    # Visiting the pairs from the largest p value down, the last one to join a set is its smallest.
    order = np.argsort(p)[::-1]
    for pair in order:
        i, j = pairs[pair]
        together = blocks[i] == blocks[j]
        sizes += together
        smallest[together] = p[pair]
    value = sizes * smallest
    adjusted = np.empty_like(p)
    for pair, (i, j) in enumerate(pairs):
        adjusted[pair] = value[blocks[i] == blocks[j]].max()
    return adjusted


@lru_cache(maxsize=4)
def partitions(k: int) -> np.ndarray:
    """Return all partitions of k learners: row i holds learner i's block in each partition."""
    blocks = np.zeros((1, 1), dtype=np.int8)
    for _ in range(1, k):
        used = blocks.max(axis=0) + 1
        # The next learner joins one of the blocks there are, or opens a new one.
        copies = used + 1
        repeated = np.repeat(blocks, copies, axis=1)
        first = np.repeat(np.cumsum(copies) - copies, copies)
        joined = (np.arange(repeated.shape[1]) - first).astype(np.int8)
        blocks = np.vstack([repeated, joined])
    return blocks


@lru_cache(maxsize=128)
def _numbers_of_true(k: int) -> tuple[int, ...]:
    """Return how many of the pairs of k learners can be true together, ascending."""
    # One block of size s holds s(s−1)/2 true pairs; the other learners are partitioned freely.
    # Bit t of an integer tells whether t pairs can be true: shifting it adds a block.
    possible = [1]
    for size in range(1, k + 1):
        numbers = 0
        for block in range(1, size + 1):
            numbers |= possible[size - block] << (block * (block - 1) // 2)
        possible.append(numbers)
    return tuple(t for t in range(k * (k - 1) // 2 + 1) if possible[k] >> t & 1)


def learners_of(pairs: int) -> int:
    """Return k for k(k−1)/2 pairs."""
    k = round((1 + np.sqrt(1 + 8 * pairs)) / 2)
    if k * (k - 1) // 2 != pairs:
        raise InputError(
            f"`pvalues` must hold one p value for each pair of learners; {pairs} is not k(k−1)/2.",
            "Use `holm` or `hommel` for comparisons with a control.",
        )
    return int(k)
