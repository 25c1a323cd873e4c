"""What further learners of Weka 3.6.14 say about every row of the 27 data sets, and made ones.

tests/reference/weka/record_more.py wrote the predictions; the folds are those of test_weka.py.
"""

import numpy as np
import pytest
from samples import WEKA, real

from twofold.learners.discrete_naive_bayes import DiscreteNaiveBayes
from twofold.learners.majority import Majority
from twofold.learners.tan import TreeAugmentedNaiveBayes
from twofold.learners.voted_perceptron import VotedPerceptron

FOLDS = np.load(WEKA / "predictions.npz")
REFERENCE = np.load(WEKA / "predictions_more.npz")
MADE = ("binary-1", "binary-2", "binary-3")
NAMES = sorted({key.split("/")[0] for key in REFERENCE} - set(MADE))
LEARNERS = {
    "nb-discrete": DiscreteNaiveBayes(),
    "tan": TreeAugmentedNaiveBayes(),
    "tan-entropy": TreeAugmentedNaiveBayes(worth="information"),
    "perceptron": VotedPerceptron(),
    "majority": Majority(),
}
# A search for pairs among 279 attributes takes seconds.
SLOW = {("arrhythmia", "tan"), ("arrhythmia", "tan-entropy")}


def test_there_are_27_data_sets():
    assert len(NAMES) == 27


def cases(*names):
    return [
        pytest.param(name, learner, marks=pytest.mark.slow if (name, learner) in SLOW else ())
        for name in names
        for learner in LEARNERS
        if f"{name}/{learner}" in REFERENCE
    ]


@pytest.mark.parametrize(("name", "learner"), cases(*NAMES))
def test_same_prediction_for_every_row(name, learner):
    dataset = real(name)
    weka = REFERENCE[f"{name}/{learner}"]
    ours = LEARNERS[learner].predict_folds(dataset, FOLDS[f"{name}/folds"])
    assert ours.shape == weka.shape
    assert (ours != weka).sum() == 0


@pytest.mark.parametrize(("name", "learner"), cases(*MADE))
def test_same_prediction_and_chance_for_every_row_of_bits(name, learner):
    import binary

    dataset = binary.make(name)
    fold_of_row = REFERENCE[f"{name}/folds"]
    weka = REFERENCE[f"{name}/{learner}"]
    estimator = LEARNERS[learner]
    np.testing.assert_array_equal(estimator.predict_folds(dataset, fold_of_row), weka)
    estimator = type(estimator)(**estimator.get_params()).set_params(
        **type(estimator).parameters_of(dataset)
    )
    if learner == "majority":  # ZeroR tells shares, ours is sure of itself as scikit-learn's is
        return
    chances = np.empty(fold_of_row.shape[1])
    for f in range(10):
        test = fold_of_row[0] == f
        estimator.fit(dataset.X[~test], dataset.y[~test])
        chances[test] = estimator.predict_proba(dataset.X[test])[:, -1]
    np.testing.assert_allclose(chances, REFERENCE[f"{name}/{learner}/chances"][0], rtol=1e-9)
