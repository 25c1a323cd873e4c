"""The null distribution of Friedman's statistic for small tables, ties included.

Under the null hypothesis each data set deals its ranks to the learners at random. Adding data
set after data set, we carry the distribution of the rank sums; since dealing is symmetric in the
learners, sums that differ only by their order are one state. Where there are too many, ranks are
dealt some thousand times.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np

from twofold.errors import InputError
from twofold.seeds import rng
from twofold.stats.arguments import Floats

LARGEST_STEP = 4_000_000
"""States times deals in one step: about a second of work."""

CHEAP = {2: 400, 3: 60, 4: 18, 5: 8, 6: 4, 7: 2}
"""Data sets, per number of learners, for which the exact answer takes well under a second."""


MOST_DEALT = 10
"""Data sets, and learners, up to which ranks are dealt at random where not all ways are tried."""

DEALS = 19_999
"""Random dealings; the table itself is one more. The standard error of a p of .05 is .0015."""


def is_cheap(n: int, k: int) -> bool:
    """Tell whether the exact distribution takes well under a second."""
    return n == 1 or n <= CHEAP.get(k, 0)


def is_small(n: int, k: int) -> bool:
    """Tell whether p values come from dealings: all of them, or random ones."""
    return is_cheap(n, k) or max(n, k) <= MOST_DEALT


def dealt_pvalues(ranked: Floats) -> Floats:
    """Return P(statistic ≥ observed) for tables of ranks, from random dealings.

    The same table has the same p value in whatever order its data sets and learners come.
    """
    spread = ((ranked - ranked.mean(axis=-1, keepdims=True)).sum(axis=-2) ** 2).sum(axis=-1)
    rows = np.round(np.sort(ranked, axis=-1), 9)
    out = np.empty(len(ranked))
    for i, table in enumerate(rows):
        drawn = _deal(tuple(sorted(map(tuple, table.tolist()))))
        out[i] = ((drawn >= spread[i] - 1e-6).sum() + 1) / (DEALS + 1)
    return out


@lru_cache(maxsize=64)
def _deal(rows: tuple[tuple[float, ...], ...]) -> Floats:
    """Return Σ (rank sum − mean)² of random dealings."""
    stream = rng(0, "dealt ranks", len(rows), len(rows[0]))
    sums = np.zeros((DEALS, len(rows[0])))
    for row in rows:
        ranks = np.asarray(row) - np.mean(row)
        sums += stream.permuted(np.tile(ranks, (DEALS, 1)), axis=1)
    return np.asarray((sums**2).sum(axis=1))


def exact_pvalues(ranked: Floats) -> Floats:
    """Return P(statistic ≥ observed) for tables of ranks (tables, data sets, learners)."""
    if ranked.shape[1] == 1:
        return np.ones(len(ranked))  # every dealing of one data set is as good as another
    doubled = np.rint(2 * ranked).astype(np.int64)
    if np.abs(2 * ranked - doubled).max() > 1e-6:
        raise InputError(
            "The exact Friedman test needs ranks that are multiples of one half.",
            'Pass scores, or use method="chi2" for ranks that are averages themselves.',
        )
    patterns = np.sort(doubled, axis=-1)
    observed = ((doubled - doubled.mean(axis=-1, keepdims=True)).sum(axis=-2) ** 2).sum(axis=-1)
    out = np.empty(len(ranked))
    for i, table in enumerate(patterns):
        key = tuple(sorted(tuple(int(rank) for rank in row) for row in table))
        values, tail = _distribution(key)
        index = int(np.searchsorted(values, observed[i] - 1e-6))
        out[i] = tail[min(index, len(tail) - 1)]
    return out


@lru_cache(maxsize=512)
def _distribution(rows: tuple[tuple[int, ...], ...]) -> tuple[Floats, Floats]:
    """Return the values of Σ (doubled rank sum − mean)², ascending, and P(at least that)."""
    k = len(rows[0])
    states = np.zeros((1, k), dtype=np.int64)
    mass: Floats = np.ones(1)
    for row in rows:
        deals, weights = _deals(row)
        if len(states) * len(deals) > LARGEST_STEP:
            raise _too_large(k)
        grown = (states[:, None, :] + deals[None, :, :]).reshape(-1, k)
        grown.sort(axis=-1)
        states, member = _distinct(grown)
        together = np.multiply.outer(mass, weights).ravel()
        mass = np.bincount(member, weights=together).astype(np.float64)
    mean = sum(sum(row) for row in rows) / k
    spread = ((states - mean) ** 2).sum(axis=-1)
    values, member = np.unique(np.round(spread, 6), return_inverse=True)
    probability = np.bincount(member.ravel(), weights=mass)
    tail = np.cumsum(probability[::-1])[::-1]
    return values, tail / tail[0]


def _too_large(k: int) -> InputError:
    return InputError(
        f"The exact Friedman distribution for so many data sets and {k} learners is too large.",
        'Use method="chi2" or `iman_davenport`, which are close for tables of this size.',
    )


@lru_cache(maxsize=512)
def _deals(row: tuple[int, ...]) -> tuple[np.ndarray, Floats]:
    """Return the distinct ways to deal these ranks, and the probability of each."""
    if len(row) > 8:
        raise _too_large(len(row))
    deals, counts = np.unique(np.array(list(permutations(row))), axis=0, return_counts=True)
    return deals, counts / counts.sum()


def _distinct(states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct rows and where each row went; whole rows are packed into one key."""
    base = int(states.max()) + 1
    if base ** states.shape[1] < 2**62:
        key = states @ (base ** np.arange(states.shape[1], dtype=np.int64))
        _, first, member = np.unique(key, return_index=True, return_inverse=True)
        return states[first], member.ravel()
    distinct, member = np.unique(states, axis=0, return_inverse=True)
    return distinct, member.ravel()
