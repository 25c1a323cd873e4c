"""Naive Bayes by relative frequencies, by hand."""

import numpy as np

from twofold.dataset import Attribute, Dataset
from twofold.learners import read_learner
from twofold_papers.demsar2006.relative_frequencies import predict_relative


def build(X, y):
    attributes = tuple(Attribute(f"a{i}", ("x", "y", "z")) for i in range(len(X[0])))
    return Dataset("small", attributes, np.array(X, dtype=float), np.array(y), ("no", "yes"))


def test_a_value_that_never_occurs_with_a_class_rules_it_out():
    # Six rows are learnt from: "no" four times, and never with z. The last row has z.
    X = [[0], [0], [1], [0], [2], [1], [2]]
    dataset = build(X, [0, 0, 0, 0, 1, 1, 0])
    folds = np.array([1, 1, 1, 1, 1, 1, 0])
    assert predict_relative(read_learner("nb-discrete"), dataset, folds)[-1] == 1


def test_products_of_relative_frequencies():
    # P(no) = 4/6; x is P(x | no) = 3/4 and P(x | yes) = 1/2: .5 against .167. A missing value and
    # one that was never seen leave the shares of the classes.
    X = [[0], [0], [1], [0], [0], [1], [0], [np.nan], [2]]
    dataset = build(X, [0, 0, 0, 0, 1, 1, 1, 1, 1])
    folds = np.array([1, 1, 1, 1, 1, 1, 0, 0, 0])
    assert list(predict_relative(read_learner("nb-discrete"), dataset, folds)[-3:]) == [0, 0, 0]
    # With one of y in each class, y is P(y | no) = 1/4 and P(y | yes) = 1/2: .167 each but for the
    # shares, 4/6 · 1/4 = 2/6 · 1/2; one more "yes" with y tips it.
    X = [[0], [0], [1], [0], [0], [1], [1], [1]]
    dataset = build(X, [0, 0, 0, 0, 1, 1, 1, 0])
    folds = np.array([1, 1, 1, 1, 1, 1, 1, 0])
    assert predict_relative(read_learner("nb-discrete"), dataset, folds)[-1] == 1
