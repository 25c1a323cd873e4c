"""The comparison on made-up scores, so that what it refuses is refused before the first fit.

Tests, adjustments, degrees of freedom and pictures look at the form of a table: how many learners,
data sets, runs and folds it has. That is known beforehand; the numbers are made up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import Comparison
from twofold.errors import InputError, TwofoldError
from twofold.execution.experiment import TRUTH, Experiment
from twofold.execution.score_rows import RunScores, make_scores
from twofold.execution.task import Outcome
from twofold.experiments.adaptive import (
    FIRST_LOOK,
    StoppingRule,
    limit_probabilities,
    unknown_limit_error,
)
from twofold.scores import Scores

FEW = 3
"""Data sets that are enough to see whether a test fits several of them."""

MOST_RUNS = 1000
"""Runs up to which a table is made up: a longer one would take more time than it saves."""

Compare = Callable[[Scores], Comparison]


def rehearse(experiment: Experiment, stopping: StoppingRule, compare: Compare) -> Comparison | None:
    """Return an answer of the form that the experiment will give; refuse what it would refuse."""
    runs = stopping.runs if stopping.until is None else min(FIRST_LOOK, stopping.runs)
    if runs > MOST_RUNS:
        return None
    every = len(experiment.datasets)
    try:
        answer = compare(make_up_scores(experiment, runs, min(every, FEW)))
    except InputError:
        # Few data sets may be too few where all of them are enough.
        if every <= FEW:
            raise
        answer = compare(make_up_scores(experiment, runs, every))
    if stopping.until is not None and not limit_probabilities([answer]):
        raise unknown_limit_error(answer)
    # Pictures may name any of the data sets.
    return replace(answer, datasets=tuple(data.name for data in experiment.datasets))


def make_up_scores(experiment: Experiment, runs: int, datasets: int) -> Scores:
    """Return a table of the form that the first ``datasets`` data sets will give."""
    rng = np.random.default_rng(0)
    rows: list[RunScores] = []
    for d in range(datasets):
        shape = experiment.splits(d, 0).shape
        for run in range(runs):
            for i in range(len(experiment.learners)):
                rows.append((d, i, run, shape, rng.uniform(0.5, 0.9, len(shape.n_test))))
    metrics = [row[0] for row in experiment.metrics[:datasets]]
    return make_scores(experiment.datasets[:datasets], experiment.learners, metrics, rows)


def make_up_predictions(experiment: Experiment) -> dict[str, Any]:
    """Return a table of true and predicted labels as the only data set will give it."""
    rng = np.random.default_rng(0)
    (data,) = experiment.datasets
    rows = experiment.splits(0, 0).rows
    truth = data.labels[rows]
    columns = {TRUTH: truth}
    for learner in experiment.learners:
        wrong = rng.random(len(rows)) < 0.3
        columns[learner.label] = np.where(wrong, rng.permutation(truth), truth)
    return columns


def check_metrics(experiment: Experiment) -> None:
    """Refuse metrics that are not defined on the splits, even if all predictions are right.

    Accuracy and error always are; functions of the caller are left alone.
    """
    for d, data in enumerate(experiment.datasets):
        metrics = [metric for metric in experiment.metrics[d] if metric.named and metric.scorer]
        if not metrics:
            continue
        splits = experiment.splits(d, 0)
        truth = data.y[splits.rows]
        responses: dict[str, Any] = {"predict": truth}
        if data.classes is not None:
            shares = np.full((len(truth), len(data.classes)), 0.1 / len(data.classes))
            shares[np.arange(len(truth)), truth] += 0.9
            responses["predict_proba"] = shares
        sizes = splits.shape.n_test
        outcome = Outcome(responses, sizes, np.zeros(len(sizes)))
        for metric in metrics:
            if not metric.covers(outcome):
                continue
            try:
                metric.score(data, splits.rows, outcome)
            except TwofoldError:
                raise
            except Exception:
                # Learners may yet predict what it takes: Poisson's deviance wants no zeros.
                continue
