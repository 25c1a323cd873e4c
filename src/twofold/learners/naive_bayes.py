"""Naive Bayes, as in Weka or with plain normal densities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.learners.kernels.column_arrays import Cells, Columns, make_plain
from twofold.learners.kernels.estimator import CodedClassifier, WholeRuns
from twofold.learners.kernels.naive_bayes_kernel import (
    LEAST,
    NAME,
    first_largest,
    multiply,
    normal_estimates,
    weka_runs,
)
from twofold.learners.kernels.naive_bayes_plain import LEAST_SHARE, gaussian_runs
from twofold.learners.kernels.naive_bayes_plain import NAME as PLAIN_NAME
from twofold.learners.kernels.naive_bayes_two import NAME as TWO_NAME
from twofold.learners.kernels.naive_bayes_two import products_stay_large, two_class_runs
from twofold.learners.kernels.normal import interval_masses


class NaiveBayes(CodedClassifier):
    """Naive Bayes: attributes are independent given the class.

    Nominal attributes have Laplace estimates, numeric ones normal distributions; missing values
    are left out.

    Parameters
    ----------
    precision : {"weka", None}
        "weka": numbers are rounded to the mean gap between their different values, a deviation is
        at least a sixth of it, and the likelihood is the mass of an interval as wide (Weka
        3.6). None: densities, as scikit-learn's GaussianNB.
    smoothing : float
        With ``precision=None``, this share of the largest variance is added to every variance.
    prior : {"laplace", "share"}
        Probabilities of the classes: (count + 1) / (rows + classes) as in Weka, or their shares.
    nominal : "auto" or array of bool
        Which columns hold codes of nominal values; "auto" means none.
    values : array of int, optional
        How many values each nominal column has; otherwise one more than the largest code seen.
        Larger codes met later count as missing.
    classes : array, optional
        All classes that may occur; otherwise those seen.
    """

    def __init__(
        self,
        *,
        precision: str | None = "weka",
        smoothing: float = 1e-9,
        prior: str = "laplace",
        nominal: Any = "auto",
        values: Any = None,
        classes: Any = None,
    ) -> None:
        self.precision = precision
        self.smoothing = smoothing
        self.prior = prior
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def _check(self) -> None:
        for name, choices in (("precision", ("weka", None)), ("prior", ("laplace", "share"))):
            if getattr(self, name) not in choices:
                raise InputError(
                    f"`{name}` must be one of {choices}, got {getattr(self, name)!r}.",
                    f"Leave it out for {choices[0]!r}.",
                )
        if not isinstance(self.smoothing, int | float) or not 0 <= self.smoothing < np.inf:
            raise InputError(
                f"`smoothing` must be zero or larger, got {self.smoothing!r}.",
                "Leave it out for 1e-9.",
            )

    def fit(self, X: Any, y: Any) -> NaiveBayes:
        """Learn from rows and their classes."""
        self._check()
        columns = self._read(X, y)
        count = np.bincount(columns.y, minlength=columns.classes)
        if self.prior == "laplace":
            self.class_prior_ = (count + 1.0) / (len(columns.y) + columns.classes)
        else:
            self.class_prior_ = count / len(columns.y)
        if self.precision == "weka":
            self._fit_weka(columns)
        else:
            self._fit_plain(columns)
        self._tables = [
            _laplace(columns, a) if nominal else None for a, nominal in enumerate(columns.nominal)
        ]
        return self

    def _fit_weka(self, columns: Columns) -> None:
        self._estimates = [
            None if nominal else _estimate(columns, a) for a, nominal in enumerate(columns.nominal)
        ]

    def _fit_plain(self, columns: Columns) -> None:
        numeric = columns.X[:, ~columns.nominal]
        self._shift = _centres(numeric)
        z = numeric - self._shift
        present = ~np.isnan(z)
        z = np.where(present, z, 0.0)
        members = [columns.y == code for code in range(columns.classes)]
        n, total, squares = (
            np.array([values[rows].sum(axis=0) for rows in members])
            for values in (present, z, z * z)
        )
        seen = np.maximum(n.sum(axis=0), 1)
        largest = (squares.sum(axis=0) / seen - (total.sum(axis=0) / seen) ** 2).max(initial=0.0)
        least = LEAST_SHARE * (largest if largest > 0 else 1.0)
        self._mean = total / np.maximum(n, 1)
        spread = (
            np.maximum(squares / np.maximum(n, 1) - self._mean**2, 0) + self.smoothing * largest
        )
        self._variance = np.maximum(spread, least)
        self._known = n > 0

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of every class for every row."""
        probability = self._compute_probabilities(self._seen(X))
        return probability / probability.sum(axis=1, keepdims=True)

    def _codes(self, X: Any) -> NDArray[np.intp]:
        probability = self._compute_probabilities(self._seen(X))
        if self.precision is None:
            return probability.argmax(axis=1)
        return np.array([first_largest(row) for row in probability], dtype=np.intp)

    def _compute_probabilities(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return numbers proportional to the probabilities of the classes."""
        if self.precision is None:
            return self._compute_plain_probabilities(X)
        rows, attributes = X.shape
        classes = len(self.classes_)
        # Each row has its own stretch of likelihoods here, so that the product is the kernel's.
        likelihood = np.ones((rows, attributes, classes))
        for a in range(attributes):
            table, estimate = self._tables[a], self._estimates[a]
            present = ~np.isnan(X[:, a])
            if table is not None:
                present &= np.nan_to_num(X[:, a]) < len(table)
                likelihood[present, a] = table[X[present, a].astype(np.intp)]
            elif estimate is not None:
                mean, spread, precision = estimate
                plain = make_plain(mean), make_plain(spread)
                mass = interval_masses(X[present, a], *plain, precision)
                likelihood[present, a] = np.maximum(LEAST, mass)
        probability = np.tile(self.class_prior_, (rows, 1))
        indices = np.arange(attributes, dtype=np.uint32)
        for i in range(rows):
            multiply(probability[i], likelihood[i].ravel(), indices)
        return probability

    def _compute_plain_probabilities(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):
            score = np.tile(np.log(self.class_prior_), (len(X), 1))
        z = X[:, ~self._nominal] - self._shift
        for a in range(z.shape[1]):
            d = z[:, a, None] - self._mean[:, a]
            log = -0.5 * np.log(self._variance[:, a]) - d * d * (0.5 / self._variance[:, a])
            score += np.where(np.isnan(d) | ~self._known[:, a], 0.0, log)
        for a, table in enumerate(self._tables):
            if table is None:
                continue
            present = ~np.isnan(X[:, a]) & (np.nan_to_num(X[:, a]) < len(table))
            score[present] += np.log(table[X[present, a].astype(np.intp)])
        return np.exp(score - score.max(axis=1, keepdims=True))

    def _whole_runs(self, columns: Columns) -> WholeRuns:
        self._check()
        kind: Any = _WekaRuns
        if columns.nominal.all():
            kind = _TwoClassRuns if _is_simple(columns) else _WekaRuns
        elif self.precision is None:
            kind = _PlainRuns
        job = kind(columns, self)
        return WholeRuns(job.name, job.runs, 10.0 * columns.X.shape[1])


class _WekaRuns:
    """A data set made ready, and the options, for naive Bayes as in Weka."""

    name = NAME

    def __init__(self, columns: Columns, learner: NaiveBayes) -> None:
        self.columns, self.cells = columns, columns.cells
        self.laplace = learner.prior == "laplace"

    def runs(self, folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
        columns, cells = self.columns, self.cells
        weka_runs(
            cells.cell,
            cells.starts,
            cells.value,
            ~columns.nominal,
            columns.y,
            columns.classes,
            folds,
            self.laplace,
            predictions,
        )


class _TwoClassRuns:
    """As `_WekaRuns`, for two classes and nominal attributes."""

    name = TWO_NAME

    def __init__(self, columns: Columns, learner: NaiveBayes) -> None:
        self.columns = columns
        self.laplace = learner.prior == "laplace"
        self.starts = _starts(columns)

    def runs(self, folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
        columns = self.columns
        two_class_runs(columns.X, self.starts, columns.y, folds, self.laplace, predictions)


class _PlainRuns:
    """As `_WekaRuns`, with plain densities for numeric attributes."""

    name = PLAIN_NAME

    def __init__(self, columns: Columns, learner: NaiveBayes) -> None:
        numeric = columns.X[:, ~columns.nominal]
        self.z = np.ascontiguousarray((numeric - _centres(numeric)).T)
        rest = np.ascontiguousarray(columns.X[:, columns.nominal])
        self.cells = Cells.from_columns(
            Columns(rest, columns.values[columns.nominal], columns.y, columns.classes)
        )
        self.columns = columns
        self.laplace = learner.prior == "laplace"
        self.smoothing = float(learner.smoothing)

    def runs(self, folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
        columns, cells = self.columns, self.cells
        gaussian_runs(
            self.z,
            cells.cell,
            cells.starts,
            columns.y,
            columns.classes,
            folds,
            self.laplace,
            self.smoothing,
            predictions,
        )


def _starts(columns: Columns) -> NDArray[np.int64]:
    """Where the values of each nominal attribute begin, index 0 being for missing ones."""
    starts = np.ones(len(columns.values) + 1, dtype=np.int64)
    np.cumsum(columns.values, out=starts[1:])
    starts[1:] += 1
    return starts


def _is_simple(columns: Columns) -> bool:
    """Whether the kernel for two classes can take a data set of nominal attributes."""
    rows, attributes = columns.X.shape
    cells = 1 + int(columns.values.sum())
    return columns.classes == 2 and products_stay_large(rows, attributes, cells)


def _centres(numeric: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where to move zero, so that squares lose no digits: the middle of the known values."""
    low = np.fmin.reduce(numeric, axis=0, initial=np.inf)
    high = np.fmax.reduce(numeric, axis=0, initial=-np.inf)
    unknown = low > high
    low[unknown] = high[unknown] = 0.0
    return low / 2 + high / 2


def _estimate(columns: Columns, a: int) -> tuple[Any, Any, float]:
    """Mean and deviation of each class, and the precision, of a numeric attribute."""
    present = ~np.isnan(columns.X[:, a])
    value, index = np.unique(columns.X[present, a], return_inverse=True)
    cells = index * columns.classes + columns.y[present]
    count = np.bincount(cells.astype(np.intp), minlength=len(value) * columns.classes)
    mean, spread = np.empty(columns.classes), np.empty(columns.classes)
    rounded = np.empty(len(value))
    precision = normal_estimates(
        value, count.astype(np.int32), 0, len(value), mean, spread, rounded
    )
    return mean, spread, precision


def _laplace(columns: Columns, a: int) -> NDArray[np.float64]:
    """The likelihood of every value of a nominal attribute, (values, classes)."""
    present = ~np.isnan(columns.X[:, a])
    count = np.zeros((columns.values[a], columns.classes))
    np.add.at(count, (columns.X[present, a].astype(np.intp), columns.y[present]), 1)
    return (count + 1) / (count.sum(axis=0) + columns.values[a])
