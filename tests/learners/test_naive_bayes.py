"""Naive Bayes against scikit-learn, a plain reckoning, and its own other path."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from samples import by_fitting, datasets, folds, made, mixed
from scipy.special import ndtr
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from twofold.errors import InputError
from twofold.learners.kernels import normal
from twofold.learners.kernels.compile import shared_kernel
from twofold.learners.naive_bayes import NaiveBayes


@parametrize_with_checks([NaiveBayes(), NaiveBayes(precision=None)])
def test_is_a_scikit_learn_estimator(estimator, check):
    check(estimator)


def reckoned(train, test, y, values, classes):
    """Weka's naive Bayes, reckoned by hand for one row; scipy has the normal distribution."""
    chances = []
    for c in range(classes):
        chance = ((y == c).sum() + 1) / (len(y) + classes)
        for a, v in enumerate(values):
            x = test[a]
            column = train[:, a]
            known = ~np.isnan(column)
            of_class = column[known & (y == c)]
            if np.isnan(x):
                continue
            if v:
                chance *= ((of_class == x).sum() + 1) / (len(of_class) + v)
                continue
            different = np.unique(column[known])
            precision = np.diff(different).mean() if len(different) > 1 else 0.01
            of_class = np.rint(of_class / precision) * precision
            mean = of_class.mean() if len(of_class) else 0.0
            deviation = max(of_class.std() if len(of_class) else 0.0, precision / 6)
            x = np.rint(x / precision) * precision
            mass = ndtr((x - mean + precision / 2) / deviation) - ndtr(
                (x - mean - precision / 2) / deviation
            )
            chance *= max(mass, 1e-75)
        chances.append(chance)
    return np.array(chances) / sum(chances)


@given(datasets())
def test_as_reckoned_by_hand(dataset):
    values = [len(a.values or ()) for a in dataset.attributes]
    train = np.arange(dataset.rows) % 3 > 0
    classes = len(dataset.classes)
    learner = NaiveBayes(**NaiveBayes.parameters_of(dataset))
    learner.fit(dataset.X[train], dataset.y[train])
    got = learner.predict_proba(dataset.X[~train])
    for row, chances in zip(dataset.X[~train], got, strict=True):
        want = reckoned(dataset.X[train], row, dataset.y[train], values, classes)
        # Halves round to even; the last bit of a quotient decides, so let values on an edge be.
        assert np.abs(chances - want).max() < 1e-6


@pytest.mark.parametrize("smoothing", [0.0, 1e-9])
def test_numbers_as_gaussian_nb(smoothing):
    dataset = mixed(1, 200, [0, 0, 0, 0], 3)
    ours = NaiveBayes(precision=None, prior="share", smoothing=smoothing)
    theirs = GaussianNB(var_smoothing=smoothing)
    ours.fit(dataset.X[:150], dataset.y[:150])
    theirs.fit(dataset.X[:150], dataset.y[:150])
    np.testing.assert_allclose(
        ours.predict_proba(dataset.X[150:]), theirs.predict_proba(dataset.X[150:]), rtol=1e-9
    )


def test_words_as_categorical_nb():
    dataset = mixed(2, 200, [2, 3, 4], 3)
    ours = NaiveBayes(prior="share", nominal=[True] * 3).fit(dataset.X[:150], dataset.y[:150])
    theirs = CategoricalNB(alpha=1, min_categories=[2, 3, 4])
    theirs.fit(dataset.X[:150].astype(int), dataset.y[:150])
    np.testing.assert_allclose(
        ours.predict_proba(dataset.X[150:]),
        theirs.predict_proba(dataset.X[150:].astype(int)),
        rtol=1e-12,
    )


@pytest.mark.parametrize("precision", ["weka", None])
@pytest.mark.parametrize("prior", ["laplace", "share"])
@given(dataset=datasets(), seed=st.integers(0, 100))
def test_whole_cross_validation_is_fit_and_predict(dataset, seed, precision, prior):
    fold_of_row = folds(seed, dataset.rows)
    learner = NaiveBayes(precision=precision, prior=prior)
    np.testing.assert_array_equal(
        learner.predict_folds(dataset, fold_of_row), by_fitting(learner, dataset, fold_of_row)
    )


