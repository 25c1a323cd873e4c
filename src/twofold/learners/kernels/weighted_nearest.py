"""Nearest neighbour with weights on the columns, compiled: it is asked for a million times."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.learners.kernels.compile import entry, kernel

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


@entry(FIRST_NAME)
def nearest_of_first(columns: Any, others: Any, sizes: Any, who: Any) -> None:
    """Find the nearest of the first rows to each of the others, for sizes that ascend.

    ``columns`` are those of the rows; ``who`` (sizes, others) gets numbers of rows, the first of
    several at the same distance.
    """
    far = np.empty(columns.shape[1])
    for i in range(len(others)):
        fill_distances(columns, others[i], far)
        best, found, start = np.inf, 0, 0
        for place in range(sizes.size):
            for j in range(start, sizes[place]):
                if far[j] < best:
                    best, found = far[j], j
            start = sizes[place]
            who[place, i] = found


@entry(FOLDS_NAME)
def nearest_in_other_folds(columns: Any, folds: Any, who: Any) -> None:
    """Find the nearest row outside the fold of each row, (runs, rows); −1 where not tested on."""
    count = columns.shape[1]
    far, row = np.empty(count), np.empty(len(columns))
    for i in range(count):
        row[:] = columns[:, i]
        fill_distances(columns, row, far)
        for run in range(len(folds)):
            fold = folds[run]
            mine, best, found = fold[i], np.inf, -1
            if mine >= 0:
                for j in range(count):
                    if far[j] < best and fold[j] != mine:
                        best, found = far[j], j
            who[run, i] = found
