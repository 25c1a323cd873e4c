"""Whole answers that a store keeps beside the parts they were made of: findings and results.

An answer is a few texts by name, such as its JSON, the command that gives it again, and pictures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from twofold.execution.store import Part, Store
from twofold.execution.task import digest

AnswerKind = Literal["findings", "result"]
"""Findings of a study or a calibration; the result of an item of a paper."""

KINDS: tuple[AnswerKind, ...] = ("findings", "result")

RULES = 1
"""Part of every key: answers written in another form are never taken for these."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer in a store; ``saved`` is in seconds since 1970, ``size`` in bytes."""

    key: str
    kind: AnswerKind
    name: str
    saved: float
    size: int


def keep_answer(
    store: Store, kind: AnswerKind, name: str, identity: str, texts: Mapping[str, str]
) -> str:
    """Keep an answer, and return its key.

    Parameters
    ----------
    name : str
        What people call it.
    identity : str
        What makes it the same answer: an older one with the same is replaced.
    """
    key = digest("answer", RULES, kind, identity)
    arrays = {
        title: np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
        for title, text in texts.items()
    }
    store.arrays.put([(Part(key, kind, name), arrays)])
    return key


def list_answers(store: Store) -> list[KeptAnswer]:
    """List the answers that a store keeps, what was saved last first."""
    answers = [
        KeptAnswer(record.part.key, kind, record.part.name, record.saved, record.size)
        for record in store.arrays.parts()
        for kind in KINDS
        if record.part.kind == kind
    ]
    return sorted(answers, key=lambda answer: (-answer.saved, answer.key))


def read_answer(store: Store, key: str) -> dict[str, str]:
    """Return the texts of an answer; none where it is not here, or damaged."""
    arrays = store.arrays.get([key]).get(key)
    if arrays is None or any(array.dtype != np.uint8 for array in arrays.values()):
        return {}
    return {name: array.tobytes().decode("utf-8", "replace") for name, array in arrays.items()}
