"""The nearest neighbour against scikit-learn, plain loops, and its own other path."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import by_fitting, datasets, folds, made, mixed
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.errors import InputError
from twofold.learners.nearest import NearestNeighbour


@parametrize_with_checks([NearestNeighbour(), NearestNeighbour(ties="first", widen=False)])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def gap(x, t, nominal, low, high):
    """How far apart two values are, in words of the definition."""
    if nominal:
        return 0.0 if x == t else 1.0
    place = [(v - low) / (high - low) if high > low else 0.0 for v in (x, t)]
    if math.isnan(x) and math.isnan(t):
        return 1.0
    if math.isnan(x) or math.isnan(t):
        known = place[1] if math.isnan(x) else place[0]
        if high <= low:
            known = 0.0
        return max(known, 1 - known)
    return place[0] - place[1]


def looked_up(dataset, fold, *, ties, widen):
    """A cross-validation by plain loops over rows and columns."""
    nominal = [a.nominal for a in dataset.attributes]
    columns = range(len(nominal))
    said = np.full(dataset.rows, -1)
    for f in range(fold.max() + 1):
        train = np.flatnonzero(fold != f)
        known = [dataset.X[train, a][~np.isnan(dataset.X[train, a])] for a in columns]
        low = [k.min() if len(k) else math.inf for k in known]
        high = [k.max() if len(k) else -math.inf for k in known]
        for i in np.flatnonzero(fold == f):
            for a in columns:
                if widen and not math.isnan(dataset.X[i, a]):
                    low[a], high[a] = min(low[a], dataset.X[i, a]), max(high[a], dataset.X[i, a])
            far = []
            for j in train:
                total = 0.0
                for a in columns:
                    total += gap(dataset.X[i, a], dataset.X[j, a], nominal[a], low[a], high[a]) ** 2
                far.append(total)
            tied = [j for j, d in zip(train, far, strict=True) if d == min(far)]
            counts = np.bincount(dataset.y[tied if ties == "vote" else tied[:1]])
            said[i] = counts.argmax()
    return said


@pytest.mark.parametrize("ties", ["vote", "first"])
@pytest.mark.parametrize("widen", [True, False])
@given(dataset=datasets(), seed=st.integers(0, 100))
def test_as_looked_up_by_hand(dataset, seed, ties, widen):
    fold_of_row = folds(seed, dataset.rows, runs=1, k=3)
    learner = NearestNeighbour(ties=ties, widen=widen)
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row)[0],
        looked_up(dataset, fold_of_row[0], ties=ties, widen=widen),
    )


@pytest.mark.parametrize("ties", ["vote", "first"])
@pytest.mark.parametrize("widen", [True, False])
@given(dataset=datasets(), seed=st.integers(0, 100), k=st.integers(2, 6))
def test_whole_cross_validation_is_fit_and_predict(dataset, seed, k, ties, widen):
    fold_of_row = folds(seed, dataset.rows, k=k)
    learner = NearestNeighbour(ties=ties, widen=widen)
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row, threads=2),
        by_fitting(learner, dataset, fold_of_row),
    )


@pytest.mark.parametrize("values", [[0] * 5, [2] * 6, [3, 0, 2, 0], [2, 2]])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_more_rows_than_a_list_has_room_for(values, missing):
    dataset = mixed(5, 200, values, 3, missing=missing, levels=2)
    fold_of_row = folds(5, 200, runs=3, k=2)
    for ties in ("vote", "first"):
        learner = NearestNeighbour(ties=ties)
        np.testing.assert_array_equal(
            learner.predict_folds(dataset, fold_of_row), by_fitting(learner, dataset, fold_of_row)
        )


def test_as_scikit_learn_on_scaled_numbers():
    dataset = mixed(1, 300, [0] * 4, 3)
    scaler = MinMaxScaler().fit(dataset.X[:200])
    theirs = KNeighborsClassifier(1).fit(scaler.transform(dataset.X[:200]), dataset.y[:200])
    ours = NearestNeighbour(widen=False).fit(dataset.X[:200], dataset.y[:200])
    np.testing.assert_array_equal(
        ours.predict(dataset.X[200:]), theirs.predict(scaler.transform(dataset.X[200:]))
    )


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_order_of_rows_does_not_matter_where_all_vote(dataset, seed):
    fold_of_row = folds(seed, dataset.rows)
    order = np.random.default_rng(seed).permutation(dataset.rows)
    values = [len(a.values or ()) for a in dataset.attributes]
    other = made(dataset.X[order], values, dataset.y[order], len(dataset.classes))
    learner = NearestNeighbour(widen=False)
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row)[:, order],
        learner.predict_folds(other, fold_of_row[:, order]),
    )


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_attributes_that_say_nothing_change_nothing(dataset, seed):
    values = [len(a.values or ()) for a in dataset.attributes]
    rows = dataset.rows
    nothing = np.column_stack([np.full(rows, 7.0), np.full(rows, 1.0)])
    more = made(np.hstack([dataset.X, nothing]), [*values, 0, 3], dataset.y, len(dataset.classes))
    fold_of_row = folds(seed, rows)
    for ties in ("vote", "first"):
        learner = NearestNeighbour(ties=ties)
        np.testing.assert_array_equal(
            learner.predict_folds(dataset, fold_of_row), learner.predict_folds(more, fold_of_row)
        )


def test_a_row_is_nearest_to_its_double():
    dataset = mixed(7, 40, [0, 3, 0], 3)
    doubled = made(np.vstack([dataset.X] * 2), [0, 3, 0], np.tile(dataset.y, 2))
    fold = np.repeat([0, 1], 40)[None, :]
    said = NearestNeighbour().predict_folds(doubled, fold)
    np.testing.assert_array_equal(said[0], doubled.y)


def test_a_value_never_seen_is_far_from_all():
    learner = NearestNeighbour(nominal=[True, False], ties="first")
    learner.fit([[0, 0.0], [1, 1.0]], [0, 1])
    np.testing.assert_array_equal(learner.predict([[9, 0.9], [9, 0.1]]), [1, 0])


def test_options_are_checked():
    with pytest.raises(InputError, match="ties"):
        NearestNeighbour(ties="random").fit([[0.0], [1.0]], [0, 1])
