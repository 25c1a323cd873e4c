"""The tables at hand, in memory: files named at the start, examples, and what was uploaded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from twofold.errors import InputError
from twofold.page.page_limits import LONGEST_NAME, MOST_KEPT
from twofold.provenance_record import digest_bytes

Origin = Literal["given", "uploaded", "example"]

_TIME = re.compile(r"_(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d[.\d]*)\.jsonl?$")
_UNSAFE = re.compile(r"[^\w .()+@=,-]|\s+")


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A file in memory.

    ``key`` is a digest of name and content: the same file has the same address again, also after a
    restart. ``name`` is safe as a file name; ``path`` is what a command line calls the file.
    """

    key: str
    name: str
    content: bytes
    path: str
    origin: Origin = "uploaded"


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
        kept = self._tables.pop(key, None)  # it is the newest now
        table = kept or KeptTable(key, safe, content, path or safe, origin)
        self._tables[key] = table
        self._make_room()
        return table

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
        size = sum(len(table.content) for table in uploaded)
        for table in uploaded[:-1]:
            if size <= self._most:
                break
            size -= len(table.content)
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


def name_apart(tables: Iterable[KeptTable]) -> list[str]:
    """Return names under which several tables can stand in one folder.

    lm-eval keeps each model in a folder, which a browser does not tell: there a model is known by
    the time in the names of its files, so that files of several models are not taken for one.
    """
    names: list[str] = []
    for table in tables:
        time = _TIME.search(table.name)
        place = f"{time[1]}/{table.name}" if time else table.name
        stem, dot, suffix = place.partition(".")
        name, number = place, 1
        while name in names:
            number += 1
            name = f"{stem}-{number}{dot}{suffix}"
        names.append(name)
    return names
