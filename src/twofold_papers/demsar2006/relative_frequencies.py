"""Naive Bayes over intervals with relative frequencies, the default of Orange in 2005.

A value that never occurs with a class rules that class out. Cuts are those of `nb-discrete`, which
counts from one instead.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.learners import Learner

RULED_OUT = -1e6
"""Added to a logarithm for a probability of zero: where all classes have one, fewer of them win."""


def predict_relative(
    learner: Learner, dataset: Dataset, fold_of_row: NDArray[Any]
) -> NDArray[np.intp]:
    """Predict every row from the rows outside its fold; ``learner`` is `nb-discrete`."""
    estimator: Any = learner.estimator
    estimator = type(estimator)(**type(estimator).parameters_of(dataset))
    predictions = np.empty(dataset.rows, dtype=np.intp)
    for fold in range(int(fold_of_row.max()) + 1):
        test = fold_of_row == fold
        cuts = estimator.fit(dataset.X[~test], dataset.y[~test]).cuts_
        score = _add_logarithms(dataset, ~test, test, cuts)
        predictions[test] = score.argmax(axis=1)
    return predictions


def _add_logarithms(
    dataset: Dataset, train: NDArray[Any], test: NDArray[Any], cuts: Any
) -> NDArray[np.float64]:
    """Return log P(c) + Σ log P(x | c) of the tested rows, (rows, classes)."""
    classes = len(dataset.classes or ())
    y = dataset.y[train]
    score = np.tile(_log(np.bincount(y, minlength=classes) / len(y)), (int(test.sum()), 1))
    for column, cut in zip(dataset.X.T, cuts, strict=True):
        present = ~np.isnan(column)
        codes = np.where(present, column, 0.0)
        codes = codes if cut is None else np.searchsorted(cut, codes, side="left")
        codes = codes.astype(np.intp)
        counts = np.zeros((int(codes.max()) + 1, classes))
        seen = present[train]
        np.add.at(counts, (codes[train][seen], y[seen]), 1)
        likelihood = _log(counts / np.maximum(counts.sum(axis=0), 1))
        # A missing value, and one never learnt from, have no say.
        learnt = counts.sum(axis=1) > 0
        speaks = present[test] & learnt[codes[test]]
        score[speaks] += likelihood[codes[test][speaks]]
    return score


def _log(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    positive = probability > 0
    return np.where(positive, np.log(np.where(positive, probability, 1.0)), RULED_OUT)
