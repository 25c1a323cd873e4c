"""What can be refused before a learner is run: hours of work should not end in a refusal."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.comparison.defaults import CHOSEN_DF
from twofold.comparison.degrees_of_freedom import check_runs, choose_freedom, refuse_df
from twofold.comparison.refusals import refuse_adjust, refuse_for_one_learner
from twofold.designs import Design
from twofold.errors import InputError, suggest
from twofold.experiments.adaptive import StoppingRule
from twofold.options import Question, Running, given_options
from twofold.stats import catalog


def check_pairs(question: Question, labels: Sequence[str]) -> None:
    """Refuse a control that is not there, and an adjustment of a single pair."""
    if question.control is not None and question.control not in labels:
        listed = f"There are {', '.join(labels[:8])}{', …' if len(labels) > 8 else ''}."
        raise InputError(
            f"There is no learner {question.control!r} to compare with.",
            suggest(question.control, labels, listed),
        )
    if len(labels) == 2:
        refuse_adjust(question, [labels])


def check_one_learner(question: Question, running: Running, label: str) -> None:
    """Refuse what only a comparison can use, where one learner is named."""
    intervals = [test.name for test in catalog() if test.group == "interval"]
    refuse_for_one_learner(question, label, intervals)
    for option, value in given_options([running]):
        if option.name in ("until", "max_runs", "calibrate"):
            raise InputError(
                f"{option.describe(value)} is for comparing learners, and there is one, {label!r}.",
                "Leave it out, and say in the design how many runs to do; or name a second one.",
            )


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
