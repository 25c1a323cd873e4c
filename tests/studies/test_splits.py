"""Splits dealt by the hundred obey the rules of the designs, and are as random."""

import numpy as np
import pytest

from twofold.dataset import Attribute, Dataset
from twofold.designs import parse_design
from twofold.studies.shared_splits import many_runs


def data(y):
    y = np.asarray(y)
    return Dataset("d", (Attribute("x"),), np.arange(len(y))[:, None] * 1.0, y, ("a", "b", "c"))


@pytest.mark.parametrize("text", ["10x10", "5x2", "3x7"])
def test_folds_and_their_classes_differ_by_one_at_most(text):
    design = parse_design(text)
    y = np.repeat([0, 1, 2, 0], [11, 30, 7, 15])
    folds = many_runs(design, data(y), 50, np.random.default_rng(1))
    assert folds.shape == (50, 63)
    for run in folds:
        sizes = np.bincount(run, minlength=design.parts)
        assert len(sizes) == design.parts
        assert np.ptp(sizes) <= 1
        for c in range(3):
            assert np.ptp(np.bincount(run[y == c], minlength=design.parts)) <= 1


@pytest.mark.parametrize("text", ["holdout:1/3", "resample:9:0.1"])
def test_random_splits_hold_their_share_of_each_class(text):
    design = parse_design(text)
    y = np.repeat([0, 1, 2], [20, 31, 9])
    dataset = data(y)
    folds = many_runs(design, dataset, 200, np.random.default_rng(1))
    tested = folds == 0
    assert set(np.unique(folds)) == {-1, 0}
    one = design.split(dataset, 0, seed=1).sizes()[1][0]
    assert (tested.sum(axis=1) == one).all()
    for c, n in enumerate([20, 31, 9]):
        assert np.abs(tested[:, y == c].sum(axis=1) - n * float(design.share)).max() < 1


def test_rows_meet_as_often_as_chance_has_it():
    # Two rows of different classes are in the same of 5 folds with chance 1/5; two of one class
    # of 20 with chance 3/19: the class has 4 rows in each fold.
    y = np.repeat([0, 1], 20)
    folds = many_runs(parse_design("9x5"), data(y), 20_000, np.random.default_rng(2))
    for i, j, chance in ((0, 39, 1 / 5), (0, 1, 3 / 19), (20, 30, 3 / 19)):
        met = (folds[:, i] == folds[:, j]).mean()
        assert abs(met - chance) < 4 * np.sqrt(chance * (1 - chance) / 20_000)
    # Each row is in each fold equally often.
    for fold in range(5):
        share = (folds == fold).mean(axis=0)
        assert np.abs(share - 0.2).max() < 4.5 * np.sqrt(0.16 / 20_000)
