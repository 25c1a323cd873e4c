"""What can be refused before a learner is run: hours of work should not end in a refusal."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.comparison.defaults import CHOSEN_DF
from twofold.comparison.degrees_of_freedom import check_runs, choose_freedom, refuse_df
from twofold.comparison.refusals import refuse_adjust
from twofold.designs import Design
from twofold.errors import InputError, suggest
from twofold.experiments.adaptive import StoppingRule
from twofold.options import Question


def check_pairs(question: Question, labels: Sequence[str]) -> None:
    """Refuse a single learner, a control that is not there, and an adjustment of a single pair."""
    if len(labels) < 2:
        raise InputError(
            f"Comparing needs two learners, and only {labels[0]} is named.",
            "Name a second one, or use `twofold run` for the scores of one.",
        )
    if question.control is not None and question.control not in labels:
        listed = f"There are {', '.join(labels[:8])}{', …' if len(labels) > 8 else ''}."
        raise InputError(
            f"There is no learner {question.control!r} to compare with.",
            suggest(question.control, labels, listed),
        )
    if len(labels) == 2:
        refuse_adjust(question, [labels])


def check_freedom(
    question: Question, design: Design, stopping: StoppingRule, datasets: int
) -> None:
    """Refuse degrees of freedom that do not fit the design."""
    if datasets > 1:
        refuse_df(question, "several data sets")
        return
    if stopping.until is not None:
        check_runs(question, "until", "adds runs")
    if stopping.budget is not None:
        check_runs(question, "budget", "may end before the last")
    if design.kind == "folds" and (question.test or question.df is not None):
        choose_freedom(question.test or CHOSEN_DF, design.runs, design.parts, question)
