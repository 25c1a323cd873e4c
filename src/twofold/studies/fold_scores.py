"""What two learners scored, fold by fold, by any metric: all that tests on differences need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class FoldScores:
    """Differences of scores, each array (data sets, repetitions, runs, folds).

    Attributes
    ----------
    difference : array
        Score of A − score of B.
    n_train, n_test : array of int
        Rows trained on, and rows tested on.
    """

    difference: Floats
    n_train: NDArray[np.integer[Any]]
    n_test: NDArray[np.integer[Any]]

    @classmethod
    def join(cls, parts: Sequence[FoldScores]) -> FoldScores:
        """Return scores as if they were of one study: the data sets of each part in turn."""
        arrays = ([getattr(part, name) for part in parts] for name in cls.__dataclass_fields__)
        return cls(*map(np.concatenate, arrays))

    @property
    def size(self) -> NDArray[np.integer[Any]]:
        """Rows tested on, as counts of errors call them."""
        return self.n_test

    @property
    def datasets(self) -> int:
        """How many data sets there are."""
        return len(self.difference)

    def differences(self, runs: int | None = None) -> Floats:
        """Return score of A − score of B, for the first ``runs`` runs."""
        return self.difference[:, :, :runs]

    def part(self, datasets: slice) -> FoldScores:
        """Return some of the data sets."""
        return FoldScores(self.difference[datasets], self.n_train[datasets], self.n_test[datasets])

    def list_sizes(self, runs: int, *, splits: bool) -> dict[str, Any]:
        """Return the rows of each part, for tests that take them; ``splits`` have no folds."""
        index: Any = (slice(None), slice(None), slice(runs), *([0] if splits else []))
        return {"n_train": self.n_train[index], "n_test": self.n_test[index]}
