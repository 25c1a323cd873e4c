"""Naive Bayes with plain normal densities, over whole cross-validations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import copy_into, entry, kernel, order_by_fold
from twofold.learners.kernels.naive_bayes_kernel import count_cells, nominal_likelihoods, prior

NAME = "naive Bayes with plain densities"
LEAST_SHARE = 1e-12
"""Variances are at least this share of the largest variance of any attribute."""


@kernel
def fill_powers(z: Any, powers: Any) -> None:
    """Fill, for each row, which numbers are known, the numbers, and their squares."""
    attributes, rows = z.shape
    for a in range(attributes):
        for i in range(rows):
            present = z[a, i] == z[a, i]
            x = z[a, i] if present else 0.0
            powers[i, a] = present
            powers[i, attributes + a] = x
            powers[i, 2 * attributes + a] = x * x


@kernel
def densities(sums: Any, smoothing: float, mean: Any, factor: Any, height: Any) -> None:
    """Fill mean, 1 / 2 variance and log of the height (class, attribute) from sums (class, 3, a).

    As in scikit-learn, ``smoothing`` times the largest variance of any attribute is added to all.
    """
    classes, _, attributes = sums.shape
    largest = 0.0
    for a in range(attributes):
        n = sum_x = sum_squares = 0.0
        for c in range(classes):
            n += sums[c, 0, a]
            sum_x += sums[c, 1, a]
            sum_squares += sums[c, 2, a]
        if n > 0:
            largest = max(largest, sum_squares / n - (sum_x / n) ** 2)
    least = LEAST_SHARE * (largest if largest > 0 else 1.0)
    for c in range(classes):
        for a in range(attributes):
            n = sums[c, 0, a]
            if n == 0:  # nothing known of this attribute in this class: it has no say
                mean[c, a] = factor[c, a] = height[c, a] = 0.0
                continue
            centre = sums[c, 1, a] / n
            variance = max(sums[c, 2, a] / n - centre * centre, 0.0) + smoothing * largest
            variance = max(variance, least)
            mean[c, a] = centre
            factor[c, a] = 0.5 / variance
            height[c, a] = -0.5 * math.log(variance)


@kernel
def add_densities(
    z: Any, test: Any, mean: Any, factor: Any, height: Any, column: Any, score: Any
) -> None:
    """Add the logs of the densities of the tested rows' numbers to ``score[class, row]``.

    Row after row within an attribute, not attribute after attribute within a row: the processor
    then does several at once.
    """
    for a in range(z.shape[0]):
        for t in range(test.size):
            column[t] = z[a, test[t]]
        for c in range(score.shape[0]):
            centre, times, most = mean[c, a], factor[c, a], height[c, a]
            for t in range(test.size):
                d = column[t] - centre
                here = most - d * d * times
                score[c, t] += here if d == d else 0.0


@entry(NAME, seconds=3)
def gaussian_runs(
    z: Any,
    cell: Any,
    starts: Any,
    y: Any,
    classes: int,
    folds: Any,
    laplace: bool,
    smoothing: float,
    predictions: Any,
) -> None:
    """Predict as `weka_runs` does, with plain normal densities for numeric attributes.

    ``z`` (attributes, rows) has the numeric attributes, ``cell`` (rows, attributes) the nominal
    ones.
    """
    attributes, rows = z.shape
    size = starts[-1]
    total = count_cells(cell, y, classes, size)
    per_class = np.zeros(classes, dtype=np.int64)
    for i in range(rows):
        per_class[y[i]] += 1
    left = np.empty(classes, dtype=np.int64)
    likelihood = np.zeros(size * classes)
    powers = np.empty((rows, 3 * attributes))
    fill_powers(z, powers)
    sums = np.empty((classes, 3, attributes))
    flat_sums = sums.ravel()
    width = sums.size
    mean = np.empty((classes, attributes))
    factor = np.empty((classes, attributes))
    height = np.empty((classes, attributes))
    column = np.empty(rows)
    score = np.empty((classes, rows))
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=np.uint32)
    most = np.intp(0)
    for run in range(folds.shape[0]):
        most = max(most, np.intp(folds[run].max()) + 1)
    # One more part holds the rows that are never tested.
    part = np.empty((most + 1, width))
    before = np.empty(width)
    after = np.empty((most + 1, width))
    for run in range(folds.shape[0]):
        count = order_by_fold(folds[run], fold_starts, order)
        part[:] = 0.0
        for i in range(rows):
            into = np.intp(folds[run, i]) if folds[run, i] >= 0 else most
            here = np.intp(y[i]) * 3 * attributes
            for p in range(3 * attributes):
                part[into, here + p] += powers[i, p]
        copy_into(after[count], part[most])
        for f in range(count - 1, 0, -1):
            for p in range(width):
                after[f, p] = after[f + 1, p] + part[f, p]
        before[:] = 0.0
        for f in range(count):
            test = order[fold_starts[f] : fold_starts[f + 1]]
            copy_into(left, per_class)
            for i in test:
                left[y[i]] -= 1
                for b in range(cell.shape[1]):
                    total[np.intp(cell[i, b]) * classes + y[i]] -= 1
            # Adding parts before and after it, rather than taking one away, cancels no digits.
            for p in range(width):
                flat_sums[p] = before[p] + after[f + 1, p]
                before[p] += part[f, p]
            densities(sums, smoothing, mean, factor, height)
            for b in range(cell.shape[1]):
                first, last = starts[b], starts[b + 1]
                nominal_likelihoods(total, first, last, classes, likelihood)
                for at in range(first * classes, last * classes):
                    likelihood[at] = math.log(likelihood[at])
            trained = rows - test.size
            for c in range(classes):
                score[c, : test.size] = math.log(prior(left[c], trained, classes, laplace))
            add_densities(z, test, mean, factor, height, column, score)
            for t in range(test.size):
                i = test[t]
                for b in range(cell.shape[1]):
                    here = np.intp(cell[i, b]) * classes
                    for c in range(classes):
                        score[c, t] += likelihood[here + c]
                    total[here + y[i]] += 1
                best = 0
                for c in range(1, classes):
                    if score[c, t] > score[best, t]:
                        best = c
                predictions[run, i] = best
