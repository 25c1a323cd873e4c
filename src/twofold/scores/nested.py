"""Tables as nested lists and dicts, as JSON writes them: records, columns, index, split, values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twofold.errors import InputError
from twofold.result import Note, Severity
from twofold.scores.name_hints import find_roles
from twofold.scores.score_cells import mostly_numbers
from twofold.tables import RawTable, refuse_duplicates

NESTED = "scores by data set and learner"
"""What dicts of dicts are, in words."""


def from_records(records: Sequence[Mapping[Any, Any]], **facts: Any) -> RawTable:
    """Return the table of a list of records; what a record lacks is missing."""
    names = list(dict.fromkeys(str(name) for record in records for name in record))
    columns = {name: [record.get(name) for record in records] for name in names}
    return RawTable(dict(columns), **facts)


def from_rows(rows: Sequence[Sequence[Any]]) -> RawTable:
    """Return the table of a list of rows; a first row of words names the columns."""
    first = rows[0]
    if any(isinstance(cell, str) for cell in first) and len(rows) > 1:
        if any(len(row) != len(first) for row in rows):
            raise InputError("Rows must have the same length.", "Write None for a missing score.")
        names = [str(name).strip() for name in first]
        refuse_duplicates(names)
        return RawTable({name: [row[j] for row in rows[1:]] for j, name in enumerate(names)})
    if any(isinstance(cell, str) for row in rows for cell in row):
        raise InputError(
            "Rows with words need a first row that names the columns.",
            "Begin with a row of names, or use records: a dict for each row.",
        )
    if len({len(row) for row in rows}) > 1:
        raise InputError(
            "Rows of an array must hold numbers only, as many in each row.",
            "Use a dict of columns or a frame for names.",
        )
    return RawTable({f"learner {j + 1}": [row[j] for row in rows] for j in range(len(first))})


def is_split(table: Mapping[Any, Any]) -> bool:
    """Tell whether this is pandas' split form: columns, index and data apart."""
    return {"columns", "data"} <= set(table) <= {"columns", "index", "data", "index_names",
                                                 "column_names"}  # fmt: skip


def from_split(table: Mapping[str, Any]) -> RawTable:
    """Return the table of pandas' split form."""
    names, data = ([*table[part]] if isinstance(table[part], list | tuple) else []
                   for part in ("columns", "data"))  # fmt: skip
    names, index = [str(name) for name in names], table.get("index")
    fits = all(isinstance(row, list | tuple) and len(row) == len(names) for row in data)
    if not names or len(set(names)) < len(names) or not fits:
        raise InputError(
            "The parts of the table do not fit: each row needs one cell per column.",
            "Write it anew, for instance with frame.to_json(orient='records').",
        )
    columns = {name: [row[j] for row in data] for j, name in enumerate(names)}
    if index and any(isinstance(name, str) for name in index) and "dataset" not in columns:
        columns = {"dataset": list(index), **columns}
    return RawTable(dict(columns))


def is_described(table: Mapping[Any, Any]) -> bool:
    """Tell whether this is pandas' table form: a schema and the data."""
    return set(table) == {"schema", "data"} and isinstance(table["data"], Sequence)


def from_described(table: Mapping[str, Any]) -> RawTable:
    """Return the table of pandas' table form, without the index that only counts the rows."""
    records = list(table["data"])
    if not all(isinstance(record, Mapping) for record in records):
        raise InputError("The data of a table must be records.", "Write a list of records.")
    if all(record.get("index") == i for i, record in enumerate(records)):
        records = [{k: v for k, v in record.items() if k != "index"} for record in records]
    return from_records(records)


def from_dicts(table: Mapping[Any, Mapping[Any, Any]]) -> RawTable:
    """Return the table of a dict of dicts; say so where it could be read in two ways."""
    outer = [str(name) for name in table]
    inner = list(dict.fromkeys(str(name) for row in table.values() for name in row))
    if _counts(inner) or _names_columns(table, outer, inner):
        if _counts(inner) and not find_roles(outer) and len(outer) > len(inner) > 1:
            raise InputError(
                f"Are {outer[0]!r}, {outer[1]!r}, … learners, or data sets on which learners "
                f"{inner[0]!r} to {inner[-1]!r} were scored?",
                "Write records with names: dataset, learner, value.",
            )
        rows = {name: {str(k): v for k, v in cells.items()} for name, cells in table.items()}
        return RawTable({str(name): [cells.get(i) for i in inner] for name, cells in rows.items()})
    if _counts(outer):
        return from_records(list(table.values()))
    if "dataset" in inner:
        raise InputError(
            "'dataset' stands among the names of learners.",
            "Rename it; the outer names are those of the data sets.",
        )
    detail = (
        f"The outer names ({outer[0]}, …) were taken for data sets and the inner ones "
        f"({inner[0] if inner else ''}, …) for learners. If it is the other way round, say "
        "`transpose=True`."
    )
    # More learners than data sets would be unusual, and may mean that they are swapped.
    severity: Severity = "warning" if len(outer) < len(inner) else "info"
    note = Note("nested-names", "Which names are the data sets?", detail, severity)
    records = [{"dataset": name, **row} for name, row in table.items()]
    return from_records(records, notes=(note,), kind=NESTED)


def _names_columns(
    table: Mapping[Any, Mapping[Any, Any]], outer: list[str], inner: list[str]
) -> bool:
    """Tell whether the outer names are those of columns: one of them holds names."""
    if _counts(outer) or find_roles(inner):
        return False
    return any(
        str(name) in find_roles(outer).values() and not mostly_numbers(list(cells.values()))
        for name, cells in table.items()
    )


def _counts(names: Sequence[str]) -> bool:
    """Tell whether names only count: 0, 1, 2 …"""
    return bool(names) and list(names) == [str(i) for i in range(len(names))]
