"""Two long tables one below the other, so that both are read alike: runs, folds, items, metrics."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from twofold.errors import InputError
from twofold.scores.name_hints import find_roles
from twofold.tables import RawTable


def list_learners(raw: RawTable) -> list[str]:
    """Return the learners that a long table names."""
    column = raw.columns[find_roles(raw.columns)["learner"]]
    return list(dict.fromkeys(str(cell).strip() for cell in column))


def keep_learner(raw: RawTable, learner: str, name: str) -> RawTable:
    """Return the rows of one learner of a long table, under another name."""
    column = find_roles(raw.columns)["learner"]
    cells = raw.columns[column]
    rows = [i for i, cell in enumerate(cells) if str(cell).strip() == learner]
    columns: dict[str, Any] = {
        other: [values[i] for i in rows] for other, values in raw.columns.items()
    }
    columns[column] = [name] * len(rows)
    where = [raw.locate(i) for i in rows]
    return replace(raw, columns=columns, lines=None, rows=where)


def stack_tables(first: RawTable, second: RawTable) -> RawTable:
    """Return two long tables, each of one learner, as one; columns of one alone are left out."""
    roles = [find_roles(raw.columns) for raw in (first, second)]
    for role in dict.fromkeys([*roles[0], *roles[1]]):
        names = [found.get(role) for found in roles]
        if names[0] != names[1]:
            mine, theirs = (repr(name) if name else "none" for name in names)
            raise InputError(
                f"The tables differ in their column of the {role}: baseline {mine}, candidate "
                f"{theirs}.",
                "Give both tables the same columns.",
            )
    shared = [name for name in first.columns if name in second.columns]
    if "value" not in roles[0] and set(shared) <= set(roles[0].values()):
        mine, theirs = (
            ", ".join(repr(name) for name in raw.columns if name not in shared)
            for raw in (first, second)
        )
        raise InputError(
            f"The tables share no column of scores: baseline {mine}, candidate {theirs}.",
            "Give scores of one metric, in columns of one name.",
        )
    columns: Any = {name: [*first.columns[name], *second.columns[name]] for name in shared}
    where = [
        f"{side}, {raw.locate(i)}"
        for side, raw in (("baseline", first), ("candidate", second))
        for i in range(raw.size)
    ]
    notes = tuple(dict.fromkeys([*first.notes, *second.notes]))
    return replace(first, columns=columns, lines=None, rows=where, notes=notes)
