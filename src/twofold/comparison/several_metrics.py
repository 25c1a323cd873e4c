"""The same learners by several metrics: each answered, and adjusted over them if asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from twofold.comparison.across_metrics import (
    adjust_across_metrics,
    collect_pvalues,
    share_level,
)
from twofold.comparison.check_question import check_question
from twofold.comparison.compare import compare_scores
from twofold.comparison.comparison import Comparison
from twofold.comparison.comparisons import Comparisons
from twofold.comparison.metric_agreement import join_names
from twofold.comparison.refusals import refuse_sizes
from twofold.errors import InputError
from twofold.options import Question, Reading
from twofold.result import Note
from twofold.scores import Scores
from twofold.scores.metric_tables import read_metric_tables
from twofold.stats import entry

CompareTable = Callable[[Scores, Question], Comparison]


def compare_metric_tables(table: Any, question: Question, reading: Reading) -> Comparisons:
    """Compare learners by each metric of a table that is named, or by all of them."""
    question = check_question(question)
    if reading.predictions:
        raise InputError(
            "Predictions are compared by accuracy alone, and several metrics were asked for.",
            "Leave out the metric, or compare a table of scores.",
        )
    answers = compare_metrics(read_metric_tables(table, reading), question)
    for answer in answers.values():
        refuse_sizes(answer, reading)
    return answers


def compare_metrics(
    tables: Mapping[str, Scores], question: Question, compare: CompareTable = compare_scores
) -> Comparisons:
    """Compare learners by each of several tables, named by their metrics."""
    if question.across_metrics is not None and len(tables) == 1:
        raise InputError(
            f"`across_metrics` is for several metrics, and there is one, {next(iter(tables))}.",
            "Name several, or leave it out.",
        )

    def answer_all(levels: Mapping[str, float]) -> dict[str, Comparison]:
        answers = {}
        for metric, scores in tables.items():
            with _name_metric(metric, len(tables)):
                answers[metric] = compare(scores, replace(question, alpha=levels[metric]))
        return answers

    levels = dict.fromkeys(tables, question.alpha)
    answers, adjusted = answer_all(levels), {}
    method = question.across_metrics
    if method is not None:
        families = [collect_pvalues(answer) for answer in answers.values()]
        shares = share_level(families, method, question.alpha)
        levels = dict(zip(tables, shares, strict=True))
        answers = answer_all(levels)
        values = adjust_across_metrics(families, method)
        adjusted = {m: tuple(p.tolist()) for m, p in zip(tables, values, strict=True)}
    notes = _note_metrics(levels, question) if len(tables) > 1 else ()
    return Comparisons(answers, question.alpha, method, adjusted, notes)


@contextmanager
def _name_metric(metric: str, count: int) -> Iterator[None]:
    """Say by which of several metrics there is no answer."""
    try:
        yield
    except InputError as error:
        if count == 1:
            raise
        raise InputError(f"By {metric}: {error.rule}", error.remedy) from None


def _note_metrics(levels: Mapping[str, float], question: Question) -> tuple[Note, ...]:
    """Say how many metrics were tried, and whether that was adjusted for."""
    listed = f"{len(levels)} metrics were asked for: {join_names(levels)}."
    if question.across_metrics is None:
        detail = (
            f"{listed} Each is judged by itself at level {question.alpha:g}, so that the more of "
            "them are tried, the likelier is a difference by chance in one of them; "
            "`across_metrics='holm'` adjusts for that."
        )
        return (Note("several-metrics", "Several metrics", detail),)
    short = entry(question.across_metrics).short
    shares = join_names([f"{metric} {level:.4g}" for metric, level in levels.items()])
    detail = (
        f"{listed} All pairs by all metrics were adjusted as one family, over metrics by {short}: "
        f"of the level {question.alpha:g} the share of each metric is {shares}. Its tests, groups "
        "and intervals have that level."
    )
    return (Note("across-metrics", "Adjusted over metrics", detail),)
