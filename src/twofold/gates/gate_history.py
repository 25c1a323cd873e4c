"""What a gate has seen so far: every item or data set once, and every look at them.

A check that runs each night looks again and again at data that grow. The tests for any time allow
for that, as long as each item counts once and the question stays the same; this file holds both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.gates.gate_answer import Decision, Look
from twofold.result import join_first
from twofold.writing import write_whole

FORMAT = "twofold gate history 2"
SAME = 1e-9
"""Differences this close are the same score, written with other digits."""


@dataclass(frozen=True, slots=True)
class GateHistory:
    """A question, the differences of all that was seen, by name, and the looks at them."""

    question: Mapping[str, Any]
    differences: Mapping[str, float] = field(default_factory=dict)
    looks: tuple[Look, ...] = ()

    def extend(self, names: Sequence[str], differences: Any) -> GateHistory:
        """Return the history with what is new; what was seen before must be as it was."""
        seen = dict(self.differences)
        changed = [
            name
            for name, value in zip(names, differences, strict=True)
            if name in seen and abs(seen[name] - value) > SAME
        ]
        if changed:
            listed = join_first([repr(name) for name in changed])
            raise InputError(
                f"The scores of {listed} are not those that the history has: this is another "
                "candidate, or another baseline.",
                "Name another file for it, `history=FILE`: each has a history of its own.",
            )
        for name, value in zip(names, differences, strict=True):
            seen.setdefault(name, float(value))
        return replace(self, differences=seen)

    def add_look(self, good: float, bad: float, decision: Decision) -> GateHistory:
        """Return the history with a look at all that was seen; one at nothing new is none."""
        n = len(self.differences)
        if self.looks and self.looks[-1].n == n:
            return self
        return replace(self, looks=(*self.looks, Look(n, good, bad, decision)))

    @property
    def decided(self) -> Decision:
        """What the first look that decided said."""
        return next((x.decision for x in self.looks if x.decision != "undecided"), "undecided")

    def values(self) -> Any:
        """Return all differences."""
        return np.array(list(self.differences.values()))


def read_history(path: str | Path, question: Mapping[str, Any]) -> GateHistory:
    """Return the history in a file, or an empty one where there is no file yet."""
    file = Path(path)
    if not file.exists():
        return GateHistory(dict(question))
    try:
        raw = json.loads(file.read_text("utf-8"))
        if raw["format"] != FORMAT:
            raise ValueError
        looks = tuple(Look(**look) for look in raw["looks"])
        differences = {str(name): float(value) for name, value in raw["differences"].items()}
        history = GateHistory(dict(raw["question"]), differences, looks)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            f"{str(path)!r} is no history of a gate.", "Name a file that is not there yet."
        ) from None
    for name, value in question.items():
        if history.question.get(name) != value:
            raise InputError(
                f"{str(path)!r} is the history of another question: {name} was "
                f"{history.question.get(name)!r}, and is {value!r}.",
                "Ask the same again, or name another file.",
            )
    return history


def write_history(path: str | Path, history: GateHistory) -> None:
    """Write a history, whole or not at all."""
    plain = {
        "format": FORMAT,
        "question": dict(history.question),
        "looks": [asdict(look) for look in history.looks],
        "differences": dict(history.differences),
    }
    write_whole(path, json.dumps(plain, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
