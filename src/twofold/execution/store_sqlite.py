"""What only SQLite needs: how to wait for each other, and how to look for damage."""

from __future__ import annotations

import contextlib
import time
from typing import Any

WAIT_SECONDS = 60


def arrange(engine: Any, *, wait: float = WAIT_SECONDS) -> None:
    """Let several processes use one file: readers beside a writer, writers one after another."""
    from sqlalchemy import event

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _: Any) -> None:
        # Transactions are begun by us, below; the driver would begin them too late.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout = {int(wait * 1000)}")
        _keep_a_log(connection, wait)
        connection.execute("PRAGMA synchronous = NORMAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        # A writer takes its turn at once: a reader that becomes a writer could not wait.
        writes = connection.get_execution_options().get("twofold_writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _keep_a_log(connection: Any, wait: float) -> None:
    """Switch to a write-ahead log; the switch itself does not wait for others."""
    import sqlite3

    deadline = time.monotonic() + wait
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] not in ("wal", "memory"):
                connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


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
