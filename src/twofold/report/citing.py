"""Names of tests inside sentences, and the papers they bring along.

A citation travels inside a text as keys between two marks that no name contains, so that each
output can write it in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from twofold.stats import entry
from twofold.stats.bibliography import paper

START, END = "\ue000", "\ue001"
_CITATION = re.compile(f" ?{START}([^{END}]*){END}")

_COMMON = (
    "Combined Corrected Difference Mean Paired Quasi-F Repeated-measures Resampled Sign Sorted Use"
).split()


def cite(keys: Iterable[str]) -> str:
    """Return a citation of the papers."""
    return f" {START}{','.join(keys)}{END}"


def named(name: str) -> str:
    """Return a test as it stands in a sentence: "the Friedman test"."""
    title = entry(name).title
    if title.split()[0] in _COMMON:
        title = title[0].lower() + title[1:]
    if "'s " in title or title.startswith("repeated-measures"):
        return title
    whole = any(word in title for word in ("test", "model", "proportions"))
    return f"the {title}" if whole else f"the test “{title}”"


def adjustment_in_words(name: str) -> str:
    """Return an adjustment as it stands in a sentence: "the method of Holm"."""
    return f"the method of {entry(name).title.split(',')[0]}"


def with_papers(words: str, name: str) -> str:
    """Return words about a test, followed by its papers."""
    return words + cite(entry(name).papers)


def keys_in(text: str) -> list[str]:
    """Return the keys that a text cites, each once, in their order."""
    found: list[str] = []
    for keys in _CITATION.findall(text):
        found += [key for key in keys.split(",") if key not in found]
    return found


def written(text: str, write: Callable[[list[str]], str]) -> str:
    """Return the text with its citations written as wanted."""
    return _CITATION.sub(lambda match: write(match.group(1).split(",")), text)


def by_author_and_year(keys: list[str]) -> str:
    """Return " (Demšar 2006; Holm 1979)"."""
    return f" ({'; '.join(paper(key).short for key in keys)})"
