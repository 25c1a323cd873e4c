"""Why something was run again: in what a series of runs differs from the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twofold.learners.key_parts import compare_keys
from twofold.result import join_first

MOST = 10
"""Reasons that are printed; all of them are in the JSON."""


def add_changes(groups: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return series of runs with ``changes``: what is not as in the last one of the same name.

    Names are those of data set and learner, with design and seed; a first series has no changes.
    """
    last: dict[tuple[Any, ...], dict[str, Any]] = {}
    changes: dict[int, list[str]] = {}
    for group in sorted(groups, key=lambda group: str(group["first_saved"])):
        names = tuple(group[field] for field in ("dataset", "learner", "design", "seed"))
        before, last[names] = last.get(names), group
        changes[id(group)] = [] if before is None else _find_changes(before, group)
    return [{**group, "changes": changes[id(group)]} for group in groups]


def _find_changes(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    changes = compare_keys(before["learner_key"], after["learner_key"])
    return ["the data"] * (before["fingerprint"] != after["fingerprint"]) + list(map(str, changes))


def list_reasons(groups: Sequence[dict[str, Any]]) -> tuple[list[dict[str, str]], int]:
    """Return the latest reasons, those that are the same on several data sets once; and how many.

    Each has ``when``, ``learner``, ``datasets`` and ``reason``.
    """
    joined: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for group in sorted(groups, key=lambda group: str(group["first_saved"])):
        if group["changes"]:
            reason = join_first(group["changes"], 4)
            joined.setdefault((group["learner"], reason), []).append(group)
    reasons = [
        {
            "when": members[-1]["first_saved"].replace("T", " ")[:16],
            "learner": learner,
            "datasets": join_first(sorted({str(group["dataset"]) for group in members}), 2),
            "reason": reason,
        }
        for (learner, reason), members in joined.items()
    ]
    reasons.sort(key=lambda reason: reason["when"])
    return reasons[-MOST:], len(reasons)
