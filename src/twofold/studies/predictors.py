"""Learners as functions, for the search for a network on which two of them differ."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute, Dataset
from twofold.learners import Learner
from twofold.studies.fitting import predict_runs

Predictor = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], NDArray[Any]]


def predictor(learner: Learner) -> Predictor:
    """Return a function that trains on each of many data sets of zeros and ones, and predicts.

    It takes X (count, rows, attributes), y (count, rows) and further rows (cells, attributes), and
    returns classes (count, cells).
    """

    def predict(X: NDArray[Any], y: NDArray[Any], cells: NDArray[Any]) -> NDArray[Any]:
        bits = ("0", "1")
        attributes = tuple(Attribute(f"x{i}", bits) for i in range(X.shape[-1]))
        # One run with one fold: the cells are tested on, and the rows are what is left.
        folds = np.zeros((1, X.shape[1] + len(cells)), dtype=np.int32)
        folds[0, : X.shape[1]] = -1
        # The class of a tested row plays no part; both classes are there to be named.
        unknown = np.arange(len(cells)) % 2
        predictions = []
        for rows, classes in zip(X, y, strict=True):
            data = Dataset(
                "network",
                attributes,
                np.concatenate([rows, cells]).astype(np.float64),
                np.concatenate([classes, unknown]).astype(np.intp),
                bits,
                declared_classes=bits,
            )
            classes_of_rows = predict_runs(learner, data, folds, seed=0, labels=("network",))
            predictions.append(classes_of_rows[0, X.shape[1] :])
        return np.stack(predictions)

    # By this key a search for a network recognises the learner.
    predict.key = learner.key  # type: ignore[attr-defined]
    return predict
