"""A table as it was read: named columns and the origin of each row, before its form is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from twofold.errors import InputError
from twofold.result import Note, join_first

Columns = dict[str, Sequence[Any]]


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns by name, and where each row comes from.

    ``lines`` are the lines of the rows in their file, ``rows`` their names where they have any.
    ``kind`` says in words what the table was, where that is more than wide or long; ``counted``
    that a library numbered the columns, for want of names; ``directions`` whether higher is better,
    of metrics for which the source says so; ``metric`` what the scores measure, where names around
    them say it, and ``metric_from`` which names do.
    """

    columns: Columns
    notes: tuple[Note, ...] = ()
    lines: Sequence[int] | None = None
    rows: Sequence[str] | None = None
    kind: str = ""
    counted: bool = False
    directions: Mapping[str, bool] = field(default_factory=dict)
    metric: str = ""
    metric_from: str = ""

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.columns.values()), ()))

    def locate(self, row: int) -> str:
        """Say where a row comes from, for an error."""
        if self.rows is not None:
            return f"row {self.rows[row]!r}"
        return f"row {row + 1}" if self.lines is None else f"line {self.lines[row]}"


def refuse_duplicates(names: Iterable[str]) -> None:
    """Refuse two columns with one name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(f"Two columns are called {name!r}.", "Give each column its own name.")
        seen.add(name)


def list_names(names: Iterable[str], most: int = 6) -> str:
    """Name the first few, and say how many more there are."""
    every = [repr(name) if name else "a column without a name" for name in names]
    return join_first(every, most)
