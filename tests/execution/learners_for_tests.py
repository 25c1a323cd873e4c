"""Learners that are slow, fail or warn, as a user's file would have them."""

import os
import threading
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB


class Slow(GaussianNB):
    """Naive Bayes that takes its time."""

    def __init__(self, priors=None, var_smoothing=1e-9, delay=0.02):
        super().__init__(priors=priors, var_smoothing=var_smoothing)
        self.delay = delay

    def fit(self, X, y):
        time.sleep(self.delay)
        return super().fit(X, y)


class Marking(GaussianNB):
    """Leaves a mark for each fit, and with twenty of them waits while there is a file `hold`."""

    def __init__(self, priors=None, var_smoothing=1e-9, folder=""):
        super().__init__(priors=priors, var_smoothing=var_smoothing)
        self.folder = folder

    def fit(self, X, y):
        marks, hold = Path(self.folder, "marks"), Path(self.folder, "hold")
        with marks.open("a") as stream:
            stream.write(f"{os.getpid()}\n")
        while hold.exists() and len(marks.read_text().split()) >= 20:
            time.sleep(0.01)
        return super().fit(X, y)


class Hanging(GaussianNB):
    """Leaves a mark, and never ends."""

    def __init__(self, priors=None, var_smoothing=1e-9, marks=""):
        super().__init__(priors=priors, var_smoothing=var_smoothing)
        self.marks = marks

    def fit(self, X, y):
        with open(self.marks, "a") as stream:
            stream.write(f"{os.getpid()}\n")
        threading.Event().wait()


class Failing(ClassifierMixin, BaseEstimator):
    """Raises on some training rows."""

    def __init__(self, when=0.0):
        self.when = when

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if X[0, 0] >= self.when:
            raise RuntimeError("I cannot learn this")
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Warning_(GaussianNB):
    """Warns at each fit."""

    def fit(self, X, y):
        warnings.warn("not quite converged", RuntimeWarning, stacklevel=2)
        return super().fit(X, y)


class Lazy(ClassifierMixin, BaseEstimator):
    """Predicts fewer rows than it is given."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X) - 1)


class Nasty(Exception):
    """An error whose text cannot be had."""

    def __str__(self):
        raise RuntimeError("no words")


class Rude(BaseException):
    """An error that is no Exception."""


class Raising(GaussianNB):
    """Raises on wide data sets, in one of several ways."""

    def __init__(self, priors=None, var_smoothing=1e-9, kind="plain", from_columns=0):
        super().__init__(priors=priors, var_smoothing=var_smoothing)
        self.kind = kind
        self.from_columns = from_columns

    def fit(self, X, y):
        if X.shape[1] < self.from_columns:
            return super().fit(X, y)
        if self.kind == "lines":
            raise ValueError("\n\x1b[31mthe first\x07 line.\x1b[0m\nthe second\r\nthe third")
        if self.kind == "mute":
            raise Nasty
        if self.kind == "exit":
            raise SystemExit("I leave")
        if self.kind == "interrupt":
            raise KeyboardInterrupt
        if self.kind == "generator":
            raise GeneratorExit
        if self.kind == "base":
            raise Rude("not even an Exception")
        if self.kind == "ours":
            from twofold import InputError

            raise InputError("a rule.", "A remedy.")
        raise RuntimeError("I cannot learn this")


class Words(GaussianNB):
    """Predicts words, or classes that there are not."""

    def __init__(self, priors=None, var_smoothing=1e-9, shift=0):
        super().__init__(priors=priors, var_smoothing=var_smoothing)
        self.shift = shift

    def predict(self, X):
        codes = super().predict(X)
        return codes + self.shift if self.shift else np.array([f"c{code}" for code in codes])


class Contrary(GaussianNB):
    """Learns two classes the wrong way round."""

    def fit(self, X, y):
        return super().fit(X, 1 - y)


class NoParameters(GaussianNB):
    """Cannot be looked at."""

    def get_params(self, deep=True):
        raise RuntimeError("no parameters\nfor you")


class NoText(GaussianNB):
    """Cannot be written down."""

    def __repr__(self, **options):
        raise RuntimeError("no text")


class Leaving(GaussianNB):
    """Ends the program when it is made."""

    def __init__(self):
        raise SystemExit("I leave")


class Greedy(GaussianNB):
    """Wants more memory than anyone will give it."""

    def fit(self, X, y):
        self.much = np.ones(10**9)
        return super().fit(X, y)


class Chatty(GaussianNB):
    """Prints in two ways."""

    def fit(self, X, y):
        print("by Python")
        os.write(1, b"by the system\n")
        return super().fit(X, y)


class Stuck(GaussianNB):
    """Cannot be sent to another process."""

    def __reduce__(self):
        raise TypeError("I stay here")
