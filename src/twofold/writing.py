"""Write files whole or not at all; what goes wrong becomes an error of two lines."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path

from twofold.errors import InputError


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write a file. What was there before stays until all of the new content is on the disk.

    Parameters
    ----------
    path : path
        An existing file is replaced; a device or a pipe is written to as it is.
    content : str or bytes
        Text is written as UTF-8.
    """
    target = Path(path)
    body = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise IsADirectoryError(0, "it is a folder")
            target.write_bytes(body)
        else:
            _replace(Path(os.path.realpath(target)), body)
    except OSError as error:
        raise InputError(
            f"{str(target)!r} cannot be written: {error.strerror or error}.",
            "Make space or choose another place; what was there before is unchanged.",
        ) from None
    return target


def _replace(file: Path, body: bytes) -> None:
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        part.write_bytes(body)
        if file.exists():
            shutil.copymode(file, part)
        os.replace(part, file)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
