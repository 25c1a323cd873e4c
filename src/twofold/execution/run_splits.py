"""The splits of runs: made when they are needed, and kept while there is room for them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twofold.designs.run import Run, Structure
from twofold.execution.task import splits_digest

MOST_ROWS = 10_000_000
"""Test rows of splits that are kept, about 80 MB; the splits of further runs are made anew."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How many rows each split of a run trains and tests on, and how they belong together."""

    n_train: NDArray[np.intp]
    n_test: NDArray[np.intp]
    structure: Structure


@dataclass(frozen=True, slots=True)
class Splits:
    """What one run of a design does to a data set."""

    digest: str
    tests: list[NDArray[np.intp]]
    shape: Shape


class RunSplits:
    """The splits of each run on each data set, and their shapes, which are all kept.

    Parameters
    ----------
    split : function
        Takes a data set's number and a run; returns the assignment of its rows.
    """

    def __init__(self, split: Callable[[int, int], Run]) -> None:
        self._split = split
        self._splits: OrderedDict[tuple[int, int], Splits] = OrderedDict()
        self._rows = 0
        self._different: dict[tuple[bytes, bytes, Structure], Shape] = {}
        self.shapes: dict[tuple[int, int], Shape] = {}

    def get(self, d: int, run: int) -> Splits:
        """Return the splits of a run on a data set."""
        if (d, run) not in self._splits:
            assignment = self._split(d, run)
            splits = list(assignment.splits())
            tests = [test for _, test in splits]
            shape = self._share(Shape(*assignment.sizes(), assignment.structure))
            self.shapes[d, run] = shape
            self._splits[d, run] = Splits(splits_digest(splits), tests, shape)
            self._rows += int(shape.n_test.sum())
            while self._rows > MOST_ROWS and len(self._splits) > 1:
                _, oldest = self._splits.popitem(last=False)
                self._rows -= int(oldest.shape.n_test.sum())
        return self._splits[d, run]

    def _share(self, shape: Shape) -> Shape:
        """Return an equal shape that is there already: most runs have the same."""
        key = (shape.n_train.tobytes(), shape.n_test.tobytes(), shape.structure)
        return self._different.setdefault(key, shape)
