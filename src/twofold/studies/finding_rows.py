"""What the rows of all kinds of findings share: one is looked up, and all are written as CSV."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from twofold.errors import InputError
from twofold.studies.measures import Estimate
from twofold.writing import format_delimited


def find_row(rows: Sequence[Any], test: str, fixed: Mapping[str, Any], more: str) -> Any:
    """Return the one row of a test with these attributes; ``more`` says what else to name."""
    matches = [
        row
        for row in rows
        if test in (row.test, row.experiment)
        and all(getattr(row, name) == value for name, value in fixed.items())
    ]
    if len(matches) != 1:
        raise InputError(
            f"{len(matches)} rows are of {test!r} with {fixed or 'any design and level'}.",
            f"Say also {more}; `.rows` holds them all.",
        )
    return matches[0]


def format_rows(rows: Sequence[Any], names: Sequence[str], estimates: Collection[str]) -> str:
    """Return a line for each row; estimates take three columns: value, low and high.

    What a row does not have is left empty. One that has a plain number where others have an
    estimate has it in the first of the three.
    """
    head: list[Any] = []
    for name in names:
        head += [name, f"{name}_low", f"{name}_high"] if name in estimates else [name]
    table = [head]
    for row in rows:
        cells: list[Any] = []
        for name in names:
            value = getattr(row, name, None)
            if isinstance(value, Estimate):
                cells += [value.value, value.low, value.high]
            else:
                cells += [value, None, None] if name in estimates else [value]
        table.append(cells)
    return format_delimited(table)
