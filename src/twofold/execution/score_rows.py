"""Rows of a table of scores, from the runs of an experiment."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from twofold.designs.run import Structure
from twofold.result import Note
from twofold.scores import Scores
from twofold.scores.splits import bootstrap_samples, note_time_series


def describe_structure(structures: set[Structure]) -> tuple[Note, ...]:
    """Warn of splits that tests were not made for."""
    notes = [note_time_series("")] if "time-series" in structures else []
    return (*notes, bootstrap_samples()) if "bootstrap" in structures else tuple(notes)


def label_splits(run: int, structure: Structure, count: int) -> tuple[Any, Any]:
    """Return run and fold of each split; what is no fold is a run by itself, with fold −1."""
    if structure == "folds":
        return np.full(count, run), np.arange(count)
    return run * count + np.arange(count), np.full(count, -1)


def drop_unused_names(scores: Scores) -> Scores:
    """Leave out names without any score."""
    kept_sets, dataset = np.unique(scores.dataset, return_inverse=True)
    kept_learners, learner = np.unique(scores.learner, return_inverse=True)
    return replace(
        scores,
        datasets=tuple(scores.datasets[i] for i in kept_sets),
        positive={
            scores.datasets[i]: scores.positive[scores.datasets[i]]
            for i in kept_sets
            if scores.datasets[i] in scores.positive
        },
        learners=tuple(scores.learners[i] for i in kept_learners),
        dataset=dataset,
        learner=learner,
    )
