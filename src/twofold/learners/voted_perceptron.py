"""The voted perceptron."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.learners.kernels.column_arrays import Columns, Floats
from twofold.learners.kernels.estimator import CodedClassifier, WholeRuns
from twofold.learners.kernels.voted_perceptron_kernel import (
    NAME,
    fill_ins,
    learn,
    perceptron_runs,
    probability_of_second,
    shuffle,
    spread_out,
    vote,
    width,
)


class VotedPerceptron(CodedClassifier):
    """The voted perceptron of Freund and Schapire (1998), with the defaults of Weka.

    Rows are shown one after the other; each wrong prediction ends one perceptron and begins the
    next. All of them vote, each as often as it was right. Two classes only. A nominal column
    of more than two values becomes a column of 0 and 1 for each; a missing value becomes the
    mean or the commonest value.

    Parameters
    ----------
    passes : int
        How often all rows are shown.
    exponent : float
        Power of the polynomial kernel (x · z + 1).
    most : int
        Learning ends after so many changes.
    order : int
        Seed of the order in which rows are shown. The order is the one in which Weka puts rows,
        from Java's random numbers, so that a fold is learnt as Weka learns it.
    nominal, values, classes
        As for `NaiveBayes`.
    """

    def __init__(
        self,
        *,
        passes: int = 1,
        exponent: float = 1.0,
        most: int = 10_000,
        order: int = 1,
        nominal: Any = "auto",
        values: Any = None,
        classes: Any = None,
    ) -> None:
        self.passes = passes
        self.exponent = exponent
        self.most = most
        self.order = order
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def _check(self, classes: int) -> None:
        for name, least in (("passes", 1), ("most", 1), ("order", 0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise InputError(
                    f"`{name}` must be a whole number, {least} or larger, got {value!r}.",
                    "Leave it out for Weka's default.",
                )
        if not isinstance(self.exponent, int | float) or not 0 < self.exponent < np.inf:
            raise InputError(
                f"`exponent` must be larger than zero, got {self.exponent!r}.",
                "Leave it out for 1.",
            )
        if classes > 2:
            # scikit-learn's checks look for these words.
            raise InputError(
                "Only binary classification is supported. The type of the target is multiclass.",
                "Use the voted perceptron on data sets with two classes.",
            )

    def fit(self, X: Any, y: Any) -> VotedPerceptron:
        """Learn from rows and their classes."""
        columns = self._read(X, y)
        self._check(columns.classes)
        rows = np.arange(len(columns.y))
        self._sizes = columns.values
        self._fill = np.empty(len(columns.values))
        fill_ins(columns.X, columns.values, rows, self._fill)
        self._Z = self._spread(columns.X)
        self._y = columns.y
        shuffle(rows, self.order)
        most = min(self.most, self.passes * len(rows))
        self._changed = np.zeros(most, dtype=np.int64)
        self._lived = np.zeros(most + 1, dtype=np.int64)
        exponent = float(self.exponent)
        self._changes = learn(
            self._Z, self._y, rows, self.passes, exponent, self._changed, self._lived
        )
        return self

    def _spread(self, X: Floats) -> Floats:
        Z = np.empty((len(X), width(self._sizes)))
        for row, into in zip(X, Z, strict=True):
            spread_out(row, self._sizes, self._fill, into)
        return Z

    def _votes(self, X: Any) -> NDArray[np.int64]:
        X = self._seen(X)
        learned = (self._Z, self._y, self._changed, self._lived, self._changes)
        votes = [vote(z, *learned, float(self.exponent)) for z in self._spread(X)]
        return np.array(votes, dtype=np.int64)

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of every class for every row, made of votes as Weka does."""
        second = np.array([probability_of_second(votes) for votes in self._votes(X)])
        if len(self.classes_) == 1:
            return np.ones((len(second), 1))
        return np.column_stack([1 - second, second])

    def _codes(self, X: Any) -> NDArray[np.intp]:
        second = self._votes(X) > 0
        return (second & (len(self.classes_) == 2)).astype(np.intp)

    def _whole_runs(self, columns: Columns) -> WholeRuns:
        self._check(columns.classes)
        most = min(self.most, self.passes * len(columns.y))

        def fill(folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
            perceptron_runs(
                columns.X,
                columns.values,
                columns.y,
                folds,
                self.passes,
                float(self.exponent),
                most,
                self.order,
                predictions,
            )

        return WholeRuns(NAME, fill, float(columns.X.size))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
