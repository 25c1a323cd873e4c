"""Many runs of a design at once, split as `twofold.designs` splits one.

Rows are sorted by class; fold numbers are assigned to them in turn, and then shuffled within each
class. That gives the same distribution as shuffling the rows and assigning them in turn, in a
fraction of the time for each run.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import Design
from twofold.designs.assign import count_share, mark_even_steps
from twofold.designs.design_checks import find_strata

Folds = NDArray[np.int32]

# A key to sort by: the class in the first 16 bits, 32 random ones, the label in the last 16.
CLASS, CHANCE, LABEL = np.uint64(48), np.uint64(0xFFFFFFFF << 16), np.uint64(0xFFFF)


def many_runs(
    design: Design,
    dataset: Dataset,
    runs: int,
    rng: np.random.Generator,
    *,
    stratify: bool | None = None,
) -> Folds:
    """Return the fold of each row in each run, (runs, rows); −1 where it is not tested on."""
    design.check(dataset, stratify)
    rows = dataset.rows
    strata = find_strata(dataset, stratify)
    classes = np.zeros(rows, dtype=np.int16) if strata is None else strata
    order = np.argsort(classes, kind="stable")
    if design.kind == "folds":
        labels = np.tile(np.arange(design.parts, dtype=np.uint64), (runs, 1))
        # Which fold gets the surplus is random.
        turns = -(-rows // design.parts)
        assigned = np.tile(rng.permuted(labels, axis=1), (1, turns))[:, :rows]
        lowest = 0
    else:
        marks = mark_even_steps(rows, count_share(rows, design.share)).astype(np.uint64)
        assigned = sliding_window_view(marks, rows)[rng.integers(rows, size=runs)]
        lowest = -1
    keys = rng.integers(0, 2**64, (runs, rows), dtype=np.uint64)
    keys &= CHANCE
    keys |= assigned
    keys |= classes[order].astype(np.uint64) << CLASS
    keys.sort(axis=1)
    keys &= LABEL
    back = np.empty(rows, dtype=np.intp)
    back[order] = np.arange(rows)
    folds: Folds = np.take(keys.astype(np.int32), back, axis=1) + np.int32(lowest)
    return folds
