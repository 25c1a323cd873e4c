"""Which papers there are; each is loaded when it is asked for."""

from __future__ import annotations

import difflib
from importlib import import_module

from twofold.errors import InputError
from twofold_papers.item import Item, ReproducedPaper

PAPERS = (
    "demsar2006",
    "bouckaertfrank2004",
    "bouckaert2003",
    "bouckaert2005",
    "dietterich1998",
    "twofold2026",
)


def papers() -> tuple[ReproducedPaper, ...]:
    """Return all papers."""
    return tuple(find_paper(key) for key in PAPERS)


def find_paper(key: str) -> ReproducedPaper:
    """Return a paper by its key."""
    if key not in PAPERS:
        close = difflib.get_close_matches(key, PAPERS, n=1, cutoff=0.4)
        hint = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(PAPERS)}."
        raise InputError(f"There is no paper {key!r} to reproduce.", hint)
    found: ReproducedPaper = import_module(f"twofold_papers.{key}.items").PAPER
    return found


def find_item(paper: ReproducedPaper, name: str) -> Item:
    """Return an item of a paper by its name."""
    names = [one.name for one in paper.items]
    for one in paper.items:
        if one.name == name:
            return one
    close = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
    hint = f"Did you mean {close[0]!r}?" if close else f"There are: {', '.join(names)}."
    raise InputError(f"{paper.key} has no item {name!r} here.", hint)
