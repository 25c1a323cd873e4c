"""A learner that sees one half of the columns, for comparisons whose truth is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.learners.learner import Learner
from twofold.learners.wrapper import WrappedClassifier

PARTS = ("first", "second")


def _has_whole_runs(half: Any) -> bool:
    return hasattr(half.estimator, "predict_folds")


class Half(WrappedClassifier):
    """A classifier that is trained on the first or the second half of the columns.

    Where the columns are exchangeable, as those of the source `halves`, the same learner on either
    half is equally good: a null hypothesis for any learner.

    Parameters
    ----------
    estimator : estimator
        The learner.
    part : {"first", "second"}
        Which half it sees. Of an odd number of columns the middle one belongs to the second.
    """

    def __init__(self, estimator: Any = None, *, part: str = "first") -> None:
        self.estimator = estimator
        self.part = part

    def _columns(self, width: int) -> slice:
        self._check_estimator("Half(NaiveBayes(), part='first')")
        if self.part not in PARTS:
            raise InputError(f"`part` must be one of {PARTS}, got {self.part!r}.", "Write 'first'.")
        if width < 2:
            raise InputError("One column has no halves.", "Bring two columns or more.")
        middle = width // 2
        return slice(0, middle) if self.part == "first" else slice(middle, width)

    def restrict(self, dataset: Dataset) -> Dataset:
        """Return the data set as the learner sees it."""
        columns = self._columns(len(dataset.attributes))
        return replace(
            dataset,
            attributes=dataset.attributes[columns],
            X=np.ascontiguousarray(dataset.X[:, columns]),
            original=None,
        )

    def fit(self, X: Any, y: Any) -> Half:
        """Fit a copy of the learner to one half of the columns."""
        X = np.asarray(X)
        columns = self._columns(X.shape[1])
        self.n_features_in_ = X.shape[1]
        self.estimator_ = clone(self.estimator).fit(X[:, columns], y)
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every row."""
        check_is_fitted(self)
        X = np.asarray(X)
        predicted: NDArray[Any] = self.estimator_.predict(X[:, self._columns(X.shape[1])])
        return predicted

    @available_if(_has_whole_runs)  # type: ignore[untyped-decorator]
    def predict_folds(
        self, dataset: Dataset, fold_of_row: Any, *, threads: int | None = 1
    ) -> NDArray[np.intp]:
        """Predict every row from the rows outside its fold; see `NaiveBayes.predict_folds`."""
        predicted: NDArray[np.intp] = self.estimator.predict_folds(
            self.restrict(dataset), fold_of_row, threads=threads
        )
        return predicted


def split_columns(learner: Learner) -> tuple[Learner, Learner]:
    """Return the learner twice: as it sees the first half of the columns, and the second."""
    first, second = (
        replace(
            learner,
            label=f"{learner.label}, {part} half",
            estimator=Half(learner.estimator, part=part),
        )
        for part in PARTS
    )
    return first, second
