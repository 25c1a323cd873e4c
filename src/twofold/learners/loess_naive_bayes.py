"""Naive Bayes with probabilities of classes by LOESS."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.learners.kernels.column_arrays import Cells, Columns, Floats
from twofold.learners.kernels.compile import announce
from twofold.learners.kernels.estimator import CodedClassifier, WholeRuns
from twofold.learners.kernels.loess import NAME, loess_curve

Part = tuple[Floats, Floats]
"""Values of an attribute, and the probabilities of the classes at each."""


class LoessNaiveBayes(CodedClassifier):
    """Naive Bayes that reads the probabilities of the classes along a number off a smooth curve.

    As in Orange, which Demšar (2006) used: P(c) ∏ P(c | x) / P(c), where P(c | x) of a number is
    a locally weighted line through the rows around it. Probabilities beyond 0.1 and 0.9 are bent by
    a logistic curve, so that none leaves 0 … 1. Between two numbers that were learnt from, the
    curve is a straight line; beyond the last ones it is level. A number that never changes, a
    missing value and a value never seen have no say.

    Parameters
    ----------
    share : float
        Share of the rows that a window holds.
    m : float
        P(c | value) of a nominal value is (n + m P(c)) / (n of the value + m).
    nominal, values, classes
        As for `NaiveBayes`.
    """

    def __init__(
        self,
        *,
        share: float = 0.5,
        m: float = 2.0,
        nominal: Any = "auto",
        values: Any = None,
        classes: Any = None,
    ) -> None:
        self.share = share
        self.m = m
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def _check(self) -> None:
        if not isinstance(self.share, int | float) or not 0 < self.share <= 1:
            raise InputError(
                f"`share` must be larger than 0 and at most 1, got {self.share!r}.",
                "Leave it out for 0.5.",
            )
        if not isinstance(self.m, int | float) or not 0 < self.m < np.inf:
            raise InputError(
                f"`m` must be larger than zero, got {self.m!r}.", "Leave it out for 2."
            )

    def fit(self, X: Any, y: Any) -> LoessNaiveBayes:
        """Learn curves and counts from rows and their classes."""
        self._check()
        columns = self._read(X, y)
        self.class_prior_ = np.bincount(columns.y, minlength=columns.classes) / len(columns.y)
        with announce(NAME):
            self._parts = [self._fit_column(columns, a) for a in range(columns.X.shape[1])]
        return self

    def _fit_column(self, columns: Columns, a: int) -> Part | None:
        present = ~np.isnan(columns.X[:, a])
        value, index = np.unique(columns.X[present, a], return_inverse=True)
        count = np.zeros((len(value), columns.classes))
        np.add.at(count, (index, columns.y[present]), 1)
        return self._part(value, count, self.class_prior_, nominal=bool(columns.nominal[a]))

    def _part(self, value: Floats, count: Floats, prior: Floats, *, nominal: bool) -> Part | None:
        """Return values and the probabilities of the classes at each, None where there are none."""
        if nominal:
            total = count.sum(axis=1, keepdims=True)
            return value, (count + self.m * prior) / (total + self.m)
        if len(value) < 2:
            return None
        curve = np.empty_like(count)
        loess_curve(value, count.astype(np.int64), float(self.share), curve)
        curve = bend(curve)
        return value, curve / curve.sum(axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of every class for every row."""
        return _compute_probabilities(self._seen(X), self._parts, self._nominal, self.class_prior_)

    def _whole_runs(self, columns: Columns) -> WholeRuns:
        self._check()
        counts = _Counts.from_columns(columns)

        def fill(folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
            for fold_of_row, predicted in zip(folds, predictions, strict=True):
                for fold in range(int(fold_of_row.max()) + 1):
                    test = np.flatnonzero(fold_of_row == fold)
                    predicted[test] = self._predict_fold(columns, counts, test)

        return WholeRuns(NAME, fill, 100.0 * columns.X.size)

    def _predict_fold(
        self, columns: Columns, counts: _Counts, test: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Predict some rows from all others; the steps are those of `fit` and `predict`."""
        tested = np.bincount(columns.y[test], minlength=columns.classes)
        prior = (counts.per_class - tested) / (len(columns.y) - len(test))
        left = counts.subtract(test)
        parts = []
        for a, nominal in enumerate(columns.nominal):
            value, count = counts.values[a], left[counts.stretch(a)]
            there = count.any(axis=1)
            parts.append(self._part(value[there], count[there], prior, nominal=bool(nominal)))
        return _compute_probabilities(columns.X[test], parts, columns.nominal, prior).argmax(axis=1)


@dataclass(frozen=True, eq=False)
class _Counts:
    """How many rows of every class have every value; those of a fold can be taken away."""

    cells: Cells
    y: NDArray[np.intp]
    total: Floats
    per_class: NDArray[np.intp]
    values: list[Floats]

    @classmethod
    def from_columns(cls, columns: Columns) -> _Counts:
        cells, y = columns.cells, columns.y.astype(np.intp)
        values = [
            np.arange(size, dtype=np.float64)
            if size
            else cells.value[cells.starts[a] : cells.starts[a + 1]]
            for a, size in enumerate(columns.values)
        ]
        total = np.zeros((int(cells.starts[-1]), columns.classes))
        np.add.at(total, (cells.cell, y[:, None]), 1)
        return cls(cells, y, total, np.bincount(y, minlength=columns.classes), values)

    def stretch(self, a: int) -> slice:
        """Return the positions of the values of an attribute."""
        return slice(int(self.cells.starts[a]), int(self.cells.starts[a + 1]))

    def subtract(self, rows: NDArray[np.intp]) -> Floats:
        """Return the counts of all other rows."""
        left = self.total.copy()
        np.subtract.at(left, (self.cells.cell[rows], self.y[rows, None]), 1)
        return left


def _compute_probabilities(
    X: Floats, parts: Sequence[Part | None], nominal: NDArray[np.bool_], class_prior: Floats
) -> Floats:
    """Return the probability of every class for every row, from the parts of all attributes."""
    there = class_prior > 0
    prior = np.log(class_prior[there])
    score = np.tile(prior, (len(X), 1))
    for a, part in enumerate(parts):
        if part is None:
            continue
        value, probability = part[0], part[1][:, there]
        if nominal[a]:
            rows = np.flatnonzero(np.isin(X[:, a], value))
            here = probability[np.searchsorted(value, X[rows, a])]
        else:
            rows = np.flatnonzero(~np.isnan(X[:, a]))
            x = X[rows, a]
            here = np.column_stack([np.interp(x, value, height) for height in probability.T])
        score[rows] += np.log(here) - prior
    probabilities = np.zeros((len(X), len(class_prior)))
    probabilities[:, there] = np.exp(score - score.max(axis=1, keepdims=True))
    return probabilities / probabilities.sum(axis=1, keepdims=True)


def bend(probability: Floats) -> Floats:
    """Bend what is below 0.1 or above 0.9 into 0 … 1; the curve stays whole, as in Orange."""
    nine = np.log(9.0)
    # Limited where exp would overflow; that far out the probability is 0 or 1 in all its digits.
    low = 1 / (1 + np.exp(np.minimum(10 * (0.1 - probability) * nine + nine, 700.0)))
    high = 1 / (1 + np.exp(np.minimum(10 * (0.9 - probability) * nine - nine, 700.0)))
    return np.where(probability < 0.1, low, np.where(probability > 0.9, high, probability))
