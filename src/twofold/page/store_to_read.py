"""The store as the page opens it: to look at, and with little patience."""

from __future__ import annotations

from typing import Any

from twofold.execution.store import open_store
from twofold.extras import require

PATIENCE = 2.0
"""Seconds to wait for a store that is locked: somebody looks at the page meanwhile."""


def open_to_read(where: str) -> Any:
    """Open a store that is there, the usual one where none is named."""
    require("run", "Looking into the store", "sqlalchemy")
    return open_store(where or None, create=False, patience=PATIENCE)
