"""Arrays by key, one at a time; `twofold.execution.map_missing` is to be used instead."""

from __future__ import annotations

from typing import Any

from twofold.execution.packing import Arrays
from twofold.execution.store import Part, Store, open_store


class Kept:
    """Arrays by key."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> Arrays | None:
        """Return what was kept, None where nothing was."""
        return self._store.arrays.get([key]).get(key)

    def put(self, key: str, arrays: Arrays) -> None:
        """Keep arrays."""
        self._store.arrays.put([(Part(key, "reproduction", "parts"), arrays)])


def open_kept(where: Any) -> Kept:
    """Return where to keep arrays."""
    return Kept(open_store(where))
