"""Tree-augmented naive Bayes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.learners.kernels.column_arrays import Columns, Floats
from twofold.learners.kernels.discretise import codes_of, cuts_of, encode
from twofold.learners.kernels.estimator import CodedClassifier, WholeRuns
from twofold.learners.kernels.naive_bayes_kernel import first_largest
from twofold.learners.kernels.tan_kernel import (
    NAME,
    count_row,
    fill_logs,
    fill_probabilities,
    layout,
    learn_tree,
    log_gammas,
    tan_runs,
)


class TreeAugmentedNaiveBayes(CodedClassifier):
    """Naive Bayes in which every attribute may lean on one other (Friedman et al., 1997).

    The links form the tree of largest total worth. Numbers become intervals as in
    `DiscreteNaiveBayes`; a missing value becomes the commonest one. With the defaults this is
    Weka's BayesNet with the search TAN.

    Parameters
    ----------
    worth : {"bayes", "information"}
        What a link is worth: the gain in the Bayesian score of the counts, as Weka has it by
        default, or the mutual information given the class, as in Friedman et al. (Weka's ENTROPY).
    alpha : float
        Added to every count of a value before probabilities are taken.
    nominal, values, classes
        As for `NaiveBayes`.

    Attributes
    ----------
    parents_ : array
        The column every column leans on besides the class, −1 for none.
    """

    def __init__(
        self,
        *,
        worth: str = "bayes",
        alpha: float = 0.5,
        nominal: Any = "auto",
        values: Any = None,
        classes: Any = None,
    ) -> None:
        self.worth = worth
        self.alpha = alpha
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def _check(self) -> None:
        if self.worth not in ("bayes", "information"):
            raise InputError(
                f"`worth` must be 'bayes' or 'information', got {self.worth!r}.",
                "Leave it out for 'bayes'.",
            )
        if not isinstance(self.alpha, int | float) or not 0 < self.alpha < np.inf:
            raise InputError(
                f"`alpha` must be larger than zero, got {self.alpha!r}.", "Leave it out for 0.5."
            )

    def fit(self, X: Any, y: Any) -> TreeAugmentedNaiveBayes:
        """Learn cuts, tree and probabilities from rows and their classes."""
        self._check()
        columns = self._read(X, y)
        self.cuts_ = cuts_of(columns)
        inside = encode(columns, self.cuts_)
        self._sizes = inside.values
        self._commonest = np.array(
            [_commonest(inside.X[:, a], size) for a, size in enumerate(inside.values)]
        )
        code = self._fill_missing(inside.X)
        attributes, classes = len(inside.values), columns.classes
        start = np.empty(attributes, dtype=np.int64)
        pair = np.zeros((attributes, attributes), dtype=np.int64)
        singles, doubles = layout(inside.values, classes, start, pair)
        single, double = np.zeros(singles, dtype=np.int32), np.zeros(doubles, dtype=np.int32)
        for row, c in zip(code, columns.y, strict=True):
            count_row(row, c, classes, inside.values, start, pair, single, double, 1)
        counts = (classes, inside.values, start, pair, single, double)
        self.parents_ = np.empty(attributes, dtype=np.int64)
        gammas = log_gammas(2 * len(columns.y) + int(inside.values.max()))
        learn_tree(*counts, self.worth == "bayes", gammas, self.parents_)
        self._place = np.empty(attributes, dtype=np.int64)
        self._logs = fill_logs(*counts, self.parents_, float(self.alpha), self._place)
        often = np.bincount(columns.y, minlength=classes)
        self._prior = np.log((often + self.alpha) / (len(columns.y) + self.alpha * classes))
        return self

    def _fill_missing(self, codes: Floats) -> NDArray[np.int32]:
        """Put the commonest value where one is missing or was never declared."""
        unknown = np.isnan(codes) | (np.nan_to_num(codes) >= self._sizes)
        return np.ascontiguousarray(np.where(unknown, self._commonest, codes), dtype=np.int32)

    def _compute_probabilities(self, X: Any) -> Floats:
        X = self._seen(X)
        code = self._fill_missing(codes_of(X, self.cuts_))
        probabilities = np.empty((len(code), len(self.classes_)))
        for row, probability in zip(code, probabilities, strict=True):
            fill_probabilities(
                row, self._sizes, self.parents_, self._place, self._logs, self._prior, probability
            )
        return probabilities

    def predict_proba(self, X: Any) -> Floats:
        """Return the probability of every class for every row."""
        probabilities = self._compute_probabilities(X)
        return probabilities / probabilities.sum(axis=1, keepdims=True)

    def _codes(self, X: Any) -> NDArray[np.intp]:
        return np.array(
            [first_largest(probability) for probability in self._compute_probabilities(X)],
            dtype=np.intp,
        )

    def _whole_runs(self, columns: Columns) -> WholeRuns:
        self._check()
        cells = columns.cells
        plain = bool(columns.nominal.all()) and not columns.missing
        # An attribute has no more intervals than values.
        gammas = log_gammas(2 * len(columns.y) + int(np.diff(cells.starts).max()) + 1)

        def fill(folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
            tan_runs(
                cells.cell,
                cells.starts,
                cells.value,
                ~columns.nominal,
                plain,
                columns.y,
                columns.classes,
                folds,
                self.worth == "bayes",
                gammas,
                float(self.alpha),
                predictions,
            )

        return WholeRuns(NAME, fill, 10.0 * columns.X.shape[1] ** 2)


def _commonest(codes: Floats, size: int) -> int:
    """The first of the commonest values."""
    return int(np.bincount(codes[~np.isnan(codes)].astype(np.intp), minlength=size).argmax())
