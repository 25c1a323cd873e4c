"""Which attribute to split on: information gain, gain ratio, and the thresholds of numbers.

Weights are whole (int32) where no value is missing, and n·log n comes from a table; otherwise they
are fractions (float64). Functions are compiled for the one or the other.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from numba.extending import overload

from twofold.learners.kernels.c45_errors import SMALL
from twofold.learners.kernels.c45_memory import FRESH, OF_ONE, ROW
from twofold.learners.kernels.compile import kernel, maker

LN2 = math.log(2.0)


@maker
def nlogn_table(rows: int) -> Any:
    """The numbers n log₂ n for n = 0 … rows."""
    table = np.zeros(rows + 1)
    for n in range(2, rows + 1):
        table[n] = n * math.log(n) / LN2
    return table


@kernel
def nlogn_float(x: float) -> float:
    """Return x log₂ x."""
    return x * math.log(x) / LN2 if x >= SMALL else 0.0


def nlogn(x: Any, table: Any, even: bool) -> float:
    """Return x log₂ x, from the table where x is whole, as it is where all weights are even."""
    raise NotImplementedError


@overload(nlogn)
def _nlogn(x: Any, table: Any, even: Any) -> Any:
    return _from_table if isinstance(x, numba.types.Integer) else _compute_logarithm


def _from_table(x: Any, table: Any, even: Any) -> Any:
    return table[x]


def _compute_logarithm(x: Any, table: Any, even: Any) -> Any:
    return table[np.uint32(x)] if even else nlogn_float(x)


@kernel
def ratio_of(gain: float, split: float, total: Any) -> float:
    """Gain divided by the information of the split itself."""
    return 0.0 if abs(split) < SMALL else gain / (split / total)


@kernel
def nominal_split(
    count: Any,
    first: int,
    values: int,
    classes: int,
    total: Any,
    least: float,
    table: Any,
    even: bool,
) -> tuple[float, float]:
    """Gain and gain ratio of a nominal attribute; gain −1 where it does not split.

    ``count[first + v * classes + c]`` is how much of class c has value v.
    """
    large = 0
    present = total - total
    new = 0.0
    split = nlogn(total, table, even)
    for v in range(values):
        bag = total - total
        at = first + v * classes
        for c in range(at, at + classes):
            if count[c] > 0:
                bag += count[c]
                new -= nlogn(count[c], table, even)
        bag_log = nlogn(bag, table, even)
        new += bag_log
        split -= bag_log
        present += bag
        if bag >= least - SMALL:
            large += 1
    if large < 2:
        return -1.0, 0.0
    old = nlogn(present, table, even)
    for c in range(first, first + classes):
        of_class = total - total
        for at in range(c, c + values * classes, classes):
            of_class += count[at]
        old -= nlogn(of_class, table, even)
    unknown = total - present
    gain = (1.0 - unknown / total) * (old - new)
    gain = 0.0 if abs(gain) < SMALL else gain / present
    return gain, ratio_of(gain, split - nlogn(unknown, table, even), total)


@kernel
def least_in_bag(present: float, classes: int, least: float) -> float:
    """How much each side of a threshold must have: a tenth of a class's share, up to 25."""
    smallest = 0.1 * present / classes
    if smallest - least < SMALL:
        return least
    return 25.0 if smallest - 25.0 > SMALL else smallest


@kernel
def whole_gain(
    spot: Any, size: int, zero: Any, second: Any, old: float, table: Any
) -> tuple[float, Any]:
    """The gain of a threshold between two classes, for all rows together; and its position.

    ``spot`` has the position, and in its lower half the rows of class 1 before it.
    """
    position, ones = np.uint32(spot >> np.uint64(32)), np.uint32(spot)
    gain = old - table[position] - table[np.uint32(size - position)]
    gain += table[np.uint32(position - ones)] + table[ones]
    gain += table[np.uint32(zero + ones - position)] + table[np.uint32(second - ones)]
    return gain, position


