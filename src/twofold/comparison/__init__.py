"""Reading scores: from any table to a verdict one can defend."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from twofold.comparison.check_question import check_question
from twofold.comparison.claimed_ranks import RankSets
from twofold.comparison.compare_predicted import compare_predicted
from twofold.comparison.compare_read import compare_read
from twofold.comparison.comparison import (
    Comparison,
    CriticalDifference,
    Omnibus,
    Pair,
    Predicted,
)
from twofold.comparison.comparisons import Comparisons
from twofold.comparison.learner_scores import LearnerScore
from twofold.comparison.refusals import (
    refuse_across_metrics,
    refuse_for_items,
    refuse_for_predictions,
    refuse_late_reading,
    refuse_sizes,
)
from twofold.options import ALL_METRICS, Question, Reading, collect
from twofold.result import Alternative
from twofold.scores import Items
from twofold.scores.files import read_scores_or_items
from twofold.scores.metric_tables import hold_scores, recognise_predictions

__all__ = [
    "Comparison",
    "Comparisons",
    "CriticalDifference",
    "LearnerScore",
    "Omnibus",
    "Pair",
    "Predicted",
    "RankSets",
    "compare",
]


def compare(
    table: Any,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    adjust: str | None = None,
    across_metrics: str | None = None,
    test: str | None = None,
    rope: float | None = None,
    equivalence: float | None = None,
    anytime: bool = False,
    alternative: Alternative = "two-sided",
    df: float | str | Path | None = None,
    seed: int = 0,
    metric: Any = None,
    drop: str | Iterable[str] = (),
    higher_is_better: bool | None = None,
    ranks: bool = False,
    predictions: bool = False,
    truth: str | None = None,
    items: bool = False,
    correct: bool = False,
    item: str | None = None,
    cluster: str | None = None,
    sample: str | None = None,
    partial: bool = False,
    impute: str | None = None,
    only: str | Iterable[str] | None = None,
    rows: str | None = None,
    transpose: bool = False,
    n_train: float | None = None,
    n_test: float | None = None,
    test_share: float | None = None,
    positive: Any = None,
) -> Comparison | Any:
    """Compare learners by a table of their scores.

    Several metrics, a list of names or "all", are answered by `Comparisons`.

    Parameters
    ----------
    table : file name, frame, dict, records, array or Scores
        Wide (a row per data set, a column per learner) or long (dataset, learner, value, and
        where there are any run, fold, n_train, n_test, metric).
    control, alpha, adjust, across_metrics, test, rope, equivalence, anytime
    alternative, df, seed
        The question, as `twofold.compare` takes it.
    predictions : bool
        The table holds true labels and a column of predictions for each classifier.
    truth : str, optional
        With ``predictions``: the column of true labels.
    items : bool
        Each row is an item of a test set (a question, an image), with a score for each
        learner: right or wrong, a grade, a loss. Recognised by itself where nothing else fits.
    correct : bool
        It holds right (1) and wrong (0), or such words, for each item and learner.
    item, cluster, sample : str, optional
        The columns that name items, that put them into clusters (the questions on one
        passage, the images of one patient), and that count several answers to an item.
    metric, drop, higher_is_better, ranks, partial, impute, only, rows, transpose
    n_train, n_test, test_share
        What is known about the table, as `twofold.read_scores` takes it. Predictions take
        ``metric`` (f1, auc, rmse, …), ``drop``, ``only`` and ``cluster``.
    positive : label, optional
        With ``predictions``: the class that f1, precision, recall, jaccard, auc and
        average_precision look for, of two.

    Examples
    --------
    >>> scores = {"A": [0.8, 0.7, 0.9, 0.6, 0.8, 0.7], "B": [0.7, 0.6, 0.7, 0.5, 0.6, 0.65]}
    >>> compare(scores, rows="datasets").pairs[0].outcome
    'a'
    """
    keywords = locals()
    return compare_tables(table, collect(Question, keywords), collect(Reading, keywords))


def compare_tables(table: Any, question: Question, reading: Reading) -> Comparison | Any:
    """Compare learners by a table, by each metric where several are asked for."""
    check_question(question)
    table, reading = recognise_predictions(table, reading)
    several = reading.has_several_metrics or reading.metric == ALL_METRICS or hold_scores(table)
    if not several:
        return compare_table(table, question, reading)
    from twofold.comparison.several_metrics import compare_metric_tables

    return compare_metric_tables(table, question, reading)


def compare_table(table: Any, question: Question, reading: Reading) -> Comparison:
    """Compare learners by a table of their scores or predictions."""
    question = check_question(question)
    refuse_across_metrics(question)
    refuse_for_predictions(question, reading)
    if reading.predictions:
        return compare_predicted(table, question, reading)
    refuse_late_reading(table, reading)
    if reading.asks_for_items or isinstance(table, Items):
        refuse_for_items(question, reading)
    compared = compare_read(read_scores_or_items(table, reading), question)
    refuse_sizes(compared, reading)
    return compared
