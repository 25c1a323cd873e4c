"""The tables at hand, in memory: files named at the start, examples, and what was uploaded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Literal

from twofold.errors import InputError
from twofold.page.page_limits import LONGEST_NAME, MOST_KEPT, MOST_LEVELS
from twofold.provenance_record import digest_bytes

Origin = Literal["given", "uploaded", "example"]
ORIGINS: tuple[Origin, ...] = ("given", "uploaded", "example")

_TIME = re.compile(r"_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[.\d]*)\.jsonl?$")
_UNSAFE = re.compile(r"[^\w .()+@=,-]|\s+")


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A file in memory, or a folder with its ``members``.

    ``key`` is a digest of name and content: the same file has the same address again, also after a
    restart. ``name`` is safe as a file name; ``path`` is what a command line calls the file.
    """

    key: str
    name: str
    content: bytes
    path: str
    origin: Origin = "uploaded"
    members: tuple[tuple[str, bytes], ...] = ()

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return len(self.content) + sum(len(content) for _, content in self.members)

    def list_files(self, name: str) -> list[tuple[str, bytes]]:
        """Return the files to write for it where it is called by a name."""
        if not self.members:
            return [(name, self.content)]
        return [(f"{name}/{member}", content) for member, content in self.members]


class TableGone(InputError):
    """An address names a table that is not in memory any more."""


class KeptTables:
    """Tables by key. Of those that were uploaded, the oldest make room for new ones."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._tables: dict[str, KeptTable] = {}
        self._most = most

    def add(
        self, name: str, content: bytes, origin: Origin = "uploaded", path: str | None = None
    ) -> KeptTable:
        """Keep a file, and return it."""
        safe = clean_name(name)
        kind = "example" if origin == "example" else ""
        key = digest_bytes(f"{kind}\0{safe}\0".encode() + content)[:12]
        return self._put(KeptTable(key, safe, content, path or safe, origin))

    def add_folder(
        self,
        name: str,
        files: Iterable[tuple[str, bytes]],
        origin: Origin = "uploaded",
        path: str | None = None,
    ) -> KeptTable:
        """Keep a folder, and return it; names of its files are relative to it."""
        safe = clean_name(name) if name.strip(" .-") else "folder"
        members = name_members(files)
        if not members:
            raise InputError(f"The folder {safe!r} is empty.", "Drop one that holds tables.")
        listed = "".join(f"{member}\0{digest_bytes(content)}\0" for member, content in members)
        key = digest_bytes(f"folder\0{safe}\0{listed}".encode())[:12]
        return self._put(KeptTable(key, safe, b"", path or safe, origin, tuple(members)))

    def _put(self, table: KeptTable) -> KeptTable:
        kept = self._tables.pop(table.key, table)
        self._tables[table.key] = kept  # it is the newest now
        self._make_room()
        return kept

    def find(self, keys: Iterable[str]) -> list[KeptTable]:
        """Return the tables of an address."""
        tables = [self._tables.get(key) for key in keys]
        if not tables or None in tables:
            raise TableGone(
                "This table is not here any more.",
                "Tables are forgotten when `twofold serve` ends. Drop the same file again: this "
                "address will then work as before.",
            )
        return [table for table in tables if table is not None]

    def list_tables(self, origin: Origin) -> list[KeptTable]:
        """Return the tables of an origin, those that came first at the beginning."""
        return [table for table in self._tables.values() if table.origin == origin]

    def _make_room(self) -> None:
        uploaded = self.list_tables("uploaded")
        size = sum(table.size for table in uploaded)
        for table in uploaded[:-1]:
            if size <= self._most:
                break
            size -= table.size
            del self._tables[table.key]


def clean_name(name: str) -> str:
    r"""Return a name for a file that is no path, no option and no surprise.

    >>> clean_name("..\\..\\etc/pass\u202ewd")
    'pass_wd'
    >>> clean_name("-rf.csv"), clean_name("..")
    ('rf.csv', 'table.csv')
    """
    base = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    safe = _UNSAFE.sub(lambda match: " " if match[0].isspace() else "_", base).strip(" .-")
    if len(safe) > LONGEST_NAME:
        stem, dot, suffix = safe.rpartition(".")
        end = f"{dot}{suffix}" if stem and len(suffix) < 12 else ""
        safe = safe[: LONGEST_NAME - len(end)].rstrip(" .") + end
    return safe or "table.csv"


def name_members(files: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    r"""Return the files of a folder by names that stay within it; what is hidden is left out.

    >>> name_members([("a/b.csv", b"1"), ("../../b.csv", b"2"), (".git/x", b"")])
    [('a/b.csv', b'1'), ('b.csv', b'2')]
    >>> name_members([("a/b.csv", b"1"), ("a\\b.csv", b"3")])
    [('a/b-2.csv', b'3'), ('a/b.csv', b'1')]
    """
    members: dict[str, bytes] = {}
    for name, content in files:
        parts = [part for part in re.split(r"[/\\]", name) if part.strip(" .")]
        if not parts or len(parts) > MOST_LEVELS or any(part[0] == "." for part in parts):
            continue
        path = make_unlike("/".join(map(clean_name, parts)), members)
        members[path] = content
    return sorted(members.items())


def make_unlike(path: str, others: Container[str]) -> str:
    """Return a path, or where it is among others already one with a number."""
    folder, slash, name = path.rpartition("/")
    stem, dot, suffix = name.partition(".")
    unlike, number = path, 1
    while unlike in others:
        number += 1
        unlike = f"{folder}{slash}{stem}-{number}{dot}{suffix}"
    return unlike


def name_apart(tables: Iterable[KeptTable]) -> list[str]:
    """Return names under which several tables can stand in one folder.

    lm-eval keeps each model in a folder, which a browser does not tell: there a model is known by
    the time in the names of its files, so that files of several models are not taken for one.
    """
    names: list[str] = []
    for table in tables:
        time = _TIME.search(table.name)
        place = f"{time[1]}/{table.name}" if time and not table.members else table.name
        names.append(make_unlike(place, names))
    return names
