"""The differences behind a study, for tests that twofold does not have."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.designs import parse_design
from twofold.execution.backends import open_backend
from twofold.studies.keeping import open_kept
from twofold.studies.missing_blocks import Work
from twofold.studies.run_study import points_of, two_learners
from twofold.studies.study_blocks import Block, Workshop


def fold_differences(
    source: Any,
    learners: Any,
    *,
    rows: int = 300,
    datasets: int = 1000,
    repetitions: int = 10,
    design: str = "10x10",
    seed: int = 0,
    store: Any = None,
    workers: int | None = None,
) -> NDArray[np.float64]:
    """Return the difference in accuracy of two learners on every fold of a study's experiments.

    The data sets and splits are those of `study` with the same arguments, and taken from its store.

    Returns
    -------
    array of shape (data sets, repetitions, runs, folds)
    """
    pair, splits = two_learners(learners, source), parse_design(design)
    shop = Workshop(points_of(source, rows, pair), pair, (splits,), repetitions, seed)
    work = Work(shop, open_kept(store))
    backend = open_backend(None, workers)
    try:
        work.advance(datasets, backend, _Silent())
    finally:
        backend.close()
    return work.tallies()[0][splits.family].differences()


class _Silent:
    """Shows no progress."""

    def begin(self, missing: list[Block], total: int) -> None:
        """Ignore which blocks are to be done."""

    def told(self, block: Block) -> None:
        """Ignore a block that is done."""
