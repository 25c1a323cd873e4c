"""Learners that fail: what is refused before and after, and what the answer says of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from twofold.comparison import Comparison
from twofold.errors import InputError, LearnerError
from twofold.execution.experiment import Failed, list_failures
from twofold.result import Note

REMEDY = "Mend it, leave it out, or name another learner."


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
        raise LearnerError(rule, "Mend it, or compare without a control.")
    try:
        return compare()
    except InputError as error:
        rule = f"A learner failed: {list_failures(failed)}. Without it: {error.rule}"
        raise LearnerError(rule, REMEDY) from None


def note_failures(failed: Sequence[Failed]) -> list[Note]:
    """Say which learners failed, on which data sets, and their messages."""
    if not failed:
        return []
    detail = f"{list_failures(failed)}. A learner has no scores on a data set where it failed."
    return [Note("learner-failed", "A learner failed", detail, "warning")]
