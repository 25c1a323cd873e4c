"""Learners that see one half of the columns."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from twofold.dataset import Attribute, Dataset
from twofold.errors import InputError
from twofold.learners import Learner, prepare, select_rows
from twofold.learners.half import Half, split_columns
from twofold.learners.naive_bayes import NaiveBayes
from twofold.simulation import read_source

DATA = read_source("halves:signal=1").draw(80, np.random.default_rng(0))
FOLDS = np.arange(80)[None] % 4


def other_half_changed(part):
    X = DATA.X.copy()
    X[:, 5:] += np.random.default_rng(1).normal(size=(80, 5)) * (part == "first")
    X[:, :5] += np.random.default_rng(1).normal(size=(80, 5)) * (part == "second")
    return Dataset("other", DATA.attributes, X, DATA.y, DATA.classes)


@pytest.mark.parametrize("part", ["first", "second"])
@pytest.mark.parametrize("estimator", [NaiveBayes(), KNeighborsClassifier()])
def test_the_other_half_does_not_matter(part, estimator):
    said = []
    for data in (DATA, other_half_changed(part)):
        learner = Learner("half", Half(estimator, part=part))
        fitted = prepare(learner, data).fit(select_rows(learner, data), data.y)
        said.append(fitted.predict(select_rows(learner, data)))
    np.testing.assert_array_equal(*said)
    columns = slice(0, 5) if part == "first" else slice(5, 10)
    plain = Dataset("part", DATA.attributes[columns], DATA.X[:, columns], DATA.y, DATA.classes)
    alone = prepare(Learner("alone", estimator), plain).fit(plain.X, plain.y)
    np.testing.assert_array_equal(said[0], alone.predict(plain.X))


def test_whole_runs_are_those_of_fold_by_fold():
    for learner in split_columns(Learner("nb", NaiveBayes())):
        together = learner.estimator.predict_folds(DATA, FOLDS)[0]
        for fold in range(4):
            test = FOLDS[0] == fold
            fitted = prepare(learner, DATA).fit(DATA.X[~test], DATA.y[~test])
            np.testing.assert_array_equal(together[test], fitted.predict(DATA.X[test]))
    assert not hasattr(Half(KNeighborsClassifier()), "predict_folds")


def test_words_and_missing_values_stay_in_their_half():
    """What is put in front of a learner is made for the columns that it sees."""
    X = np.array([[0, 1.5, 2, 0.1], [1, np.nan, 0, 0.2], [0, 0.5, 1, 0.3], [1, 2.5, 2, 0.4]] * 5)
    attributes = (
        Attribute("a", ("x", "y")),
        Attribute("b"),
        Attribute("c", ("p", "q", "r")),
        Attribute("d"),
    )
    data = Dataset("mixed", attributes, X, np.array([0, 1] * 10), ("no", "yes"))
    for learner in split_columns(Learner("knn", KNeighborsClassifier(3))):
        fitted = prepare(learner, data).fit(select_rows(learner, data), data.y)
        assert set(fitted.predict(data.X)) <= {0, 1}


def test_what_cannot_be_is_refused():
    for estimator, rule in (
        (Half(NaiveBayes(), part="third"), "part"),
        (Half(), "estimator"),
    ):
        with pytest.raises(InputError, match=rule):
            estimator.fit(DATA.X, DATA.y)
    with pytest.raises(InputError, match="halves"):
        Half(NaiveBayes()).fit(DATA.X[:, :1], DATA.y)
