"""Weighted neighbours against scikit-learn, plain loops, and their own other path."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import by_fitting, datasets, folds, made, mixed
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.errors import InputError
from twofold.learners.k_nearest import KNearest, WeightedNearest


@parametrize_with_checks([KNearest(), KNearest(weights="distance"), WeightedNearest()])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def by_rank(distances):
    ranks = np.arange(1, 11)
    return np.tile(0.001 ** (ranks**2 / 100), (len(distances), 1))


def by_distance(distances):
    return 0.001 ** ((distances / distances.max(axis=1, keepdims=True)) ** 2)


@pytest.mark.parametrize(("weights", "theirs"), [("rank", by_rank), ("distance", by_distance)])
def test_as_scikit_learn_with_a_gaussian(weights, theirs):
    dataset = mixed(1, 300, [0] * 4, 3)
    train, test = dataset.X[:200], dataset.X[200:]
    scaler = MinMaxScaler().fit(train)
    known = KNeighborsClassifier(10, weights=theirs).fit(scaler.transform(train), dataset.y[:200])
    ours = KNearest(weights=weights).fit(train, dataset.y[:200])
    np.testing.assert_allclose(
        ours.predict_proba(test), known.predict_proba(scaler.transform(test)), rtol=1e-9, atol=1e-12
    )


@pytest.mark.parametrize("scaled", [True, False])
def test_one_weighted_neighbour_as_scikit_learn(scaled):
    dataset = mixed(2, 300, [0] * 4, 3)
    weights = np.array([3.0, 0.0, 0.25, 1.0])
    train, test = dataset.X[:200], dataset.X[200:]
    ours = WeightedNearest(weights=weights, scaled=scaled).fit(train, dataset.y[:200])
    if scaled:
        scaler = MinMaxScaler().fit(train)
        train, test = scaler.transform(train), scaler.transform(test)
    theirs = KNeighborsClassifier(1).fit(train * np.sqrt(weights), dataset.y[:200])
    np.testing.assert_array_equal(
        ours.predict(dataset.X[200:]), theirs.predict(test * np.sqrt(weights))
    )


def looked_up(dataset, train, i, k, weights):
    """Shares of votes for one row, by plain loops; a missing value by averages over all rows."""
    far = []
    for j in train:
        total = 0.0
        for a, attribute in enumerate(dataset.attributes):
            column = dataset.X[train, a]
            column = column[~np.isnan(column)]
            if not len(column):
                continue
            one, other = dataset.X[i, a], dataset.X[j, a]
            ones = column if math.isnan(one) else [one]
            others = column if math.isnan(other) else [other]
            width = column.max() - column.min()
            parts = [
                (p != q) if attribute.nominal else ((p - q) / width if width else 0.0) ** 2
                for p in ones
                for q in others
            ]
            total += sum(parts) / len(parts)
        far.append(total)
    far = np.round(far, 10)  # rows at the same distance up to rounding
    votes = np.zeros(len(dataset.classes))
    ranked = np.sort(far)
    farthest = ranked[min(k, len(ranked)) - 1]
    for j, d in zip(train, far, strict=True):
        ranks = [r for r in range(1, min(k, len(far)) + 1) if ranked[r - 1] == d]
        of_ranks = {
            "rank": [0.001 ** (r * r / (k * k)) for r in ranks],
            "distance": [0.001 ** (d / farthest) if farthest else 1.0 for r in ranks],
            "equal": [1.0 for r in ranks],
        }[weights]
        votes[dataset.y[j]] += sum(of_ranks) / (far == d).sum()
    return votes / votes.sum()


@pytest.mark.parametrize("weights", ["rank", "distance", "equal"])
@settings(max_examples=25)
@given(dataset=datasets(), k=st.integers(1, 12))
def test_as_looked_up_by_hand(dataset, k, weights):
    train = np.arange(3, dataset.rows)
    learner = KNearest(k=k, weights=weights, **KNearest.parameters_of(dataset))
    learner.fit(dataset.X[train], dataset.y[train])
    got = learner.predict_proba(dataset.X[:3])
    # The last bit decides whether rows are at the same distance; that moves at most some votes.
    agree = 0
    for i in range(3):
        want = looked_up(dataset, train, i, k, weights)
        agree += np.abs(got[i] - want).max() < 1e-6
    assert agree >= 2


@pytest.mark.parametrize(
    "learner",
    [
        KNearest(),
        KNearest(k=3, weights="distance"),
        WeightedNearest(),
        WeightedNearest(scaled=False),
    ],
)
@given(dataset=datasets(), seed=st.integers(0, 100))
def test_whole_cross_validation_is_fit_and_predict(dataset, seed, learner):
    fold_of_row = folds(seed, dataset.rows)
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row, threads=2),
        by_fitting(learner, dataset, fold_of_row),
    )


@given(dataset=datasets(missing=False), seed=st.integers(0, 100))
def test_order_of_rows_does_not_matter(dataset, seed):
    fold_of_row = folds(seed, dataset.rows)
    order = np.random.default_rng(seed).permutation(dataset.rows)
    values = [len(a.values or ()) for a in dataset.attributes]
    other = made(dataset.X[order], values, dataset.y[order], len(dataset.classes))
    np.testing.assert_array_equal(
        KNearest().predict_folds(dataset, fold_of_row)[:, order],
        KNearest().predict_folds(other, fold_of_row[:, order]),
    )


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_attributes_that_say_nothing_change_nothing(dataset, seed):
    values = [len(a.values or ()) for a in dataset.attributes]
    rows = dataset.rows
    nothing = np.column_stack([np.full(rows, 7.0), np.full(rows, np.nan), np.full(rows, 1.0)])
    more = made(
        np.hstack([dataset.X, nothing]), [*values, 0, 0, 3], dataset.y, len(dataset.classes)
    )
    fold_of_row = folds(seed, rows)
    for learner in (KNearest(), WeightedNearest()):
        np.testing.assert_array_equal(
            learner.predict_folds(dataset, fold_of_row), learner.predict_folds(more, fold_of_row)
        )


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_a_weight_of_zero_drops_the_column(dataset, seed):
    dataset = made(
        np.column_stack([dataset.X, dataset.X[:, 0]]),
        [
            *(len(a.values or ()) for a in dataset.attributes),
            len(dataset.attributes[0].values or ()),
        ],
        dataset.y,
        len(dataset.classes),
    )
    less = made(
        dataset.X[:, :-1],
        [len(a.values or ()) for a in dataset.attributes[:-1]],
        dataset.y,
        len(dataset.classes),
    )
    fold_of_row = folds(seed, dataset.rows)
    weights = [1.0] * len(less.attributes)
    np.testing.assert_array_equal(
        WeightedNearest(weights=[*weights, 0.0]).predict_folds(dataset, fold_of_row),
        WeightedNearest(weights=weights).predict_folds(less, fold_of_row),
    )


def test_doubled_rows_halve_the_neighbourhood():
    dataset = mixed(3, 100, [0, 0], 2)
    once = KNearest(k=5, weights="equal").fit(dataset.X[:80], dataset.y[:80])
    twice = KNearest(k=10, weights="equal")
    twice.fit(np.repeat(dataset.X[:80], 2, axis=0), np.repeat(dataset.y[:80], 2))
    np.testing.assert_allclose(
        once.predict_proba(dataset.X[80:]), twice.predict_proba(dataset.X[80:])
    )


def test_a_value_never_seen_is_far_from_all():
    learner = KNearest(k=1, nominal=[True, False]).fit([[0, 0.0], [1, 1.0]], [0, 1])
    np.testing.assert_array_equal(learner.predict([[9, 0.9], [9, 0.1]]), [1, 0])


def test_where_all_is_missing_all_rows_vote():
    learner = KNearest(k=2).fit(np.full((5, 2), np.nan), [0, 1, 1, 1, 0])
    np.testing.assert_allclose(learner.predict_proba([[1.0, np.nan]]), [[0.4, 0.6]])


@pytest.mark.parametrize(
    ("learner", "word"),
    [
        (KNearest(k=0), "`k`"),
        (KNearest(weights="none"), "weights"),
        (WeightedNearest(weights=[1.0, 2.0]), "weights"),
        (WeightedNearest(weights=[-1.0]), "weights"),
        (WeightedNearest(weights="a"), "weights"),
    ],
)
def test_options_are_checked(learner, word):
    with pytest.raises(InputError, match=word):
        learner.fit([[0.0], [1.0]], [0, 1])
