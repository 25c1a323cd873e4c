"""Nearest neighbour with weights, against the definition; damage that reaches its aim."""

import numpy as np
import pytest

from twofold.seeds import rng
from twofold_papers.dietterich1998.damage import (
    SIZES,
    calibrate_damage,
    predict_nearest,
    scale_columns,
)
from twofold_papers.dietterich1998.damaged_trials import predict_nearest_in_folds
from twofold_papers.dietterich1998.learning_tasks import exp6
from twofold_papers.item import ItemOptions


def test_weights_fall_from_the_first_column_to_the_last():
    assert scale_columns(np.ones((1, 3)), 16.0) == pytest.approx(np.array([[4.0, 2.0, 1.0]]))


def test_nearest_of_the_first_rows_and_in_folds():
    random = rng(5, "rows")
    X, y = random.random((300, 4)), random.integers(0, 3, 300)
    test_rows = random.random((40, 4))
    square = np.array([9.0, 9 ** (2 / 3), 9 ** (1 / 3), 1.0])
    predictions = predict_nearest(X, y, test_rows, 9.0)
    for index, m in enumerate(SIZES):
        far = ((X[None, :m] - test_rows[:, None]) ** 2 * square).sum(axis=2)
        assert (predictions[index] == y[far.argmin(axis=1)]).all()

    folds = np.array([np.arange(300) % 10, np.where(np.arange(300) < 100, 0, -1)], dtype=np.int32)
    result = predict_nearest_in_folds(X, y, folds, 9.0)
    far = ((X[None] - X[:, None]) ** 2 * square).sum(axis=2)
    for run in range(2):
        apart = np.where(folds[run][:, None] == folds[run][None], np.inf, far)
        tested = folds[run] >= 0
        assert (result[run][tested] == y[apart.argmin(axis=1)][tested]).all()
    assert (result[1][100:] == -1).all()


def test_damage_brings_nearest_neighbour_to_the_error_of_the_tree():
    result = calibrate_damage(exp6(), (0.0, 0.5, 1.0), 6, ItemOptions("toy"))
    for m in SIZES:
        assert result.nearest[m] < result.tree[m]
        assert result.errors[0.0, m] == pytest.approx(result.tree[m], abs=0.005)
        half = (result.tree[m] + result.nearest[m]) / 2
        assert result.errors[0.5, m] == pytest.approx(half, abs=0.005)
        assert result.amounts[1.0, m] == pytest.approx(1.0)
