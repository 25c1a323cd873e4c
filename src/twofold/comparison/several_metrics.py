"""The same learners by several metrics: each answered, and adjusted over them if asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from twofold.comparison.across_metrics import (
    adjust_across_metrics,
    collect_pvalues,
    describe_share,
    share_level,
)
from twofold.comparison.check_question import check_question
from twofold.comparison.compare_predicted import compare_predicted
from twofold.comparison.compare_read import compare_read
from twofold.comparison.comparison import Comparison
from twofold.comparison.comparisons import Comparisons
from twofold.comparison.prediction_metric import find_metric
from twofold.comparison.refusals import refuse_for_predictions, refuse_sizes
from twofold.errors import InputError, TwofoldError
from twofold.options import Question, Reading
from twofold.result import Note, join_names
from twofold.rounding import number
from twofold.scores.metric_tables import read_metric_tables
from twofold.stats import entry

CompareByMetric = Callable[[str, Question], Comparison]
"""Answers a question by the metric of that name."""


def compare_metric_tables(table: Any, question: Question, reading: Reading) -> Comparisons:
    """Compare learners by each metric of a table that is named, or by all of them."""
    question = check_question(question)
    if reading.predictions:
        return _compare_predictions(table, question, reading)
    tables = read_metric_tables(table, reading)
    read = [scores for scores in tables.values() if not isinstance(scores, InputError)]
    most = max((len(scores.learners) for scores in read), default=0)

    def compare(metric: str, question: Question) -> Comparison:
        scores = tables[metric]
        if isinstance(scores, InputError):
            raise scores
        if len(scores.learners) == 1 < most:
            raise InputError(
                f"Only {scores.learners[0]!r} has scores; comparing needs two learners.",
                "Add the scores of another learner.",
            )
        return compare_read(scores, question)

    answers = compare_metrics(list(tables), question, compare)
    for answer in answers.values():
        refuse_sizes(answer, reading)
    return answers


def _compare_predictions(table: Any, question: Question, reading: Reading) -> Comparisons:
    """Compare classifiers by each of several metrics of their predictions."""
    refuse_for_predictions(question, reading)
    metrics = reading.list_metrics()
    if metrics is None:
        raise InputError(
            "Predictions have no list of metrics that 'all' could stand for.",
            "Name them, as `metric=['accuracy', 'f1']`.",
        )

    chosen = {found.name: found for found in map(find_metric, metrics)}
    some_look = any(found.looks_for_one_class for found in chosen.values())

    def compare(metric: str, question: Question) -> Comparison:
        # A class that is named for F1 says nothing to accuracy, and must not cost its answer.
        unused = some_look and not chosen[metric].looks_for_one_class
        own = replace(reading, metric=metric, positive=None if unused else reading.positive)
        return compare_predicted(table, question, own)

    return compare_metrics([find_metric(metric).name for metric in metrics], question, compare)


def compare_metrics(
    metrics: Sequence[str], question: Question, compare: CompareByMetric
) -> Comparisons:
    """Compare learners by each of several metrics.

    A metric by which there is no answer, since learners lack scores, is told in a note.
    """
    method = question.across_metrics
    if method is not None and len(metrics) == 1:
        raise InputError(
            f"`across_metrics` is for several metrics, and there is one, {metrics[0]}.",
            "Name several, or leave it out.",
        )
    answers: dict[str, Comparison] = {}
    failed: dict[str, TwofoldError] = {}
    for metric in metrics:
        try:
            answers[metric] = compare(metric, question)
        except TwofoldError as error:
            failed[metric] = error
    if not answers:
        raise failed[metrics[0]]
    levels, adjusted = dict.fromkeys(answers, question.alpha), {}
    if method is not None and len(answers) > 1:
        families = [collect_pvalues(answer) for answer in answers.values()]
        shares = share_level(families, method, question.alpha)
        levels = dict(zip(answers, shares, strict=True))
        values = adjust_across_metrics(families, method)
        adjusted = {m: tuple(p.tolist()) for m, p in zip(answers, values, strict=True)}
        answers = {m: compare(m, replace(question, alpha=levels[m])) for m in answers}
        for metric, answer in answers.items():
            share = describe_share(answer, adjusted[metric], question.alpha)
            answers[metric] = replace(answer, verdict=f"{answer.verdict} {share}")
    reasons = {metric: error.rule for metric, error in failed.items()}
    notes = [
        Note("metric-unanswered", f"No answer by {metric}", reason, "warning")
        for metric, reason in reasons.items()
    ]
    first = next(iter(answers.values()))
    if len(metrics) > 1 and first.pairs:
        bayesian = first.pairs[0].is_bayesian
        notes.append(_note_metrics(metrics, levels, question, bayesian))
    return Comparisons(
        answers, question.alpha, method if adjusted else None, adjusted, reasons, tuple(notes)
    )


def _note_metrics(
    metrics: Sequence[str], levels: Mapping[str, float], question: Question, bayesian: bool
) -> Note:
    """Say how many metrics were tried, and whether that was adjusted for."""
    listed = f"{len(metrics)} metrics were asked for: {join_names(metrics)}."
    if question.across_metrics is None:
        detail = (
            f"{listed} Each is judged by itself at level {question.alpha:g}, so that the more of "
            "them are tried, the likelier is a difference by chance in one of them"
        )
        detail += "." if bayesian else "; `across_metrics='holm'` adjusts for that."
        return Note("several-metrics", "Several metrics", detail)
    short = entry(question.across_metrics).short
    shares = join_names([f"{metric} {number(level, 4)}" for metric, level in levels.items()])
    detail = (
        f"{listed} All pairs by all metrics were adjusted as one family, over metrics by {short}: "
        f"of the level {question.alpha:g} the share of each metric is {shares}. Its tests, groups "
        "and intervals have that level."
    )
    return Note("across-metrics", "Adjusted over metrics", detail)
