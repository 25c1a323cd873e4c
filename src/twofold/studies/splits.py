"""Many runs of a design at once, dealt as `twofold.designs` deals one.

Rows stand sorted by class; numbers of folds are dealt out along them, round and round, and then
shuffled within each class. That is the same lottery as shuffling the rows and dealing them out,
at a thirtieth of the time for each run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import Design
from twofold.designs.checks import check_fits, strata_of
from twofold.designs.deal import even_steps, share_of

Folds = NDArray[np.int32]


def many_runs(design: Design, dataset: Dataset, runs: int, rng: np.random.Generator) -> Folds:
    """Return the fold of each row in each run, (runs, rows); −1 where it is not tested on."""
    check_fits(design, dataset, None)
    rows = dataset.rows
    strata = strata_of(dataset, None)
    if strata is None:
        order, edges = np.arange(rows), np.array([0, rows])
    else:
        order = np.argsort(strata, kind="stable")
        edges = np.concatenate([[0], np.cumsum(np.bincount(strata))])
    if design.kind == "folds":
        labels = np.tile(np.arange(design.parts, dtype=np.int32), (runs, 1))
        # Which fold gets the surplus is left to chance.
        dealt = rng.permuted(labels, axis=1)[:, np.arange(rows) % design.parts]
    else:
        marks = even_steps(rows, share_of(rows, design.share)).astype(np.int32) - 1
        starts = rng.integers(rows, size=runs)
        dealt = marks[starts[:, None] + np.arange(rows)]
    folds = np.empty((runs, rows), dtype=np.int32)
    for first, last in zip(edges[:-1], edges[1:], strict=True):
        part = np.ascontiguousarray(dealt[:, first:last])
        folds[:, order[first:last]] = rng.permuted(part, axis=1)
    return folds

