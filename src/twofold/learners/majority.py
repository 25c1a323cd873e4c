"""Always the most frequent class."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.learners.kernels.column_arrays import Columns, Floats
from twofold.learners.kernels.compile import check_folds
from twofold.learners.kernels.estimator import CodedClassifier, Runner


class Majority(CodedClassifier):
    """The class that most rows have, the first of several: Weka's ZeroR.

    Parameters
    ----------
    nominal, values, classes
        As for `NaiveBayes`; columns are not looked at.
    """

    def __init__(self, *, nominal: Any = "auto", values: Any = None, classes: Any = None) -> None:
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def fit(self, X: Any, y: Any) -> Majority:
        """Count the classes."""
        columns = self._read(X, y)
        self._most = int(np.bincount(columns.y, minlength=columns.classes).argmax())
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return 1 for the class that is always predicted, 0 for the others."""
        probabilities = np.zeros((len(self._seen(X)), len(self.classes_)))
        probabilities[:, self._most] = 1.0
        return probabilities

    def make_runner(self, dataset: Dataset) -> Runner:
        """Return `predict_folds` for a data set; there is nothing to share among threads."""
        columns = Columns.from_dataset(dataset)
        total = np.bincount(columns.y, minlength=columns.classes)

        def run(fold_of_row: Any, *, threads: int | None = 1) -> NDArray[np.intp]:
            folds = check_folds(fold_of_row, dataset.rows)
            predictions = np.full(folds.shape, -1, dtype=np.intp)
            for fold, predicted in zip(folds, predictions, strict=True):
                tested = fold >= 0
                cell = fold[tested] * columns.classes + columns.y[tested].astype(np.intp)
                size = (int(fold.max()) + 1) * columns.classes
                within = np.bincount(cell, minlength=size).reshape(-1, columns.classes)
                predicted[tested] = (total - within).argmax(axis=1)[fold[tested]]
            return predictions

        return run

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags
