"""The voted perceptron against plain loops, Java's random numbers, and its own other path.

Weka's predictions, row for row, are in test_weka_more.py.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import by_fitting, datasets, folds, made, mixed
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.errors import InputError
from twofold.learners.kernels.voted_perceptron_kernel import shuffle
from twofold.learners.voted_perceptron import VotedPerceptron


@parametrize_with_checks([VotedPerceptron(), VotedPerceptron(passes=2, exponent=2)])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def two_classes(dataset):
    values = [len(a.values or ()) for a in dataset.attributes]
    return made(dataset.X, values, dataset.y % 2, 2)


def columns_of_numbers(train, rows, values):
    """Rows as numbers only, missing values filled in from the training rows."""
    parts = []
    for a, v in enumerate(values):
        known = train[:, a][~np.isnan(train[:, a])]
        if v:
            fill = np.bincount(known.astype(int), minlength=v).argmax()
        else:
            fill = known.mean() if len(known) else 0.0
        column = np.where(np.isnan(rows[:, a]), fill, rows[:, a])
        parts += [column == w for w in range(v)] if v > 2 else [column]
    return np.column_stack(parts).astype(float)


def by_hand(dataset, test, *, passes, exponent):
    """Freund and Schapire's loop, in words of the paper, the shuffle being given."""
    values = [len(a.values or ()) for a in dataset.attributes]
    Z = columns_of_numbers(dataset.X[~test], dataset.X, values)
    order = np.flatnonzero(~test)
    shuffle(order, 1)
    sign = np.where(dataset.y == 1, 1.0, -1.0)
    gram = (Z @ Z.T + 1) ** exponent
    mistakes, lives = [], [0]
    for _ in range(passes):
        for i in order:
            told = 1 if sum(sign[j] * gram[j, i] for j in mistakes) >= 0 else -1
            if told != sign[i]:
                mistakes.append(i)
                lives.append(1)
            else:
                lives[-1] += 1
    said = []
    for i in np.flatnonzero(test):
        scores = np.concatenate([[0.0], np.cumsum([sign[j] * gram[j, i] for j in mistakes])])
        if np.abs(scores[1:]).min(initial=1.0) < 1e-9:
            said.append(-1)  # decided by the last bit of a sum
            continue
        said.append(int(np.where(scores >= 0, lives, -np.array(lives)).sum() > 0))
    return np.array(said)


@pytest.mark.parametrize(("passes", "exponent"), [(1, 1.0), (3, 1.0), (1, 2.0), (2, 3.0)])
@given(dataset=datasets(), seed=st.integers(0, 100))
def test_as_done_by_hand(dataset, seed, passes, exponent):
    dataset = two_classes(dataset)
    fold = folds(seed, dataset.rows, runs=1, k=3)
    learner = VotedPerceptron(passes=passes, exponent=exponent)
    said = learner.predict_folds(dataset, fold)[0]
    for f in range(3):
        want = by_hand(dataset, fold[0] == f, passes=passes, exponent=exponent)
        got = said[fold[0] == f]
        assert (got[want >= 0] == want[want >= 0]).all()


def test_the_shuffle_is_javas():
    # new java.util.Random(1), nextInt(j + 1) for j = 9 … 1, rows swapped: run with OpenJDK 17.
    rows = np.arange(10)
    shuffle(rows, 1)
    np.testing.assert_array_equal(rows, [6, 9, 7, 8, 4, 2, 0, 3, 1, 5])


@pytest.mark.parametrize("options", [{}, {"passes": 2, "most": 3}, {"exponent": 2}])
@given(dataset=datasets(), seed=st.integers(0, 100))
def test_whole_cross_validation_is_fit_and_predict(dataset, seed, options):
    dataset = two_classes(dataset)
    fold_of_row = folds(seed, dataset.rows)
    learner = VotedPerceptron(**options)
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row, threads=2),
        by_fitting(learner, dataset, fold_of_row),
    )


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_columns_of_zeros_or_of_nothing_change_nothing(dataset, seed):
    dataset = two_classes(dataset)
    values = [len(a.values or ()) for a in dataset.attributes]
    rows = dataset.rows
    nothing = np.column_stack([np.zeros(rows), np.full(rows, np.nan)])
    more = made(np.hstack([dataset.X, nothing]), [*values, 0, 0], dataset.y, 2)
    fold_of_row = folds(seed, rows)
    learner = VotedPerceptron()
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row), learner.predict_folds(more, fold_of_row)
    )


def test_it_separates_what_a_plane_separates():
    dataset = mixed(1, 200, [0, 0], 2)
    X = np.column_stack([dataset.X[:, 0], dataset.y * 4.0 - 2.0])
    assert VotedPerceptron(passes=20).fit(X, dataset.y).score(X, dataset.y) == 1.0


def test_a_value_never_seen_is_the_commonest():
    learner = VotedPerceptron(nominal=[True, False])
    learner.fit([[0, 1.0], [1, 2.0], [2, 3.5], [2, 0.5]], [0, 1, 1, 0])
    np.testing.assert_array_equal(
        learner.predict_proba([[7, 2.0]]), learner.predict_proba([[2, 2.0]])
    )


def test_where_all_rows_have_the_second_class_so_have_others():
    learner = VotedPerceptron(classes=[0, 1]).fit([[1.0], [2.0]], [1, 1])
    np.testing.assert_array_equal(learner.predict([[-5.0], [5.0]]), [1, 1])


@pytest.mark.parametrize(
    ("options", "word"),
    [({"passes": 0}, "passes"), ({"most": 0}, "most"), ({"exponent": 0}, "exponent")],
)
def test_options_are_checked(options, word):
    with pytest.raises(InputError, match=word):
        VotedPerceptron(**options).fit([[0.0], [1.0]], [0, 1])


def test_more_than_two_classes_are_refused():
    with pytest.raises(InputError, match="binary"):
        VotedPerceptron().predict_folds(mixed(1, 20, [0], 3), folds(1, 20))
