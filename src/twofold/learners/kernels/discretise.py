"""Fayyad and Irani's cuts through numbers, found from counts of classes.

Fayyad, U. M., Irani, K. B. (1993). Multi-interval discretization of continuous-valued attributes
for classification learning. IJCAI, 1022–1027. Sums are taken in Weka's order, so that cuts of
nearly the same worth are chosen as Weka 3.6 chooses them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.column_arrays import Columns, Floats
from twofold.learners.kernels.compile import copy_into, kernel, maker

LOG2 = math.log(2.0)


@maker
def times_log(most: int) -> Any:
    """The table n → n · ln n for 0 … most."""
    table = np.zeros(most + 1)
    for n in range(2, most + 1):
        table[n] = n * math.log(n)
    return table


@kernel
def entropy(count: Any, table: Any) -> float:
    """The entropy of counts, in bits."""
    inside = 0.0
    total = 0
    for c in range(count.size):
        inside -= table[count[c]]
        total += count[c]
    return (inside + table[total]) / (total * LOG2) if total else 0.0


@kernel
def entropy_of_two(left: Any, right: Any, table: Any) -> float:
    """The mean entropy of two parts, in bits, each by its share."""
    inside = 0.0
    first = second = 0
    for c in range(left.size):
        inside += table[left[c]]
        first += left[c]
    inside -= table[first]
    for c in range(right.size):
        inside += table[right[c]]
        second += right[c]
    inside -= table[second]
    return -inside / ((first + second) * LOG2)


@kernel
def worth_it(before: float, after: float, left: Any, right: Any, table: Any) -> bool:
    """Whether a cut saves more than it takes to write it down."""
    n = count_all = count_left = count_right = 0
    for c in range(left.size):
        n += left[c] + right[c]
        count_all += 1 if left[c] + right[c] > 0 else 0
        count_left += 1 if left[c] > 0 else 0
        count_right += 1 if right[c] > 0 else 0
    rest = (
        count_all * before - count_right * entropy(right, table) - count_left * entropy(left, table)
    )
    delta = math.log(3.0**count_all - 2.0) / LOG2 - rest
    return before - after > (math.log(n - 1) / LOG2 + delta) / n


@maker
def best_cut(value: Any, count: Any, low: int, high: int, classes: int, table: Any) -> Any:
    """Return the cut through cells low … high − 1 and the cell it follows, or −1 for no cut."""
    left = np.zeros(classes, dtype=np.int64)
    right = np.zeros(classes, dtype=np.int64)
    for cell in range(low, high):
        for c in range(classes):
            right[c] += count[cell * classes + c]
    if right.sum() < 2:
        return 0.0, -1
    before = entropy(right, table)
    best = before
    best_left = left.copy()
    best_right = right.copy()
    cut, follows, last = 0.0, -1, -1
    for cell in range(low, high):
        here = 0
        for c in range(classes):
            here += count[cell * classes + c]
        if here == 0:
            continue
        if last >= 0:
            after = entropy_of_two(left, right, table)
            if after < best:
                best, follows = after, last
                cut = (value[last] + value[cell]) / 2.0
                copy_into(best_left, left)
                copy_into(best_right, right)
        for c in range(classes):
            left[c] += count[cell * classes + c]
            right[c] -= count[cell * classes + c]
        last = cell
    if follows < 0 or not worth_it(before, best, best_left, best_right, table):
        return 0.0, -1
    return cut, follows


@maker
def cut_points(value: Any, count: Any, first: int, last: int, classes: int, table: Any) -> Any:
    """Return the cuts of one attribute, ascending.

    ``value[first:last]`` ascends; ``count[cell * classes + c]`` says how often each value occurs
    in class c. Values that do not occur are passed over.
    """
    cuts = np.empty(last - first)
    size = 0
    # Parts still to look at; each cut leaves one more than there were.
    lows = np.empty(last - first + 1, dtype=np.int64)
    highs = np.empty(last - first + 1, dtype=np.int64)
    lows[0], highs[0] = first, last
    waiting = 1 if last > first else 0
    while waiting:
        waiting -= 1
        low, high = lows[waiting], highs[waiting]
        cut, follows = best_cut(value, count, low, high, classes, table)
        if follows >= 0:
            cuts[size] = cut
            size += 1
            lows[waiting], highs[waiting] = low, follows + 1
            lows[waiting + 1], highs[waiting + 1] = follows + 1, high
            waiting += 2
    return np.sort(cuts[:size])


def cuts_of(columns: Columns) -> list[Floats | None]:
    """Return the cuts of every numeric attribute, None for the nominal ones."""
    table = times_log(len(columns.y))
    every_cut: list[Floats | None] = []
    for a, nominal in enumerate(columns.nominal):
        if nominal:
            every_cut.append(None)
            continue
        present = ~np.isnan(columns.X[:, a])
        value, index = np.unique(columns.X[present, a], return_inverse=True)
        cells = (index * columns.classes + columns.y[present]).astype(np.intp)
        count = np.bincount(cells, minlength=len(value) * columns.classes).astype(np.int32)
        every_cut.append(cut_points(value, count, 0, len(value), columns.classes, table))
    return every_cut


def codes_of(X: Floats, cuts: list[Floats | None]) -> Floats:
    """Replace numbers by the places of the intervals they lie in; a number on a cut lies below."""
    codes = X.copy()
    for a, points in enumerate(cuts):
        if points is not None:
            intervals = np.searchsorted(points, X[:, a]).astype(np.float64)
            codes[:, a] = np.where(np.isnan(X[:, a]), np.nan, intervals)
    return codes


def encode(columns: Columns, cuts: list[Floats | None]) -> Columns:
    """Return rows whose attributes are all nominal, numbers having become intervals."""
    values = [
        columns.values[a] if points is None else len(points) + 1 for a, points in enumerate(cuts)
    ]
    return Columns(
        codes_of(columns.X, cuts), np.array(values, np.int64), columns.y, columns.classes
    )
