"""Neighbours with weights: Demšar's ten, and Dietterich's damaged one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.learners.kernels.column_arrays import Columns, Floats, make_plain
from twofold.learners.kernels.estimator import CodedClassifier, WholeRuns
from twofold.learners.kernels.neighbours import (
    DISTANCE,
    EQUAL,
    NAME,
    RANK,
    neighbour_runs,
    neighbour_votes,
)

KINDS = {"rank": RANK, "distance": DISTANCE, "equal": EQUAL}


class _Neighbours(CodedClassifier):
    """What learners that let near rows vote have in common."""

    def _settings(self, attributes: int) -> tuple[int, int, Floats, bool]:
        """Check the parameters: how many, weights of ranks, weights of columns, scaled or not."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any) -> Any:
        """Keep the rows."""
        columns = self._read(X, y)
        self._settings(columns.X.shape[1])
        self._columns = columns
        return self

    def predict_proba(self, X: Any) -> Floats:
        """Return every class's share of the votes for every row."""
        votes = self._votes(X)
        return votes / votes.sum(axis=1, keepdims=True)

    def _codes(self, X: Any) -> NDArray[np.intp]:
        return self._votes(X).argmax(axis=1)

    def _votes(self, X: Any) -> Floats:
        X = self._seen(X)
        trained = self._columns
        votes = np.empty((len(X), trained.classes))
        values, y = make_plain(trained.values), make_plain(trained.y)
        settings = self._settings(X.shape[1])
        neighbour_votes(make_plain(trained.X), values, y, X, *settings, votes)
        return votes

    def _whole_runs(self, columns: Columns) -> WholeRuns:
        settings = self._settings(columns.X.shape[1])

        def fill(folds: NDArray[np.int32], predictions: NDArray[np.intp]) -> None:
            neighbour_runs(
                columns.X, columns.values, columns.y, folds, *settings, columns.classes, predictions
            )

        return WholeRuns(NAME, fill, float(columns.X.size))


class KNearest(_Neighbours):
    """The k nearest rows vote, with weights that fall like a Gaussian (Demšar, 2006).

    The distance is Orange's: Euclidean, numbers scaled to the range they have in the rows learnt
    from, nominal values 0 or 1 apart; a missing value is as far away as it is on average. Rows at
    the same distance share the weights of the ranks they take.

    Parameters
    ----------
    k : int
        How many rows vote.
    weights : {"rank", "distance", "equal"}
        What the Gaussian falls with: the rank, as by default in Orange, or the distance. Either
        way it is so wide that the k-th row has the weight 0.001.
    nominal, values, classes
        As for `NaiveBayes`.
    """

    def __init__(
        self,
        *,
        k: int = 10,
        weights: str = "rank",
        nominal: Any = "auto",
        values: Any = None,
        classes: Any = None,
    ) -> None:
        self.k = k
        self.weights = weights
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def _settings(self, attributes: int) -> tuple[int, int, Floats, bool]:
        if isinstance(self.k, bool) or not isinstance(self.k, int | np.integer) or self.k < 1:
            raise InputError(
                f"`k` must be a whole number, one or larger, got {self.k!r}.",
                "Leave it out for 10.",
            )
        if self.weights not in KINDS:
            raise InputError(
                f"`weights` must be one of {tuple(KINDS)}, got {self.weights!r}.",
                "Leave it out for 'rank'.",
            )
        return int(self.k), KINDS[self.weights], np.ones(attributes), True


class WeightedNearest(_Neighbours):
    """The nearest row by a Euclidean distance with a weight for every column.

    Bad weights make the nearest neighbour worse by as much as is wanted, which is how Dietterich
    (1998) makes two learners equally good. Squared differences are multiplied by the weights.
    Several rows at the least distance vote; the first of the classes with most votes is predicted.

    Parameters
    ----------
    weights : list of float, optional
        A weight for every column, zero or larger; all 1 if left out.
    scaled : bool
        Whether numbers are first scaled to the range they have in the rows learnt from.
    nominal, values, classes
        As for `NaiveBayes`. Nominal values are 0 or 1 apart; a missing value is as far away as it
        is on average.
    """

    def __init__(
        self,
        *,
        weights: Any = None,
        scaled: bool = True,
        nominal: Any = "auto",
        values: Any = None,
        classes: Any = None,
    ) -> None:
        self.weights = weights
        self.scaled = scaled
        self.nominal = nominal
        self.values = values
        self.classes = classes

    def _settings(self, attributes: int) -> tuple[int, int, Floats, bool]:
        if self.weights is None:
            return 1, EQUAL, np.ones(attributes), bool(self.scaled)
        try:
            weights = np.array(self.weights, dtype=np.float64)
        except (TypeError, ValueError):
            weights = np.full(1, np.nan)
        if weights.shape != (attributes,) or not (weights >= 0).all() or np.isinf(weights).any():
            raise InputError(
                f"`weights` must be {attributes} numbers, zero or larger, one for each column, "
                f"got {self.weights!r}.",
                "Leave it out to weigh all columns the same.",
            )
        return 1, EQUAL, weights, bool(self.scaled)
