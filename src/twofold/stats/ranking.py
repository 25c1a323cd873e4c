"""Ranks within a table of scores: rank 1 is best, ties share their average rank."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.stats.arguments import ROUNDING, Floats, check_direction, check_size, floats
from twofold.stats.blocks import work_in_blocks

FEW_COLUMNS = 16
"""Up to here comparing each pair of columns is quicker than sorting each row."""


def ranks(scores: ArrayLike, *, higher_is_better: bool = True) -> Floats:
    """Rank the learners on each data set of a table (..., data sets, learners).

    Scores that are equal but for rounding errors are tied.

    >>> ranks([[0.9, 0.8, 0.9]]).tolist()
    [[1.5, 3.0, 1.5]]
    """
    x = floats("scores", scores, axes=1)
    return rank_ascending(-x if check_direction(higher_is_better) else x)


def rank_ascending(x: Floats, tolerance: Floats | None = None) -> Floats:
    """Rank along the last axis, smallest first; neighbours that differ by rounding are ties.

    A row's values share the rounding of its largest one, or the ``tolerance`` (…, 1) of the row;
    where that has the shape of ``x``, two values are tied within the larger of theirs.
    """
    k = x.shape[-1]
    flat = x.reshape(-1, k)
    gaps = None if tolerance is None else tolerance.reshape(-1, tolerance.shape[-1])
    out = np.empty(flat.shape)

    def work(rows: slice) -> None:
        block = flat[rows]
        if gaps is not None:
            out[rows] = _rank_by_sorting(block, gaps[rows])
        elif k <= FEW_COLUMNS:
            out[rows] = _rank_by_pairs(block, _tolerate(block))
        else:
            out[rows] = _rank_by_sorting(block, _tolerate(block)[:, None])

    work_in_blocks(len(flat), k, work)
    return out.reshape(x.shape)


def _tolerate(rows: Floats) -> Floats:
    return ROUNDING * np.abs(rows).max(axis=-1, initial=0.0)


def _rank_by_pairs(rows: Floats, gap: Floats) -> Floats:
    """Rank = middle rank + half of (how many are smaller − how many are larger)."""
    k = rows.shape[1]
    columns = np.ascontiguousarray(rows.T)
    raised = columns + gap
    balance = np.zeros(columns.shape, dtype=np.int8)  # at most ±15
    for i, j in combinations(range(k), 2):
        ahead = (columns[i] > raised[j]).view(np.int8) - (columns[j] > raised[i]).view(np.int8)
        balance[i] += ahead
        balance[j] -= ahead
    return np.ascontiguousarray(balance.T) * 0.5 + (k + 1) / 2


def _rank_by_sorting(rows: Floats, gap: Floats) -> Floats:
    if gap.shape[1] > 1:
        order = np.lexsort((gap, rows), axis=-1)
        gap = np.take_along_axis(gap, order, axis=-1)
        gap = np.maximum(gap[:, 1:], gap[:, :-1])
    else:
        order = np.argsort(rows, axis=-1)
    ordered = np.take_along_axis(rows, order, axis=-1)
    joined = np.diff(ordered, axis=-1) <= gap
    out = np.empty(rows.shape)
    np.put_along_axis(out, order, average_ranks(joined), axis=-1)
    return out


def average_ranks(joined: np.ndarray) -> Floats:
    """Average the ranks 1, 2, … over runs of sorted neighbours that are joined by ties."""
    rows, n = joined.shape[0], joined.shape[1] + 1
    index = np.broadcast_to(np.arange(n, dtype=np.float64), (rows, n))
    edge = np.ones((rows, 1), dtype=bool)
    starts = np.where(np.hstack([edge, ~joined]), index, -1.0)
    ends = np.where(np.hstack([~joined, edge]), index, float(n))
    first = np.maximum.accumulate(starts, axis=-1)
    last = np.minimum.accumulate(ends[:, ::-1], axis=-1)[:, ::-1]
    return np.asarray((first + last) / 2 + 1)


def table_of_ranks(table: ArrayLike, *, are_ranks: bool, higher_is_better: bool) -> Floats:
    """Return the ranks of a table of scores, or check a table that holds ranks already."""
    x = floats("scores", table, axes=2)
    n, k = x.shape[-2:]
    check_size("scores", n, 1, "data sets")
    check_size("scores", k, 2, "learners")
    if not are_ranks:
        return ranks(x, higher_is_better=higher_is_better)
    sums = x.sum(axis=-1)
    wrong = (np.abs(sums - k * (k + 1) / 2) > 1e-6) | (x.min(axis=-1) < 1) | (x.max(axis=-1) > k)
    if wrong.any():
        raise InputError(
            f"Ranks of {k} learners must lie between 1 and {k} and sum to {k * (k + 1) / 2:g} "
            f"on each data set; {int(wrong.sum())} data sets do not.",
            "Give tied learners their average rank, or pass scores instead of ranks.",
        )
    return x
