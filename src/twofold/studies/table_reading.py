"""A table of scores as a study takes it: complete, with one score in each cell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.comparison.table_guards import note_table
from twofold.errors import InputError
from twofold.options import Reading
from twofold.result import Note, join_first
from twofold.scores import Scores, read_scores_as

Floats = NDArray[np.float64]

FEWEST = 3
"""Data sets that a table needs: of two there is nothing to draw."""


def read_complete(table: Any, reading: Reading) -> tuple[Scores, Floats, list[Note]]:
    """Return scores on the data sets on which all learners have one, their means, and notes."""
    if reading.ranks:
        raise InputError(
            "A study draws from scores, and `ranks=True` says that the table holds ranks.",
            "Give the scores that the ranks were made from.",
        )
    if reading.has_several_metrics or reading.metric == "all":
        raise InputError(
            "A study is of scores by one metric, and several were named.", "Name one of them."
        )
    scores = read_scores_as(table, reading)
    if scores.form == "ranks":
        raise InputError("A study draws from scores, and the table holds ranks.", "Give scores.")
    if len(scores.learners) < 2:
        raise InputError(
            f"Only {scores.learners[0]!r} has scores; tests need two learners.",
            "Add the scores of another learner.",
        )
    means = scores.means()
    complete = np.asarray(np.isfinite(means).all(axis=1))
    gaps = [name for name, whole in zip(scores.datasets, complete, strict=True) if not whole]
    if complete.sum() < FEWEST:
        which = f"{complete.sum()} complete data set{'' if complete.sum() == 1 else 's'}"
        raise InputError(
            f"Data sets are drawn from the table, and it has {which}.",
            f"Give scores of all learners on {FEWEST} data sets or more; twenty are a good number.",
        )
    if gaps:
        scores = _keep_data_sets(scores, complete)
    means = means[complete]
    notes = note_table(scores, means)
    if gaps:
        detail = (
            f"{len(gaps)} of {len(complete)} data sets lack a score of some learner and are left "
            f"out: {join_first(gaps)}. Draws are of complete data sets."
        )
        notes.insert(0, Note("gaps-left-out", "Incomplete data sets left out", detail, "warning"))
    return scores, means, notes


def _keep_data_sets(scores: Scores, keep: NDArray[np.bool_]) -> Scores:
    """Return the scores on these data sets alone."""
    renumbered = np.cumsum(keep) - 1
    rows = keep[scores.dataset]
    columns = ("learner", "run", "fold", "n_train", "n_test", "value")
    return replace(
        scores,
        datasets=tuple(np.array(scores.datasets, dtype=object)[keep]),
        dataset=renumbered[scores.dataset[rows]],
        **{name: getattr(scores, name)[rows] for name in columns},
    )
