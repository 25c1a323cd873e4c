"""The nearest neighbour, as in Weka."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.learners.kernels.column_arrays import Columns, Floats
from twofold.learners.kernels.compile import announce, spread_runs
from twofold.learners.kernels.estimator import CodedClassifier, WholeRuns
from twofold.learners.kernels.nearest_kernel import (
    CODES_NAME,
    LISTS_NAME,
    MISSING,
    NAME,
    fill_lists,
    fill_lists_of_codes,
    nearest_runs,
)

ROOM = 16
"""How many neighbours of a row are listed; seldom are so many in the row's own fold."""
FEW_MORE = 50
"""For so many attributes one more is listed: the more there are, the more alike are distances."""
ENOUGH = 8
"""How many are listed at least where distances are whole numbers."""
NARROW = {"first": 1e-6, "vote": 0.0}
"""Ranges below this count as none: Weka's IB1 and IBk differ here."""


class NearestNeighbour(CodedClassifier):
    """The class of the nearest row.

    The distance is Euclidean. Numbers are scaled to the range they have in the rows learnt from;
    nominal values are 0 or 1 apart; a missing value is as far away as it could be.

    Parameters
    ----------
    ties : {"vote", "first"}
        Rows at the same least distance vote (Weka's IBk with k = 1), or the first of them in the
        order of the rows decides (IB1).
    widen : bool
        As in Weka, a tested row widens the ranges for itself and for all rows tested after it, so
        that a prediction depends on the rows before it. False keeps to the rows learnt from.
    nominal, values, classes
        As for `NaiveBayes`.
    """

    def __init__(
        self,
        *,
        ties: str = "vote",
        widen: bool = True,
        nominal: Any = "auto",
        values: Any = None,
        classes: Any = None,
    ) -> None:
        self.ties = ties
        self.widen = widen
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def _check(self) -> None:
        if self.ties not in NARROW:
            raise InputError(
                f"`ties` must be 'vote' or 'first', got {self.ties!r}.",
                "'vote' is Weka's IBk, 'first' its IB1.",
            )

    def fit(self, X: Any, y: Any) -> NearestNeighbour:
        """Keep the rows."""
        self._check()
        columns = self._read(X, y)
        self._rows = columns.X
        self._y = columns.y.astype(np.intp)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of every class for every row.

        With votes, every class has as much as one row in all rows learnt from to begin with.
        """
        votes = self._votes(self._seen(X))
        if self.ties == "vote":
            votes = votes + 1.0 / len(self._y)
        return votes / votes.sum(axis=1, keepdims=True)

    def _votes(self, X: Floats) -> Floats:
        low = np.fmin.reduce(self._rows, axis=0, initial=np.inf)
        high = np.fmax.reduce(self._rows, axis=0, initial=-np.inf)
        votes = np.zeros((len(X), len(self.classes_)))
        for i, row in enumerate(X):
            if self.widen:
                low, high = np.fmin(low, row), np.fmax(high, row)
            near = self._distances(row, low, high)
            tied = np.flatnonzero(near == near.min())
            if self.ties == "first":
                tied = tied[:1]
            votes[i] = np.bincount(self._y[tied], minlength=len(self.classes_))
        return votes

    def _distances(self, row: Floats, low: Floats, high: Floats) -> Floats:
        """Squared distances of a row to all rows learnt from, added in the order of the columns."""
        total = np.zeros(len(self._rows))
        for a, x in enumerate(row):
            column = self._rows[:, a]
            if self._nominal[a]:
                total += column != x
                continue
            width = high[a] - low[a]
            if width <= 0 or width < NARROW[self.ties]:
                column, x = np.where(np.isnan(column), np.nan, 0.0), x * 0.0
            elif np.isfinite(width):
                column, x = (column - low[a]) / width, (x - low[a]) / width
            if np.isnan(x):
                part = np.where(np.isnan(column), 1.0, np.maximum(column, 1 - column))
            else:
                part = np.where(np.isnan(column), max(x, 1 - x), x - column)
            total += part * part
        return total

    def _whole_runs(self, columns: Columns) -> WholeRuns:
        self._check()
        job = _NearestRuns(columns, self)
        return WholeRuns(NAME, job.runs, 10.0 * columns.X.shape[1], job.list_once)


class _NearestRuns:
    """A data set, and the options, for the nearest neighbours in any of its folds.

    Rows of a fold are tested in the order they have in the data set.
    """

    def __init__(self, columns: Columns, learner: NearestNeighbour) -> None:
        self.columns = columns
        self.narrow = NARROW[learner.ties]
        self.options = (learner.ties == "vote", bool(learner.widen), self.narrow)
        self.lists: tuple[Floats, Any, bool] | None = None

    def list_once(self, threads: int) -> None:
        """List the nearest rows of every row, which all runs need."""
        if self.lists is None:
            self.lists = _lists(self.columns, self.narrow, threads)

    def runs(self, folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
        assert self.lists is not None
        columns = self.columns
        bound, neighbour, exact = self.lists
        nearest_runs(
            columns.X,
            columns.nominal,
            exact,
            columns.y,
            columns.classes,
            bound,
            neighbour,
            folds,
            *self.options,
            predictions,
        )


def _lists(columns: Columns, narrow: float, threads: int) -> tuple[Floats, Any, bool]:
    """List the nearest rows of every row, over the ranges of all rows.

    Returns bounds of the distances, the rows, and whether the bounds are distances.
    """
    rows, attributes = columns.X.shape
    work = float(rows * rows * attributes)
    if columns.nominal.all() and attributes < 255 and columns.values.max() < 255:
        codes = np.where(np.isnan(columns.X), float(MISSING), columns.X).T.astype(
            np.uint8, order="C"
        )
        bound = np.empty((rows, 2 * ROOM))
        neighbour = np.empty(bound.shape, dtype=np.int32)
        with announce(CODES_NAME):
            spread_runs(
                lambda a, b: fill_lists_of_codes(codes, a, b, ENOUGH, bound, neighbour),
                rows,
                threads=threads,
                work=work / 10,
            )
        return bound, neighbour, True
    scaled = _scale(columns, narrow)
    gaps = np.isnan(scaled.sum(axis=1))
    bound = np.empty((rows, ROOM + attributes // FEW_MORE))
    neighbour = np.empty(bound.shape, dtype=np.int32)
    with announce(LISTS_NAME):
        spread_runs(
            lambda a, b: fill_lists(scaled, columns.nominal, gaps, a, b, bound, neighbour),
            rows,
            threads=threads,
            work=work,
        )
    return bound, neighbour, not gaps[~columns.nominal].any()


def _scale(columns: Columns, narrow: float) -> Floats:
    """Return codes, and numbers between the least and the largest of all rows, (attributes, rows).

    Missing codes become NaN, which differs from everything, itself included.
    """
    low = np.fmin.reduce(columns.X, axis=0, initial=np.inf)
    width = np.fmax.reduce(columns.X, axis=0, initial=-np.inf) - low
    flat = (width <= 0) | (width < narrow)
    scaled = (columns.X - np.where(flat, 0.0, low)) / np.where(flat, 1.0, width)
    scaled[:, flat] *= 0.0
    scaled[:, columns.nominal] = columns.X[:, columns.nominal]
    return np.ascontiguousarray(scaled.T)
