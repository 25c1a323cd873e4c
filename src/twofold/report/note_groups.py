"""Notes by what they want from the reader: to doubt, to check what is missing, or to know."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from twofold.comparison.comparison import LEFT_OUT
from twofold.result import Note

OMISSIONS = frozenset(LEFT_OUT) | {
    "empty-dropped",
    "id-dropped",
    "last-round",
    "marked-columns-dropped",
    "no-shared-data",
    "single-score",
    "spread-ignored",
    "text-dropped",
    "unlabelled-dropped",
    "weights-ignored",
}


class NoteGroup(NamedTuple):
    """Notes that ask for the same; ``name`` is for links."""

    name: str
    title: str
    notes: list[Note]


def group_notes(notes: Iterable[Note]) -> list[NoteGroup]:
    """Return the groups that have notes, the most urgent first."""
    groups = {
        "trust": NoteGroup("trust", "Before you trust it", []),
        "omissions": NoteGroup("omissions", "What was left out", []),
        "remarks": NoteGroup("remarks", "Worth knowing", []),
    }
    for note in notes:
        groups[_choose_group(note)].notes.append(note)
    return [group for group in groups.values() if group.notes]


def _choose_group(note: Note) -> str:
    if note.code in OMISSIONS:
        return "omissions"
    return "trust" if note.severity == "warning" else "remarks"
