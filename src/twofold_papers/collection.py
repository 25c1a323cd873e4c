"""Which papers there are; each is loaded when it is named."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from twofold.errors import InputError, suggest
from twofold_papers.item import Item, ItemFunction, ReproducedPaper
from twofold_papers.paper_story import read_story
from twofold_papers.printed import build_item, read_printed

PAPERS = (
    "demsar2006",
    "bouckaertfrank2004",
    "bouckaert2003",
    "bouckaert2005",
    "dietterich1998",
    "twofold2026",
)


def build_paper(
    key: str,
    *functions: ItemFunction,
    datasets: tuple[str, ...] = (),
    learners: tuple[str, ...] = (),
    **shared: ItemFunction,
) -> ReproducedPaper:
    """Return a paper: each table of its printed.toml with the function of the same name.

    Items that print `data = "all"` or `learners = "all"` have those of the call.
    """
    head, tables = read_printed(key)
    runs = {each.__name__: each for each in functions} | shared
    items = []
    for name, table in tables.items():
        data, needed = table.pop("data", ()), table.pop("learners", ())
        items.append(
            Item(
                build_item(name, table),
                runs[name],
                datasets if data == "all" else tuple(data),
                learners if needed == "all" else tuple(needed),
            )
        )
    missing, own = tuple(head.get("missing", ())), bool(head.get("own", False))
    return ReproducedPaper(key, head["title"], tuple(items), missing, own, read_story(head))


def papers() -> tuple[ReproducedPaper, ...]:
    """Return all papers."""
    return tuple(find_paper(key) for key in PAPERS)


def find_paper(key: str) -> ReproducedPaper:
    """Return a paper by its key."""
    if key not in PAPERS:
        raise InputError(f"There is no paper {key!r} to reproduce.", _suggest(key, PAPERS))
    paper: ReproducedPaper = import_module(f"twofold_papers.{key}.items").PAPER
    return paper


def find_item(paper: ReproducedPaper, name: str) -> Item:
    """Return an item of a paper by its name."""
    items = {item.name: item for item in paper.items}
    if name not in items:
        raise InputError(f"{paper.key} has no item {name!r} here.", _suggest(name, list(items)))
    return items[name]


def _suggest(name: str, names: Sequence[str]) -> str:
    return suggest(name, names, f"There are: {', '.join(names)}.", 0.4)