@kernel
def whole_split(
    line: Any, start: int, stop: int, rank: Any, value: Any, offset: int, y: Any, left: Any,
    right: Any, total: int, least: float, table: Any, close: bool, spots: Any,
) -> tuple[float, float, int, int]:  # fmt: skip
    """Gain, gain ratio and the ranks on both sides of the best threshold of a numeric attribute.

    ``line[start:stop]`` are the rows whose value is known, ascending; all weigh the same. ``right``
    has the classes of all rows, and like ``left`` is room for counts; ``close`` says that the
    attribute has values closer than 1e-5; ``spots`` is room for places. The gain is −1
    where there is no useful threshold.
    """
    classes = left.size
    size = stop - start
    smallest = least_in_bag(size, classes, least)
    if 2.0 * smallest - size > SMALL:
        return -1.0, 0.0, 0, 0
    enough = math.ceil(smallest - SMALL)
    if size != total:
        right[:] = 0
        for t in range(start, stop):
            right[y[line[t] & ROW]] += 1
    # Gains are compared times the number of rows, less what all of them have in common.
    needed = SMALL * total
    best = needed
    below, above, low = np.uint32(0), np.uint32(0), 0
    tried = 0
    if classes == 2:
        # First the places where the value changes, written without a branch since it would be
        # guessed wrong half the time, with the rows of class 1 before them; then the highest gain.
        zero, second = right[0], right[1]
        old = table[size] - table[zero] - table[second]
        ones = np.uint32(0)
        first = np.uint32(start)
        for t in range(first, np.uint32(first + enough)):
            ones += np.uint32((line[t] & OF_ONE) != 0)
        spot = (np.uint64(enough) << np.uint64(32)) | np.uint64(ones)
        fresh = np.uint32(0)
        for t in range(np.uint32(first + enough), np.uint32(first + size - enough + 1)):
            entry = line[t]
            spots[fresh] = spot
            fresh += np.uint32(entry >= FRESH)
            spot += np.uint64(2**32) + np.uint64((entry & OF_ONE) != 0)
        tried = int(fresh)
        highest = 0.0
        for s in range(fresh):
            gain, position = whole_gain(spots[s], size, zero, second, old, table)
            highest = gain if gain > highest else highest
        # Most attributes offer nothing, which the highest gain shows, with room for rounding.
        if highest <= needed:
            return -1.0, 0.0, 0, 0
        if not close and highest - math.log(tried) / LN2 < 0.5 * needed:
            return -1.0, 0.0, 0, 0
        for s in range(fresh):
            gain, position = whole_gain(spots[s], size, zero, second, old, table)
            if gain > best:
                here = rank[line[start + position - 1] & ROW]
                after = rank[line[start + position] & ROW]
                if value[offset + here] + 1e-5 < value[offset + after]:
                    best = gain + needed
                    below, above, low = here, after, int(position)
    else:
        sums = 0.0
        for c in range(classes):
            left[c] = 0
            sums += table[right[c]]
        old = table[size] - sums
        for t in range(1, size - enough + 1):
            c = y[line[start + t - 1] & ROW]
            p, q = left[c], right[c]
            sums += (table[np.uint32(p + 1)] - table[p]) - (table[q] - table[np.uint32(q - 1)])
            left[c] = p + 1
            right[c] = q - 1
            possible = (t >= enough) & (line[start + t] >= FRESH)
            gain = old + sums - table[t] - table[size - t]
            if possible & (gain > best):
                here, after = rank[line[start + t - 1] & ROW], rank[line[start + t] & ROW]
                if value[offset + here] + 1e-5 < value[offset + after]:
                    best = gain + needed
                    below, above, low = here, after, t
            tried += possible
    if close:  # some neighbouring values are too close to have a threshold between them
        tried = 0
        for t in range(enough, size - enough + 1):
            here, after = rank[line[start + t - 1] & ROW], rank[line[start + t] & ROW]
            tried += value[offset + here] + 1e-5 < value[offset + after]
    if tried == 0:
        return -1.0, 0.0, 0, 0
    gain = (best - needed - math.log(tried) / LN2) / total
    if gain < SMALL:
        return -1.0, 0.0, 0, 0
    split = table[total] - table[low] - table[size - low] - table[total - size]
    return gain, ratio_of(gain, split, total), int(below), int(above)


