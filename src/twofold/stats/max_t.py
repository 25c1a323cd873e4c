"""Many learners over data sets, items or clusters: which pairs differ, by step-down max-T?

The largest statistic of all pairs is compared with what it would be if learners were exchanged at
random. Learners that do alike make pairs that go together, and the more they do the less has to be
paid for their number; an adjustment of p values one by one cannot know that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InputError
from twofold.result import Interval, Note, Result
from twofold.seeds import rng
from twofold.stats.arguments import (
    LARGEST,
    Floats,
    check_size,
    column,
    differences,
    floats,
    index_clusters,
    probability,
    whole,
)
from twofold.stats.blocks import work_in_blocks
from twofold.stats.distributions import student_pvalue
from twofold.stats.t_tests import note_count, plain, ratio_or_limit

DRAWS = 4999
"""Exchanges that are drawn; with the observed table itself they make 5000."""
DRAWN_AT_ONCE = 500
FLIPPED_UP_TO = 1000
"""Units up to which signs are flipped; beyond, normal numbers do the same, and in less room."""
SLACK = 1e-10
"""Statistics that differ by less than this share are the same but for rounding."""
NO_VARIANCE = 1e-12
"""Variance below this share of the largest is rounding error."""
SAME_MEANS = "For each pair: both learners have the same mean."

Bools = NDArray[np.bool_]
Integers = NDArray[np.intp]


def max_t(
    scores: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    control: int | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    confidence: float | None = 0.95,
) -> Result:
    """Compare pairs of learners by their means, adjusted by step-down max-T.

    On a random half of the data sets the sign of all differences is turned, thousands of times. A
    pair is significant if its t statistic is larger than the largest of all pairs was in 95% of
    these exchanges. Then the test is repeated without the pairs that were found to differ, until
    none is added (Westfall & Young 1993; Romano & Wolf 2005). Sets of ranks follow from that
    (Mogstad, Romano, Shaikh & Wilhelm 2024; `rank_sets`).

    Parameters
    ----------
    scores : array (..., data sets, learners)
        Or items, or any other units that are drawn independently of each other. Ranks may be given
        for scores; means are then mean ranks. NaN marks a missing cell: each pair is compared on
        what both learners have.
    clusters : array (data sets), optional
        The cluster of each row: numbers or names. Rows of a cluster are exchanged together.
    control : int, optional
        Compare all others with this column only.
    draws : int
        How many exchanges are drawn; all are tried where there are no more than that.
    seed : int
        Where the draws come from.
    confidence : float or None
        Level 1 − α of the decisions that intervals agree with.

    Returns
    -------
    Result
        The last axis runs over ``pairs``; ``estimate`` is the first learner's mean minus the
        second's, on what both have. ``statistic`` is the paired t, ``df`` that of the pair.
        ``interval`` has the width of the last step, and holds zero where a pair is not significant.
        ``details``: standard_error; shared, the rows that both have; and interval_confidence, that
        of each interval by itself.

    Notes
    -----
    Null hypothesis, for each pair: both learners have the same mean. The family-wise error of all
    pairs is held exactly if the rows' deviations from their means are distributed symmetrically,
    and in large samples without that. Statistics are compared as
    Σd/√Σd², which is t for pairs with equally many rows, and keeps a pair with few shared rows from
    deciding for all.

    Examples
    --------
    >>> result = max_t([[8, 5, 5], [7, 4, 5], [9, 5, 6], [8, 6, 5], [9, 4, 4], [9, 5, 6.5]])
    >>> result.pairs, result.pvalue.round(4).tolist()
    (((0, 1), (0, 2), (1, 2)), [0.0312, 0.0312, 0.5])
    """
    x = floats("scores", scores, axes=2, finite=False)
    n, k = x.shape[-2:]
    check_size("scores", n, 2, "data sets")
    check_size("scores", k, 2, "learners")
    if not np.abs(x[~np.isnan(x)]).max(initial=0.0) <= LARGEST:
        raise InputError("`scores` must not be infinite.", "Use NaN for a missing cell.")
    pairs = tuple(combinations(range(k), 2))
    if control is not None:
        first = column("control", control, k)
        pairs = tuple((first, other) for other in range(k) if other != first)
    tried, root = whole("draws", draws, 1), whole("seed", seed, 0)
    level = None if confidence is None else probability("confidence", confidence, 0.95)
    units = np.arange(n)
    if clusters is not None:
        units = index_clusters(clusters, n, unit="row")
        check_size("clusters", int(units.max()) + 1, 2, "clusters")
    tables = [
        _Units.gather(table, units, np.array(pairs, dtype=np.intp).T)
        for table in x.reshape(-1, n, k)
    ]
    answers = [_step_down(table, table.exchange(tried, root), level) for table in tables]
    shape = (*x.shape[:-2], len(pairs))

    def stack(arrays: Iterable[Floats]) -> Floats:
        return np.stack([*arrays]).reshape(shape)

    estimate, error = stack(t.mean for t in tables), stack(t.error for t in tables)
    shared = stack(t.shared for t in tables)
    pvalue, reach = (stack(part) for part in zip(*answers, strict=True))
    interval, details = None, {"standard_error": plain(error), "shared": plain(shared)}
    df = np.maximum(stack(t.clusters for t in tables) - 1, 0)
    if level is not None:
        interval = Interval(plain(estimate - reach), plain(estimate + reach), level)
        width = ratio_or_limit(reach, np.where(np.isinf(reach), 1.0, error))
        alone = 1 - student_pvalue(width, np.maximum(df, 1), "two-sided")
        details["interval_confidence"] = plain(alone)
    return Result(
        method="max-t",
        statistic=plain(ratio_or_limit(estimate, error)),
        pvalue=plain(pvalue),
        df=plain(df),
        estimate=plain(estimate),
        interval=interval,
        alternative="two-sided",
        null=SAME_MEANS,
        n=n,
        notes=tuple(_note_pairs(shared, stack(t.root for t in tables))),
        pairs=pairs,
        details=details,
    )


@dataclass(frozen=True, slots=True)
class _Units:
    """A table for sums of differences of pairs, where units are given signs.

    ``table`` holds deviations from the row's mean, which change no difference and keep rounding
    errors small; of a complete table, summed over clusters. Of pairs: ``mean`` and ``error`` of the
    differences, how many rows are ``shared``, of how many ``clusters``, and ``root``, √Σd² of the
    sums of clusters.
    """

    table: Floats
    present: Floats | None
    units: Integers
    first: Integers
    second: Integers
    mean: Floats
    error: Floats
    shared: Floats
    clusters: Floats
    root: Floats

    @classmethod
    def gather(cls, x: Floats, units: Integers, pairs: Integers) -> _Units:
        """Return the sums that a table needs; the order of its rows does not matter."""
        columns, order = _order_table(x)
        x = x[order]
        # Clusters are numbered by their first row, so that their names do not matter either.
        _, start, number = np.unique(units[order], return_index=True, return_inverse=True)
        units = np.argsort(np.argsort(start))[number]
        first, second = pairs
        moments = np.zeros((5, len(first)))

        def summarize(part: slice) -> None:
            moments[:, part] = _summarize(x[:, first[part]], x[:, second[part]], units)

        work_in_blocks(len(first), len(x), summarize)
        present = ~np.isnan(x)
        middle = np.where(present, x, 0.0).sum(axis=1) / np.maximum(present.sum(axis=1), 1)
        table = np.where(present, x - middle[:, None], 0.0)
        if not present.all():
            return cls(table, present.astype(float), units, first, second, *moments)
        table = _sum_rows(table, units)
        if len(table) > FLIPPED_UP_TO:
            # Sums with normal numbers for signs have the same covariance by the root of it.
            ordered = table[:, columns]
            table = np.empty((len(columns), len(columns)))
            table[:, columns] = _triangle(ordered.T @ ordered)
        return cls(table, None, units, first, second, *moments)

    @property
    def statistic(self) -> Floats:
        """|Σd|/√Σd² of each pair; 0 where all differences are."""
        some, sums = self.root > 0, np.abs(self.mean * self.shared)
        return np.divide(sums, self.root, out=np.zeros(len(some)), where=some)

    def exchange(self, draws: int, seed: int) -> _Exchanges:
        """Give signs to the units: in all ways there are, or in so many as are drawn."""
        count = int(self.units.max()) + 1
        exact = count <= 30 and 2**count <= draws + 1
        if exact:
            numbers = np.arange(2**count)[:, None] >> np.arange(count)
            blocks: Iterable[Any] = [1 - 2 * (numbers & 1).astype(np.int8)]
        else:
            normal = self.present is None and count > len(self.table)
            width = len(self.table) if normal else count
            blocks = (
                _draw_weights(rng(seed, "max-t", count, start), rows, width, normal)
                for start in range(0, draws, DRAWN_AT_ONCE)
                for rows in [min(DRAWN_AT_ONCE, draws - start)]
            )
        if self.present is None:
            # Sums of learners: those of pairs are their differences.
            return _Exchanges(np.concatenate([signs @ self.table for signs in blocks]), exact)
        return _Exchanges(np.concatenate([*blocks]), exact)

    def sum_pairs(self, exchanged: Any, order: Integers, factor: Floats) -> Floats:
        """Return sums of the pairs' differences (exchanges, pairs), times a factor."""
        first, second = self.first[order], self.second[order]
        if self.present is None:
            rest = np.asarray(exchanged[:, first])
            rest -= exchanged[:, second]
        else:
            # A matrix for each exchange: what a learner scores on the rows that another has.
            sums = (self.table.T * exchanged[:, None, self.units]) @ self.present
            rest = sums[:, first, second]
            rest -= sums[:, second, first]
        rest *= factor
        return rest


