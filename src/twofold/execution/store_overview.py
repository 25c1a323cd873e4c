"""What a store holds, at a glance: series of runs, studies and reproductions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from twofold.escapes import make_all_visible
from twofold.execution.store import PartRecord, Record


def group_runs(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return one entry per data set, learner, design and seed."""
    groups: dict[tuple[Any, ...], list[Record]] = {}
    for record in records:
        task = record.task
        # Data or learners that changed under the same name are different things.
        names = (task.dataset, task.learner, task.design, task.seed)
        groups.setdefault((*names, task.fingerprint, task.learner_key), []).append(record)
    return [
        {
            "dataset": dataset,
            "learner": learner,
            "design": design,
            "seed": seed,
            "runs": len(members),
            **_totals(members),
            "fingerprint": fingerprint,
            "learner_key": key,
        }
        for (dataset, learner, design, seed, fingerprint, key), members in groups.items()
    ]


def group_parts(records: Sequence[PartRecord]) -> list[dict[str, Any]]:
    """Return one entry per study and per reproduction."""
    groups: dict[tuple[str, str], list[PartRecord]] = {}
    for record in records:
        groups.setdefault((record.part.kind, record.part.name), []).append(record)
    return [
        {"kind": kind, "name": name, "parts": len(members), **_totals(members)}
        for (kind, name), members in groups.items()
    ]


def _totals(members: Sequence[Record] | Sequence[PartRecord]) -> dict[str, Any]:
    return {
        "bytes": sum(record.size for record in members),
        "first_saved": _moment(min(record.saved for record in members)),
        "last_saved": _moment(max(record.saved for record in members)),
    }


def make_groups_visible(groups: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Write out control characters: the store may be somebody else's."""
    visible: list[dict[str, Any]] = make_all_visible(list(groups))
    return visible


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).isoformat(timespec="seconds")


def format_bytes(number: float) -> str:
    """Return a size in the unit that fits it."""
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"
