"""The nearest neighbour over whole cross-validations: one list of neighbours serves every fold.

Distances over the ranges of all rows are found once. A fold leaves rows out, so its ranges can
only be narrower and its distances only longer: the list, walked in order, may be left as soon as a
bound is longer than the best distance found. Where a list ends too early all rows are looked at.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.learners.kernels.compile import copy_into, entry, kernel, order_by_fold

NAME = "nearest neighbour"
LISTS_NAME = "lists of neighbours"
CODES_NAME = "lists of neighbours by codes"
MISSING = np.uint8(255)
NOBODY = np.uint8(255)
BLOCK_ROWS, BLOCK_OTHERS = 32, 256
"""Rows whose distances are computed together, and to how many others at a time."""
SLACK = 1e-9
"""Bounds are trusted to this share, far more than rounding needs."""
HALF_KNOWN = 0.25
"""The least square of a difference of which one number is missing: half the range."""


@kernel
def norm(x: float, low: float, high: float, narrow: float) -> float:
    """Where x lies between low and high; 0 where these are nearer than ``narrow``."""
    if high - low < narrow or high <= low:
        return 0.0
    return (x - low) / (high - low)


@kernel
def distance(
    row_a: Any, row_b: Any, nominal: Any, low: Any, high: Any, narrow: float, enough: float
) -> float:
    """The squared distance of two rows as Weka has it; may stop once it exceeds ``enough``."""
    total = 0.0
    for a in range(row_a.size):
        x, t = row_a[a], row_b[a]
        if nominal[a]:
            if x != t:  # true, too, where one is missing
                total += 1.0
        elif x == x and t == t:
            d = norm(x, low[a], high[a], narrow) - norm(t, low[a], high[a], narrow)
            total += d * d
        else:
            d = 1.0
            if x == x or t == t:
                d = norm(x if x == x else t, low[a], high[a], narrow)
                if d < 0.5:
                    d = 1.0 - d
            total += d * d
        if total > enough:
            break
    return total


@kernel
def add_distances(column: Any, x: float, nominal: bool, gaps: bool, total: Any) -> None:
    """Add what one attribute adds to the distances of a row to others."""
    if nominal:
        for j in range(column.size):
            total[j] += 1.0 if column[j] != x else 0.0
    elif not gaps:
        for j in range(column.size):
            d = x - column[j]
            total[j] += d * d
    elif x == x:
        for j in range(column.size):
            d = x - column[j]
            total[j] += d * d if d == d else HALF_KNOWN
    else:
        for j in range(column.size):
            total[j] += HALF_KNOWN if column[j] == column[j] else 1.0


@kernel
def add_four_distances(scaled: Any, a: int, i: int, begin: int, end: int, total: Any) -> None:
    """As `add_distances` for four attributes in a row, of numbers that are all known."""
    first, second = scaled[a, begin:end], scaled[a + 1, begin:end]
    third, fourth = scaled[a + 2, begin:end], scaled[a + 3, begin:end]
    x, y, z, w = scaled[a, i], scaled[a + 1, i], scaled[a + 2, i], scaled[a + 3, i]
    for j in range(total.size):
        d, e, f, g = x - first[j], y - second[j], z - third[j], w - fourth[j]
        total[j] = (((total[j] + d * d) + e * e) + f * f) + g * g


@kernel
def insert_nearest(distances: Any, first: int, near: Any, near_row: Any) -> None:
    """Put rows from ``first`` on into the list of the nearest rows, where they are among these."""
    worst = near[-1]
    for j in range(distances.size):
        if distances[j] < worst:
            at = near.size - 1
            while at > 0 and near[at - 1] > distances[j]:
                near[at] = near[at - 1]
                near_row[at] = near_row[at - 1]
                at -= 1
            near[at] = distances[j]
            near_row[at] = first + j
            worst = near[-1]


@entry(LISTS_NAME, seconds=1)
def fill_lists(
    scaled: Any, nominal: Any, gaps: Any, first: int, last: int, bound: Any, neighbour: Any
) -> None:
    """Fill the nearest rows of rows first … last − 1, and bounds of their distances, ascending.

    ``scaled`` (attributes, rows) has codes, or places between the least and the largest value;
    ``gaps`` says which attributes have missing values. Unused places have neighbour −1. Some rows
    at a time, and their distances to some others, so that what is read serves all of them while
    it is in the processor's nearest cache.
    """
    attributes, rows = scaled.shape
    total = np.empty((BLOCK_ROWS, BLOCK_OTHERS))
    for start in range(first, last, BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, last)
        bound[start:stop] = np.inf
        neighbour[start:stop] = -1
        for begin in range(0, rows, BLOCK_OTHERS):
            end = min(begin + BLOCK_OTHERS, rows)
            total[:] = 0.0
            a = 0
            while a < attributes:
                plain = a + 4 <= attributes
                for b in range(a, min(a + 4, attributes)):
                    plain &= not (nominal[b] or gaps[b])
                for i in range(start, stop):
                    distances = total[i - start, : end - begin]
                    if plain:
                        add_four_distances(scaled, a, i, begin, end, distances)
                    else:
                        column = scaled[a, begin:end]
                        add_distances(column, scaled[a, i], nominal[a], gaps[a], distances)
                a += 4 if plain else 1
            for i in range(start, stop):
                if begin <= i < end:
                    total[i - start, i - begin] = np.inf
                insert_nearest(total[i - start, : end - begin], begin, bound[i], neighbour[i])


@entry(CODES_NAME, seconds=1)
def fill_lists_of_codes(
    codes: Any, first: int, last: int, enough: int, bound: Any, neighbour: Any
) -> None:
    """As `fill_lists` where all attributes are nominal and distances are small whole numbers.

    ``codes`` (attributes, rows) are bytes, `MISSING` where a value is missing. Lists have all rows
    up to some distance, at least ``enough``, and behind them the next distance with nobody.
    """
    attributes, rows = codes.shape
    room = bound.shape[1]
    total = np.empty(rows, dtype=np.uint8)
    begin = np.empty(attributes + 2, dtype=np.int64)
    for i in range(first, last):
        total[:] = 0
        for a in range(attributes):
            x = codes[a, i]
            if x == MISSING:
                for j in range(rows):
                    total[j] += np.uint8(1)
            else:
                for j in range(rows):
                    total[j] += np.uint8(codes[a, j] != x)
        total[i] = NOBODY
        listed = 0
        furthest = 0
        for d in range(attributes + 1):
            begin[d] = listed
            here = 0
            for j in range(rows):
                here += total[j] == d
            listed += here
            furthest = d
            if listed >= enough:
                break
        for j in range(rows):
            if total[j] <= furthest:
                at = begin[total[j]]
                if at < room:
                    bound[i, at] = total[j]
                    neighbour[i, at] = j
                begin[total[j]] += 1
        for at in range(listed, room):
            bound[i, at] = furthest + 1 if at == listed else np.inf
            neighbour[i, at] = -1


@kernel
def fold_ranges(X: Any, nominal: Any, fold: Any, folds: Any, low: Any, high: Any) -> None:
    """Fill the least and largest number of every attribute in each fold, the last for fold −1."""
    low[:] = np.inf
    high[:] = -np.inf
    for a in range(X.shape[1]):
        if nominal[a]:
            continue
        for i in range(X.shape[0]):
            f = fold[i] if fold[i] >= 0 else folds
            # Comparisons with a missing value are false.
            if X[i, a] < low[f, a]:
                low[f, a] = X[i, a]
            if X[i, a] > high[f, a]:
                high[f, a] = X[i, a]


@kernel
def elect(votes: Any) -> int:
    """The first class with most votes."""
    best = 0
    for c in range(1, votes.size):
        if votes[c] > votes[best]:
            best = c
    return best


@entry(NAME, seconds=2)
def nearest_runs(
    X: Any,
    nominal: Any,
    exact: bool,
    y: Any,
    classes: int,
    bound: Any,
    neighbour: Any,
    folds: Any,
    vote: bool,
    widen: bool,
    narrow: float,
    predictions: Any,
) -> None:
    """Predict every row of every run from the rows outside its fold.

    ``exact`` says that bounds are distances where a fold has the ranges of all rows. ``vote`` lets
    all rows at the least distance vote, otherwise the first of them decides; ``widen`` lets
    each tested row widen the ranges for itself and the rows tested after it.
    """
    rows, attributes = X.shape
    room = bound.shape[1]
    votes = np.zeros(classes, dtype=np.int64)
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=np.uint32)
    all_low = np.empty((1, attributes))
    all_high = np.empty((1, attributes))
    fold_ranges(X, nominal, np.zeros(rows, dtype=np.int32), 0, all_low, all_high)
    most = np.intp(0)
    for run in range(folds.shape[0]):
        most = max(most, np.intp(folds[run].max()) + 1)
    lows = np.empty((most + 1, attributes))
    highs = np.empty((most + 1, attributes))
    low = np.empty(attributes)
    high = np.empty(attributes)
    for run in range(folds.shape[0]):
        fold = folds[run]
        count = order_by_fold(fold, fold_starts, order)
        fold_ranges(X, nominal, fold, most, lows, highs)
        for f in range(count):
            test = order[fold_starts[f] : fold_starts[f + 1]]
            copy_into(low, lows[most])
            copy_into(high, highs[most])
            for other in range(count):
                if other != f:
                    for a in range(attributes):
                        low[a] = min(low[a], lows[other, a])
                        high[a] = max(high[a], highs[other, a])
            same = False
            for i in test:
                if not same:
                    same = True
                    trusted = True
                    for a in range(attributes):
                        if nominal[a]:
                            continue
                        if widen:
                            if X[i, a] < low[a]:
                                low[a] = X[i, a]
                            if X[i, a] > high[a]:
                                high[a] = X[i, a]
                        if low[a] != all_low[0, a] or high[a] != all_high[0, a]:
                            same = False
                            # Narrow ranges count as none, which would make distances shorter.
                            if high[a] - low[a] < narrow:
                                trusted = False
                best = np.inf
                chosen = rows
                votes[:] = 0
                settled = False
                if trusted:
                    for at in range(room):
                        if bound[i, at] > best * (1 + SLACK) + SLACK:
                            settled = True
                            break
                        j = neighbour[i, at]
                        if j < 0:
                            break
                        if fold[j] == f:
                            continue
                        if same and exact:
                            d = bound[i, at]
                        else:
                            d = distance(X[i], X[j], nominal, low, high, narrow, best)
                        if d < best or (d == best and j < chosen):
                            if d < best:
                                votes[:] = 0
                            chosen = j
                            best = d
                            votes[y[j]] += 1
                        elif d == best:
                            votes[y[j]] += 1
                if not settled:
                    best = np.inf
                    votes[:] = 0
                    for j in range(rows):
                        if fold[j] != f:
                            d = distance(X[i], X[j], nominal, low, high, narrow, best)
                            if d < best:
                                best = d
                                chosen = j
                                votes[:] = 0
                            if d == best:
                                votes[y[j]] += 1
                predictions[run, i] = elect(votes) if vote else y[chosen]