def _draw_weights(stream: np.random.Generator, rows: int, width: int, normal: bool) -> Any:
    if normal:
        return stream.standard_normal((rows, width))
    return 1 - 2 * stream.integers(0, 2, (rows, width), dtype=np.int8)


@dataclass(frozen=True, slots=True)
class _Exchanges:
    """Signs of the units in many exchanges, or sums by them; ``exact`` if these are all."""

    parts: Any
    exact: bool

    @property
    def count(self) -> int:
        return len(self.parts)

    def pvalue(self, reached: Floats) -> Floats:
        """Return p values from how many exchanges reach as far; the table itself is one."""
        return reached / self.count if self.exact else (reached + 1) / (self.count + 1)

    def critical(self, largest: Floats, alpha: float) -> float:
        """Return the value that a statistic has to exceed for p to be at most α."""
        allowed = alpha * self.count if self.exact else alpha * (self.count + 1) - 1
        rank = int(np.floor(allowed + 1e-9))
        return float(np.sort(largest)[::-1][rank]) if rank >= 0 else np.inf


def _step_down(units: _Units, exchanges: _Exchanges, level: float | None) -> tuple[Floats, Floats]:
    """Return adjusted p values, and how far intervals reach at a level."""
    size = units.statistic
    order = np.argsort(size, kind="stable")  # the smallest first: each step adds a pair
    factor = np.divide(1.0, units.root, out=np.zeros(len(size)), where=units.root > 0)[order]
    least = size[order] - SLACK * np.maximum(size[order], 1.0)
    row_size = len(size) if units.present is None else units.table.size
    counts: dict[int, Floats] = {}

    def count(part: slice) -> None:
        largest = np.abs(units.sum_pairs(exchanges.parts[part], order, factor))
        np.maximum.accumulate(largest, axis=1, out=largest)
        counts[part.start] = (largest >= least).sum(axis=0)

    work_in_blocks(exchanges.count, row_size, count)
    reached = np.stack([*counts.values()]).sum(axis=0).astype(np.float64)
    adjusted = np.empty(len(size))
    # Nothing is rejected after a hypothesis that is not.
    adjusted[order] = np.maximum.accumulate(exchanges.pvalue(reached)[::-1])[::-1]
    adjusted[size == 0] = 1.0
    if level is None:
        return adjusted, np.full(len(size), np.inf)
    # The last step is that of the pairs which are not rejected, or of the last one that is.
    last = order[: max(1, int((adjusted > 1 - level).sum()))]
    largest = np.empty(exchanges.count)

    def maximize(part: slice) -> None:
        sums = units.sum_pairs(exchanges.parts[part], last, factor[: len(last)])
        largest[part] = np.abs(sums).max(axis=1)

    work_in_blocks(exchanges.count, row_size, maximize)
    return adjusted, _reach(units, exchanges.critical(largest, 1 - level))


