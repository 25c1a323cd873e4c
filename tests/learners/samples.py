"""Data sets for tests of the learners: drawn by Hypothesis, or from a seed."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from twofold.dataset import Attribute, Dataset

WEKA = Path(__file__).parents[1] / "reference" / "weka"
sys.path.insert(0, str(WEKA))


def made(X, values, y, classes=None):
    """A data set from a table, the number of values of each column (0: numeric), and classes."""
    attributes = tuple(
        Attribute(f"a{j}", tuple(f"v{k}" for k in range(v)) if v else None)
        for j, v in enumerate(values)
    )
    y = np.asarray(y, dtype=np.intp)
    classes = int(y.max()) + 1 if classes is None else classes
    return Dataset(
        "made",
        attributes,
        np.asarray(X, dtype=float).reshape(len(y), len(values)),
        y,
        tuple(f"c{k}" for k in range(classes)),
    )


def mixed(seed, rows, values, classes, *, missing=0.0, levels=None):
    """A data set with some signal; ``levels`` makes numeric columns take few values."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    y[:classes] = np.arange(classes)
    X = np.empty((rows, len(values)))
    for j, v in enumerate(values):
        if v:
            X[:, j] = np.where(rng.random(rows) < 0.4, y % v, rng.integers(0, v, rows))
        else:
            X[:, j] = rng.normal(size=rows) + 0.8 * y
            if levels:
                X[:, j] = np.round(X[:, j] * levels) / levels
    X[rng.random(X.shape) < missing] = np.nan
    return made(X, values, y, classes)


def folds(seed, rows, *, runs=2, k=4):
    rng = np.random.default_rng(seed)
    return np.stack([rng.permutation(np.arange(rows) % k) for _ in range(runs)])


@st.composite
def datasets(draw, *, missing=True, numeric=True):
    """Small data sets of every kind, often with ties."""
    rows = draw(st.integers(6, 40))
    values = draw(st.lists(st.integers(0 if numeric else 1, 4), min_size=1, max_size=5))
    return mixed(
        draw(st.integers(0, 10_000)),
        rows,
        values,
        draw(st.integers(2, 4)),
        missing=draw(st.sampled_from([0.0, 0.2])) if missing else 0.0,
        levels=draw(st.sampled_from([None, 1, 3])),
    )


def by_fitting(learner, dataset, fold_of_row):
    """A cross-validation by `fit` and `predict`, fold by fold."""
    learner = learner.set_params(**learner.parameters_of(dataset))
    said = np.full(fold_of_row.shape, -1)
    for run, fold in enumerate(fold_of_row):
        for f in range(fold.max() + 1):
            test = fold == f
            if test.any():
                learner.fit(dataset.X[~test], dataset.y[~test])
                said[run, test] = learner.predict(dataset.X[test])
    return said


def real(name):
    """One of the 27 data sets, or a skip that says why."""
    import uci

    place = uci.folder()
    if place is None or not (place / f"{name}.arff").exists():
        pytest.skip("data files are not at hand; set TWOFOLD_DATA to their folder")
    return uci.read(place / f"{name}.arff")
