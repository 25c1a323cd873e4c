"""Learners and data: run for their scores, or compared by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from twofold.comparison import Comparison, compare_table
from twofold.comparison.check_question import check_question
from twofold.comparison.defaults import HALF_SAMPLES
from twofold.execution.experiment import Failed
from twofold.experiments.context import Context, Look
from twofold.experiments.failures import compare_rest
from twofold.experiments.halving import check_halves
from twofold.experiments.rehearsal import check_metrics
from twofold.extras import require
from twofold.options import Question, Reading, Running
from twofold.scores import Scores


def run_learners(
    learners: Any, data: Any, y: Any, reading: Reading, running: Running, seed: int
) -> dict[str, Scores]:
    """Run learners on data, and return the table of their scores by each metric."""
    require("run", "Running learners")
    with Context(learners, data, y, reading, running, seed) as context:
        check_metrics(context.experiment)
        context.carry_out(None)
        return context.tables()


def compare_learners(
    learners: Any,
    data: Any,
    y: Any,
    question: Question,
    reading: Reading,
    running: Running,
    look: Look | None = None,
) -> Comparison:
    """Run learners on data, and compare them by their scores or predictions.

    ``look`` sees an answer of the same form, on made-up scores, before the first fit.
    """
    require("run", "Running learners")
    question = check_question(question)
    by_halves = question.test == HALF_SAMPLES
    of_table = replace(question, test=None) if by_halves else question

    def compare(scores: Scores, failed: Sequence[Failed]) -> Comparison:
        return compare_rest(
            lambda: compare_table(scores, of_table, Reading()),
            failed,
            scores.learners,
            question.control,
        )

    with Context(learners, data, y, reading, running, question.seed, least=2) as context:
        context.check(question)
        if running.calibrate or by_halves:
            check_halves(context.datasets, context.design, context.stopping, question)
        context.rehearse(of_table, look)
        if context.by_examples:
            return context.compare_examples(of_table)
        answer = context.carry_out(compare)
        assert answer is not None
        if running.calibrate or by_halves:
            answer = context.use_halves(answer, question)
    return answer
