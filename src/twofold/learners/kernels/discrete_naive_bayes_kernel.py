"""Naive Bayes over intervals, whole cross-validations at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.learners.kernels.compile import copy_into, entry, maker, order_by_fold
from twofold.learners.kernels.discretise import cut_points, times_log
from twofold.learners.kernels.naive_bayes_kernel import (
    count_cells,
    first_largest,
    multiply,
    nominal_likelihoods,
    prior,
)

NAME = "naive Bayes over intervals"


@maker
def interval_likelihoods(
    value: Any, count: Any, first: int, last: int, classes: int, table: Any, likelihood: Any
) -> None:
    """Cut one attribute and fill the likelihoods of its values: those of their intervals."""
    cuts = cut_points(value, count, first, last, classes, table)
    inside = np.zeros((cuts.size + 1) * classes, dtype=count.dtype)
    probability = np.empty((cuts.size + 1) * classes)
    interval = 0
    for cell in range(first, last):
        while interval < cuts.size and value[cell] > cuts[interval]:
            interval += 1
        for c in range(classes):
            inside[interval * classes + c] += count[cell * classes + c]
    nominal_likelihoods(inside, 0, cuts.size + 1, classes, probability)
    interval = 0
    for cell in range(first, last):
        while interval < cuts.size and value[cell] > cuts[interval]:
            interval += 1
        for c in range(classes):
            likelihood[cell * classes + c] = probability[interval * classes + c]


@entry(NAME, seconds=5)
def discrete_runs(
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
    """Predict every row of every run from the rows outside its fold."""
    rows, attributes = cell.shape
    table = times_log(rows)
    total = count_cells(cell, y, classes, value.size)
    per_class = np.zeros(classes, dtype=np.int64)
    for i in range(rows):
        per_class[y[i]] += 1
    left = np.empty(classes, dtype=np.int64)
    likelihood = np.ones(value.size * classes)
    probability = np.empty(classes)
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=np.uint32)
    for run in range(folds.shape[0]):
        for f in range(order_by_fold(folds[run], fold_starts, order)):
            test = order[fold_starts[f] : fold_starts[f + 1]]
            copy_into(left, per_class)
            for i in test:
                left[y[i]] -= 1
                for a in range(attributes):
                    total[np.intp(cell[i, a]) * classes + y[i]] -= 1
            for a in range(attributes):
                first, last = starts[a], starts[a + 1]
                if numeric[a]:
                    interval_likelihoods(value, total, first, last, classes, table, likelihood)
                else:
                    nominal_likelihoods(total, first, last, classes, likelihood)
            for i in test:
                for c in range(classes):
                    probability[c] = prior(left[c], rows - test.size, classes, laplace)
                multiply(probability, likelihood, cell[i])
                predictions[run, i] = first_largest(probability)
                for a in range(attributes):
                    total[np.intp(cell[i, a]) * classes + y[i]] += 1
