"""Classifiers in the manner of scikit-learn that do without it until it is needed.

Importing scikit-learn takes longer than comparing our own learners on most data sets. What it
knows its estimators by are their methods, so that ours need not inherit from its classes: they
work in its pipelines, searches and cross-validations, and pass its `check_estimator`.
"""

from __future__ import annotations

import copy
import inspect
from functools import cache
from typing import Any

from twofold.errors import InputError, suggest


class Classifier:
    """A classifier whose parameters are the arguments of its constructor."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; none of them is an estimator that ``deep`` could mean."""
        return {name: getattr(self, name) for name in self._list_defaults()}

    def set_params(self, **parameters: Any) -> Any:
        """Set parameters by name, and return the classifier."""
        names = self.get_params()
        for name, value in parameters.items():
            if name not in names:
                raise InputError(
                    f"{type(self).__name__} has no parameter {name!r}.",
                    suggest(name, names, f"Its parameters are: {', '.join(names)}."),
                )
            setattr(self, name, value)
        return self

    def _list_defaults(self) -> dict[str, Any]:
        kind: Any = type(self)
        return _read_signature(kind)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the accuracy on rows whose classes are known."""
        from sklearn.metrics import accuracy_score

        accuracy = accuracy_score(y, self.predict(X), sample_weight=sample_weight)
        return float(accuracy)

    def predict(self, X: Any) -> Any:
        """Predict the class of every row."""
        raise NotImplementedError

    def __repr__(self) -> str:
        defaults = self._list_defaults()
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if repr(value) != repr(defaults[name])
        ]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(),
        )


@cache
def _read_signature(kind: Any) -> dict[str, Any]:
    """Return the parameters of a class, sorted, and their defaults; it takes long each time."""
    parameters = inspect.signature(kind).parameters
    return {name: parameters[name].default for name in sorted(parameters)}


def clone(estimator: Any) -> Any:
    """Return an estimator that has the same parameters and is not fitted."""
    if isinstance(estimator, Classifier):
        parameters = {name: copy.deepcopy(v) for name, v in estimator.get_params().items()}
        return type(estimator)(**parameters)
    import sklearn.base

    return sklearn.base.clone(estimator)
