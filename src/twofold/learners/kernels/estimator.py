"""What our scikit-learn estimators share: reading X and y, and whole cross-validations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.learners.classifier import Classifier
from twofold.learners.kernels.column_arrays import Columns, make_plain
from twofold.learners.kernels.compile import (
    announce,
    check_folds,
    check_threads,
    spread_runs,
)


@dataclass(frozen=True)
class WholeRuns:
    """How a learner does many runs of cross-validation on a data set.

    Attributes
    ----------
    name : str
        Of what may have to be compiled for it.
    fill : function
        Takes folds (runs, rows) and fills predictions of the same shape.
    steps : float
        A rough number of elementary steps for each row of each run.
    begin : function
        Does what all runs need, on so many threads, when it is called first.
    """

    name: str
    fill: Callable[[NDArray[np.int32], NDArray[np.intp]], object]
    steps: float
    begin: Callable[[int], object] = lambda threads: None


Runner = Callable[..., NDArray[np.intp]]
"""Takes ``fold_of_row`` and ``threads``; returns predictions."""


class CodedClassifier(Classifier):
    """A classifier of numbers and of codes of nominal values, NaN where a value is missing.

    Subclasses have the parameters ``nominal``, ``values`` and ``classes``.
    """

    nominal: Any
    values: Any
    classes: Any
    n_features_in_: int

    @classmethod
    def parameters_of(cls, dataset: Dataset) -> dict[str, Any]:
        """Return the parameters with which `fit` knows about a data set what `predict_folds` knows.

        A part of the rows does not show all classes and values that may occur.
        """
        columns = Columns.from_dataset(dataset)
        return {
            "nominal": columns.nominal.copy(),
            "values": columns.values.copy(),
            "classes": np.arange(columns.classes),
        }

    def _read(self, X: Any, y: Any) -> Columns:
        """Check the rows to learn from."""
        from sklearn.utils.multiclass import check_classification_targets
        from sklearn.utils.validation import validate_data

        X, y = validate_data(self, X, y, dtype=np.float64, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        self.classes_ = np.unique(y if self.classes is None else np.asarray(self.classes))
        codes = np.searchsorted(self.classes_, y)
        codes[codes == len(self.classes_)] = 0
        if (self.classes_[codes] != y).any():
            raise InputError(
                "`y` has a class that is not among `classes`.",
                "List every class that may occur, or leave `classes` out.",
            )
        attributes = X.shape[1]
        if isinstance(self.nominal, str) and self.nominal == "auto":
            nominal = np.zeros(attributes, dtype=bool)
        else:
            nominal = np.asarray(self.nominal)
            if nominal.dtype != np.bool_ or nominal.shape != (attributes,):
                raise InputError(
                    f"`nominal` must be 'auto' or {attributes} truth values, one for each column, "
                    f"got {self.nominal!r}.",
                    "Pass for instance nominal=[True, False].",
                )
        self._nominal = nominal
        self._check_codes(X)
        seen = np.zeros(attributes, dtype=np.int64)
        if nominal.any():
            seen[nominal] = 1 + np.nan_to_num(X[:, nominal], nan=0.0).max(axis=0)
        if self.values is not None:
            declared = np.asarray(self.values)
            if declared.shape != (attributes,) or (declared[nominal] < seen[nominal]).any():
                raise InputError(
                    f"`values` must give the number of values of each of {attributes} columns.",
                    "A nominal column's number is larger than its largest code; others are 0.",
                )
            seen[nominal] = declared[nominal]
        return Columns(make_plain(X), seen, codes.astype(np.uint32), len(self.classes_))

    def _check_codes(self, X: NDArray[np.float64]) -> None:
        codes = X[:, self._nominal]
        codes = codes[~np.isnan(codes)]
        if ((codes < 0) | (codes != np.floor(codes))).any():
            raise InputError(
                "Columns marked as nominal must hold codes 0, 1, 2, …, or NaN.",
                "Number the values of such columns, for instance by sklearn's OrdinalEncoder.",
            )

    def _seen(self, X: Any) -> NDArray[np.float64]:
        """Check the rows to predict."""
        from sklearn.utils.validation import check_is_fitted, validate_data

        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
        self._check_codes(X)
        return make_plain(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every row."""
        codes = self._codes(X)
        return self.classes_[codes]

    def _codes(self, X: Any) -> NDArray[np.intp]:
        return self.predict_proba(X).argmax(axis=1)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of every class for every row."""
        raise NotImplementedError

    def _whole_runs(self, columns: Columns) -> WholeRuns:
        """Check the parameters, and tell how to do runs on a data set."""
        raise NotImplementedError

    def predict_folds(
        self, dataset: Dataset, fold_of_row: Any, *, threads: int | None = 1
    ) -> NDArray[np.intp]:
        """Predict every row of a data set from the rows outside its fold.

        Parameters
        ----------
        dataset : Dataset
        fold_of_row : array (runs, rows)
            The fold of every row in every run, from 0; rows of fold −1 are never tested.
        threads : int or None
            Threads to use for the runs; None for all processors.

        Returns
        -------
        array (runs, rows)
            Codes of the predicted classes, −1 for rows never tested. The parameters ``nominal``,
            ``values`` and ``classes`` come from the data set.
        """
        return self.make_runner(dataset)(fold_of_row, threads=threads)

    def make_runner(self, dataset: Dataset) -> Runner:
        """Return `predict_folds` for a data set, which then is made ready once for many runs."""
        work = self._whole_runs(Columns.from_dataset(dataset))

        def run(fold_of_row: Any, *, threads: int | None = 1) -> NDArray[np.intp]:
            folds = check_folds(fold_of_row, dataset.rows)
            predictions = np.full(folds.shape, -1, dtype=np.intp)
            count = check_threads(threads)

            def job(first: int, last: int) -> None:
                work.fill(folds[first:last], predictions[first:last])

            with announce(work.name):
                work.begin(count)
                spread_runs(job, len(folds), threads=count, work=work.steps * folds.size)
            return predictions

        return run

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
