"""Write files whole or not at all; what goes wrong becomes an error of two lines.

A new file is written beside the old one, under a name that nobody can guess and that only its
owner may read, and takes the old one's place when all of it is on the disk. The name says which
process writes: what a killed one left behind is removed when the next file is written there.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.escapes import escape_cell
from twofold.processes import describe_machine, describe_process, is_alive

_PART = re.compile(
    r"\.twofold-(?P<machine>[0-9a-f]{8})-(?P<process>[0-9]+-[0-9]*)-[0-9a-f]{16}\.part"
)


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write a file. What was there before stays until all of the new content is on the disk.

    Parameters
    ----------
    path : path
        An existing file is replaced and keeps its permissions; a link stays, and the file it leads
        to is replaced; a device or a pipe is written to as it is.
    content : str or bytes
        Text is written as UTF-8, halves of characters as question marks.
    """
    target = Path(path)
    body = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with _refusing(target):
        mode = _find_mode(target)
        if stat.S_ISREG(mode):
            _replace(Path(os.path.realpath(target)), body, mode & 0o777)
        else:
            target.write_bytes(body)
    return target


def format_delimited(rows: Iterable[Sequence[Any]], delimiter: str = ",") -> str:
    """Return rows as CSV; None is an empty cell, and no text is a formula for a spreadsheet."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    for row in rows:
        writer.writerow([escape_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return stream.getvalue()


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuse a file that cannot be written, before the work is done whose result goes there.

    A little is written beside it and taken away again: that tells more than permissions do.
    """
    target = Path(path)
    with _refusing(target):
        mode = _find_mode(target)
        file = Path(os.path.realpath(target))
        if not stat.S_ISREG(mode):
            if not os.access(target, os.W_OK):
                raise PermissionError(0, "permission denied")
            return
        part, handle = _open_part(file)
        try:
            os.write(handle, bytes(4096))
        finally:
            os.close(handle)
            part.unlink()


@contextlib.contextmanager
def _refusing(target: Path) -> Iterator[None]:
    """Raise what the disk says as an error of two lines."""
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError as error:
        folder = Path(os.path.realpath(target)).parent
        raise InputError(f"There is no folder {str(folder)!r}.", "Make it first.") from error
    except (OSError, ValueError) as error:  # a name with a null byte is a wrong value
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise InputError(
            f"{str(target)!r} cannot be written: {reason}.",
            "Make space or choose another place; what was there before is unchanged.",
        ) from None


def _find_mode(target: Path) -> int:
    """Return type and permissions of what is there, or of a new file; a folder is refused."""
    try:
        mode = os.stat(target).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(0, "it is a folder")
        return mode
    except FileNotFoundError:
        mask = os.umask(0o077)  # it can be read only by setting it
        os.umask(mask)
        return stat.S_IFREG | (0o666 & ~mask)


def _replace(file: Path, body: bytes, mode: int) -> None:
    part, handle = _open_part(file)
    try:
        with open(handle, "wb") as stream:
            stream.write(body)
            stream.flush()
            os.fchmod(handle, mode)
            os.fsync(handle)
        os.replace(part, file)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def _open_part(file: Path) -> tuple[Path, int]:
    """Return the name of a new file beside another, and its handle."""
    _remove_remains(file.parent)
    writer = f"{describe_machine()}-{describe_process(os.getpid())}"
    part = file.with_name(f".twofold-{writer}-{secrets.token_hex(8)}.part")
    # O_EXCL neither opens what is there nor follows a link.
    return part, os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)


def _remove_remains(folder: Path) -> None:
    """Remove what writers on this machine left behind that are no longer alive."""
    for name in os.listdir(folder):
        part = _PART.fullmatch(name)
        if part and part["machine"] == describe_machine() and not is_alive(part["process"]):
            with contextlib.suppress(OSError):
                (folder / name).unlink()
