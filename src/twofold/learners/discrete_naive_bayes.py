"""Naive Bayes over intervals of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.learners.kernels.column_arrays import Columns
from twofold.learners.kernels.discrete_naive_bayes_kernel import NAME, discrete_runs
from twofold.learners.kernels.discretise import codes_of, cuts_of, encode
from twofold.learners.kernels.estimator import CodedClassifier, WholeRuns
from twofold.learners.naive_bayes import NaiveBayes


class DiscreteNaiveBayes(CodedClassifier):
    """Naive Bayes whose numbers become intervals, cut as Fayyad and Irani (1993) do.

    Cuts are learnt from the rows that are learnt from, and from no others. Values and intervals
    are counted from one, as in Weka, whose ``NaiveBayes -D`` this is. An attribute without any
    cut has no say; a missing value has none either.

    Parameters
    ----------
    prior : {"laplace", "share"}
        How common the classes are: counted from one, or as they are.
    nominal, values, classes
        As for `NaiveBayes`.

    Attributes
    ----------
    cuts_ : list
        The cuts of every numeric column, None for the nominal ones. A number on a cut belongs to
        the interval below it.
    """

    def __init__(
        self,
        *,
        prior: str = "laplace",
        nominal: Any = "auto",
        values: Any = None,
        classes: Any = None,
    ) -> None:
        self.prior = prior
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def _check(self) -> None:
        if self.prior not in ("laplace", "share"):
            raise InputError(
                f"`prior` must be 'laplace' or 'share', got {self.prior!r}.",
                "Leave it out for 'laplace'.",
            )

    def fit(self, X: Any, y: Any) -> DiscreteNaiveBayes:
        """Learn cuts and counts from rows and their classes."""
        self._check()
        columns = self._read(X, y)
        self.cuts_ = cuts_of(columns)
        inside = encode(columns, self.cuts_)
        self._bayes = NaiveBayes(
            prior=self.prior,
            nominal=np.ones(len(inside.values), dtype=bool),
            values=inside.values,
            classes=np.arange(columns.classes),
        ).fit(inside.X, columns.y)
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of every class for every row."""
        X = self._seen(X)
        return self._bayes.predict_proba(codes_of(X, self.cuts_))

    def _codes(self, X: Any) -> NDArray[np.intp]:
        X = self._seen(X)
        return self._bayes.predict(codes_of(X, self.cuts_))

    def _whole_runs(self, columns: Columns) -> WholeRuns:
        self._check()
        cells = columns.cells

        def fill(folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
            discrete_runs(
                cells.cell,
                cells.starts,
                cells.value,
                ~columns.nominal,
                columns.y,
                columns.classes,
                folds,
                self.prior == "laplace",
                predictions,
            )

        return WholeRuns(NAME, fill, 10.0 * columns.X.shape[1])
