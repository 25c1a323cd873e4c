"""Nearest neighbour with weights on the columns, compiled: it is asked for a million times."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.learners.kernels.compile import copy_into, entry, kernel

FIRST_NAME = "nearest neighbour with weights"
FOLDS_NAME = "nearest neighbour with weights in folds"


@kernel
def fill_distances(columns: Any, row: Any, far: Any) -> None:
    """Fill squared distances to a row; column by column, so that several go at once."""
    far[:] = 0.0
    for a in range(len(columns)):
        column, x = columns[a], row[a]
        for j in range(far.size):
            gap = column[j] - x
            far[j] += gap * gap


@entry(FIRST_NAME, seconds=1)
def nearest_of_first(columns: Any, tested: Any, sizes: Any, nearest: Any) -> None:
    """Find the nearest of the first rows to each of the others, for sizes that ascend.

    ``columns`` are those of the rows; ``nearest`` (sizes, tested) gets numbers of rows, the first
    of several at the same distance.
    """
    far = np.empty(columns.shape[1])
    for i in range(len(tested)):
        fill_distances(columns, tested[i], far)
        best, best_row, start = np.inf, 0, 0
        for index in range(sizes.size):
            for j in range(start, sizes[index]):
                if far[j] < best:
                    best, best_row = far[j], j
            start = sizes[index]
            nearest[index, i] = best_row


@entry(FOLDS_NAME, seconds=1)
def nearest_in_other_folds(columns: Any, folds: Any, nearest: Any) -> None:
    """Find the nearest row outside the fold of each row, (runs, rows); −1 where not tested on."""
    count = columns.shape[1]
    far, row = np.empty(count), np.empty(len(columns))
    for i in range(count):
        copy_into(row, columns[:, i])
        fill_distances(columns, row, far)
        for run in range(len(folds)):
            fold = folds[run]
            mine, best, best_row = fold[i], np.inf, -1
            if mine >= 0:
                for j in range(count):
                    if far[j] < best and fold[j] != mine:
                        best, best_row = far[j], j
            nearest[run, i] = best_row
