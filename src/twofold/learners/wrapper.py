"""What learners around another learner share."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import get_tags

from twofold.errors import InputError


class WrappedClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier with another one in its parameter ``estimator``."""

    estimator: Any

    def _check_estimator(self, example: str) -> None:
        if not hasattr(self.estimator, "fit"):
            raise InputError(
                f"`estimator` must be a learner, got {self.estimator!r}.",
                f"Pass for instance {example}.",
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inside = get_tags(self.estimator) if hasattr(self.estimator, "fit") else None
        if inside is not None:
            tags.input_tags = inside.input_tags
            if inside.classifier_tags is not None:
                tags.classifier_tags.multi_class = inside.classifier_tags.multi_class
        return tags
