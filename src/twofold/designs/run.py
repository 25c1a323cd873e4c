"""One run of a design: which rows are trained on, and which tested on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]

Structure = Literal["folds", "random", "time-series", "bootstrap"]
"""How the splits of a run belong together: folds of one cross-validation, random splits, splits
forward in time, or bootstrap samples. All but folds stand by themselves in a table of scores."""


class Split(NamedTuple):
    """Rows to train on, which may be drawn more than once, and rows to test on."""

    train: Rows
    test: Rows


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The splits of one run.

    Attributes
    ----------
    number : int
        The index of the run in its design.
    fold_of_row : array of int (rows,), optional
        The fold in which each row is tested, −1 for rows that are never tested; each fold trains
        on all rows that are not its own. Learners that do a whole cross-validation at once take
        this array. None where rows alone do not tell the splits.
    count : int
        How many splits there are.
    structure : str
    explicit : tuple of Split
        The splits, where there is no ``fold_of_row``.
    """

    number: int
    fold_of_row: Rows | None
    count: int
    structure: Structure = "folds"
    explicit: tuple[Split, ...] = ()

    @classmethod
    def from_splits(
        cls, number: int, splits: Iterable[Split], structure: Structure = "folds"
    ) -> Run:
        """Make a run of splits that one number per row cannot describe."""
        explicit = tuple(splits)
        return cls(number, None, len(explicit), structure, explicit)

    def splits(self) -> Iterator[Split]:
        """Yield training and test rows of each split."""
        yield from self.explicit
        if self.fold_of_row is not None:
            for fold in range(self.count):
                tested = self.fold_of_row == fold
                yield Split(np.flatnonzero(~tested), np.flatnonzero(tested))

    def list_tested(self) -> Rows:
        """Return the test rows of all splits, one split after the other."""
        if self.fold_of_row is None:
            return np.concatenate([test for _, test in self.explicit])
        # A stable sort of small integers counts instead of comparing.
        small: NDArray[Any] = self.fold_of_row.astype(np.int16 if self.count < 2**15 else np.int64)
        order: Rows = np.argsort(small, kind="stable")
        return order[np.count_nonzero(small < 0) :]

    def sizes(self) -> tuple[Rows, Rows]:
        """Return how many different rows each split trains on, and how many it tests on."""
        if self.fold_of_row is None:
            sizes = [(len(np.unique(train)), len(test)) for train, test in self.explicit]
            trained, tested = np.array(sizes, dtype=np.intp).reshape(-1, 2).T
            return trained, tested
        tested = np.bincount(self.fold_of_row + 1, minlength=self.count + 1)[1:]
        return len(self.fold_of_row) - tested, tested
