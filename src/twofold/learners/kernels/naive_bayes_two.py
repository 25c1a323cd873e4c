"""Naive Bayes as in Weka for two classes and nominal attributes: fewer steps, the same products."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import entry, kernel, order_by_fold
from twofold.learners.kernels.naive_bayes_kernel import prior

NAME = "naive Bayes for two classes"
Index = np.uint32


def products_stay_large(rows: int, attributes: int, cells: int) -> bool:
    """Whether no product of likelihoods can become so small that it must be scaled up."""
    # The least likelihood of a nominal value is one in all rows and values.
    return math.log10(rows + cells) * (attributes + 1) < 75


@kernel
def fill_cells(X: Any, starts: Any, y: Any, cell: Any, total: Any) -> None:
    """Number the values of all attributes, twice over, and count the classes in each.

    Cell 0 stands for a missing value; cell v, class 1 is the entry after cell v, class 0.
    """
    rows, attributes = X.shape
    for i in range(rows):
        for a in range(attributes):
            x = X[i, a]
            at = Index(2 * (starts[a] + int(x))) if x == x else Index(0)
            cell[i, a] = at
            total[Index(at + y[i])] += 1


@kernel
def fill_likelihoods(count: Any, starts: Any, likelihood: Any) -> None:
    """Fill the Laplace likelihoods of all values."""
    for a in range(starts.size - 1):
        first, last = Index(2 * starts[a]), Index(2 * starts[a + 1])
        zero = first_class = Index((last - first) // 2)
        for at in range(first, last, Index(2)):
            zero += count[at]
            first_class += count[Index(at + 1)]
        for at in range(first, last, Index(2)):
            likelihood[at] = (count[at] + 1.0) / zero
            likelihood[Index(at + 1)] = (count[Index(at + 1)] + 1.0) / first_class


@kernel
def second_wins(first_class: float, second_class: float) -> bool:
    """Whether the second of two shares is larger, the shares being rounded as Weka rounds them."""
    # Asked first whether they are near, which they hardly ever are: a branch that is guessed right.
    if (
        abs(second_class - first_class) < 1e-12 * second_class and second_class > first_class
    ):  # might be equal once divided by the sum
        return first_class / (first_class + second_class) != second_class / (
            first_class + second_class
        )
    return second_class > first_class


@entry(NAME, seconds=1)
def two_class_runs(
    X: Any, starts: Any, y: Any, folds: Any, laplace: bool, predictions: Any
) -> None:
    """Predict every row of every run from the rows outside its fold; see `weka_runs`."""
    rows, attributes = X.shape
    cell = np.empty((rows, attributes), dtype=Index)
    total = np.zeros(2 * starts[-1], dtype=Index)
    fill_cells(X, starts, y, cell, total)
    all_ones = 0
    for i in range(rows):
        all_ones += y[i]
    count = np.empty(total.size, dtype=Index)
    likelihood = np.ones(total.size)
    fold_starts = np.empty(rows + 2, dtype=np.int64)
    order = np.empty(rows, dtype=Index)
    for run in range(folds.shape[0]):
        for f in range(order_by_fold(folds[run], fold_starts, order)):
            first, last = Index(fold_starts[f]), Index(fold_starts[f + 1])
            for at in range(total.size):
                count[at] = total[at]
            ones = all_ones
            for t in range(first, last):
                i = order[t]
                ones -= y[i]
                for a in range(attributes):
                    count[Index(cell[i, a] + y[i])] -= Index(1)
            fill_likelihoods(count, starts, likelihood)
            trained = rows - (last - first)
            before_one = prior(trained - ones, trained, 2, laplace)
            before_two = prior(ones, trained, 2, laplace)
            for t in range(first, last):
                i = order[t]
                first_class, second_class = before_one, before_two
                for a in range(attributes):
                    at = cell[i, a]
                    first_class *= likelihood[at]
                    second_class *= likelihood[Index(at + 1)]
                predictions[run, i] = second_wins(first_class, second_class)
