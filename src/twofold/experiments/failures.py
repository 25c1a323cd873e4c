"""Learners that fail: what is refused before and after, and what the answer says of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from textwrap import shorten

from twofold.comparison import Comparison
from twofold.errors import InputError, LearnerError
from twofold.execution.experiment import Failed, list_failures
from twofold.result import Note, join_first, join_names

LONGEST_REASON = 80
"""Letters of a learner's message that the verdict repeats; the note has all of it."""

REMEDY = "Fix it, leave it out, or use another learner."


def compare_rest(
    compare: Callable[[], Comparison],
    failed: Sequence[Failed],
    left: Sequence[str],
    control: str | None,
    least: int,
) -> Comparison:
    """Compare the learners that are left, or say why that is not possible: some have failed.

    ``least`` is how many must be left.
    """
    if not failed:
        return compare()
    if len(left) < least:
        raise LearnerError(f"A learner failed: {list_failures(failed)}.", REMEDY)
    if control is not None and control not in left:
        of_control = [failure for failure in failed if failure.learner == control]
        rule = f"The control failed: {list_failures(of_control)}."
        raise LearnerError(rule, "Fix it, or compare without a control.")
    try:
        return compare()
    except InputError as error:
        rule = f"A learner failed: {list_failures(failed)}. Without it: {error.rule}"
        raise LearnerError(rule, REMEDY) from None


def tell_failures(answer: Comparison, failed: Sequence[Failed]) -> Comparison:
    """Return the answer with learners that failed, and why, in its verdict."""
    where: dict[str, list[Failed]] = {}
    for failure in failed:
        where.setdefault(failure.learner, []).append(failure)
    gone: dict[str, list[str]] = {}
    parts = []
    for learner, failures in where.items():
        why = shorten(failures[0].message, LONGEST_REASON, placeholder=" …")
        if learner in answer.learners:
            names = join_first([failure.dataset for failure in failures], 2)
            parts.append(f"{learner} failed on {names} ({why}) and has no scores there.")
        else:
            gone.setdefault(why, []).append(learner)
    for why, learners in gone.items():
        were = "was" if len(learners) == 1 else "were"
        parts.insert(0, f"{join_names(learners)} failed and {were} left out ({why}).")
    return replace(answer, verdict=" ".join([answer.verdict, *parts]))


def note_failures(failed: Sequence[Failed]) -> list[Note]:
    """Say which learners failed, on which data sets, and their messages."""
    if not failed:
        return []
    detail = f"{list_failures(failed)}. A learner has no scores on a data set where it failed."
    return [Note("learner-failed", "A learner failed", detail, "warning")]
