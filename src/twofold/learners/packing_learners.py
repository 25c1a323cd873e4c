"""Learners on their way to a worker: each by itself, so that a bad one spoils only its own jobs."""

from __future__ import annotations

import io
import pickle
from dataclasses import dataclass
from typing import Any

from twofold.errors import describe_error
from twofold.learners.learner import Learner
from twofold.learners.seeding import list_global_generators
from twofold.learners.source_files import FROM_FILE

OUR_PACKAGE = "twofold.learners."


@dataclass(frozen=True, slots=True)
class PackedLearner:
    """A learner as bytes, or the reason why there are none."""

    label: str
    own: bool
    content: bytes
    reason: str = ""

    def load(self) -> Learner:
        """Return the learner; here its code is imported."""
        if self.reason:
            raise TypeError(f"it cannot be sent to a worker: {self.reason}")
        learner: Learner = pickle.loads(self.content)
        return learner


def pack_learner(learner: Learner | PackedLearner) -> PackedLearner:
    """Return a learner in a form that can be sent without touching its code."""
    if isinstance(learner, PackedLearner):
        return learner
    own = is_own(learner.estimator)
    try:
        return PackedLearner(learner.label, own, pickle_by_value(learner))
    except Exception as error:
        return PackedLearner(learner.label, own, b"", describe_error(error))


def pickle_by_value(content: Any) -> bytes:
    """Return a pickle that also holds classes and functions that no other process could import."""
    try:
        import cloudpickle
    except ImportError:  # older joblibs bring their own
        from joblib.externals import cloudpickle

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        def reducer_override(self, obj: Any) -> Any:
            # A copy of a global generator would not be the one that is seeded for each fit.
            for index, generator in enumerate(list_global_generators()):
                if obj is generator:
                    return _find_global_generator, (index,)
            return super().reducer_override(obj)

    stream = io.BytesIO()
    Pickler(stream).dump(content)
    return stream.getvalue()


def _find_global_generator(index: int) -> Any:
    return list_global_generators()[index]


def is_own(estimator: Any) -> bool:
    """Tell whether an estimator, and all inside it, is ours: code that may run in any process."""
    return all(
        module.startswith(OUR_PACKAGE) and not module.startswith(FROM_FILE)
        for module in (type(part).__module__ for part in _list_parts(estimator))
    )


def list_modules(estimator: Any) -> set[str]:
    """Return the modules of scikit-learn that an estimator is made of."""
    kinds = {kind for part in _list_parts(estimator) for kind in type(part).__mro__}
    return {kind.__module__ for kind in kinds if kind.__module__.startswith("sklearn.")}


def _list_parts(estimator: Any) -> list[Any]:
    """Return an estimator and everything in its parameters that is not a plain value."""
    values = [estimator, *estimator.get_params(deep=True).values()]
    plain = (bool, int, float, complex, str, bytes, list, tuple, dict, set, type(None))
    return [value for value in values if type(value) not in plain]
