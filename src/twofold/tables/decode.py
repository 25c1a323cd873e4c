"""From bytes to text, or to two lines that say why not."""

from __future__ import annotations

import codecs
import difflib
import gzip
import io
import re
import zlib
from collections.abc import Sequence
from pathlib import Path

from twofold.errors import InputError
from twofold.provenance_record import record_input
from twofold.result import Note
from twofold.tables.table_limits import read_up_to

GZIP = b"\x1f\x8b"
"""The first two bytes of every gzip file."""

# Tabs, line ends, form feeds and the end-of-file mark of old systems are found in honest text.
_CONTROL = re.compile("[\x00-\x08\x0b\x0e-\x19\x1b-\x1f]")
_WINDOWS = re.compile(b"[\x80-\x9f]")
"""Bytes that are letters and quotes in Windows-1252, and nothing in Latin-1."""


def read_bytes(path: Path) -> bytes:
    """Return the bytes of a file."""
    try:
        with open(path, "rb") as file:
            content = read_up_to(file, str(path))
    except InputError:
        raise
    except (FileNotFoundError, ValueError):  # a name with a null byte is no file's
        raise no_file_error(str(path)) from None
    except IsADirectoryError:
        raise InputError(f"{str(path)!r} is a folder.", "Name a file in it.") from None
    except OSError as error:
        raise InputError(
            f"{str(path)!r} cannot be read: {error.strerror}.", "Check its permissions."
        ) from None
    record_input(path, content)
    return content


def read_text(path: Path, name: str) -> tuple[str, tuple[Note, ...]]:
    """Return the text of a file, unpacked where gzip packed it, and a note on its encoding."""
    return decode(unzip(read_bytes(path), name), name)


def without_gz(path: Path) -> Path:
    """Return the name that a file has when it is unpacked."""
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


def unzip(data: bytes, name: str) -> bytes:
    """Unpack bytes that gzip packed; others stay as they are."""
    if not data.startswith(GZIP):
        return data
    try:
        with gzip.open(io.BytesIO(data)) as file:
            return read_up_to(file, name, "unpacks to")  # type: ignore[arg-type]
    except (OSError, EOFError, zlib.error):
        raise InputError(f"{name!r} is a damaged gzip file.", "Write it anew.") from None


def decode(
    data: bytes, name: str, *, code: str = "encoding-guessed"
) -> tuple[str, tuple[Note, ...]]:
    """Return the text in some bytes, with one kind of line ends, and a note on a guessed encoding.

    A byte order mark tells UTF-8 and UTF-16; without one it is UTF-8, or else Latin-1.
    """
    notes: tuple[Note, ...] = ()
    try:
        if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            text = data.decode("utf-16").replace("\ufeff", "\0")
        else:
            text, encoding = _decode_bytes(data)
            if encoding != "UTF-8":
                detail = f"{name} is not in UTF-8; it was read as {encoding}. Check its accents."
                notes = (Note(code, "Not in UTF-8", detail, "warning"),)
    except UnicodeDecodeError:
        text = "\0"
    if _CONTROL.search(text):
        raise InputError(
            f"{name} is not a text file.",
            "Pass a table of text, or a file whose suffix says what else it is.",
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\x1a")
    if not text or text.isspace():
        raise InputError(f"{name} is empty.", "It needs a header and at least one row.")
    return text, notes


def _decode_bytes(data: bytes) -> tuple[str, str]:
    try:
        return data.decode("utf-8-sig"), "UTF-8"
    except UnicodeDecodeError:
        pass
    if _WINDOWS.search(data):
        try:
            return data.decode("cp1252"), "Windows-1252"
        except UnicodeDecodeError:
            pass
    return data.decode("latin-1"), "Latin-1"


def no_file_error(name: str, *, names: Sequence[str] = ()) -> InputError:
    """Return the error for a file that is not there, with the name that was probably meant."""
    path = Path(name)
    try:
        neighbours = sorted(file.name for file in path.parent.iterdir())
    except (OSError, ValueError):
        neighbours = []
    close = difflib.get_close_matches(path.name, neighbours, n=1)
    if close:
        return InputError(
            f"There is no file {name!r}.", f"Did you mean {str(path.parent / close[0])!r}?"
        )
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return InputError(f"There is no data set {name!r}.", f"Did you mean {close[0]!r}?")
    if names:
        return InputError(
            f"There is no file or known data set {name!r}.",
            f"Pass a path, or one of {', '.join(names[:6])}; `twofold data` lists more.",
        )
    return InputError(f"There is no file {name!r}.", "Check the name and the folder.")
