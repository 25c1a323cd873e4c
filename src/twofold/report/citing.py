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


def cite(keys: Iterable[str]) -> str:
    """Return a citation of the papers."""
    return f" {START}{','.join(keys)}{END}"


def name_test(name: str) -> str:
    """Return a test as written in a sentence: "the Friedman test"."""
    return entry(name).in_words


def cite_test(name: str) -> str:
    """Return a test as written in a sentence, followed by its papers."""
    return name_test(name) + cite(entry(name).papers)


def find_keys(text: str) -> list[str]:
    """Return the keys that a text cites, each once, in their order."""
    cited: list[str] = []
    for keys in _CITATION.findall(text):
        cited += [key for key in keys.split(",") if key not in cited]
    return cited


def write_citations(text: str, write: Callable[[list[str]], str]) -> str:
    """Return the text with each citation written by a function of its keys."""
    return _CITATION.sub(lambda match: write(match.group(1).split(",")), text)


def cite_by_author(keys: list[str]) -> str:
    """Return " (Demšar 2006; Holm 1979)"."""
    return f" ({'; '.join(paper(key).short for key in keys)})"
