"""What databases complain about, in two lines."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twofold.errors import InputError, StoreUnavailable, first_line

REASSURANCE = "What was finished before is kept."

LITTLE = 100_000
"""Bytes below which a disk is called full."""

_HELD = (
    "Another process holds the store {where} for too long.",
    f"Wait for it, or use another store: `store=FILE`. {REASSURANCE}",
)
_SILENT = (
    "The store {where} does not answer: {words}.",
    f"Check the database, and run again. {REASSURANCE}",
)

_SQLITE_HELD = (5, 6, 15)
"""SQLite's codes for a database and a table that are locked, and for a race for locks."""

_HELD_STATES = ("40001", "40P01", "55P03")
"""SQL states of transactions that got in each other's way, and of a lock that took too long."""

_SILENT_STATES = ("08", "57P01", "57P02", "57P03", "57P05", "53300", "25P03")
"""Beginnings of SQL states of lost connections, and of servers that stop, start or are full."""

_HELD_WORDS = ("lock wait timeout", "deadlock found")
_SILENT_WORDS = (
    "system is starting up",
    "system is shutting down",
    "in recovery mode",
    "not yet accepting connections",
    "too many clients",
    "too many connections",
    "connection slots are reserved",
)

# Words in a driver's message, the rule, the remedy; the first that fits is used.
_EXPLANATIONS = [
    (
        ("not a database", "malformed", "disk image", "file is encrypted"),
        "{where} is damaged, or is not a store.",
        "Move it away and run again: a new one is made.",
    ),
    (
        ("readonly", "read-only", "permission denied"),
        "The store {where} cannot be written to.",
        f"Change its permissions, or use another: `store=FILE`. {REASSURANCE}",
    ),
    (
        ("disk is full", "no space left", "disk full"),
        "There is no space left for the store {where}.",
        f"Make space and run again. {REASSURANCE}",
    ),
    (
        ("disk i/o error",),
        "The disk reports an error at the store {where}.",
        f"Check the disk, then the store: twofold store check. {REASSURANCE}",
    ),
    (
        ("unable to open database file",),
        "The store {where} cannot be opened.",
        "Check that its folder exists and that you may write there, or name another file: "
        "`store=FILE`, or TWOFOLD_STORE=FILE; :memory: keeps nothing.",
    ),
]


@contextlib.contextmanager
def explain_errors(where: str, *, opened: bool = True) -> Iterator[None]:
    """Turn errors of a database into errors for people; clashes of keys go to the caller.

    A server that cannot be reached is worth waiting for only where it was ``opened`` before:
    otherwise it is more likely that its URL is wrong.
    """
    from sqlalchemy.exc import IntegrityError, SQLAlchemyError

    try:
        yield
    except IntegrityError:
        raise
    except (SQLAlchemyError, OSError) as error:
        raise explain_error(error, where, opened=opened) from None
    except UnicodeDecodeError:
        # SQLite's message about a damaged file repeats what is damaged.
        raise explain_error("not a database", where) from None
    except Exception as error:
        # Outside of statements the driver's own errors come through as they are.
        if type(error).__module__.partition(".")[0] not in ("sqlite3", "psycopg", "pymysql"):
            raise
        raise explain_error(error, where, opened=opened) from None


def _full(where: str) -> bool:
    """Tell whether the disk is as good as full: SQLite may call that an error of the disk."""
    with contextlib.suppress(OSError, ValueError):
        return shutil.disk_usage(Path(where).expanduser().parent).free < LITTLE
    return False


def explain_error(error: Any, where: str, *, opened: bool = True) -> InputError:
    """Return the two lines for an error of a database."""
    cause = getattr(error, "orig", None) or error
    words = first_line(str(cause)) or type(cause).__name__
    transient = _HELD if _is_held(cause) else _SILENT if _is_silent(error, opened) else None
    if transient is not None:
        rule, remedy = transient
        return StoreUnavailable(rule.format(where=repr(where), words=words), remedy)
    lower = " ".join(str(cause).lower().split())
    if "disk i/o error" in lower and _full(where):
        lower = "no space left"
    for marks, rule, remedy in _EXPLANATIONS:
        if any(mark in lower for mark in marks):
            return InputError(rule.format(where=repr(where)), remedy)
    return InputError(
        f"The store {where!r} cannot be used: {words}.",
        f"Check the URL and the database, or use a file: `store=FILE`. {REASSURANCE}",
    )


def _is_held(cause: Any) -> bool:
    """Tell whether someone else is in the way."""
    return (
        getattr(cause, "sqlite_errorcode", 0) & 0xFF in _SQLITE_HELD
        or getattr(cause, "sqlstate", None) in _HELD_STATES
        or any(words in str(cause).lower() for words in _HELD_WORDS)
    )


def _is_silent(error: Any, opened: bool) -> bool:
    """Tell whether a server was lost, or says that it will answer later."""
    from sqlalchemy.exc import OperationalError

    cause = getattr(error, "orig", None) or error
    if type(cause).__module__.startswith("sqlite3"):
        return False
    # Without a statement it was the connection that failed, or its last word.
    lost = isinstance(error, OperationalError) and error.statement is None
    return (
        getattr(error, "connection_invalidated", False)
        or str(getattr(cause, "sqlstate", None)).startswith(_SILENT_STATES)
        or any(words in str(cause).lower() for words in _SILENT_WORDS)
        or (opened and lost)
    )
