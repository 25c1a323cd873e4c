"""What was noticed about the data sets of an experiment, and about how they were split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from twofold.comparison.predictions import LEAVE_ONE_OUT
from twofold.dataset import Dataset
from twofold.result import Note, join_first

TARGET = "target-found"


def gather_data_notes(datasets: Sequence[Dataset]) -> list[Note]:
    """Return the notes of data sets, each once; those of a few say of which."""
    holders: dict[Note, list[str]] = {}
    for data in datasets:
        for note in dict.fromkeys(data.notes):
            holders.setdefault(note, []).append(data.name)
    targets = [note for note in holders if note.code == TARGET]
    notes = _gather_targets(datasets) if len(targets) > 1 else targets
    for note, names in holders.items():
        if note.code == TARGET:
            continue
        everywhere = len(names) == len(datasets)
        detail = note.detail if everywhere else f"On {join_first(names)}: {note.detail}"
        notes.append(replace(note, detail=detail))
    return notes


def note_prepared(prepared: Sequence[Mapping[str, Any]], count: int) -> list[Note]:
    """Say what was done to columns before learners saw them; the data sets number ``count``."""
    if not prepared:
        return []
    texts: dict[str, list[str]] = {}
    for each in prepared:
        on = "" if len(each["datasets"]) == count else f" on {join_first(each['datasets'])}"
        texts.setdefault("; ".join(each["done"]), []).append(f"{each['learner']}{on}")
    parts = [f"{join_first(learners)}: {done}" for done, learners in texts.items()]
    detail = (
        f"{'. '.join(parts)}. Everything that this needs is learned from the training rows. "
        "`prepare='none'` fits learners on the columns as they are."
    )
    return [Note("prepared", "Columns were prepared for learners", detail)]


def note_leave_one_out() -> Note:
    """Say what predictions of leave-one-out tell about."""
    return Note(
        LEAVE_ONE_OUT,
        "Leave-one-out",
        "Each example was predicted after training on all the others. These training sets are "
        "nearly the same: the answer allows for new examples, not for new training sets.",
    )


def _gather_targets(datasets: Sequence[Dataset]) -> list[Note]:
    """Return one note on the targets that were found: the usual one, and where it is another."""
    found = [data for data in datasets if any(note.code == TARGET for note in data.notes)]
    by_target: dict[str, list[str]] = {}
    for data in found:
        by_target.setdefault(str(data.target), []).append(data.name)
    usual = max(by_target.values(), key=len)
    parts = [
        f"{target!r} on "
        + (f"{len(names)} data sets" if names is usual and len(names) > 1 else ", ".join(names))
        for target, names in by_target.items()
    ]
    detail = (
        f"The target is {'; '.join(parts)}: found by its name, or else the last column. Pass "
        "`target=NAME` to choose another."
    )
    return [Note(TARGET, "Target found", detail)]
