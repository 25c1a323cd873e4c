"""What a reader of a gate's answer must know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from twofold.comparison.anytime_choice import ANYTIME
from twofold.comparison.attainable import smallest_p
from twofold.comparison.defaults import FLIPS
from twofold.gates.gate_answer import Changes
from twofold.result import Note, is_significant, join_first
from twofold.rounding import number
from twofold.stats import entry

UNWANTED = ("ties", "too-few")
"""Notes of tests that say nothing about a margin."""


def note_gate(
    reading: Iterable[Note],
    remarks: Iterable[Note],
    changes: Changes,
    facts: Mapping[str, Any],
    on_scores: Iterable[Note] = (),
) -> tuple[Note, ...]:
    """Return the notes of a gate: on what was compared, on the test, and on reading.

    ``on_scores`` are about the scores themselves, as that both have the same.
    """
    notes = [*_note_changes(changes, facts["unit"]), *_note_too_few(facts)]
    notes += _note_worse(facts)
    notes += on_scores
    if facts.get("anytime"):
        notes.append(ANYTIME)
    notes += [note for note in remarks if note.code not in UNWANTED]
    if "%" in facts["margin_given"]:
        detail = (
            f"{facts['margin_given']} of the mean score of {facts['baseline']}, "
            f"{number(facts['baseline_mean'], 4)}, are {number(facts['margin'], 4)}. That mean is "
            "taken as it is."
        )
        notes.append(Note("relative-margin", "A margin in percent", detail))
    return tuple(dict.fromkeys([*notes, *reading]))


def _note_changes(changes: Changes, unit: str) -> list[Note]:
    notes = []
    if changes.new:
        listed = join_first([*map(repr, changes.new)], 5)
        detail = f"Only the candidate has {listed}: not compared."
        notes.append(Note("gate-new", f"New {unit}", detail, "warning"))
    if changes.removed:
        listed = join_first([*map(repr, changes.removed)], 5)
        detail = f"Only the baseline has {listed}: not compared."
        notes.append(Note("gate-removed", f"Removed {unit}", detail, "warning"))
    if changes.renamed:
        listed = join_first([f"{old!r} to {new!r}" for old, new in changes.renamed], 5)
        detail = f"{listed}. Names are matched letter by letter."
        notes.append(Note("gate-renamed", f"Perhaps renamed {unit}", detail, "warning"))
    return notes


def _note_worse(facts: Mapping[str, Any]) -> list[Note]:
    """Say so where a candidate is worse for sure, and the sentence does not say that."""
    asks_more = facts["goal"] == "equivalence" or (
        facts["goal"] == "superiority" and facts["margin"]
    )
    intervals = [test.interval for test in facts.get("tests", ()) if test.interval is not None]
    if (facts["decision"] == "not good enough" and not asks_more) or not intervals:
        return []
    if not all(high < 0 if facts["higher_is_better"] else low > 0 for low, high in intervals):
        return []
    extent = {
        "good enough": ", by less than the margin",
        "undecided": ", by how much is not sure",
        "not good enough": "",
    }[facts["decision"]]
    detail = f"{facts['candidate']} is worse than {facts['baseline']}{extent}."
    return [Note("gate-worse", "The candidate is worse", detail, "warning")]


def _note_too_few(facts: Mapping[str, Any]) -> list[Note]:
    """Say so where the test can never decide with so few data sets."""
    method, n, alpha = facts["method"], facts["n"], facts["alpha"]
    units = facts["unit"]
    if method == FLIPS:
        n, units = (n, units) if facts["clusters"] is None else (facts["clusters"], "clusters")
        smallest = 0.5**n
    elif entry(method).is_discrete:
        smallest = smallest_p(method, n, "greater")
    else:
        return []
    if is_significant(smallest, alpha):
        return []
    detail = (
        f"With {n} {units} the smallest possible p is {number(smallest)}: nothing can be shown."
    )
    return [Note("too-few", f"Too few {units} ever to decide", detail, "warning")]


def count_changes(changes: Changes) -> Sequence[str]:
    """Return how many are new, removed and perhaps renamed, in words.

    >>> count_changes(Changes(("a", "b"), ("c",), ()))
    ['2 new', '1 removed']
    """
    counts = (
        (len(changes.new), "new"),
        (len(changes.removed), "removed"),
        (len(changes.renamed), "perhaps renamed"),
    )
    return [f"{count} {word}" for count, word in counts if count]
