"""What only SQLite needs: how to wait for each other, and how to look for damage."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from twofold.errors import InputError

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
        # A file that someone else made runs no code of theirs, and may hold any bytes as text.
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
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
    import sqlite3

    try:
        if connection.execute("PRAGMA journal_mode").fetchone()[0] not in ("wal", "memory"):
            connection.execute("PRAGMA journal_mode = WAL")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_READONLY:
            raise


def prepare_file(url: Any) -> Any:
    """Make a missing file, for its owner alone; return the URL by which to open it.

    A file that cannot be written to is opened for reading. Its log cannot be made then: without
    one, the file has everything.
    """
    if (
        url.get_backend_name() != "sqlite"
        or not url.database
        or url.database.startswith(("file:", ":memory:"))
    ):
        return url
    file = Path(url.database).absolute()
    if file.exists() and not file.is_file():
        raise InputError(
            f"The store {str(file)!r} is not a file.",
            "Name one, such as runs.sqlite: `store=FILE`, or TWOFOLD_STORE=FILE.",
        )
    with contextlib.suppress(OSError):
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    if not _may(file, os.R_OK) or (_may(file, os.W_OK) and _may(file.parent, os.W_OK)):
        return url.set(database=str(file))
    log = Path(f"{file}-wal")
    options = {"mode": "ro", "uri": "true"}
    if not log.exists() or not log.stat().st_size:
        options["immutable"] = "1"
    return url.set(database=file.as_uri(), query=options)


def identify_file(url: Any) -> tuple[int, int] | None:
    """Return what a file keeps when it is renamed, and another in its place has not."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    try:
        status = os.stat(url.database)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _may(file: Path, mode: int) -> bool:
    """Tell whether this process may read or write."""
    return os.access(file, mode, effective_ids=os.access in os.supports_effective_ids)


def is_plain(connection: Any, tables: Mapping[str, Any]) -> bool:
    """Tell whether the tables that are there have their columns, and nothing that runs by itself.

    A view or a trigger in a file that someone else made could do anything that SQL can do.
    """
    query = "SELECT type, tbl_name, sql FROM sqlite_master"
    for kind, name, text in connection.exec_driver_sql(query).all():
        table = tables.get(str(name).lower())
        if table is None or kind == "index":
            continue
        if kind != "table" or str(text).lower().startswith("create virtual"):
            return False
        columns = connection.exec_driver_sql(f"PRAGMA table_xinfo({table.name})").all()
        if any(hidden for *_, hidden in columns):
            return False  # computed when it is read
        if not {column.name for column in table.columns} <= {column[1] for column in columns}:
            return False
    return True


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
