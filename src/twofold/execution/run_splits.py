"""The splits of runs: made when they are needed, and kept while there is room for them."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import Design
from twofold.designs.run import Run, Structure
from twofold.execution.task import splits_digest

MOST_ROWS = 5_000_000
"""Test rows of splits that are kept, about 80 MB; the splits of further runs are made anew."""

MOST_CELLS = 1_000_000
"""Row numbers that are digested at a time."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How many rows each split of a run trains and tests on, and how they belong together."""

    n_train: NDArray[np.intp]
    n_test: NDArray[np.intp]
    structure: Structure


@dataclass(frozen=True, eq=False)
class Splits:
    """What one run of a design does to a data set."""

    run: Run
    shape: Shape

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The test rows of all splits, one split after the other."""
        return self.run.list_tested()

    @property
    def tests(self) -> list[NDArray[np.intp]]:
        """The test rows of each split."""
        return np.split(self.rows, np.cumsum(self.shape.n_test)[:-1])

    @cached_property
    def digest(self) -> str:
        """A digest of all training and test rows; that of `splits_digest`."""
        fold_of_row = self.run.fold_of_row
        if fold_of_row is None:
            return splits_digest(self.run.explicit)
        digest = hashlib.sha256()
        rows, count = len(fold_of_row), len(self.shape.n_test)
        step = max(1, MOST_CELLS // rows)
        for first in range(0, count, step):
            folds = np.arange(first, min(first + step, count))
            # A line for each fold: how many rows are trained on, these rows, how many are tested,
            # these rows. The column in front comes first among the tested, where their number goes.
            tested = np.ones((len(folds), rows + 1), dtype=bool)
            np.equal(fold_of_row, folds[:, None], out=tested[:, 1:])
            lines = np.empty((len(folds), rows + 2), dtype="<i8")
            np.subtract(np.argsort(tested, axis=1, kind="stable"), 1, out=lines[:, 1:])
            lines[:, 0] = self.shape.n_train[folds]
            lines[np.arange(len(folds)), 1 + lines[:, 0]] = self.shape.n_test[folds]
            digest.update(lines.data)
        return digest.hexdigest()


class RunSplits:
    """The splits of each run on each data set, and their shapes, which are all kept."""

    def __init__(
        self, datasets: Sequence[Dataset], design: Design, seed: int, stratify: bool | None
    ) -> None:
        self._parts = (datasets, design, seed, stratify)
        self._splitters: dict[int, Callable[[int], Run]] = {}
        self._splits: OrderedDict[tuple[int, int], Splits] = OrderedDict()
        self._rows = 0
        self._different: dict[tuple[bytes, bytes, Structure], Shape] = {}
        self.shapes: dict[tuple[int, int], Shape] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes make the splits that they need."""
        return RunSplits, self._parts

    def get(self, d: int, run: int) -> Splits:
        """Return the splits of a run on a data set."""
        if (d, run) not in self._splits:
            assignment = self._split(d, run)
            shape = self._share(Shape(*assignment.sizes(), assignment.structure))
            self.shapes[d, run] = shape
            self._splits[d, run] = Splits(assignment, shape)
            self._rows += int(shape.n_test.sum())
            while self._rows > MOST_ROWS and len(self._splits) > 1:
                _, oldest = self._splits.popitem(last=False)
                self._rows -= int(oldest.shape.n_test.sum())
        return self._splits[d, run]

    def _split(self, d: int, run: int) -> Run:
        if d not in self._splitters:
            datasets, design, seed, stratify = self._parts
            splitter = design.make_splitter(datasets[d], seed=seed, stratify=stratify)
            self._splitters[d] = splitter
        return self._splitters[d](run)

    def _share(self, shape: Shape) -> Shape:
        """Return an equal shape that is there already: most runs have the same."""
        key = (shape.n_train.tobytes(), shape.n_test.tobytes(), shape.structure)
        return self._different.setdefault(key, shape)
