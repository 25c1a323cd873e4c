"""A learner that makes random errors besides its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.seeds import rng


def _knows_codes(noisy: Any) -> bool:
    return hasattr(noisy.estimator, "parameters_of")


class Noisy(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A learner some of whose predictions are replaced by another class, drawn at random.

    Dietterich (1998) makes C4.5 as bad as another learner in this way.

    Parameters
    ----------
    estimator : estimator
        The learner whose predictions are spoilt.
    rate : float
        Chance that a prediction is replaced. Every other class is as likely as the rest.
    random_state : int, optional
        Which predictions are replaced, and by what, follows from this number and from the place of
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
        if not hasattr(self.estimator, "fit"):
            raise InputError(
                f"`estimator` must be a learner, got {self.estimator!r}.",
                "Pass for instance Noisy(NaiveBayes(), rate=0.1).",
            )
        if not isinstance(self.rate, int | float) or not 0 <= self.rate <= 1:
            raise InputError(
                f"`rate` must lie between 0 and 1, got {self.rate!r}.", "Leave it out for 0.1."
            )
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_ = self.estimator_.classes_
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of every row, and spoil some."""
        check_is_fitted(self)
        said = self.estimator_.predict(X)
        others = len(self.classes_) - 1
        if others < 1:
            return said
        draws = rng(int(self.random_state or 0), "noisy")
        spoilt = draws.random(len(said)) < self.rate
        ahead = 1 + draws.integers(0, others, len(said))
        places = (np.searchsorted(self.classes_, said) + ahead) % len(self.classes_)
        return np.where(spoilt, self.classes_[places], said)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inside = get_tags(self.estimator) if hasattr(self.estimator, "fit") else None
        if inside is not None:
            tags.input_tags = inside.input_tags
            if inside.classifier_tags is not None:
                tags.classifier_tags.multi_class = inside.classifier_tags.multi_class
        tags.classifier_tags.poor_score = True
        tags.non_deterministic = True
        return tags
