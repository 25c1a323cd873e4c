"""Folds of many runs at once, and their accuracies."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from twofold.learners.kernels.fold_accuracy import fold_accuracies, stratified_folds
from twofold.seeds import rng


@given(st.integers(0, 100), st.integers(4, 60), st.integers(2, 4), st.integers(2, 5))
def test_every_fold_has_its_share_of_every_class(seed, rows, classes, k):
    random = rng(seed, "folds")
    y = random.integers(0, classes, rows)
    folds = stratified_folds(y, classes, k, random.random((3, rows)))
    assert folds.shape == (3, rows)
    for fold in folds:
        sizes = np.bincount(fold, minlength=k)
        assert sizes.max() - sizes.min() <= 1
        for c in range(classes):
            share = np.bincount(fold[y == c], minlength=k)
            assert share.max() - share.min() <= 1


def test_rows_land_everywhere_equally_often():
    y = np.repeat([0, 1], 10)
    folds = stratified_folds(y, 2, 5, rng(1, "folds").random((4000, 20)))
    counts = np.array([np.bincount(folds[:, i], minlength=5) for i in range(20)])
    # 4000 draws, each fold with chance 1/5: five standard deviations are 126.
    assert np.abs(counts - 800).max() < 127


def test_accuracies():
    y = np.array([0, 1, 1, 0, 1])
    said = np.array([[0, 1, 0, 1, -1]])
    folds = np.array([[0, 0, 1, 1, -1]], dtype=np.int32)
    np.testing.assert_array_equal(fold_accuracies(said, y, folds, 2), [[1.0, 0.0]])
    np.testing.assert_array_equal(
        fold_accuracies(said[:, :4], y[:4], folds[:, :4], 2), [[1.0, 0.0]]
    )
