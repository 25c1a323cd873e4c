"""The papers behind the tests, as references to print, to cite and to put into a .bib file.

The entries are data, in bibliography.toml beside this file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType

from twofold.errors import InputError

FIELDS = (
    *("journal", "booktitle", "series", "volume", "number"),
    *("pages", "publisher", "school", "howpublished", "doi"),
)


@dataclass(frozen=True, slots=True)
class Publication:
    """A paper, a chapter, a thesis, a book or a preprint."""

    key: str
    kind: str
    authors: tuple[str, ...]
    year: int
    title: str
    journal: str = ""
    booktitle: str = ""
    venue: str = ""
    series: str = ""
    volume: str = ""
    number: str = ""
    pages: str = ""
    publisher: str = ""
    school: str = ""
    howpublished: str = ""
    doi: str = ""

    @property
    def reference(self) -> str:
        """The paper as an entry in a list of references."""
        names = self.authors[0]
        if len(self.authors) > 1:
            names = f"{', '.join(self.authors[:-1])} & {self.authors[-1]}"
        title = self.title if self.title.endswith("?") else f"{self.title}."
        return f"{names} ({self.year}). {title} {self._where()}."

    @property
    def short(self) -> str:
        """The paper as it is cited in a text: "Demšar 2006"."""
        last = [name.split(",")[0] for name in self.authors]
        if len(last) > 2:
            return f"{last[0]} et al. {self.year}"
        return f"{' & '.join(last)} {self.year}"

    @property
    def fields(self) -> Mapping[str, str]:
        """The BibTeX fields that say where it appeared."""
        return {name: getattr(self, name) for name in FIELDS if getattr(self, name)}

    def _where(self) -> str:
        if self.kind == "inproceedings":
            return self.venue
        if self.kind == "incollection":
            return f"In: {self.booktitle}, {self.publisher}, {self.pages}"
        if self.kind == "phdthesis":
            return f"PhD thesis, {self.school}"
        if self.kind == "misc":
            return self.howpublished
        if self.kind == "book":
            return self.publisher
        issue = f"({self.number})" if self.number else ""
        if "–" not in self.pages:  # the number of an article, not of pages
            return f"{self.journal} {self.volume}{issue}:{self.pages}"
        return f"{self.journal} {self.volume}{issue}, {self.pages}"


@lru_cache(maxsize=1)
def bibliography() -> Mapping[str, Publication]:
    """Return all papers, by key."""
    raw = tomllib.loads(files("twofold.stats").joinpath("bibliography.toml").read_text("utf-8"))
    return MappingProxyType(
        {
            key: Publication(key=key, **{**fields, "authors": tuple(fields["authors"])})
            for key, fields in raw.items()
        }
    )


def paper(key: str) -> Publication:
    """Return the paper of that key.

    >>> paper("demsar2006").short
    'Demšar 2006'
    """
    publication = bibliography().get(key)
    if publication is None:
        raise InputError(f"There is no paper {key!r}.", "Look into stats/bibliography.toml.")
    return publication