@pytest.mark.parametrize("precision", ["weka", None])
@given(dataset=datasets(), seed=st.integers(0, 100))
def test_order_of_rows_and_number_of_threads_do_not_matter(dataset, seed, precision):
    fold_of_row = folds(seed, dataset.rows, runs=5)
    order = np.random.default_rng(seed).permutation(dataset.rows)
    values = [len(a.values or ()) for a in dataset.attributes]
    other = made(dataset.X[order], values, dataset.y[order], len(dataset.classes))
    learner = NaiveBayes(precision=precision)
    said = learner.predict_folds(dataset, fold_of_row)
    turned = learner.predict_folds(other, fold_of_row[:, order], threads=2)
    # Sums of the same numbers in another order may differ in their last bit.
    assert (said[:, order] != turned).mean() <= (0.0 if precision == "weka" else 0.02)


@given(dataset=datasets(), seed=st.integers(0, 100))
def test_attributes_that_say_nothing_change_nothing(dataset, seed):
    values = [len(a.values or ()) for a in dataset.attributes]
    rows = dataset.rows
    nothing = np.column_stack([np.full(rows, 7.0), np.full(rows, np.nan), np.full(rows, np.nan)])
    more = made(
        np.hstack([dataset.X, nothing]), [*values, 0, 0, 3], dataset.y, len(dataset.classes)
    )
    fold_of_row = folds(seed, rows)
    # Of a class that is not there, Weka knows for every number that it is near zero.
    assume(
        all(
            len(set(dataset.y[fold != f])) == len(dataset.classes)
            for fold in fold_of_row
            for f in range(4)
        )
    )
    for precision in ("weka", None):
        learner = NaiveBayes(precision=precision)
        np.testing.assert_array_equal(
            learner.predict_folds(dataset, fold_of_row), learner.predict_folds(more, fold_of_row)
        )


def test_a_value_never_seen_counts_as_missing():
    learner = NaiveBayes(nominal=[True, False])
    learner.fit([[0, 1.0], [1, 2.0], [1, 3.5]], [0, 1, 1])
    np.testing.assert_array_equal(
        learner.predict_proba([[5, 2.0]]), learner.predict_proba([[np.nan, 2.0]])
    )


def test_rows_never_tested_are_learnt_from():
    dataset = mixed(3, 60, [0, 3], 2)
    fold = folds(3, 60, runs=1, k=5)
    fold[fold > 0] = -1
    for precision in ("weka", None):
        learner = NaiveBayes(precision=precision)
        said = learner.predict_folds(dataset, fold)
        assert (said[fold == -1] == -1).all()
        np.testing.assert_array_equal(said, by_fitting(learner, dataset, fold))


def test_normal_chances_as_scipy():
    fill_below = shared_kernel(normal.fill_below.py_func)
    z = np.concatenate([np.linspace(-39, 39, 5001), [-1.0, 0.0, 1.0]])
    below, size, power = np.empty((3, len(z)))
    fill_below(z, len(z), below, size, power, np.empty(len(z), dtype=np.uint32))
    np.testing.assert_allclose(below, ndtr(z), rtol=2e-13)


def test_halves_round_to_even():
    round_half_even = shared_kernel(normal.round_half_even.py_func)
    for x in (0.5, 1.5, -0.5, -2.5, 2.4999999, 1e17, -3.2):
        assert round_half_even(x) == np.rint(x)
    assert math.isinf(round_half_even(math.inf))


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"precision": "fine"}, "precision"),
        ({"prior": "none"}, "prior"),
        ({"smoothing": -1.0}, "smoothing"),
        ({"nominal": [True]}, "nominal"),
        ({"nominal": [True, False], "values": [1, 0]}, "values"),
        ({"classes": [0]}, "classes"),
    ],
)
def test_options_are_checked(options, word):
    with pytest.raises(InputError, match=word):
        NaiveBayes(**options).fit([[0, 1.5], [1, 2.5]], [0, 1])


@pytest.mark.parametrize("bad", [np.zeros((1, 3)), np.zeros((1, 4), int), [[0, 1, 2, -2]]])
def test_folds_are_checked(bad):
    dataset = made(np.arange(4.0), [0], [0, 1, 0, 1])
    with pytest.raises(InputError, match="fold"):
        NaiveBayes().predict_folds(dataset, np.asarray(bad))


def test_codes_are_checked():
    with pytest.raises(InputError, match="codes"):
        NaiveBayes(nominal=[True]).fit([[0.5], [1]], [0, 1])
