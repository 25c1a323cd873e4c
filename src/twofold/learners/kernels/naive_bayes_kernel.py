"""Naive Bayes over whole cross-validations: counts of all rows less those of the tested fold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import (
    copy_into,
    entry,
    kernel,
    maker,
    order_by_fold,
    shared_kernel,
)
from twofold.learners.kernels.normal import fill_masses, round_to

NAME = "naive Bayes"
LEAST = 1e-75
"""Weka's smallest likelihood of one value, and the size below which products are scaled up."""
DEFAULT_PRECISION = 0.01
"""Weka's precision of an attribute with fewer than two different values."""


@shared_kernel
def normal_estimates(
    value: Any, count: Any, first: int, last: int, mean: Any, spread: Any, rounded: Any
) -> float:
    """Fill mean and spread of each class from values and their counts; return the precision.

    ``value[first:last]`` ascends; ``count[cell * classes + c]`` says how often each occurs in class
    c. As in Weka, the precision is the mean gap between neighbouring different values, numbers
    are rounded to it, and no deviation is below a sixth of it. ``rounded`` gets the numbers.
    """
    classes = mean.size
    gaps = 0.0
    different = -1
    before = 0.0
    for cell in range(first, last):
        here = 0
        for c in range(classes):
            here += count[cell * classes + c]
        if here > 0:
            if different >= 0:
                gaps += value[cell] - before
            different += 1
            before = value[cell]
    precision = gaps / different if different > 0 else DEFAULT_PRECISION
    for cell in range(first, last):
        rounded[cell] = round_to(value[cell], precision)
    least = precision / 6.0
    for c in range(classes):
        total = squares = 0.0
        weight = 0
        for cell in range(first, last):
            times = count[cell * classes + c]
            total += times * rounded[cell]
            squares += times * rounded[cell] * rounded[cell]
            weight += times
        mean[c], spread[c] = 0.0, least
        if weight > 0:
            mean[c] = total / weight
            deviation = math.sqrt(abs(squares - mean[c] * total) / weight)
            if deviation > 1e-10:
                spread[c] = max(least, deviation)
    return precision


@shared_kernel
def first_largest(probability: Any) -> int:
    """The first class of largest share, the shares being rounded as Weka rounds them."""
    best = 0
    for c in range(1, probability.size):
        if probability[c] > probability[best]:
            best = c
    largest = probability[best]
    for c in range(best):
        if probability[c] > largest * 0.999999999999:  # might be equal once divided by the sum
            total = 0.0
            for d in range(probability.size):
                total += probability[d]
            if probability[c] / total == largest / total:
                return c
    return best


@shared_kernel
def multiply(probability: Any, likelihood: Any, cells: Any) -> None:
    """Multiply the likelihoods of a row's cells into the probabilities of the classes."""
    classes = probability.size
    if classes == 2:  # two plain numbers stay in registers
        first, second = probability[0], probability[1]
        for a in range(cells.size):
            at = np.intp(cells[a]) * 2
            first *= likelihood[at]
            second *= likelihood[at + 1]
            if first < LEAST and second < LEAST and (first > 0.0 or second > 0.0):
                first *= 1e75
                second *= 1e75
        probability[0], probability[1] = first, second
        return
    for a in range(cells.size):
        at = np.intp(cells[a]) * classes
        largest = 0.0
        for c in range(classes):
            probability[c] *= likelihood[at + c]
            largest = max(largest, probability[c])
        if 0.0 < largest < LEAST:
            for c in range(classes):
                probability[c] *= 1e75


@maker
def count_cells(cell: Any, y: Any, classes: int, size: int) -> Any:
    """Count the classes in every cell, over all rows."""
    count = np.zeros(size * classes, dtype=np.int32)
    for i in range(cell.shape[0]):
        for a in range(cell.shape[1]):
            count[np.intp(cell[i, a]) * classes + y[i]] += 1
    return count


@kernel
def nominal_likelihoods(count: Any, first: int, last: int, classes: int, likelihood: Any) -> None:
    """Fill the Laplace likelihoods of the values of one attribute."""
    for c in range(classes):
        total = last - first
        for cell in range(first, last):
            total += count[cell * classes + c]
        for cell in range(first, last):
            likelihood[cell * classes + c] = (count[cell * classes + c] + 1.0) / total


@entry(NAME, seconds=4)
def weka_runs(
    cell: Any,
    starts: Any,
    value: Any,
    numeric: Any,
    y: Any,
    classes: int,
    folds: Any,
    laplace: bool,
    predictions: Any,
) -> None:
    """Predict every row of every run from the rows outside its fold, as Weka does."""
    rows, attributes = cell.shape
    total = count_cells(cell, y, classes, value.size)
    per_class = np.zeros(classes, dtype=np.int64)
    for i in range(rows):
        per_class[y[i]] += 1
    left = np.empty(classes, dtype=np.int64)
    likelihood = np.ones(value.size * classes)
    filled = np.zeros(value.size, dtype=np.int64)
    mean = np.empty(classes)
    spread = np.empty(classes)
    rounded = np.zeros(value.size)
    x = np.empty(rows + 1)
    tested = np.empty(rows + 1, dtype=np.uint32)
    room = np.empty((4, 2 * rows + 1))
    far = np.empty(2 * rows + 1, dtype=np.uint32)
    probability = np.empty(classes)
    before = np.empty(classes)
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=np.uint32)
    # Counts of few cells are copied for every fold; of many, those of the fold are put back.
    small = total.size < 2 * rows
    counts = total.copy()
    stamp = 0
    for run in range(folds.shape[0]):
        for f in range(order_by_fold(folds[run], fold_starts, order)):
            test = order[fold_starts[f] : fold_starts[f + 1]]
            stamp += 1
            copy_into(left, per_class)
            if small:
                copy_into(counts, total)
            for i in test:
                left[y[i]] -= 1
                for a in range(attributes):
                    counts[np.uint32(cell[i, a] * np.uint32(classes) + y[i])] -= 1
            for a in range(attributes):
                first, last = starts[a], starts[a + 1]
                if not numeric[a]:
                    nominal_likelihoods(counts, first, last, classes, likelihood)
                    continue
                precision = normal_estimates(value, counts, first, last, mean, spread, rounded)
                fresh = np.intp(0)
                for i in test:
                    here = cell[i, a]
                    x[fresh] = rounded[here]
                    tested[fresh] = here
                    is_fresh = (here != 0) & (filled[here] != stamp)
                    filled[here] = stamp
                    fresh += is_fresh
                for c in range(classes):
                    fill_masses(x, fresh, mean[c], spread[c], precision, room, far)
                    for k in range(fresh):
                        at = np.intp(tested[k]) * classes + c
                        likelihood[at] = max(LEAST, room[0, k])
            trained = rows - test.size
            for c in range(classes):
                before[c] = prior(left[c], trained, classes, laplace)
            for i in test:
                copy_into(probability, before)
                multiply(probability, likelihood, cell[i])
                predictions[run, i] = first_largest(probability)
                if not small:
                    for a in range(attributes):
                        counts[np.uint32(cell[i, a] * np.uint32(classes) + y[i])] += 1


@kernel
def prior(count: int, trained: int, classes: int, laplace: bool) -> float:
    """The probability of a class before a row is seen."""
    return (count + 1.0) / (trained + classes) if laplace else count / trained
