"""Random states from names, so that a fit does not depend on the order of execution."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from twofold.learners.classifier import clone
from twofold.seeds import rng


def list_global_generators() -> list[Any]:
    """Return the objects behind the functions of ``random`` and ``numpy.random``."""
    return [getattr(random, "_inst", None), np.random.mtrand._rand]


def draw_state(name: str, *labels: str | int, seed: int) -> int:
    """Return the random state for the parameter of that name."""
    return int(rng(seed, *labels, name).integers(2**31 - 1))


def set_states(estimator: Any, *labels: str | int, seed: int) -> Any:
    """Return a copy whose open random states are set from the seed and the labels.

    Every ``random_state`` that is None is set, inside pipelines and ensembles too; those that the
    user set stay. Estimators that would start workers of their own work alone: the runs
    themselves are already spread over the processors.
    """
    copy = clone(estimator)
    settings: dict[str, Any] = {}
    for name, value in sorted(copy.get_params(deep=True).items()):
        last = name.rpartition("__")[2]
        if last == "random_state" and value is None:
            settings[name] = draw_state(name, *labels, seed=seed)
        elif last == "n_jobs" and value not in (None, 1):
            settings[name] = 1
    return copy.set_params(**settings) if settings else copy
