"""Which pairs of a table would differ by the test that does not decide: each alone, or by ranks?"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.comparison.defaults import (
    ADJUSTMENT,
    CRITICAL_DIFFERENCE,
    MEAN_RANKS_ADJUSTMENT,
    TWO_LEARNERS,
)
from twofold.comparison.repetition import RankVerdicts
from twofold.result import is_significant
from twofold.stats import adjust, critical_difference, entry
from twofold.stats.blocks import work_in_blocks
from twofold.stats.distributions import normal_pvalue
from twofold.stats.signed_rank_bounds import BINS, bound_exact_p, bound_z

EXACT_UP_TO = 100
"""Data sets up to which the test of a pair is exact; beyond, z decides."""

BOUNDED_FROM = 400
"""Data sets from which bounds of z take less time than the test."""


def decide_each_pair(table: Any, first: Any, second: Any, alpha: float) -> Any:
    """Tell which pairs of columns differ by Wilcoxon tests of each, with Holm's adjustment.

    The adjustment rejects more where a p value is smaller. So a verdict that is the same for the
    smallest and the largest p values is sure, and only the other tests are made.
    """
    columns = np.ascontiguousarray(table.T)
    low, high = np.zeros(len(first)), np.ones(len(first))
    quick = entry(TWO_LEARNERS).quick if len(table) > EXACT_UP_TO else {}
    test = entry(TWO_LEARNERS).load()

    def bound(part: slice) -> None:
        z = bound_z(columns[first[part]], columns[second[part]])
        high[part], low[part] = (normal_pvalue(end, "two-sided") for end in z)

    def compute(pairs: Any) -> None:
        def work(part: slice) -> None:
            now = pairs[part]
            result = test(columns[first[now]], columns[second[now]], confidence=None, **quick)
            low[now] = high[now] = result.pvalue

        work_in_blocks(len(pairs), len(table), work, watched=True)

    def bound_exactly(part: slice) -> None:
        low[part], high[part] = bound_exact_p(columns[first[part]], columns[second[part]])

    if len(table) <= EXACT_UP_TO:
        work_in_blocks(len(first), len(table), bound_exactly, watched=True)
    if len(table) >= BOUNDED_FROM:
        work_in_blocks(len(first), max(len(table), 2 * BINS), bound, watched=True)
    while True:
        surely, perhaps = (is_significant(adjust(p, ADJUSTMENT), alpha) for p in (high, low))
        if (surely == perhaps).all():
            return surely
        unsure = low < high
        compute(np.flatnonzero(unsure & ((surely != perhaps) | ~unsure[surely != perhaps].any())))


def decide_by_mean_ranks(ranked: Any, first: Any, second: Any, scope: str, alpha: float) -> Any:
    """Return for each pair of columns who is better by Demšar's procedure: 1, −1, or 0 for none."""
    n, k = ranked.shape
    method = CRITICAL_DIFFERENCE[scope]
    cd = critical_difference(k, n, alpha=alpha, method=method)  # type: ignore[arg-type]
    pairs = tuple(zip(first.tolist(), second.tolist(), strict=True))
    verdicts = RankVerdicts(pairs, MEAN_RANKS_ADJUSTMENT[scope], cd, n, alpha)
    differs, gaps = verdicts.reject(ranked.mean(axis=0))
    return -np.sign(gaps) * differs
