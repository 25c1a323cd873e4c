"""Random errors at a rate: how many there are, and that they come out the same twice."""

import numpy as np
import pytest
from samples import by_fitting, folds, made, mixed
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.errors import InputError
from twofold.learners import Learner, prepare
from twofold.learners.naive_bayes import NaiveBayes
from twofold.learners.noisy import Noisy


# Errors belong to places in a batch, not to rows; the checks know that from a tag.
@parametrize_with_checks([Noisy(NaiveBayes()), Noisy(LogisticRegression(), rate=0.5)])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("rate", [0.0, 0.07, 0.5, 1.0])
def test_so_many_predictions_are_replaced(classes, rate):
    dataset = mixed(1, 20_000, [0, 3], classes)
    inside = NaiveBayes(**NaiveBayes.parameters_of(dataset))
    clean = inside.fit(dataset.X, dataset.y).predict(dataset.X)
    said = Noisy(inside, rate=rate, random_state=3).fit(dataset.X, dataset.y).predict(dataset.X)
    wrong = said != clean
    # Five standard errors of a share of 20000.
    assert abs(wrong.mean() - rate) <= 5 * np.sqrt(rate * (1 - rate) / 20_000)
    ahead = (said[wrong] - clean[wrong]) % classes
    if rate > 0:
        shares = np.bincount(ahead, minlength=classes)[1:] / len(ahead)
        assert np.abs(shares - 1 / (classes - 1)).max() < 5 * 0.5 / np.sqrt(len(ahead))


def test_the_same_number_gives_the_same_errors():
    dataset = mixed(2, 500, [0], 2)

    def said(state):
        return (
            Noisy(NaiveBayes(), rate=0.3, random_state=state)
            .fit(dataset.X, dataset.y)
            .predict(dataset.X)
        )

    np.testing.assert_array_equal(said(1), said(1))
    assert (said(1) != said(2)).mean() > 0.2


@pytest.mark.parametrize("classes", [2, 3])
def test_whole_cross_validation_is_fit_and_predict(classes):
    dataset = mixed(5, 200, [0, 3], classes, missing=0.1)
    fold_of_row = folds(2, dataset.rows, runs=3, k=7)
    fold_of_row[2, :30] = -1
    inside = NaiveBayes(**NaiveBayes.parameters_of(dataset))
    learner = Noisy(inside, rate=0.3, random_state=11)
    expected = by_fitting(learner, dataset, fold_of_row)
    np.testing.assert_array_equal(learner.predict_folds(dataset, fold_of_row), expected)
    clean = inside.predict_folds(dataset, fold_of_row)
    assert 0.15 < (expected != clean).mean() < 0.45


def test_every_fold_can_have_its_own_errors():
    dataset = mixed(5, 90, [0], 3)
    fold_of_row = folds(2, dataset.rows, runs=2, k=3)
    inside = NaiveBayes(**NaiveBayes.parameters_of(dataset))
    states = np.array([[1, 2, 3], [4, 5, 6]])
    said = Noisy(inside, rate=0.4).predict_folds_seeded(dataset, fold_of_row, states)
    for run in range(2):
        for fold in range(3):
            test = fold_of_row[run] == fold
            one = Noisy(inside, rate=0.4, random_state=int(states[run, fold]))
            want = one.fit(dataset.X[~test], dataset.y[~test]).predict(dataset.X[test])
            np.testing.assert_array_equal(said[run, test], want)


def test_whole_cross_validations_are_offered_where_they_give_the_same():
    # With its state left open each fold has other errors, and only the caller knows which.
    assert not hasattr(Noisy(NaiveBayes()), "predict_folds")
    assert hasattr(Noisy(NaiveBayes(), random_state=0), "predict_folds")
    assert not hasattr(Noisy(LogisticRegression(), random_state=0), "predict_folds")
    assert not hasattr(Noisy(LogisticRegression()), "predict_folds_seeded")


def test_names_of_classes_are_kept():
    learner = Noisy(NaiveBayes(), rate=1.0).fit([[0.0], [1.0], [5.0], [6.0]], list("aabb"))
    np.testing.assert_array_equal(learner.predict([[0.0], [6.0]]), ["b", "a"])


def test_what_is_inside_learns_of_the_data_set():
    dataset = made([[0, 1.0], [2, 3.0]], [3, 0], [0, 1], 3)
    ready = prepare(Learner("noisy", Noisy(NaiveBayes())), dataset)
    np.testing.assert_array_equal(ready.estimator.values, [3, 0])
    np.testing.assert_array_equal(ready.estimator.classes, [0, 1, 2])


def test_others_are_prepared_as_without_noise():
    dataset = made([[0, 1.0], [2, np.nan], [1, 2.0]], [3, 0], [0, 1, 1])
    ready = prepare(Learner("noisy", Noisy(LogisticRegression())), dataset)
    assert ready.fit(dataset.X, dataset.y).predict(dataset.X).shape == (3,)


@pytest.mark.parametrize(
    ("learner", "word"), [(Noisy(), "estimator"), (Noisy(NaiveBayes(), rate=1.5), "rate")]
)
def test_options_are_checked(learner, word):
    with pytest.raises(InputError, match=word):
        learner.fit([[0.0], [1.0]], [0, 1])
