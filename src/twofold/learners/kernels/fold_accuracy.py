"""Folds of many runs at once, and the accuracy in each: with quick learners these take the time."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.learners.kernels.compile import entry

FOLDS_NAME = "stratified folds"
SCORES_NAME = "accuracies of folds"


@entry(FOLDS_NAME)
def stratified_folds(y: Any, classes: int, k: int, random: Any) -> Any:
    """Deal the rows of each class, in random order, into k folds in turn; (runs, rows).

    ``random`` (runs, rows) has numbers between 0 and 1, from `twofold.seeds.rng`.
    """
    runs, rows = random.shape
    folds = np.empty((runs, rows), dtype=np.int32)
    start = np.zeros(classes + 1, dtype=np.int64)
    for i in range(rows):
        start[y[i] + 1] += 1
    for c in range(classes):
        start[c + 1] += start[c]
    place = np.empty(classes, dtype=np.int64)
    order = np.empty(rows, dtype=np.int64)
    for run in range(runs):
        # Fisher and Yates' shuffle, then sorting by class.
        for i in range(rows):
            order[i] = i
        for i in range(rows - 1, 0, -1):
            j = int(random[run, i] * (i + 1))
            order[i], order[j] = order[j], order[i]
        place[:] = start[:classes]
        for t in range(rows):
            i = order[t]
            folds[run, i] = place[y[i]] % k
            place[y[i]] += 1
    return folds


@entry(SCORES_NAME)
def fold_accuracies(said: Any, y: Any, folds: Any, k: int) -> Any:
    """The share of right predictions in every fold of every run, (runs, k)."""
    runs, rows = folds.shape
    right = np.zeros((runs, k))
    count = np.zeros((runs, k))
    for run in range(runs):
        for i in range(rows):
            if folds[run, i] >= 0:
                count[run, folds[run, i]] += 1.0
                right[run, folds[run, i]] += said[run, i] == y[i]
    return right / count
