"""A learner: an estimator and the name that people know it by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from twofold.errors import InputError
from twofold.escapes import make_visible
from twofold.learners.classifier import Classifier
from twofold.learners.key_parts import Change, compare_keys
from twofold.learners.keys import Fingerprint, make_fingerprint, refuse_unknown


@dataclass(frozen=True, eq=False)
class Learner:
    """An estimator with a label.

    Attributes
    ----------
    label : str
        For people: tables, pictures, sentences. Not part of the key.
    estimator : Any
        Anything in the manner of scikit-learn: fit, predict, get_params. It is never fitted
        itself; `prepare` returns what is.
    prepare : {"needed", "none", "standard"}
        What may be done to the columns before it sees them; see `preparing`.
    """

    label: str
    estimator: Any
    prepare: str = "needed"

    def __post_init__(self) -> None:
        """Write out control characters of the label."""
        object.__setattr__(self, "label", make_visible(self.label))

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What decides its predictions, as far as it can be seen; looked at once."""
        return make_fingerprint(self.estimator)

    @property
    def key(self) -> str:
        """Canonical text: class, parameters, and the code and libraries they come from.

        Two learners with the same key predict the same from the same rows and the same seed. A
        learner that cannot be told from others is refused.
        """
        return refuse_unknown(self.fingerprint, self.label)

    def find_changes(self) -> list[Change]:
        """Return in what the code here differs from that where the key was first asked for.

        A learner takes its key along to other processes, which import its code anew.
        """
        if self.fingerprint.installed:
            return []
        return compare_keys(self.fingerprint.text, make_fingerprint(self.estimator).text)

    @property
    def kind(self) -> str | None:
        """Return "classifier", "regressor", or None where the estimator does not say."""
        return estimator_kind(self.estimator)


def estimator_kind(estimator: Any) -> str | None:
    """Return what an estimator predicts: "classifier", "regressor", None where unknown."""
    if isinstance(estimator, Classifier):
        return "classifier"
    from sklearn.utils import get_tags

    try:
        kind = get_tags(estimator).estimator_type
    except Exception:  # estimators of other libraries may have no tags, or broken ones
        kind = getattr(estimator, "_estimator_type", None)
    return kind if kind in ("classifier", "regressor") else None


def check_estimator(estimator: Any, name: str) -> None:
    """Refuse what is not an estimator that predicts."""
    if isinstance(estimator, type):
        raise InputError(
            f"{name} is a class, not an estimator.", f"Make one: {estimator.__name__}()."
        )
    for method in ("fit", "get_params"):
        if not callable(getattr(estimator, method, None)):
            raise InputError(
                f"{name} is not an estimator: it has no `{method}`.",
                "Pass an object in the manner of scikit-learn, with fit, predict and get_params.",
            )
    # Asked of the class: some estimators offer `predict` only once they know their parts.
    if not hasattr(type(estimator), "predict") and not hasattr(estimator, "predict"):
        raise InputError(
            f"{name} has no `predict`; it looks like a transformer.",
            "End a pipeline with a classifier or a regressor.",
        )
