"""Folds of many runs at once, and the accuracy in each, compiled, so that they take little time."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(error_model="numpy")
def stratified_folds(y: np.ndarray, classes: int, k: int, random: np.ndarray) -> np.ndarray:
    """Assign the rows of each class, in random order, to k folds in turn; (runs, rows).

    ``random`` (runs, rows) has numbers between 0 and 1.
    """
    runs, rows = random.shape
    folds = np.empty((runs, rows), dtype=np.int32)
    start = np.zeros(classes + 1, dtype=np.int64)
    for i in range(rows):
        start[y[i] + 1] += 1
    for c in range(classes):
        start[c + 1] += start[c]
    order = np.empty(rows, dtype=np.int64)
    for run in range(runs):
        # Fisher and Yates' shuffle, then sorting by class.
        for i in range(rows):
            order[i] = i
        for i in range(rows - 1, 0, -1):
            j = int(random[run, i] * (i + 1))
            order[i], order[j] = order[j], order[i]
        position = start[:classes].copy()
        for i in order:
            folds[run, i] = position[y[i]] % k
            position[y[i]] += 1
    return folds


@njit(error_model="numpy")
def fold_accuracies(
    predictions: np.ndarray, y: np.ndarray, folds: np.ndarray, k: int
) -> np.ndarray:
    """Return the share of right predictions in every fold of every run, (runs, k)."""
    runs, rows = folds.shape
    right, count = np.zeros((runs, k)), np.zeros((runs, k))
    for run in range(runs):
        for i in range(rows):
            count[run, folds[run, i]] += 1.0
            right[run, folds[run, i]] += predictions[run, i] == y[i]
    return right / count
