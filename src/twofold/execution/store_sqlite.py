"""What only SQLite needs: how to wait for each other, and how to look for damage."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

WAIT_SECONDS = 10
"""How long one attempt waits for other writers; `keep_trying` makes further attempts."""

STEP_SECONDS = 0.5
"""How long SQLite itself waits, during which no signal is heard."""


def arrange(engine: Any, *, wait: float = WAIT_SECONDS) -> None:
    """Let several processes use one file: readers beside a writer, writers one after another."""
    from sqlalchemy import event

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        # Transactions are begun by us, below; the driver would begin them too late.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {int(min(wait, STEP_SECONDS) * 1000)}")
        _wait_for_others(lambda: _keep_a_log(connection), wait)
        # A transaction is on the disk when it is over, not when the log is copied next.
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        # A writer takes its turn at once: a reader that becomes a writer could not wait.
        writes = connection.get_execution_options().get("twofold_writes")
        driver = connection.connection.driver_connection
        _wait_for_others(lambda: driver.execute("BEGIN IMMEDIATE" if writes else "BEGIN"), wait)


def _wait_for_others(call: Callable[[], object], wait: float) -> None:
    """Call a function again while another process is in the way; signals are heard in between."""
    import sqlite3

    deadline = time.monotonic() + wait
    while True:
        try:
            call()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _keep_a_log(connection: Any) -> None:
    """Switch to a write-ahead log; the switch itself does not wait for others."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] not in ("wal", "memory"):
        connection.execute("PRAGMA journal_mode = WAL")


def damage(connection: Any) -> list[str]:
    """Return what SQLite itself finds wrong with the file."""
    lines = [row[0] for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
    return [] if lines == ["ok"] else [" ".join(str(line).split()) for line in lines]


def compact(engine: Any) -> None:
    """Give the space of removed records back; another time, if someone else is at work."""
    from sqlalchemy.exc import OperationalError

    with contextlib.suppress(OperationalError):
        raw = engine.raw_connection()
        try:
            raw.execute("PRAGMA busy_timeout = 1000")
            raw.execute("VACUUM")
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except Exception:  # not worth an error: the records are gone, only their space is not
            return
        finally:
            raw.close()
