"""The voted perceptron over whole cross-validations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import entry, kernel, maker, order_by_fold, shared_kernel

NAME = "voted perceptron"
LOW_48_BITS = np.uint64(2**48 - 1)
FACTOR = np.uint64(0x5DEECE66D)


@kernel
def _drawn(state: Any, below: int) -> Any:
    """Draw a whole number below a bound as Java's generator of random numbers does."""
    while True:
        state[0] = (state[0] * FACTOR + np.uint64(11)) & LOW_48_BITS
        bits = np.int64(state[0] >> np.uint64(17))
        if below & (below - 1) == 0:
            return (below * bits) >> 31
        drawn = bits % below
        if bits - drawn + (below - 1) < 2**31:
            return drawn


@maker
def shuffle(rows: Any, seed: int) -> None:
    """Put rows into the order into which Weka puts them."""
    state = np.empty(1, dtype=np.uint64)
    state[0] = (np.uint64(seed) ^ FACTOR) & LOW_48_BITS
    for j in range(rows.size - 1, 0, -1):
        row_b = _drawn(state, j + 1)
        rows[j], rows[row_b] = rows[row_b], rows[j]


@maker
def fill_ins(X: Any, values: Any, rows: Any, fill: Any) -> None:
    """Fill what stands for a missing value: the mean, or the first of the commonest values."""
    for a in range(values.size):
        fill[a] = 0.0
        if values[a] == 0:
            present = 0
            total = 0.0
            for i in rows:
                if X[i, a] == X[i, a]:
                    present += 1
                    total += X[i, a]
            if present:
                fill[a] = total / present
            continue
        often = np.zeros(values[a], dtype=np.int64)
        for i in rows:
            if X[i, a] == X[i, a]:
                often[np.intp(X[i, a])] += 1
        fill[a] = often.argmax()


@shared_kernel
def width(values: Any) -> int:
    """How many numbers a row becomes: one for each value where there are more than two."""
    total = 0
    for a in range(values.size):
        total += values[a] if values[a] > 2 else 1
    return total


@shared_kernel
def spread_out(row: Any, values: Any, fill: Any, into: Any) -> None:
    """Write a row as numbers only."""
    into[:] = 0.0
    at = 0
    for a in range(values.size):
        x = row[a]
        if x != x or (values[a] > 0 and x >= values[a]):
            x = fill[a]
        if values[a] > 2:
            into[at + np.intp(x)] = 1.0
            at += values[a]
        else:
            into[at] = x
            at += 1


@kernel
def alike(row_a: Any, row_b: Any, exponent: float) -> float:
    """The polynomial kernel: the inner product and one, to a power."""
    total = 0.0
    for a in range(row_a.size):
        total += row_a[a] * row_b[a]
    total += 1.0
    return total if exponent == 1.0 else total**exponent


@maker
def learn(Z: Any, y: Any, rows: Any, passes: int, exponent: float, changed: Any, lived: Any) -> int:
    """Show the rows in their order; return how many changed the perceptron.

    ``changed[k]`` is the row that ended the k-th perceptron, ``lived[k]`` for how many rows it
    was right, the one it began with included. There is room for one more than may change it.
    """
    changes = 0
    lived[:] = 0
    # With exponent 1 the sum over all changes is one vector and a constant.
    weight = np.zeros(Z.shape[1])
    constant = 0.0
    for _ in range(passes):
        for i in rows:
            total = 0.0
            if exponent == 1.0:
                total = constant
                for a in range(weight.size):
                    total += weight[a] * Z[i, a]
            else:
                for k in range(changes):
                    sign = 1.0 if y[changed[k]] == 1 else -1.0
                    total += sign * alike(Z[changed[k]], Z[i], exponent)
            if (total >= 0.0) == (y[i] == 1):
                lived[changes] += 1
                continue
            sign = 1.0 if y[i] == 1 else -1.0
            changed[changes] = i
            constant += sign
            for a in range(weight.size):
                weight[a] += sign * Z[i, a]
            changes += 1
            lived[changes] += 1
            if changes == lived.size - 1:
                return changes
    return changes


@shared_kernel
def vote(z: Any, Z: Any, y: Any, changed: Any, lived: Any, changes: int, exponent: float) -> int:
    """The votes of all perceptrons for the second class less those for the first."""
    votes = 0
    total = 0.0
    for k in range(changes + 1):
        votes += -lived[k] if total < 0.0 else lived[k]
        if k < changes:
            sign = 1.0 if y[changed[k]] == 1 else -1.0
            total += sign * alike(Z[changed[k]], z, exponent)
    return votes


@shared_kernel
def probability_of_second(votes: int) -> float:
    """The probability of the second class that Weka makes of votes."""
    return 1.0 / (1.0 + math.exp(-votes)) if votes > -700 else 0.0


@entry(NAME, seconds=2)
def perceptron_runs(
    X: Any,
    values: Any,
    y: Any,
    folds: Any,
    passes: int,
    exponent: float,
    most: int,
    seed: int,
    predictions: Any,
) -> None:
    """Predict every row of every run from the rows outside its fold."""
    rows, attributes = X.shape
    fill = np.empty(attributes)
    Z = np.empty((rows, width(values)))
    changed = np.empty(most, dtype=np.int64)
    lived = np.empty(most + 1, dtype=np.int64)
    train = np.empty(rows, dtype=np.int64)
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=np.uint32)
    for run in range(folds.shape[0]):
        for f in range(order_by_fold(folds[run], fold_starts, order)):
            test = order[fold_starts[f] : fold_starts[f + 1]]
            n = 0
            for i in range(rows):
                if folds[run, i] != f:
                    train[n] = i
                    n += 1
            fill_ins(X, values, train[:n], fill)
            for i in range(rows):
                spread_out(X[i], values, fill, Z[i])
            shuffle(train[:n], seed)
            changes = learn(Z, y, train[:n], passes, exponent, changed, lived)
            for i in test:
                predictions[run, i] = vote(Z[i], Z, y, changed, lived, changes, exponent) > 0