def _reach(units: _Units, critical: float) -> Floats:
    """Return how far from its mean a difference may lie that is not significant."""
    room = units.clusters - critical**2
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = critical * np.sqrt((units.clusters - 1) / room) * units.error
    # Flips of few rows cannot be told from the table, however far it is from zero.
    return np.where((room > 0) & (units.clusters > 1), reach, np.inf)


def _summarize(a: Floats, b: Floats, units: Integers) -> tuple[Floats, ...]:
    """Return mean, standard error, shared rows, their clusters and √Σd² of columns' differences."""
    d = differences(a, b, axes=2, finite=False)
    has = ~np.isnan(d)
    totals, counts = _sum_rows(np.where(has, d, 0.0), units), _sum_rows(has.astype(float), units)
    shared, clusters = counts.sum(axis=0), (counts > 0).sum(axis=0).astype(float)
    mean = totals.sum(axis=0) / np.maximum(shared, 1)
    off = totals - counts * mean
    off = np.where(np.abs(off) < SLACK * np.abs(totals).max(axis=0, initial=0.0), 0.0, off)
    scale = clusters / np.maximum(clusters - 1, 1)
    error = np.sqrt(scale * (off**2).sum(axis=0)) / np.maximum(shared, 1)
    return mean, error, shared, clusters, np.sqrt((totals**2).sum(axis=0))


