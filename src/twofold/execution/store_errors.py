"""What databases complain about, in two lines."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twofold.errors import InputError

REASSURANCE = "What was finished before is kept."

LITTLE = 100_000
"""Bytes below which a disk is called full."""

# Words in a driver's message, the rule, the remedy; the first that fits is used.
_EXPLANATIONS = [
    (
        ("database is locked", "database table is locked", "lock wait timeout"),
        "Another process holds the store {where} for too long.",
        f"Wait for it, or use another store: --store FILE. {REASSURANCE}",
    ),
    (
        ("not a database", "malformed", "disk image", "file is encrypted"),
        "{where} is damaged, or is not a store.",
        "Move it away and run again: a new one is made. `twofold store check` looks at it.",
    ),
    (
        ("readonly", "read-only", "permission denied"),
        "The store {where} cannot be written to.",
        f"Change its permissions, or use another: --store FILE. {REASSURANCE}",
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
        "Check that its folder exists and that you may write there.",
    ),
]


@contextlib.contextmanager
def explain_errors(where: str) -> Iterator[None]:
    """Turn errors of a database into errors for people; clashes of keys go to the caller."""
    from sqlalchemy.exc import IntegrityError, SQLAlchemyError

    try:
        yield
    except IntegrityError:
        raise
    except SQLAlchemyError as error:
        raise explain_error(getattr(error, "orig", None) or error, where) from None
    except OSError as error:
        raise explain_error(error, where) from None
    except Exception as error:
        # Outside of statements the driver's own errors come through as they are.
        if type(error).__module__.partition(".")[0] not in ("sqlite3", "psycopg", "pymysql"):
            raise
        raise explain_error(error, where) from None


def _full(where: str) -> bool:
    """Tell whether the disk is as good as full: SQLite may call that an error of the disk."""
    with contextlib.suppress(OSError, ValueError):
        return shutil.disk_usage(Path(where).expanduser().parent).free < LITTLE
    return False


def explain_error(error: Any, where: str) -> InputError:
    """Return the two lines for an error of a database."""
    words = " ".join(str(error).split()) or type(error).__name__
    if "disk i/o error" in words.lower() and _full(where):
        words = "no space left"
    for marks, rule, remedy in _EXPLANATIONS:
        if any(mark in words.lower() for mark in marks):
            return InputError(rule.format(where=repr(where)), remedy)
    short = words if len(words) < 200 else words[:197] + "…"
    return InputError(
        f"The store {where!r} cannot be used: {short}",
        f"Check the URL and the database, or use a file: --store FILE. {REASSURANCE}",
    )
