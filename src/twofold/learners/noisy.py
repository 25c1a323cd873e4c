"""A learner that makes random errors besides its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.learners.kernels.compile import check_folds
from twofold.learners.wrapper import WrappedClassifier
from twofold.seeds import rng


def _knows_codes(noisy: Any) -> bool:
    return hasattr(noisy.estimator, "parameters_of")


def _has_whole_runs(noisy: Any) -> bool:
    return hasattr(noisy.estimator, "predict_folds")


def _has_state_and_runs(noisy: Any) -> bool:
    return _has_whole_runs(noisy) and noisy.random_state is not None


def _spoil(codes: NDArray[Any], classes: int, rate: float, state: Any) -> NDArray[Any]:
    """Replace some classes, given by their codes, by others."""
    if classes < 2:
        return codes
    draws = rng(int(state or 0), "noisy")
    replaced = draws.random(len(codes)) < rate
    ahead = 1 + draws.integers(0, classes - 1, len(codes))
    return np.where(replaced, (codes + ahead) % classes, codes)


class Noisy(WrappedClassifier):
    """A learner some of whose predictions are replaced by another class, drawn at random.

    Dietterich (1998) makes C4.5 as bad as another learner in this way.

    Parameters
    ----------
    estimator : estimator
        The learner whose predictions are spoilt.
    rate : float
        Probability that a prediction is replaced. Every other class is as likely as the rest.
    random_state : int, optional
        Which predictions are replaced, and by what, follows from this number and from the index of
        the row among those predicted at once; a call that is repeated gives the same again. Left
        out, runs set it anew for every fold; on its own it is 0.
    """

    def __init__(
        self, estimator: Any = None, *, rate: float = 0.1, random_state: int | None = None
    ) -> None:
        self.estimator = estimator
        self.rate = rate
        self.random_state = random_state

    @available_if(_knows_codes)  # type: ignore[untyped-decorator]
    def parameters_of(self, dataset: Dataset) -> dict[str, Any]:
        """Return what the learner inside needs to know about a data set."""
        inside = self.estimator.parameters_of(dataset)
        return {f"estimator__{name}": value for name, value in inside.items()}

    def fit(self, X: Any, y: Any) -> Noisy:
        """Fit a copy of the learner."""
        self._check()
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_ = self.estimator_.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def _check(self) -> None:
        self._check_estimator("Noisy(NaiveBayes(), rate=0.1)")
        if not isinstance(self.rate, int | float) or not 0 <= self.rate <= 1:
            raise InputError(
                f"`rate` must lie between 0 and 1, got {self.rate!r}.", "Leave it out for 0.1."
            )

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every row, and spoil some."""
        check_is_fitted(self)
        codes = np.searchsorted(self.classes_, self.estimator_.predict(X))
        return self.classes_[_spoil(codes, len(self.classes_), self.rate, self.random_state)]

    @available_if(_has_whole_runs)  # type: ignore[untyped-decorator]
    def predict_folds_seeded(
        self, dataset: Dataset, fold_of_row: Any, states: Any, *, threads: int | None = 1
    ) -> NDArray[np.intp]:
        """Predict every row from the rows outside its fold, with a random state for every fold.

        ``states`` (runs, folds) are the states with which `predict` would be called.
        """
        self._check()
        folds = check_folds(fold_of_row, dataset.rows)
        predictions = np.array(self.estimator.predict_folds(dataset, folds, threads=threads))
        classes = len(dataset.classes or ())
        for fold, predicted, state in zip(folds, predictions, states, strict=True):
            for number in range(int(fold.max()) + 1):
                test = fold == number
                predicted[test] = _spoil(predicted[test], classes, self.rate, state[number])
        return predictions

    @available_if(_has_state_and_runs)  # type: ignore[untyped-decorator]
    def predict_folds(
        self, dataset: Dataset, fold_of_row: Any, *, threads: int | None = 1
    ) -> NDArray[np.intp]:
        """Predict every row from the rows outside its fold, all folds with the same state.

        See `NaiveBayes.predict_folds`. Left open, the random state differs from fold to fold, as
        the caller wants it: see `predict_folds_seeded`.
        """
        folds = check_folds(fold_of_row, dataset.rows)
        states = np.full((len(folds), int(folds.max(initial=0)) + 1), self.random_state)
        seeded: NDArray[np.intp] = self.predict_folds_seeded(
            dataset, folds, states, threads=threads
        )
        return seeded

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        tags.non_deterministic = True
        return tags