@kernel
def split_weighted(
    line: Any, start: int, stop: int, rank: Any, value: Any, offset: int, y: Any, weight: Any,
    left: Any, right: Any, total: float, least: float,
) -> tuple[float, float, int, int]:  # fmt: skip
    """As `whole_split` for rows of different weights."""
    classes = left.size
    present = 0.0
    left[:] = 0.0
    right[:] = 0.0
    for t in range(start, stop):
        right[y[line[t] & ROW]] += weight[line[t] & ROW]
        present += weight[line[t] & ROW]
    smallest = least_in_bag(present, classes, least)
    if 2.0 * smallest - (stop - start) > SMALL:
        return -1.0, 0.0, 0, 0
    enough = smallest - SMALL
    sums = 0.0
    for c in range(classes):
        sums += nlogn_float(right[c])
    old = nlogn_float(present) - sums
    best = 0.0
    below, above = np.uint32(0), np.uint32(0)
    best_low, low = 0.0, 0.0
    tried = 0
    for t in range(start, stop - 1):
        i = line[t] & ROW
        c, w = y[i], weight[i]
        sums -= nlogn_float(left[c]) + nlogn_float(right[c])
        left[c] += w
        right[c] -= w
        sums += nlogn_float(left[c]) + nlogn_float(right[c])
        low += w
        if line[t + 1] >= FRESH:
            if present - low < enough:
                break
            here, after = rank[i], rank[line[t + 1] & ROW]
            if low >= enough and value[offset + here] + 1e-5 < value[offset + after]:
                new = nlogn_float(low) + nlogn_float(present - low) - sums
                gain = present / total * (old - new)
                gain = 0.0 if abs(gain) < SMALL else gain / present
                if gain - best > SMALL:
                    best = gain
                    below, above, best_low = here, after, low
                tried += 1
    if tried == 0:
        return -1.0, 0.0, 0, 0
    best -= math.log(tried) / LN2 / total
    if best < SMALL:
        return -1.0, 0.0, 0, 0
    split = nlogn_float(total) - nlogn_float(best_low) - nlogn_float(present - best_low)
    ratio = ratio_of(best, split - nlogn_float(total - present), total)
    return best, ratio, int(below), int(above)


def numeric_split(
    line: Any, start: Any, stop: Any, rank: Any, value: Any, offset: Any, y: Any, weight: Any,
    sides: Any, bins: Any, total: Any, even: Any, least: Any, table: Any, close: Any, spots: Any,
) -> Any:  # fmt: skip
    """`whole_split` where all weights are even, or else `weighted_split`."""
    raise NotImplementedError


@overload(numeric_split)
def _numeric_split(
    line: Any, start: Any, stop: Any, rank: Any, value: Any, offset: Any, y: Any, weight: Any,
    sides: Any, bins: Any, total: Any, even: Any, least: Any, table: Any, close: Any, spots: Any,
) -> Any:  # fmt: skip
    whole = isinstance(weight.dtype, numba.types.Integer)
    return _only_whole if whole else _either


def _only_whole(
    line: Any, start: Any, stop: Any, rank: Any, value: Any, offset: Any, y: Any, weight: Any,
    sides: Any, bins: Any, total: Any, even: Any, least: Any, table: Any, close: Any, spots: Any,
) -> Any:  # fmt: skip
    return whole_split(
        line, start, stop, rank, value, offset, y, bins[0], bins[1], int(total), least, table,
        close, spots,
    )  # fmt: skip


def _either(
    line: Any, start: Any, stop: Any, rank: Any, value: Any, offset: Any, y: Any, weight: Any,
    sides: Any, bins: Any, total: Any, even: Any, least: Any, table: Any, close: Any, spots: Any,
) -> Any:  # fmt: skip
    if even:
        return whole_split(
            line, start, stop, rank, value, offset, y, bins[0], bins[1], int(total), least, table,
            close, spots,
        )  # fmt: skip
    return split_weighted(
        line, start, stop, rank, value, offset, y, weight, sides[0], sides[1], total, least
    )
