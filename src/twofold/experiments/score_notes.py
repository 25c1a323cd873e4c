"""What a metric looks for, and scores that a reader should not take at face value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.comparison.guards_of_labels import (
    Below,
    Majority,
    note_below,
    note_constant,
    note_imbalance,
)
from twofold.comparison.guards_of_table import chance_level
from twofold.dataset import Dataset
from twofold.learners import Learner
from twofold.result import Note
from twofold.running.experiment import Experiment
from twofold.running.scoring import Metric
from twofold.running.task import Outcome
from twofold.scores import Scores

SAME_FOR_BOTH = ("auc", "roc_auc")
"""Metrics that do not depend on which of two classes they look for."""


def notes_on_metric(datasets: Sequence[Dataset], metrics: Sequence[Metric]) -> list[Note]:
    """Say which class a metric looks for on which data set, and over which it takes means."""
    notes = list(metrics[0].notes)
    parts = []
    for data, metric in zip(datasets, metrics, strict=True):
        if metric.positive is not None and metric.name not in SAME_FOR_BOTH:
            share = float(np.mean(data.y == metric.positive))
            label = (data.classes or ())[metric.positive]
            parts.append(f"{label!r} on {data.name} ({share:.0%} of the rows)")
    if not parts:
        return notes
    listed = ", ".join(parts[:3]) + (f" and {len(parts) - 3} more" if len(parts) > 3 else "")
    detail = f"{metrics[0].name} looks for the class {listed}."
    averaged = sum(metric.macro for metric in metrics)
    if averaged:
        detail += f" On {averaged} data sets with more classes it is the mean over all of them."
    detail += " --positive LABEL looks for the other class."
    return [*notes, Note("positive-class", "The positive class", detail)]


BY_DESIGN = ("Majority", "DummyClassifier", "DummyRegressor")
"""Estimators that are meant to predict without looking; nobody needs to be warned of them."""


def notes_on_scores(experiment: Experiment, scores: Scores, metric: int = 0) -> list[Note]:
    """Say where scores are no better than without looking, or are high for one class alone."""
    places = {data.name: d for d, data in enumerate(experiment.datasets)}
    learners = {
        learner.label: i
        for i, learner in enumerate(experiment.learners)
        if not _blind_by_design(learner) and learner.label in scores.learners
    }
    means, majorities = scores.means(), []
    below: list[Below] = []
    constant: list[tuple[str, str, str]] = []
    for row, name in enumerate(scores.datasets):
        d = places[name]
        data, measure = experiment.datasets[d], experiment.metrics[d][metric]
        runs = int(scores.run[scores.dataset == row].max()) + 1
        majorities += _majority(data)
        for label, i in learners.items():
            value = experiment.constant(d, i, runs)
            if value is not None:
                constant.append((label, name, _written(value, data)))
        blind = _score_blindly(experiment, d, measure, runs)
        if blind is None or chance_level(measure.name) is not None:
            continue  # what is worse than chance whatever the data is said of every table
        for label in learners:
            score = float(means[row, scores.learners.index(label)])
            worse = score < blind if measure.higher_is_better else score > blind
            if worse and not np.isclose(score, blind, rtol=1e-9, atol=1e-12):
                below.append(Below(label, name, score, blind))
    classes = experiment.datasets[0].classification
    measure = experiment.metrics[0][metric]
    instead = "always predicting the most frequent class" if classes else "always the mean"
    if classes and measure.responses != ("predict",):
        instead = "predicting how frequent each class is"
    code = "below-majority" if classes else "below-mean"
    return [
        *note_imbalance(majorities, measure.name),
        *note_below(below, scores.metric, instead, code),
        *note_constant(constant),
    ]


def _blind_by_design(learner: Learner) -> bool:
    return type(learner.estimator).__name__ in BY_DESIGN


def _majority(data: Dataset) -> list[Majority]:
    if data.classes is None:
        return []
    counts = np.bincount(data.y, minlength=len(data.classes))
    most = int(counts.argmax())
    return [Majority(data.name, data.classes[most], float(counts[most] / data.rows))]


def _written(value: Any, data: Dataset) -> str:
    return f"{value:.4g}" if data.classes is None else repr(data.classes[int(value)])


def _score_blindly(experiment: Experiment, d: int, metric: Metric, runs: int) -> float | None:
    """Return the mean score of who knows the classes' shares, or the mean, and nothing of a row."""
    data = experiment.datasets[d]
    scores = []
    for run in range(runs):
        tests = experiment.splits(d, run).tests
        sizes = np.array([len(test) for test in tests])
        rows = int(sizes.sum())
        responses: dict[str, Any] = {"predict": np.full(rows, data.y.mean())}
        if data.classes is not None:
            shares = np.bincount(data.y, minlength=len(data.classes)) / data.rows
            responses = {
                "predict": np.full(rows, shares.argmax()),
                "predict_proba": np.tile(shares, (rows, 1)),
            }
        outcome = Outcome(responses, sizes, np.zeros(len(sizes)))
        if not metric.answered(outcome):
            return None
        try:
            scores.append(metric.score(data, tests, outcome))
        except Exception:  # someone else's function may refuse predictions that are all alike
            return None
    return float(np.concatenate(scores).mean())
