"""Columns that are repetitions or metrics of one learner rather than learners."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.errors import InputError
from twofold.scores.name_hints import (
    are_whole_numbers,
    count_up,
    find_crossing,
    find_numbering,
    names_repeats,
)
from twofold.scores.read_options import name_all
from twofold.tables import RawTable

LONG = "use a long table: columns dataset, learner, run, value"


def refuse_repeats(raw: RawTable, learners: Sequence[str], label: str | None) -> None:
    """Refuse columns that repeat one learner: "Resamples:,0,1,2", "fold 1, fold 2", "acc, f1"."""
    first, last = learners[0], learners[-1]
    if (names_repeats(label) and are_whole_numbers(learners)) or find_numbering(learners):
        raise InputError(
            f"Columns {first!r} to {last!r} are repetitions of one learner; comparing needs two.",
            f"Give each learner a column with its means, or {LONG}.",
        )
    if count_up(learners) and not (raw.counted and label is None):
        raise InputError(
            f"Are columns {first!r} to {last!r} repetitions of one learner, or learners?",
            f"For repetitions {LONG}; for learners say `only={name_all(learners)}`.",
        )
    kind = find_crossing(learners)
    if kind == "metrics":
        raise InputError(
            f"Columns such as {first!r} and {learners[1]!r} look like metrics of one learner.",
            "Choose a metric by its name, `metric=NAME`, or answer by each, `metric='all'`.",
        )
    if kind is not None:
        raise InputError(
            f"Columns such as {first!r} and {learners[1]!r} look like {kind} of one learner.",
            f"Choose with `only` one column for each learner, or {LONG}.",
        )
