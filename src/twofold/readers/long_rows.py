"""The one table that all readers fill: a row for each score, with the columns that a format has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from twofold.errors import InputError
from twofold.result import Note
from twofold.tables import RawTable

COLUMNS = (
    "dataset", "learner", "run", "fold", "item", "item_hash", "cluster", "sample", "n_train",
    "n_test", "metric", "value",
)  # fmt: skip
"""The columns of a long table, in order."""


class LongRows:
    """Rows of scores; cells that are not given are missing.

    ``extra`` names further columns, as those that the caller says hold clusters.
    """

    def __init__(self, extra: Iterable[str] = ()) -> None:
        self._columns: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, *extra)}

    def __len__(self) -> int:
        return len(self._columns["value"])

    def add(self, **cells: Any) -> None:
        """Add a row."""
        for name, column in self._columns.items():
            column.append(cells.get(name))

    def refuse_doubles(self, remedy: str) -> None:
        """Refuse two scores of one learner by one metric in the same place."""
        names = [name for name in self._columns if name not in ("value", "n_train", "n_test")]
        seen: set[tuple[Any, ...]] = set()
        for key in zip(*(self._columns[name] for name in names), strict=True):
            if key in seen:
                cells = dict(zip(names, key, strict=True))
                place = "" if cells["dataset"] is None else f" on {cells['dataset']!r}"
                raise InputError(
                    f"{cells['learner']!r} has several scores{place}; nothing tells them apart.",
                    remedy,
                )
            seen.add(key)

    def build(
        self, kind: str, notes: Iterable[Note] = (), directions: Mapping[str, bool] | None = None
    ) -> RawTable:
        """Return the table, without columns that hold nothing.

        ``kind`` says in words what was read; ``directions`` whether higher is better, by metric.
        """
        columns = {
            name: cells
            for name, cells in self._columns.items()
            if name == "value" or any(cell is not None for cell in cells)
        }
        return RawTable(dict(columns), tuple(notes), kind=kind, directions=directions or {})
