"""What two learners got wrong, fold by fold: all that any test here needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.studies.shared_splits import Folds

Counts = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class ErrorCounts:
    """Counts of errors, each (data sets, repetitions, runs, folds).

    Attributes
    ----------
    only_a, only_b, both : array of int
        Rows that only A, only B, and both get wrong.
    size : array of int
        Rows tested on.
    """

    only_a: Counts
    only_b: Counts
    both: Counts
    size: Counts

    @property
    def datasets(self) -> int:
        """How many data sets there are."""
        return len(self.size)

    def differences(self, runs: int | None = None) -> NDArray[np.float64]:
        """Return accuracy of A − accuracy of B, for the first ``runs`` runs."""
        return (self.only_b[:, :, :runs] - self.only_a[:, :, :runs]) / self.size[:, :, :runs]

    def list_sizes(self, rows: int, *, splits: bool) -> dict[str, Any]:
        """Return the rows of each part, for tests that take them; ``splits`` have no folds.

        Folds have the same sizes in every run and every data set, in another order. Where all are
        of one size, tests know it.
        """
        n_test = self.size[0, 0, 0].astype(float)
        if splits:
            return {"n_test": n_test[0], "n_train": rows - n_test[0]}
        return {"n_test": n_test, "n_train": rows - n_test} if np.ptp(n_test) > 0 else {}

    def part(self, datasets: slice) -> ErrorCounts:
        """Return some of the data sets."""
        return ErrorCounts(*(array[datasets] for array in self.arrays().values()))

    def first_repetitions(self, count: int) -> ErrorCounts:
        """Return the first repetitions on each data set."""
        return ErrorCounts(*(array[:, :count] for array in self.arrays().values()))

    def arrays(self) -> dict[str, Counts]:
        """Return the counts by name, to be kept."""
        return {
            "only_a": self.only_a,
            "only_b": self.only_b,
            "both": self.both,
            "size": self.size,
        }


def count_errors(
    folds: Folds,
    y: NDArray[np.intp],
    predicted_a: NDArray[np.intp],
    predicted_b: NDArray[np.intp],
    parts: int,
) -> NDArray[np.int32]:
    """Count errors in each run and fold: (4, runs, folds), in the order of `ErrorCounts`."""
    runs = len(folds)
    kind = (predicted_a != y).astype(np.intp)
    kind += 2 * (predicted_b != y).astype(np.intp)
    kind += 4 * np.arange(runs)[:, None]
    kind *= parts
    kind += folds
    # Where few rows are tested on, most are in no fold.
    cells = kind[folds >= 0] if (folds[0] < 0).any() else kind.ravel()
    by_kind = np.bincount(cells, minlength=4 * runs * parts).reshape(runs, 4, parts)
    counts = np.stack([by_kind[:, 1], by_kind[:, 2], by_kind[:, 3], by_kind.sum(axis=1)])
    return counts.astype(np.int32)


def concatenate_counts(parts: Sequence[ErrorCounts]) -> ErrorCounts:
    """Return the counts of all data sets, in order."""
    names = parts[0].arrays()
    return ErrorCounts(*(np.concatenate([part.arrays()[name] for part in parts]) for name in names))
