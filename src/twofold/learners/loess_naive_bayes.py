"""Naive Bayes with chances of classes by LOESS."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.learners.kernels.columns import Columns, Floats
from twofold.learners.kernels.compile import compiling
from twofold.learners.kernels.estimator import CodedClassifier
from twofold.learners.kernels.loess import NAME, loess_curve


class LoessNaiveBayes(CodedClassifier):
    """Naive Bayes that reads the chances of the classes along a number off a smooth curve.

    As in Orange, which Demšar (2006) used: P(c) ∏ P(c | x) / P(c), where P(c | x) of a number is
    a locally weighted line through the rows around it. Chances beyond 0.1 and 0.9 are bent by a
    logistic curve, so that none leaves 0 … 1. Between two numbers that were learnt from, the
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
        with compiling(NAME):
            self._parts = [self._part(columns, a) for a in range(columns.X.shape[1])]
        return self

    def _part(self, columns: Columns, a: int) -> tuple[Floats, Floats] | None:
        """Return values and the chances of the classes at each, None where they say nothing."""
        known = ~np.isnan(columns.X[:, a])
        value, place = np.unique(columns.X[known, a], return_inverse=True)
        count = np.zeros((len(value), columns.classes))
        np.add.at(count, (place, columns.y[known]), 1)
        if columns.nominal[a]:
            total = count.sum(axis=1, keepdims=True)
            return value, (count + self.m * self.class_prior_) / (total + self.m)
        if len(value) < 2:
            return None
        curve = np.empty_like(count)
        loess_curve(value, count.astype(np.int64), float(self.share), curve)
        curve = bent(curve)
        return value, curve / curve.sum(axis=1, keepdims=True)

    def predict_proba(self, X: Any) -> Floats:
        """Return the chance of every class for every row."""
        X = self._seen(X)
        there = self.class_prior_ > 0
        prior = np.log(self.class_prior_[there])
        score = np.tile(prior, (len(X), 1))
        for a, part in enumerate(self._parts):
            if part is None:
                continue
            value, chance = part[0], part[1][:, there]
            if self._nominal[a]:
                known = np.flatnonzero(np.isin(X[:, a], value))
                here = chance[np.searchsorted(value, X[known, a])]
            else:
                known = np.flatnonzero(~np.isnan(X[:, a]))
                x = X[known, a]
                here = np.column_stack([np.interp(x, value, height) for height in chance.T])
            score[known] += np.log(here) - prior
        chances = np.zeros((len(X), len(self.classes_)))
        chances[:, there] = np.exp(score - score.max(axis=1, keepdims=True))
        return chances / chances.sum(axis=1, keepdims=True)


def bent(chance: Floats) -> Floats:
    """Bend chances below 0.1 and above 0.9 into 0 … 1; the curve stays whole, as in Orange."""
    nine = np.log(9.0)
    # Limited where exp would overflow; that far out the chance is 0 or 1 in all its digits.
    low = 1 / (1 + np.exp(np.minimum(10 * (0.1 - chance) * nine + nine, 700.0)))
    high = 1 / (1 + np.exp(np.minimum(10 * (0.9 - chance) * nine - nine, 700.0)))
    return np.where(chance < 0.1, low, np.where(chance > 0.9, high, chance))
