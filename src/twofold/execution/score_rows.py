"""Rows of a table of scores, from the runs of an experiment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs.run import Structure
from twofold.execution.run_splits import Shape
from twofold.execution.scoring import Metric, name_metric
from twofold.learners import Learner
from twofold.result import Note
from twofold.scores import Scores
from twofold.scores.splits import bootstrap_samples, note_time_series

RunScores = tuple[int, int, int, Shape, NDArray[np.float64]]
"""Data set, learner and run, the sizes of its splits, and a score for each of them."""


def make_scores(
    datasets: Sequence[Dataset],
    learners: Sequence[Learner],
    metrics: Sequence[Metric],
    rows: Sequence[RunScores],
) -> Scores:
    """Return a table of runs; ``metrics`` has one for each data set.

    Only what has scores is in the table; a learner that failed everywhere is not.
    """
    counts = [len(values) for *_, values in rows]
    labels = [_label_splits(run, shape.structure, len(v)) for _, _, run, shape, v in rows]
    scores = Scores(
        datasets=tuple(data.name for data in datasets),
        learners=tuple(learner.label for learner in learners),
        dataset=np.repeat([d for d, *_ in rows], counts),
        learner=np.repeat([i for _, i, *_ in rows], counts),
        run=np.concatenate([run for run, _ in labels]),
        fold=np.concatenate([fold for _, fold in labels]),
        n_train=np.concatenate([s.n_train for *_, s, _ in rows]).astype(float),
        n_test=np.concatenate([s.n_test for *_, s, _ in rows]).astype(float),
        value=np.concatenate([values for *_, values in rows]),
        metric=name_metric(metrics),
        higher_is_better=metrics[0].higher_is_better,
        form="long",
        notes=_describe_structure({shape.structure for *_, shape, _ in rows}),
        positive={
            data.name: (data.classes or ())[each.positive]
            for data, each in zip(datasets, metrics, strict=True)
            if each.positive is not None
        },
    )
    return _drop_unused_names(scores)


def _describe_structure(structures: set[Structure]) -> tuple[Note, ...]:
    """Warn of splits that tests were not made for."""
    notes = [note_time_series("")] if "time-series" in structures else []
    return (*notes, bootstrap_samples()) if "bootstrap" in structures else tuple(notes)


def _label_splits(run: int, structure: Structure, count: int) -> tuple[Any, Any]:
    """Return run and fold of each split; what is no fold is a run by itself, with fold −1."""
    if structure == "folds":
        return np.full(count, run), np.arange(count)
    return run * count + np.arange(count), np.full(count, -1)


def _drop_unused_names(scores: Scores) -> Scores:
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
