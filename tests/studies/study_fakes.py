"""Small sources and learners for studies, with numpy alone."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from twofold.dataset import Attribute, Dataset


class Coins:
    """Rows of one number between 0 and 1; the class is a coin."""

    def __init__(self, p=0.5, name="coins"):
        self.p = p
        self.name = name
        self.attributes = (Attribute("x"),)
        self.classes = ("0", "1")

    def draw_many(self, count, rows, rng):
        return rng.random((count, rows, 1)), (rng.random((count, rows)) < self.p).astype(np.intp)

    @property
    def bayes_accuracy(self):
        return max(self.p, 1 - self.p)

    def draw(self, rows, rng):
        X, y = self.draw_many(1, rows, rng)
        return Dataset(self.name, self.attributes, X[0], y[0], self.classes)


class Cut(ClassifierMixin, BaseEstimator):
    """Says 1 between two thresholds; learns nothing, and does whole cross-validations."""

    def __init__(self, at=0.5, to=1.0):
        self.at = at
        self.to = to

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        x = np.asarray(X)[:, 0]
        return ((x > self.at) & (x <= self.to)).astype(int)

    def predict_folds(self, dataset, fold_of_row):
        said = np.broadcast_to(self.predict(dataset.X), np.shape(fold_of_row))
        return np.where(np.asarray(fold_of_row) >= 0, said, -1)


class SlowCut(Cut):
    """The same, fold by fold."""

    predict_folds = property()  # not there


class NoisyMajority(ClassifierMixin, BaseEstimator):
    """The more frequent class of the training rows, and now and then the other by chance."""

    def __init__(self, noise=0.1, random_state=None):
        self.noise = noise
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.said_ = int(np.mean(y) >= 0.5)
        return self

    def predict(self, X):
        rng = np.random.default_rng(self.random_state)
        flip = rng.random(len(X)) < self.noise
        return np.where(flip, 1 - self.said_, self.said_)
