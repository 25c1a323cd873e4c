"""What a reader is: it tells a file of its format by how it begins, and reads several at once."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, runtime_checkable

from twofold.options import Reading
from twofold.tables import RawTable
from twofold.tables.decode import GZIP, without_gz

BEGINNING = 1 << 16
"""Bytes of a file that are looked at to tell its format, from its beginning and from its end."""


@dataclass(frozen=True)
class FileStart:
    """A file by its name and its first bytes, unpacked where gzip packed them."""

    path: Path
    head: bytes

    @cached_property
    def text(self) -> str:
        """The first bytes as text; those that are none become question marks."""
        return self.head.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")

    @property
    def line(self) -> str:
        """The first line."""
        return self.text.split("\n", 1)[0]

    @cached_property
    def end(self) -> str:
        """The last bytes as text; none where the file is packed."""
        if without_gz(self.path) != self.path:
            return ""
        with open(self.path, "rb") as file:
            file.seek(max(0, os.path.getsize(self.path) - BEGINNING))
            return file.read(BEGINNING).decode("utf-8", "replace")


class Reader(Protocol):
    """A format: a module, or any object with these names.

    One that heeds ``partial`` or ``impute`` of the options lists them as ``OPTIONS``; they are
    refused elsewhere.
    """

    TITLE: str
    """What a file of the format is called, in a sentence after "files of"."""

    def sniff(self, file: FileStart) -> bool:
        """Tell whether a file is of this format."""

    def read(self, files: Sequence[Path], options: Reading) -> RawTable:
        """Return one long table of all these files."""


@runtime_checkable
class Converter(Reader, Protocol):
    """A format that is a table: frames of it are known by the names of their columns."""

    def knows_columns(self, names: Collection[str]) -> bool:
        """Tell whether a table with these columns is of this format."""

    def convert(self, raw: RawTable, options: Reading) -> RawTable:
        """Return the long table of such a table."""


def open_start(path: Path) -> FileStart | None:
    """Return how a file begins; None where there is no such file, or it cannot be read."""
    try:
        if not path.is_file():
            return None
        with open(path, "rb") as file:
            head = file.read(BEGINNING)
        if head.startswith(GZIP):
            with gzip.open(path) as packed:
                head = packed.read(BEGINNING)
    except (OSError, ValueError, EOFError, zlib.error):
        return None
    return FileStart(path, head)
