"""Members of a zip file, read one at a time into memory: nothing is written anywhere.

A member's name is only compared, never used as a path. What would unpack to too much is refused
by the size that the archive declares, and by the size that it has.
"""

from __future__ import annotations

import importlib
import struct
import zipfile
import zlib
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from twofold.errors import InputError
from twofold.extras import require
from twofold.tables.decode import no_file_error
from twofold.tables.table_limits import CHUNK, read_up_to

ZSTD = 93
"""The number of Zstandard among the methods of compression of zip files."""

MOST_MEMBER_BYTES = 200_000_000
"""Bytes that one member may unpack to."""

MOST_MEMBERS = 1_000_000


class ZipMembers:
    """A zip file, open for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._archive = zipfile.ZipFile(path)
        except FileNotFoundError:
            raise no_file_error(str(path)) from None
        except (zipfile.BadZipFile, OSError, ValueError, struct.error) as error:
            raise self._describe_damage(error) from None
        self._members: dict[str, zipfile.ZipInfo] = {}
        if len(self._archive.infolist()) > MOST_MEMBERS:
            raise InputError(
                f"{str(path)!r} has {len(self._archive.infolist()):,} members.",
                f"At most {MOST_MEMBERS:,} are read.",
            )
        self._doubled: set[str] = set()
        for member in self._archive.infolist():
            if member.filename in self._members:
                self._doubled.add(member.filename)
            self._members[member.filename] = member

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._archive.close()

    @property
    def names(self) -> list[str]:
        """The names of all members."""
        return list(self._members)

    def read(self, name: str) -> bytes:
        """Return what a member holds."""
        member = self._members[name]
        if name in self._doubled:
            raise self._describe_damage(f"it holds {name!r} twice")
        if member.file_size > MOST_MEMBER_BYTES:
            raise self._refuse_large(name)
        try:
            content = self._unpack(member)
        except InputError:
            raise
        except (zipfile.BadZipFile, OSError, EOFError, zlib.error, ValueError, struct.error,
                RuntimeError, NotImplementedError) as error:  # fmt: skip
            raise self._describe_damage(error) from None
        if zlib.crc32(content) != member.CRC:
            raise self._describe_damage(f"the checksum of {name!r} is wrong")
        return content

    def _unpack(self, member: zipfile.ZipInfo) -> bytes:
        if member.compress_type != ZSTD or _reads_zstd():
            with self._archive.open(member) as file:
                return self._read_some(file, member.filename)
        zstd = _load_zstd(str(self.path))
        with open(self.path, "rb") as file:
            file.seek(member.header_offset)
            header = file.read(30)
            if header[:4] != b"PK\x03\x04":
                raise zipfile.BadZipFile("a member is not where it should be")
            name_length, extra_length = struct.unpack("<HH", header[26:30])
            file.seek(name_length + extra_length, 1)
            packed = file.read(min(member.compress_size, MOST_MEMBER_BYTES + 1))
        parts, size = [], 0
        decompressor = zstd.ZstdDecompressor()
        while True:
            try:
                part = decompressor.decompress(packed, CHUNK)
            except zstd.ZstdError as error:
                raise zipfile.BadZipFile(str(error)) from None
            packed = b""
            size += len(part)
            parts.append(part)
            if size > MOST_MEMBER_BYTES:
                raise self._refuse_large(member.filename)
            if decompressor.eof:
                return b"".join(parts)
            if decompressor.needs_input:
                raise zipfile.BadZipFile("a member ends too early")

    def _read_some(self, file: Any, name: str) -> bytes:
        return read_up_to(file, f"{self.path}, {name}", "unpacks to", MOST_MEMBER_BYTES)

    def _refuse_large(self, name: str) -> InputError:
        return InputError(
            f"{str(self.path)!r}: {name!r} unpacks to more than {MOST_MEMBER_BYTES:,} bytes.",
            "Compare fewer items at a time.",
        )

    def _describe_damage(self, error: object) -> InputError:
        return InputError(
            f"{str(self.path)!r} is no complete zip file: {str(error).rstrip('.')}.",
            "Copy or write it anew, or leave it out.",
        )


def _reads_zstd() -> bool:
    """Tell whether Python's own zip files know Zstandard."""
    return hasattr(zipfile, "ZIP_ZSTANDARD")


def _load_zstd(where: str) -> Any:
    """Return Python's module for Zstandard, which is there from 3.14 on, or the one for others."""
    purpose = f"Reading {where!r}, which is packed by Zstandard,"
    require("inspect", purpose, "backports.zstd")
    return importlib.import_module("backports.zstd")
