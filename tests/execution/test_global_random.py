"""Learners that draw from generators which the whole process shares."""

# ruff: noqa: NPY002  the legacy generators are what this is about

import pickle
import random

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB

import twofold
from twofold.execution.global_random import GlobalRandom
from twofold.learners import read_learner
from twofold.learners.packing_learners import pickle_by_value
from twofold.studies.fitting import predict_runs


class Tosses(ClassifierMixin, BaseEstimator):
    """Predicts by tossing coins of the process."""

    def __init__(self, source="numpy"):
        self.source = source

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        if self.source == "numpy":
            return np.random.randint(0, 2, len(X))
        return np.array([random.randrange(2) for _ in X])


X = np.random.default_rng(1).normal(size=(60, 2))
Y = np.repeat(["no", "yes"], 30)


def run(learner, **options):
    options = {"design": "4x3", "store": ":memory:", "workers": 0, "progress": False, **options}
    return twofold.run(learner, X, Y, **options)


@pytest.mark.parametrize("source", ["numpy", "random"])
def test_what_ran_before_does_not_change_a_score(source):
    random.seed(1)
    np.random.seed(1)
    first = run(Tosses(source))
    random.seed(2)
    np.random.seed(2)
    assert np.array_equal(first.value, run(Tosses(source)).value)
    # Fits differ, as they would with random states; so do seeds.
    assert len(np.unique(first.value)) > 1
    assert not np.array_equal(first.value, run(Tosses(source), seed=1).value)


def test_functions_of_global_generators_are_not_copied_to_workers():
    sent = pickle.loads(pickle_by_value([np.random.rand, random.random, random.Random(1)]))
    assert sent[0].__self__ is np.random.rand.__self__
    assert sent[1].__self__ is random.random.__self__
    assert sent[2].random() == random.Random(1).random()


def test_the_scores_are_the_same_in_other_processes(monkeypatch):
    monkeypatch.setattr("twofold.execution.backends.FIRST_HERE", -1.0, raising=False)
    assert np.array_equal(run(Tosses(), workers=2).value, run(Tosses()).value)


@pytest.mark.parametrize("source", ["numpy", "random"])
def test_the_generators_of_the_caller_go_on_as_if_nothing_had_run(source):
    random.seed(3)
    np.random.seed(3)
    expected = (random.random(), random.gauss(0, 1), np.random.normal(size=3).tolist())
    random.seed(3)
    np.random.seed(3)
    run(Tosses(source))
    assert expected == (random.random(), random.gauss(0, 1), np.random.normal(size=3).tolist())


@pytest.mark.parametrize("source", ["numpy", "random"])
def test_a_note_names_those_that_draw_and_no_others(source):
    scores = run({"coin": Tosses(source), "bayes": GaussianNB(), "tree": "tree"})
    details = [note.detail for note in scores.notes if note.code == "global-randomness"]
    assert len(details) == 1
    assert details[0].startswith("coin drew ")
    assert not [note for note in run("nb").notes if note.code == "global-randomness"]


def test_another_kind_of_generator_is_left_alone():
    usual = np.random.get_bit_generator()
    try:
        np.random.set_bit_generator(np.random.PCG64(1))
        with GlobalRandom() as shared:
            shared.seed(1)
        assert not shared.drawn
    finally:
        np.random.set_bit_generator(usual)


def test_studies_seed_them_too():
    learner, data = read_learner(Tosses()), twofold.read_dataset((X, Y))
    folds = np.arange(60)[None, :] % 3
    codes = [predict_runs(learner, data, folds, seed=0, labels=("a",)) for _ in range(2)]
    assert np.array_equal(*codes)
