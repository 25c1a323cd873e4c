"""Naive Bayes over intervals against a plain reckoning and its own other path.

Weka's predictions, row for row, are in test_weka_more.py.
"""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from samples import by_fitting, datasets, folds, made, mixed
from sklearn.naive_bayes import CategoricalNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.errors import InputError
from twofold.learners.discrete_naive_bayes import DiscreteNaiveBayes


@parametrize_with_checks([DiscreteNaiveBayes()])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def bits(y):
    shares = np.bincount(y) / len(y)
    return -sum(p * math.log2(p) for p in shares if p > 0)


def cuts_by_hand(x, y):
    """Fayyad & Irani's recursion in the words of their paper; refuses to choose among equals."""
    if len(x) < 2:
        return []
    found = []
    for t in (np.unique(x)[1:] + np.unique(x)[:-1]) / 2:
        left, right = y[x <= t], y[x > t]
        found.append((len(left) * bits(left) + len(right) * bits(right), t, left, right))
    if not found:
        return []
    found.sort(key=lambda one: one[0])
    assume(len(found) == 1 or found[1][0] - found[0][0] > 1e-9)
    after, t, left, right = found[0]
    gain = bits(y) - after / len(y)
    k, k1, k2 = (len(set(part)) for part in (y, left, right))
    delta = math.log2(3**k - 2) - (k * bits(y) - k1 * bits(left) - k2 * bits(right))
    need = (math.log2(len(y) - 1) + delta) / len(y)
    assume(abs(gain - need) > 1e-9)
    if gain <= need:
        return []
    return [*cuts_by_hand(x[x <= t], left), t, *cuts_by_hand(x[x > t], right)]


@given(
    st.integers(0, 10_000),
    st.integers(2, 120),
    st.integers(1, 4),
    st.sampled_from([None, 1, 4]),
)
def test_cuts_as_found_by_hand(seed, rows, classes, levels):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    x = rng.normal(size=rows) + 2 * y
    if levels:
        x = np.round(x * levels) / levels
    want = cuts_by_hand(x, y)
    got = DiscreteNaiveBayes().fit(x[:, None], y).cuts_[0]
    np.testing.assert_allclose(got, want, rtol=1e-15)


def test_a_cut_worked_out_by_hand():
    # Eight rows of each class, apart: gain 1 bit, need (log2 15 + log2 7 − 2) / 16 = 0.295.
    x = np.arange(16.0)
    learner = DiscreteNaiveBayes().fit(x[:, None], x >= 8)
    np.testing.assert_array_equal(learner.cuts_[0], [7.5])
    # Counts from one: (8 + 1) / (8 + 2) against 1 / 10.
    np.testing.assert_allclose(learner.predict_proba([[7.5], [7.6]]), [[0.9, 0.1], [0.1, 0.9]])
    # Two rows of each: gain 1 bit, need (log2 3 + log2 7 − 2) / 4 = 0.598; one of each: 0.404.
    assert len(DiscreteNaiveBayes().fit([[0], [1], [2], [3]], [0, 0, 1, 1]).cuts_[0]) == 1
    # Mixed up, nothing is gained.
    assert len(DiscreteNaiveBayes().fit(x[:, None], x % 2).cuts_[0]) == 0


@given(datasets(), st.integers(0, 100))
def test_chances_as_categorical_nb_over_the_intervals(dataset, seed):
    train = np.random.default_rng(seed).random(dataset.rows) < 0.7
    assume(len(set(dataset.y[train])) == len(dataset.classes) and not train.all())
    assume(not np.isnan(dataset.X).any())
    learner = DiscreteNaiveBayes(**DiscreteNaiveBayes.parameters_of(dataset), prior="share")
    learner.fit(dataset.X[train], dataset.y[train])
    values = [
        len(a.values or ()) or len(cuts) + 1
        for a, cuts in zip(dataset.attributes, learner.cuts_, strict=True)
    ]
    codes = np.column_stack(
        [
            dataset.X[:, a] if cuts is None else (dataset.X[:, a, None] > cuts).sum(axis=1)
            for a, cuts in enumerate(learner.cuts_)
        ]
    ).astype(int)
    theirs = CategoricalNB(alpha=1, min_categories=values).fit(codes[train], dataset.y[train])
    np.testing.assert_allclose(
        learner.predict_proba(dataset.X[~train]), theirs.predict_proba(codes[~train]), rtol=1e-9
    )


@pytest.mark.parametrize("prior", ["laplace", "share"])
@given(dataset=datasets(), seed=st.integers(0, 100))
def test_whole_cross_validation_is_fit_and_predict(dataset, seed, prior):
    fold_of_row = folds(seed, dataset.rows)
    learner = DiscreteNaiveBayes(prior=prior)
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row, threads=2),
        by_fitting(learner, dataset, fold_of_row),
    )


def test_whole_cross_validation_of_more_rows():
    dataset = mixed(4, 300, [0, 0, 3, 0], 3, missing=0.1)
    fold_of_row = folds(4, 300, runs=2, k=5)
    learner = DiscreteNaiveBayes()
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row), by_fitting(learner, dataset, fold_of_row)
    )


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_order_of_rows_does_not_matter(dataset, seed):
    fold_of_row = folds(seed, dataset.rows)
    order = np.random.default_rng(seed).permutation(dataset.rows)
    values = [len(a.values or ()) for a in dataset.attributes]
    other = made(dataset.X[order], values, dataset.y[order], len(dataset.classes))
    learner = DiscreteNaiveBayes()
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row)[:, order],
        learner.predict_folds(other, fold_of_row[:, order]),
    )


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_attributes_that_say_nothing_change_nothing(dataset, seed):
    values = [len(a.values or ()) for a in dataset.attributes]
    rows = dataset.rows
    nothing = np.column_stack([np.full(rows, 7.0), np.full(rows, np.nan), np.full(rows, np.nan)])
    more = made(
        np.hstack([dataset.X, nothing]), [*values, 0, 0, 3], dataset.y, len(dataset.classes)
    )
    fold_of_row = folds(seed, rows)
    learner = DiscreteNaiveBayes()
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row), learner.predict_folds(more, fold_of_row)
    )


@given(st.integers(0, 1000), st.integers(2, 5))
def test_doubled_rows_keep_their_cuts(seed, times):
    dataset = mixed(seed, 60, [0], 2)
    once = DiscreteNaiveBayes().fit(dataset.X, dataset.y).cuts_[0]
    X, y = np.repeat(dataset.X, times, axis=0), np.repeat(dataset.y, times)
    more = DiscreteNaiveBayes().fit(X, y).cuts_[0]
    # Gains stay and more rows pay for more cuts, so that none is lost.
    assert set(once) <= set(more)


def test_a_value_never_seen_counts_as_missing():
    learner = DiscreteNaiveBayes(nominal=[True, False])
    learner.fit([[0, 1.0], [1, 2.0], [1, 3.5]], [0, 1, 1])
    np.testing.assert_array_equal(
        learner.predict_proba([[5, 2.0]]), learner.predict_proba([[np.nan, 2.0]])
    )


def test_options_are_checked():
    with pytest.raises(InputError, match="prior"):
        DiscreteNaiveBayes(prior="none").fit([[0.0], [1.0]], [0, 1])
