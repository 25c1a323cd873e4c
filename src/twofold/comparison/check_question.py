"""Checks of the options of a comparison, before any table is read."""

from __future__ import annotations

from dataclasses import replace

from twofold.comparison import defaults
from twofold.comparison.degrees_of_freedom import check_df
from twofold.errors import InputError
from twofold.options import Question
from twofold.seeds import check_seed
from twofold.stats.arguments import check_alternative, check_choice, positive, probability
from twofold.stats.catalog import catalog, entry
from twofold.stats.margins import LARGEST_DIFFERENCE


def check_question(question: Question) -> Question:
    """Return a question that can be answered, or refuse it."""
    alpha = probability("alpha", question.alpha, 0.05)
    if question.rope is not None:
        positive(
            "rope", question.rope, "Pass the largest difference that does not matter.", zero=True
        )
    if question.equivalence is not None:
        positive("equivalence", question.equivalence, LARGEST_DIFFERENCE)
        if question.alternative != "two-sided":
            raise InputError(
                "`equivalence` looks in both directions, and `alternative` in one.",
                "Leave one of them out; `twofold gate` asks whether a candidate is no worse.",
            )
    if question.adjust is not None:
        names = [test.name for test in catalog() if test.group == "adjustment"]
        names += [t.name for t in catalog() if t.role == "mean ranks" and t.adjusts_itself]
        check_choice("adjust", question.adjust, tuple(names))
    if question.across_metrics is not None:
        check_choice("across_metrics", question.across_metrics, defaults.ACROSS_METRICS)
    if question.test is not None:
        entry(question.test)
    check_seed(question.seed)
    check_df(question.df, question.test)
    side = check_alternative(question.alternative)
    if side != "two-sided" and question.control is None:
        raise InputError(
            "A one-sided test must know which learner it is about; columns have no order.",
            f"Name the learner with `control`: {side!r} asks whether its scores are "
            f"{'higher' if side == 'greater' else 'lower'}.",
        )
    return replace(question, alpha=alpha)
