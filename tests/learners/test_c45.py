"""C4.5: its own other path, known trees, and properties; Weka's predictions are in test_weka.py."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from samples import by_fitting, datasets, folds, made, mixed
from scipy.special import ndtri
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.errors import InputError
from twofold.learners.c45 import C45, _TreeRuns
from twofold.learners.kernels import c45_errors
from twofold.learners.kernels.column_arrays import Columns
from twofold.learners.kernels.compile import shared_kernel

NO_TABLE = np.zeros(0)


@parametrize_with_checks([C45()])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize(
    "options", [{}, {"prune": False}, {"raising": False}, {"m": 5}, {"cf": 0.05}]
)
@given(dataset=datasets(), seed=st.integers(0, 100))
def test_whole_cross_validation_is_fit_and_predict(dataset, seed, options):
    fold_of_row = folds(seed, dataset.rows)
    learner = C45(**options)
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row, threads=2),
        by_fitting(learner, dataset, fold_of_row),
    )


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_probabilities_of_whole_cross_validations_are_those_of_fitting(dataset, seed):
    fold_of_row = folds(seed, dataset.rows)
    learner = C45(**C45.parameters_of(dataset), m=1, cf=0.1)
    probabilities = learner.predict_proba_folds(dataset, fold_of_row)
    for run, fold in zip(probabilities, fold_of_row, strict=True):
        for f in range(fold.max() + 1):
            train, test = np.flatnonzero(fold != f), np.flatnonzero(fold == f)
            learner.fit(dataset.X[train], dataset.y[train])
            np.testing.assert_array_equal(run[test], learner.predict_proba(dataset.X[test]))
        assert np.isnan(run[fold < 0]).all()


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize("values", [[2] * 10, [0] * 6, [3, 0, 2, 0, 4], [30, 0]])
def test_larger_trees_too(values, missing):
    dataset = mixed(4, 300, values, 3, missing=missing)
    fold_of_row = folds(4, 300, k=5)
    learner = C45()
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row), by_fitting(learner, dataset, fold_of_row)
    )


def test_the_golf_tree():
    """Quinlan's (1993) weather data and the tree every textbook prints for them."""
    outlook = [0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2]
    humidity = [85, 90, 86, 96, 80, 70, 65, 95, 70, 80, 70, 90, 75, 91]
    windy = [0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1]
    play = ["no", "no", "yes", "yes", "yes", "no", "yes", "no", "yes", "yes", "yes", "yes", "yes"]
    play = np.array([*play, "no"])
    learner = C45(nominal=[True, False, True])
    learner.fit(np.column_stack([outlook, humidity, windy]), play)
    words = [["sunny", "overcast", "rainy"], None, ["false", "true"]]
    text = learner.text(["outlook", "humidity", "windy"], words)
    assert text.splitlines() == [
        "outlook = sunny",
        "|   humidity <= 75: yes (2)",
        "|   humidity > 75: no (3)",
        "outlook = overcast: yes (4)",
        "outlook = rainy",
        "|   windy = false: yes (3)",
        "|   windy = true: no (2)",
    ]
    assert (learner.tree_.leaves, learner.tree_.size, learner.tree_.depth) == (5, 8, 2)
    assert str(learner).startswith("a0 = 0\n|   a1 <= 75: yes (2)")


def test_errors_added_as_quinlan_prints():
    """Quinlan (1993), section 4.2: U(0,6) = .206, U(0,9) = .143, U(0,1) = .750 at 25 %."""
    compute_added_errors = shared_kernel(c45_errors.compute_added_errors.py_func)
    z = float(ndtri(0.75))
    for n, upper in ((6, 0.206), (9, 0.143), (1, 0.750)):
        assert compute_added_errors(float(n), 0.0, 0.25, z, NO_TABLE) / n == pytest.approx(
            upper, abs=5e-4
        )
    # Between no error and one it goes straight.
    ends = [compute_added_errors(20.0, e, 0.25, z, NO_TABLE) for e in (0.0, 0.5, 1.0)]
    assert ends[1] == pytest.approx((ends[0] + ends[2]) / 2)


def test_one_threshold_as_scikit_learn():
    """With one question to ask, gain and gain ratio agree on the best threshold."""
    dataset = mixed(9, 200, [0], 2)
    theirs = DecisionTreeClassifier(criterion="entropy", max_depth=1, min_samples_leaf=10)
    theirs.fit(dataset.X, dataset.y)
    ours = C45(m=10, prune=False).fit(dataset.X, dataset.y)
    point = ours.tree_.threshold
    values = np.unique(dataset.X)
    after = values[np.searchsorted(values, point) + 1]
    # Ours is a number that occurs, theirs lies in the middle.
    assert point <= theirs.tree_.threshold[0] < after


@given(dataset=datasets(missing=False), seed=st.integers(0, 100))
def test_order_of_rows_does_not_matter(dataset, seed):
    fold_of_row = folds(seed, dataset.rows)
    order = np.random.default_rng(seed).permutation(dataset.rows)
    values = [len(a.values or ()) for a in dataset.attributes]
    other = made(dataset.X[order], values, dataset.y[order], len(dataset.classes))
    np.testing.assert_array_equal(
        C45().predict_folds(dataset, fold_of_row)[:, order],
        C45().predict_folds(other, fold_of_row[:, order]),
    )


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_attributes_that_say_nothing_change_nothing(dataset, seed):
    values = [len(a.values or ()) for a in dataset.attributes]
    rows = dataset.rows
    # With few rows, whether any attribute is numeric or has few values changes the mean gain.
    assume(rows >= 24)
    nothing = np.column_stack([np.full(rows, 7.0), np.full(rows, 1.0)])
    more = made(np.hstack([dataset.X, nothing]), [*values, 0, 3], dataset.y, len(dataset.classes))
    fold_of_row = folds(seed, rows)
    np.testing.assert_array_equal(
        C45().predict_folds(dataset, fold_of_row), C45().predict_folds(more, fold_of_row)
    )


def test_values_all_missing_leave_a_leaf():
    dataset = made(np.full((20, 2), np.nan), [0, 3], np.arange(20) % 3 // 2, 2)
    said = C45().predict_folds(dataset, folds(1, 20))
    assert (said == 0).all()


def test_rows_with_a_missing_value_go_down_all_branches():
    X = [[0, 0.0]] * 6 + [[1, 1.0]] * 2
    learner = C45(nominal=[True, False], m=1).fit(X, [0] * 6 + [1] * 2)
    np.testing.assert_allclose(learner.predict_proba([[np.nan, np.nan]]), [[0.75, 0.25]])
    np.testing.assert_allclose(learner.predict_proba([[7, np.nan]]), [[0.75, 0.25]])


@pytest.mark.parametrize("options", [{"cf": 0}, {"cf": 0.6}, {"m": 0}, {"cf": "a"}])
def test_options_are_checked(options):
    with pytest.raises(InputError, match=next(iter(options))):
        C45(**options).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("options", [{}, {"prune": False}, {"raising": False}, {"m": 4}])
@given(seed=st.integers(0, 1000), rows=st.integers(6, 200), attributes=st.integers(1, 13))
def test_binary_attributes_give_the_tree_of_the_general_kernel(seed, rows, attributes, options):
    dataset = mixed(seed, rows, [2] * attributes, 2)
    fold_of_row = folds(seed, rows)
    columns = Columns.from_dataset(dataset)
    general = np.full(fold_of_row.shape, -1)
    _TreeRuns(columns, C45(**options)).runs(fold_of_row.astype(np.int32), general)
    np.testing.assert_array_equal(C45(**options).predict_folds(dataset, fold_of_row), general)
