"""The differences behind a study, for tests that twofold does not have."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.designs import parse_design
from twofold.execution.map_missing import open_engine
from twofold.execution.progress import Progress
from twofold.studies.block_counts import BlockCounts
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.run_study import read_pair, read_points
from twofold.studies.study_blocks import StudyContext


def fold_counts(
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
    progress: bool | None = None,
) -> ErrorCounts:
    """Return what two learners got wrong on every fold of a study's experiments.

    The data sets and splits are those of `study` with the same arguments, and taken from its store.
    `decide` applies an experiment to them.
    """
    pair, splits = read_pair(learners, source), parse_design(design)
    context = StudyContext(read_points(source, rows, pair), pair, (splits,), repetitions, seed)
    with open_engine(store, workers=workers) as (opened, backend):
        counts = BlockCounts(context, opened, backend)
        with Progress(progress, "data sets") as watch:
            counts.advance(datasets, watch)
    return counts.collect()[0][splits.family]


def fold_differences(source: Any, learners: Any, **options: Any) -> NDArray[np.float64]:
    """Return the difference in accuracy of two learners on every fold of a study's experiments.

    The options are those of `fold_counts`.

    Returns
    -------
    array of shape (data sets, repetitions, runs, folds)
    """
    return fold_counts(source, learners, **options).differences()
