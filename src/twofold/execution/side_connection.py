"""A connection beside the store's own, for what is of use only while processes live."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from twofold.execution.store_errors import explain_errors

DATABASES = ("sqlite", "postgresql")
"""Databases in which processes can leave word for each other."""

TURN = 8_151_904_523
"""Number of PostgreSQL's lock by which processes write such things one after another."""


class SideConnection:
    """Transactions that do not wait for the disk; the connection is made for the first of them.

    Parameters
    ----------
    connect : function
        Returns a connection of SQLAlchemy.
    where : str
        The store, for errors.
    """

    def __init__(self, connect: Callable[[], Any], where: str) -> None:
        self._connect, self._where = connect, where
        self._connection: Any = None

    @contextmanager
    def begin(self) -> Iterator[Any]:
        """Run a transaction that writes: all of it happens, or nothing."""
        with explain_errors(self._where):
            if self._connection is None:
                self._connection = self._connect().execution_options(twofold_writes=True)
                if self._connection.dialect.name == "sqlite":
                    # Without waiting for the disk: this is worth nothing once the power is off.
                    # Those who save see to what has to reach it.
                    raw = self._connection.connection
                    raw.execute("PRAGMA synchronous = NORMAL")
                    raw.execute("PRAGMA wal_autocheckpoint = 0")
            try:
                with self._connection.begin():
                    if self._connection.dialect.name == "postgresql":
                        # Dropping and claiming in one transaction, two would wait for each other.
                        self._connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({TURN})")
                    yield self._connection
            except BaseException:
                self.close()
                raise

    def close(self) -> None:
        """Let go of the connection; the next transaction makes another."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):  # it may be broken already
                connection.invalidate()  # nobody else wants one that does not wait for the disk
                connection.close()
