"""Learners and data: run for their scores, or compared by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from twofold.comparison import Comparison, Comparisons
from twofold.comparison.check_question import check_question
from twofold.comparison.compare_read import compare_read
from twofold.comparison.defaults import HALF_SAMPLES
from twofold.comparison.refusals import refuse_across_metrics
from twofold.comparison.several_metrics import compare_metrics
from twofold.experiments.adaptive import note_last_settled
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
) -> Comparison | Comparisons:
    """Run learners on data, and compare them by their scores or predictions.

    ``look`` sees an answer of the same form, on made-up scores, before the first fit.
    """
    require("run", "Running learners")
    question = check_question(question)
    by_halves = question.test == HALF_SAMPLES
    of_table = replace(question, test=None) if by_halves else question
    with Context(learners, data, y, reading, running, question.seed, least=2) as context:
        context.check(question)
        names = [metric.name for metric in context.metrics[0]]
        if len(names) == 1:
            refuse_across_metrics(question)
        if running.calibrate or by_halves:
            check_halves(context.datasets, context.design, context.stopping, question, names)
        context.rehearse(of_table, look)
        if context.by_examples:
            answer = context.tell_failures(context.compare_examples(of_table))
            return Comparisons({names[0]: answer}) if reading.has_several_metrics else answer
        together = Comparisons({})

        def compare(runs: int | None) -> Mapping[str, Comparison]:
            nonlocal together

            def compare_left(name: str, question: Question) -> Comparison:
                metric, experiment = names.index(name), context.experiment
                failed = experiment.first_failures(runs, metric)
                scores = experiment.scores(metric, runs=runs)
                return compare_rest(
                    lambda: compare_read(scores, question),
                    failed,
                    scores.learners,
                    question.control,
                    context.least,
                )

            together = compare_metrics(names, of_table, compare_left)
            return together

        answers = context.carry_out(compare)
        if running.calibrate or by_halves:
            answers = {names[0]: context.use_halves(answers[names[0]], question)}
        answers = {
            name: context.tell_failures(answer, names.index(name))
            for name, answer in answers.items()
        }
    if not reading.has_several_metrics:
        return answers[names[0]]
    notes = (*together.notes, *note_last_settled(context.stopping, answers))
    return replace(together, answers=answers, notes=notes)
