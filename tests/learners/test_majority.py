"""The most frequent class, against scikit-learn and itself; Weka's ZeroR in test_weka_more.py."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from samples import by_fitting, datasets, folds
from sklearn.dummy import DummyClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.learners.majority import Majority


@parametrize_with_checks([Majority()])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


@given(datasets())
def test_as_scikit_learn(dataset):
    ours = Majority().fit(dataset.X, dataset.y)
    theirs = DummyClassifier(strategy="most_frequent").fit(dataset.X, dataset.y)
    np.testing.assert_array_equal(ours.predict(dataset.X), theirs.predict(dataset.X))
    np.testing.assert_array_equal(ours.predict_proba(dataset.X), theirs.predict_proba(dataset.X))


@given(dataset=datasets(), seed=st.integers(0, 100), k=st.integers(2, 6))
def test_whole_cross_validation_is_fit_and_predict(dataset, seed, k):
    fold_of_row = folds(seed, dataset.rows, k=k)
    fold_of_row[:, :2] = -1
    np.testing.assert_array_equal(
        Majority().predict_folds(dataset, fold_of_row),
        by_fitting(Majority(), dataset, fold_of_row),
    )
