"""Votes of near rows, for single rows and for whole cross-validations.

A missing value is as far away as it is on average: squared, (x − mean)² + variance from a number x
and 2 · variance from another missing one; 1 − p from a value that a share p of the rows has, and
1 − Σ p² from another missing one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import entry, kernel, maker, order_by_fold

NAME = "votes of neighbours"
RANK, DISTANCE, EQUAL = 0, 1, 2
LEAST = -math.log(0.001)
"""The Gaussian kernel is as wide as gives the farthest of the neighbours this weight, 0.001."""


@maker
def value_starts(values: Any) -> Any:
    """Where the shares of each nominal attribute's values begin; the last number is their count."""
    start = np.zeros(values.size + 1, dtype=np.int64)
    for a in range(values.size):
        start[a + 1] = start[a] + values[a]
    return start


@kernel
def describe(
    X: Any,
    values: Any,
    rows: Any,
    scaled: bool,
    start: Any,
    scale: Any,
    mean: Any,
    spread: Any,
    share: Any,
) -> None:
    """Fill what must be known of the rows learnt from.

    For numbers: one over the range, or 1, or 0 where all are the same; the mean; the variance.
    For nominal values: their shares, and in ``spread`` the probability that two rows differ.
    """
    for a in range(values.size):
        present = 0
        total = 0.0
        low, high = np.inf, -np.inf
        share[start[a] : start[a + 1]] = 0.0
        for i in rows:
            x = X[i, a]
            if x == x:
                present += 1
                total += x
                low, high = min(low, x), max(high, x)
                if values[a] > 0:
                    share[start[a] + np.intp(x)] += 1.0
        mean[a] = total / present if present else 0.0
        scale[a] = spread[a] = 0.0
        if present == 0:
            continue
        if values[a] > 0:
            spread[a] = 1.0
            for at in range(start[a], start[a + 1]):
                share[at] /= present
                spread[a] -= share[at] * share[at]
        elif high > low:
            scale[a] = 1.0 / (high - low) if scaled else 1.0
            for i in rows:
                if X[i, a] == X[i, a]:
                    spread[a] += ((X[i, a] - mean[a]) * scale[a]) ** 2
            spread[a] /= present


@kernel
def distance_between(
    x: Any,
    t: Any,
    values: Any,
    weight: Any,
    start: Any,
    scale: Any,
    mean: Any,
    spread: Any,
    share: Any,
) -> float:
    """The squared distance of two rows."""
    total = 0.0
    for a in range(values.size):
        value_x, value_t = x[a], t[a]
        gap = value_x - value_t
        if gap == gap:  # both are known, as mostly
            if values[a] == 0:
                part = (gap * scale[a]) ** 2
            elif gap == 0.0:
                part = 0.0
            else:
                part = 1.0
        elif value_x == value_x or value_t == value_t:
            present = value_x if value_x == value_x else value_t
            if values[a] > 0:
                code = np.intp(present)
                part = 1.0 - share[start[a] + code] if code < values[a] else 1.0
            else:
                part = ((present - mean[a]) * scale[a]) ** 2 + spread[a]
        else:
            part = spread[a] if values[a] > 0 else 2.0 * spread[a]
        total += weight[a] * part
    return total


@kernel
def gaussian(rank: int, squared: float, farthest: float, k: int, kind: int) -> float:
    """The weight of the neighbour of a rank and a squared distance."""
    if kind == RANK:
        return math.exp(-LEAST * rank * rank / (k * k))
    if kind == DISTANCE and farthest > 0.0:
        return math.exp(-LEAST * squared / farthest)
    return 1.0


@maker
def fill_votes(squared: Any, y: Any, rows: Any, k: int, kind: int, votes: Any) -> None:
    """Fill the votes of the k nearest rows for the classes.

    Rows at the same distance share the weights of the ranks they take, so that their order does
    not matter.
    """
    votes[:] = 0.0
    near = min(k, rows.size)
    farthest = np.partition(squared, near - 1)[near - 1]
    chosen = np.flatnonzero(squared <= farthest)
    order = np.argsort(squared[chosen], kind="mergesort")
    count = np.zeros(votes.size, dtype=np.int64)
    first = 0
    while first < order.size:
        here = squared[chosen[order[first]]]
        last = first
        count[:] = 0
        while last < order.size and squared[chosen[order[last]]] == here:
            count[y[rows[chosen[order[last]]]]] += 1
            last += 1
        weight = 0.0
        for rank in range(first + 1, min(last, near) + 1):
            weight += gaussian(rank, here, farthest, k, kind)
        for c in range(votes.size):
            votes[c] += weight / (last - first) * count[c]
        first = last


@entry(NAME, seconds=3)
def neighbour_runs(
    X: Any,
    values: Any,
    y: Any,
    folds: Any,
    k: int,
    kind: int,
    weight: Any,
    scaled: bool,
    classes: int,
    predictions: Any,
) -> None:
    """Predict every row of every run from the rows outside its fold."""
    rows, attributes = X.shape
    start = value_starts(values)
    scale = np.empty(attributes)
    mean = np.empty(attributes)
    spread = np.empty(attributes)
    share = np.empty(start[-1])
    votes = np.empty(classes)
    train = np.empty(rows, dtype=np.int64)
    squared = np.empty(rows)
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=np.uint32)
    for run in range(folds.shape[0]):
        for f in range(order_by_fold(folds[run], fold_starts, order)):
            n = 0
            for i in range(rows):
                if folds[run, i] != f:
                    train[n] = i
                    n += 1
            describe(X, values, train[:n], scaled, start, scale, mean, spread, share)
            for i in order[fold_starts[f] : fold_starts[f + 1]]:
                for j in range(n):
                    squared[j] = distance_between(
                        X[i], X[train[j]], values, weight, start, scale, mean, spread, share
                    )
                fill_votes(squared[:n], y, train[:n], k, kind, votes)
                predictions[run, i] = votes.argmax()


@maker
def neighbour_votes(
    X: Any, values: Any, y: Any, T: Any, k: int, kind: int, weight: Any, scaled: bool, votes: Any
) -> None:
    """Fill the votes for the rows T of those that were learnt from."""
    rows, attributes = X.shape
    start = value_starts(values)
    scale = np.empty(attributes)
    mean = np.empty(attributes)
    spread = np.empty(attributes)
    share = np.empty(start[-1])
    train = np.arange(rows)
    squared = np.empty(rows)
    describe(X, values, train, scaled, start, scale, mean, spread, share)
    for i in range(T.shape[0]):
        for j in range(rows):
            squared[j] = distance_between(
                T[i], X[j], values, weight, start, scale, mean, spread, share
            )
        fill_votes(squared, y, train, k, kind, votes[i])
