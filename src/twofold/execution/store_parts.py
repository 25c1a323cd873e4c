"""Parts of studies and reproductions in a database: arrays by key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from twofold.execution.packing import Arrays, pack_arrays, unpack_arrays
from twofold.execution.store import Part, PartRecord, sort_parts
from twofold.execution.store_tables import is_listed, raw_columns, select_data, tables, write_data
from twofold.execution.stored_values import StoredValues

Begin = Callable[[], AbstractContextManager[Any]]
Write = Callable[[Callable[[Any], None]], None]


class SqlArrays:
    """Arrays by key, in a table of a database.

    Parameters
    ----------
    begin : function
        Begins a transaction that reads.
    write : function
        Carries out a change in a transaction, again where another process was quicker.
    open_claims : function
        Returns what processes share their work by.
    there : bool
        Whether there is a table; an older store that can only be read has none.
    """

    def __init__(
        self, begin: Begin, write: Write, open_claims: Callable[[], Any], *, there: bool
    ) -> None:
        self._begin, self._write, self._there = begin, write, there
        self.open_claims = open_claims

    def get(self, keys: Sequence[str]) -> Mapping[str, Arrays]:
        """Return the arrays that are here. Damaged ones count as not here."""
        if not self._there:
            return {}
        with self._begin() as connection:
            packed = select_data(connection, tables().parts, keys)
        return StoredValues(packed, unpack_arrays)

    def put(self, items: Sequence[tuple[Part, Arrays]]) -> None:
        """Save arrays, all or none. Twice is no harm; others under the same key are replaced."""
        # In one order for all, so that two writers cannot wait for each other.
        rows = {
            part.key: {
                "kind": part.kind,
                "name": part.name,
                "data": pack_arrays(value, part.key, shrink=True),
            }
            for part, value in sorted(items, key=lambda item: item[0].key)
        }
        if rows:
            self._write(lambda connection: _write_rows(connection, rows))

    def parts(self) -> list[PartRecord]:
        """List what is here, by kind and name."""
        import sqlalchemy as sa

        if not self._there:
            return []
        columns = raw_columns(tables().parts, "id", "kind", "name", "saved", "size")
        with self._begin() as connection:
            rows = connection.execute(sa.select(*columns)).all()
        return sort_parts(
            PartRecord(Part(row.id, row.kind, row.name), float(row.saved), row.size)
            for row in rows
            if is_listed(row) and all(isinstance(text, str) for text in row[:3])
        )


def _write_rows(connection: Any, rows: dict[str, dict[str, Any]]) -> None:
    parts = tables().parts
    there = select_data(connection, parts, rows, lock=True)
    changed = {key: row for key, row in rows.items() if there.get(key) != row["data"]}
    write_data(connection, parts, changed, there)
