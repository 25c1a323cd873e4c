"""Nearest neighbour on columns that the caller has scaled, for thousands of training sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray


def nearest_by_size(
    X: NDArray[Any], y: NDArray[Any], test: NDArray[Any], sizes: Sequence[int]
) -> NDArray[Any]:
    """Return the class of the nearest of the first rows to each row of ``test``, (sizes, rows)."""
    from twofold.learners.kernels.compile import announce
    from twofold.learners.kernels.weighted_nearest import FIRST_NAME, nearest_of_first

    ascending = np.unique(sizes)
    nearest = np.empty((len(ascending), len(test)), dtype=np.intp)
    with announce(FIRST_NAME):
        nearest_of_first(np.ascontiguousarray(X.T), test, ascending, nearest)
    return y[nearest[np.searchsorted(ascending, sizes)]]


def nearest_across_folds(X: NDArray[Any], y: NDArray[Any], folds: NDArray[Any]) -> NDArray[Any]:
    """Return the class of the nearest row outside the fold of each row, (runs, rows).

    −1 where ``folds`` is −1: such rows are trained on only.
    """
    from twofold.learners.kernels.compile import announce
    from twofold.learners.kernels.weighted_nearest import FOLDS_NAME, nearest_in_other_folds

    nearest = np.empty(folds.shape, dtype=np.intp)
    with announce(FOLDS_NAME):
        nearest_in_other_folds(np.ascontiguousarray(X.T), folds, nearest)
    return np.where(nearest >= 0, y[nearest], -1)
