"""Intervals that agree with the decision: they hold zero exactly where no difference was found.

An adjusted test of a pair is a plain one at a level of its own, and its interval is that of the
plain test at this level. Where the adjustment gives all pairs the same level the intervals hold
together, with the confidence of one alone: they are simultaneous. Step procedures give pairs
levels that depend on the other pairs; their intervals hold one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twofold.comparison.adjustments import quick_adjustment
from twofold.comparison.comparison import IntervalKind, Outcome
from twofold.stats import entry
from twofold.stats.adjust import reject

Ends = tuple[float, float]
FindIntervals = Callable[[Sequence[int], float], Sequence[Ends | None]]
"""Takes which pairs, and the level of their tests; returns their intervals."""

MOST_PAIRS = 300
"""Pairs up to which the level of each is found by trying, and repetitions are predicted."""


def name_kind(adjustment: str) -> IntervalKind:
    """Return whether the intervals that go with an adjustment hold together or one by one."""
    return "simultaneous" if entry(adjustment).simultaneous else "single"


def align_with_decision(
    interval: Ends | None, outcome: Outcome, higher_is_better: bool
) -> Ends | None:
    """Return an interval that holds zero exactly where no difference was found.

    Ties, discreteness and approximations let a test and its interval disagree about zero. Where a
    difference was found an end at zero is open.
    """
    if interval is None:
        return None
    size = max((abs(end) for end in interval if math.isfinite(end)), default=0.0)
    # Rounding errors are no distance from zero.
    low, high = (0.0 if abs(end) <= 1e-12 * size else end for end in interval)
    if outcome == "none":
        return min(low, 0.0), max(high, 0.0)
    above = (outcome == "a") == higher_is_better
    aligned = (max(low, 0.0), high) if above else (low, min(high, 0.0))
    # A test whose statistic points elsewhere than its estimate has an interval on that side.
    return aligned if aligned[0] <= aligned[1] else (low, high)


def find_deciding_intervals(levels: Any, find_intervals: FindIntervals) -> list[Ends | None]:
    """Return the interval of each pair at the level of its own test."""
    intervals: list[Ends | None] = [None] * len(levels)
    rounded = np.array([float(f"{level:.6g}") for level in levels])
    for level in np.unique(rounded):
        members = np.flatnonzero(rounded == level).tolist()
        exact = float(np.max(levels[members]))  # levels found by trying fall short of it by a hair
        for i, ends in zip(members, find_intervals(members, exact), strict=True):
            intervals[i] = ends
    return intervals


def own_levels(p: Any, rejected: Any, adjustment: str, alpha: float) -> Any:
    """Return the level at which each pair had to be significant by itself."""
    m = len(p)
    if entry(adjustment).simultaneous:
        return np.full(m, alpha / m)
    levels = levels_to_meet(p, adjustment, alpha)
    if levels is None:
        # Holm's levels stand in for others', whose own would take long.
        count = int(rejected.sum())
        levels = np.where(rejected, alpha / (m - count + 1), alpha / max(m - count, 1))
    # Li rejects nothing beside a p of 1, however small the others: 1 − level stays below 1.
    smallest = np.finfo(float).eps
    return np.where(rejected, np.maximum(levels, p), np.maximum(np.minimum(levels, p), smallest))


def levels_to_meet(p: Any, adjustment: str, alpha: float) -> Any:
    """Return for each hypothesis the largest p that would be rejected, the others as they are.

    An adjusted test of a pair is a plain one at that level. None where there are too many pairs.
    """
    m = len(p)
    if m > MOST_PAIRS:
        return None
    method = quick_adjustment(adjustment)
    low, high = np.full(m, np.log(alpha / (m * 1000))), np.full(m, np.log(1 - 1e-12))
    table = np.tile(np.asarray(p, dtype=float), (m, 1))
    own = np.arange(m)
    for _ in range(30):
        middle = (low + high) / 2
        table[own, own] = np.exp(middle)
        rejected = reject(table, alpha, method)[own, own]
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle)
    return np.exp(low)
