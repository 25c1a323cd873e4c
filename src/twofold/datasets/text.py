"""From bytes on disk to text, or to two lines that say why not."""

from __future__ import annotations

import codecs
import difflib
import re
from collections.abc import Sequence
from pathlib import Path

from twofold.errors import InputError
from twofold.result import Note

# Tabs, line ends, form feeds and the end-of-file mark of old systems are found in honest text.
CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")


def read_text(path: Path) -> tuple[str, tuple[Note, ...]]:
    """Return the text of a file, line ends made alike, with a note if it is not in UTF-8."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise not_found(str(path)) from None
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder.", "Name a file in it.") from None
    except OSError as error:
        raise InputError(
            f"{str(path)!r} cannot be read: {error.strerror}.", "Check its permissions."
        ) from None
    notes: tuple[Note, ...] = ()
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = raw.decode("utf-16", errors="replace")
    elif CONTROL.search(raw):
        raise InputError(
            f"{str(path)!r} is not a text file.",
            "Pass CSV, TSV, ARFF, Orange .tab or Parquet, with the suffix that says which.",
        )
    else:
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
            detail = f"{path.name} is not in UTF-8; it was read as Latin-1."
            notes = (Note("encoding-guessed", "Encoding guessed", detail, "warning"),)
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\x1a")
    if not text.strip():
        raise InputError(f"{str(path)!r} is empty.", "It needs a header and rows.")
    return text, notes


def not_found(name: str, *, known: Sequence[str] = ()) -> InputError:
    """Return the error for a file that is not there, with the name that was probably meant."""
    path = Path(name)
    try:
        beside = sorted(entry.name for entry in path.parent.iterdir())
    except OSError:
        beside = []
    close = difflib.get_close_matches(path.name, beside, n=1)
    if close:
        return InputError(
            f"There is no file {name!r}.", f"Did you mean {str(path.parent / close[0])!r}?"
        )
    close = difflib.get_close_matches(name, known, n=1)
    if close:
        return InputError(f"There is no data set {name!r}.", f"Did you mean {close[0]!r}?")
    if known:
        some = ", ".join(known[:6])
        return InputError(
            f"There is no file or known data set {name!r}.",
            f"Pass a path, or one of {some}; `twofold data` lists more.",
        )
    return InputError(f"There is no file {name!r}.", "Check the name and the folder.")
