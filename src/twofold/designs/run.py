"""One run of a design: which rows are tested on, and which trained on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """A partition of the rows, kept as one number per row.

    Attributes
    ----------
    number : int
        Which run of the design it is, from 0.
    fold_of_row : array of int (rows,)
        The fold in which the row is tested on; −1 for rows that are never tested on. Unless
        ``training_of_row`` says otherwise, a fold trains on all rows that are not its own.
    count : int
        How many pairs of training and test rows there are.
    training_of_row : array of int (rows,), optional
        For disjoint training sets: the pair that trains on the row, −1 for none; all pairs are
        tested on the rows of fold 0.
    """

    number: int
    fold_of_row: Places
    count: int
    training_of_row: Places | None = None

    def folds(self) -> Iterator[tuple[Places, Places]]:
        """Yield (training rows, test rows) for each fold, both ascending."""
        if self.training_of_row is not None:
            test = np.flatnonzero(self.fold_of_row == 0)
            for place in range(self.count):
                yield np.flatnonzero(self.training_of_row == place), test
            return
        for fold in range(self.count):
            tested = self.fold_of_row == fold
            yield np.flatnonzero(~tested), np.flatnonzero(tested)

    def sizes(self) -> tuple[Places, Places]:
        """Return how many rows each fold trains on and is tested on."""
        tested = np.bincount(self.fold_of_row + 1, minlength=self.count + 1)[1:]
        if self.training_of_row is not None:
            trained = np.bincount(self.training_of_row + 1, minlength=self.count + 1)[1:]
            return trained, np.full(self.count, tested[0])
        return len(self.fold_of_row) - tested, tested
