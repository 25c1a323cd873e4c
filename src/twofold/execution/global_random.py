"""Generators that a whole process shares, seeded for each fit and given back afterwards.

A learner without `random_state` may draw from ``random`` or ``numpy.random``. What it gets would
then depend on what else ran in the process before; here it depends on the name of the fit alone.
"""

# ruff: noqa: NPY002  the legacy generators are what this is about

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import Any, Self

import numpy as np


class GlobalRandom:
    """The global generators, from entering to leaving; libraries count once they are imported.

    Attributes
    ----------
    drawn : bool
        Whether something has drawn from them since a seed was set. TensorFlow does not tell.
    """

    def __enter__(self) -> Self:
        self.drawn = False
        self._first_numbers: dict[str, float] = {}
        self._before: list[tuple[Callable[[Any], object], Any]] = [
            (random.setstate, random.getstate())
        ]
        numpy_state = np.random.get_state(legacy=False)
        # Users may put in another kind of generator, which has no such seeds.
        self._legacy = numpy_state["bit_generator"] == "MT19937"
        if self._legacy:
            self._before.append((np.random.set_state, numpy_state))
        torch: Any = sys.modules.get("torch")
        if torch is not None:
            self._before.append((torch.set_rng_state, torch.get_rng_state()))
        return self

    def seed(self, state: int) -> None:
        """Set all generators from one whole number, below 2³²."""
        self._check()
        seeders, draws = self._list_generators()
        for seeder in seeders:
            seeder(state)
        # A generator that gives this number next has not been used: to read its state takes longer.
        self._first_numbers = {name: draw() for name, draw in draws.items()}
        for seeder in seeders:
            seeder(state)

    def __exit__(self, *_: object) -> None:
        self._check()
        for restore, state in self._before:
            restore(state)

    def _check(self) -> None:
        draws = self._list_generators()[1]
        for name, number in self._first_numbers.items():
            self.drawn = draws[name]() != number or self.drawn

    def _list_generators(
        self,
    ) -> tuple[list[Callable[[int], object]], dict[str, Callable[[], float]]]:
        """Return what seeds the generators, and what draws a number from each."""
        seeders: list[Callable[[int], object]] = [random.seed]
        draws: dict[str, Callable[[], float]] = {"random": random.random}
        if self._legacy:
            seeders.append(np.random.seed)
            draws["numpy"] = np.random.random_sample
        torch: Any = sys.modules.get("torch")
        tensorflow: Any = sys.modules.get("tensorflow")
        if torch is not None:
            seeders.append(torch.manual_seed)
            draws["torch"] = lambda: float(torch.rand(()))
        if tensorflow is not None:
            seeders.append(tensorflow.random.set_seed)
        return seeders, draws
