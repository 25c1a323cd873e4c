"""Tables of predictions: accuracy by counts, means over examples as items, other metrics whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison.compare_read import compare_read
from twofold.comparison.compare_test_set import compare_test_set, is_test_on_whole
from twofold.comparison.comparison import Comparison
from twofold.comparison.prediction_metric import PredictionMetric, find_metric, find_positive
from twofold.comparison.predictions import SET, compare_predictions, note_labels
from twofold.comparison.refusals import refuse_margin_and_looks
from twofold.errors import InputError
from twofold.options import Question, Reading
from twofold.scores import Items
from twofold.scores.files import read_predictions, read_test_set
from twofold.scores.prediction_table import PredictionTable

MEANS_OF_NUMBERS = {"mae": np.abs, "mse": np.square}
"""Metrics of numbers that are means over examples, and what an error adds to them."""


def compare_predicted(table: Any, question: Question, reading: Reading) -> Comparison:
    """Compare classifiers by what they predicted for each example."""
    metric = find_metric("accuracy" if reading.metric is None else reading.metric)
    whole = question.test is not None and is_test_on_whole(question.test)
    mean = metric.name == "accuracy" or metric.name in MEANS_OF_NUMBERS
    if metric.name == "accuracy" and reading.cluster is None and not whole:
        find_positive(metric, (), reading.positive)  # refuses one that would do nothing
        columns, notes = read_predictions(table, reading)
        compared = compare_predictions(columns, question, reading.truth, predicts=True)
        return replace(compared, notes=(*compared.notes, *notes))
    test_set = read_test_set(table, reading, metric.content)
    if whole or not mean:
        refuse_margin_and_looks(question, metric.name)
        return compare_test_set(test_set, metric, question, reading.positive)
    find_positive(metric, (), reading.positive)
    return compare_read(_make_items(test_set, metric), question)


def read_predictions_as_items(table: Any, reading: Reading) -> Items:
    """Return the score of each prediction: right or wrong, or the size of an error."""
    metric = find_metric("accuracy" if reading.metric is None else reading.metric)
    if metric.name != "accuracy" and metric.name not in MEANS_OF_NUMBERS:
        names = " or ".join(("accuracy", *MEANS_OF_NUMBERS))
        raise InputError(
            f"Each prediction needs a score of its own, and {metric.name} has none.",
            f"Use {names}.",
        )
    return _make_items(read_test_set(table, reading, metric.content), metric)


def _make_items(table: PredictionTable, metric: PredictionMetric) -> Items:
    """Return the examples as items, each with its score."""
    if metric.content == "labels":
        value = (table.predicted == table.truth).astype(float)
        columns = dict(zip(table.learners, table.predicted.tolist(), strict=True))
        notes = note_labels(table.truth.tolist(), columns)
    else:
        value = MEANS_OF_NUMBERS[metric.name](table.predicted - table.truth)
        notes = []
    n = len(table.truth)
    digits = len(str(n))
    return Items(
        datasets=(SET,),
        learners=table.learners,
        names=tuple(f"{row + 1:0{digits}d}" for row in range(n)),
        dataset=np.zeros(n, dtype=np.intp),
        cluster=None
        if table.clusters is None
        else np.unique(table.clusters, return_inverse=True)[1],
        value=np.ascontiguousarray(value.T),
        samples=np.ones(value.T.shape, dtype=np.intp),
        metric=metric.name,
        higher_is_better=metric.higher_is_better,
        notes=(*notes, *table.notes),
    )
