"""What a metric looks for, and scores that a reader should not take at face value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.comparison import Comparison
from twofold.comparison.label_guards import (
    CODES,
    Below,
    PrevailingClass,
    chance_level,
    note_below,
    note_chance,
    note_constant,
    note_imbalance,
)
from twofold.dataset import Dataset
from twofold.execution.experiment import Experiment
from twofold.execution.scoring import Metric
from twofold.execution.task import Outcome
from twofold.learners import Learner
from twofold.result import Note, join_first
from twofold.rounding import number, percentage
from twofold.scores import Scores, direction

MOST_ROWS = 1_000_000
"""Test rows that are scored together."""

SAME_FOR_BOTH = ("auc", "roc_auc")
"""Metrics that do not depend on which of two classes they look for."""


def note_metric(datasets: Sequence[Dataset], metrics: Sequence[Metric]) -> list[Note]:
    """Say which class a metric looks for on which data set, and over which it takes means."""
    notes = list(metrics[0].notes)
    parts = []
    for data, metric in zip(datasets, metrics, strict=True):
        if metric.positive is not None and metric.name not in SAME_FOR_BOTH:
            share = float(np.mean(data.y == metric.positive))
            label = (data.classes or ())[metric.positive]
            parts.append(f"{label!r} on {data.name} ({percentage(share)} of the rows)")
    if not parts:
        return notes
    detail = f"{metrics[0].name} looks for the class {join_first(parts)}."
    averaged = sum(metric.macro for metric in metrics)
    if averaged:
        sets = "1 data set" if averaged == 1 else f"{averaged} data sets"
        detail += f" On {sets} with more classes it is the mean over all of them."
    detail += " `positive=LABEL` looks for the other class."
    return [*notes, Note("positive-class", "The positive class", detail)]


OTHER_METRICS = (
    "Balanced accuracy, mcc or auc (`metric`, with a design such as 10x10) show whether the other "
    "classes are found as well."
)

BY_DESIGN = ("Majority", "DummyClassifier", "DummyRegressor")
"""Estimators that are meant to predict without looking; nobody needs to be warned of them."""


def judge_anew(answer: Comparison, experiment: Experiment, metric: int = 0) -> list[Note]:
    """Return the notes of an answer, those on its scores made anew by what is known of learners."""
    scores = answer.scores or experiment.scores(metric)
    notes = [note for note in answer.notes if note.code not in CODES]
    return notes + note_scores(experiment, scores, metric)


def note_scores(experiment: Experiment, scores: Scores, metric: int = 0) -> list[Note]:
    """Say where scores are no better than without looking, or are high for one class alone."""
    measure = experiment.metrics[0][metric]
    chance = chance_level(measure.name)
    majorities: list[PrevailingClass] = []
    below: list[Below] = []
    constant: list[tuple[str, str, str]] = []
    for row, name in enumerate(scores.datasets):
        d = next(d for d, data in enumerate(experiment.datasets) if data.name == name)
        runs = int(scores.run[scores.dataset == row].max()) + 1
        if not experiment.design.repeatable:
            runs = min(runs, experiment.design.runs)  # splits of one run stand by themselves
        majorities += _find_majority(experiment.datasets[d])
        constant += _find_constant_cells(experiment, d, runs)
        blind = chance.level if chance else _score_blindly(experiment, d, metric, runs)
        if blind is not None:
            below += _find_below_cells(experiment, scores, row, blind)
    if chance is not None:
        return [*note_chance(below, scores.metric, chance), *note_constant(constant)]
    instead, code = "always predicting the most frequent class", "below-majority"
    if not experiment.datasets[0].classification:
        instead, code = "always predicting the mean", "below-mean"
    elif measure.responses != ("predict",):
        instead = "predicting how frequent each class is"
    return [
        *note_imbalance(majorities, measure.name, OTHER_METRICS),
        *note_below(below, scores.metric, instead, code),
        *note_constant(constant),
    ]


def _find_constant_cells(experiment: Experiment, d: int, runs: int) -> list[tuple[str, str, str]]:
    data = experiment.datasets[d]
    cells = []
    for i, learner in enumerate(experiment.learners):
        value = experiment.constant(d, i, runs)
        if value is not None and not _is_blind_by_design(learner):
            written = number(value, 4) if data.classes is None else repr(data.classes[int(value)])
            cells.append((learner.label, data.name, written))
    return cells


def _find_below_cells(
    experiment: Experiment, scores: Scores, row: int, blind: float
) -> list[Below]:
    means = scores.means()[row]
    cells = []
    for learner in experiment.learners:
        if learner.label in scores.learners and not _is_blind_by_design(learner):
            score = float(means[scores.learners.index(learner.label)])
            worse = score < blind if scores.higher_is_better else score > blind
            if worse and abs(score - blind) > 1e-12 + 1e-9 * abs(blind):
                cells.append(Below(learner.label, scores.datasets[row], score, blind))
    return cells


def _is_blind_by_design(learner: Learner) -> bool:
    return type(learner.estimator).__name__ in BY_DESIGN


def _find_majority(data: Dataset) -> list[PrevailingClass]:
    if data.classes is None:
        return []
    counts = np.bincount(data.y, minlength=len(data.classes))
    most = int(counts.argmax())
    return [PrevailingClass(data.name, data.classes[most], float(counts[most] / data.rows))]


def _score_blindly(experiment: Experiment, d: int, metric: int, runs: int) -> float | None:
    """Return the mean score of who knows the classes' shares, or the mean, and nothing of a row.

    None for metrics of which that says nothing: recall is best where one class is always
    predicted, and what an unknown function measures cannot be known.
    """
    data, measure = experiment.datasets[d], experiment.metrics[d][metric]
    if measure.name == "recall" or direction(measure.name) is None:
        return None
    scores = []
    size = max(1, MOST_ROWS // data.rows)
    for first in range(0, runs, size):
        # Folds are scored one by one, of whichever run they are.
        splits = [experiment.splits(d, run) for run in range(first, min(first + size, runs))]
        rows = np.concatenate([each.rows for each in splits])
        sizes = np.concatenate([each.shape.n_test for each in splits])
        responses: dict[str, Any] = {}
        if data.classes is None:
            responses["predict"] = np.full(len(rows), data.y.mean())
        else:
            shares = np.bincount(data.y, minlength=len(data.classes)) / data.rows
            responses["predict"] = np.full(len(rows), shares.argmax())
            if measure.responses != ("predict",):
                responses["predict_proba"] = np.tile(shares, (len(rows), 1))
        outcome = Outcome(responses, sizes, np.zeros(len(sizes)))
        if not measure.covers(outcome):
            return None
        try:
            scores.append(measure.score(data, rows, outcome))
        except Exception:  # someone else's function may refuse predictions that are all alike
            return None
    return float(np.concatenate(scores).mean())