def _sum_rows(table: Floats, units: Integers) -> Floats:
    """Return the sums of the rows of each unit; units are numbered in the order of rows."""
    count = int(units.max()) + 1
    if count == len(units):
        return table
    order = np.argsort(units, kind="stable")
    starts = np.searchsorted(units[order], np.arange(count))
    return np.asarray(np.add.reduceat(table[order], starts, axis=0))


def _triangle(products: Floats) -> Floats:
    """Return the triangular R with R'R as given (Cholesky); a row of zeros where rank is lacking.

    Eigenvectors would do, but their signs and, of equal eigenvalues, their directions are a matter
    of rounding: other processors would draw other numbers.
    """
    rest, root = products.copy(), np.zeros_like(products)
    least = NO_VARIANCE * rest.diagonal().max()
    for i in range(len(rest)):
        if rest[i, i] > least:
            root[i, i:] = rest[i, i:] / np.sqrt(rest[i, i])
            rest[i:, i:] -= root[i, i:, None] * root[i, i:]
    return root


def _order_table(x: Floats) -> tuple[Integers, Integers]:
    """Return an order of columns and one of rows in which their given order does not matter."""
    columns = np.lexsort(np.sort(x, axis=0)[::-1])
    return columns, np.lexsort(x.T[columns[::-1]])


def _note_pairs(shared: Floats, root: Floats) -> list[Note]:
    return note_count(
        shared == 0,
        "no-shared-data",
        "Pairs without a common data set",
        "Some learners share no data set, so that nothing can be said about them: p = 1.",
    ) + note_count(
        (root == 0) & (shared > 0),
        "identical",
        "The learners scored the same everywhere",
        "All differences are zero, so nothing speaks against the null hypothesis: p = 1.",
    )
