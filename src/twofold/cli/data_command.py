"""`twofold data`: the data sets of the papers, and which of them a folder holds."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from twofold.datasets.dataset_catalog import (
    Entry,
    Found,
    check,
    data_folder,
    entries,
    entry,
    unavailable,
)
from twofold.errors import InputError

COLOURS = {"found": "green", "other copy": "green", "differs": "red", "missing": "default"}
SHORT = {
    "bouckaertfrank2004": "BF04",
    "demsar2006": "D06",
    "dietterich1998": "D98",
}


def run(arguments: argparse.Namespace) -> None:
    """List, check or fetch."""
    folder = data_folder(arguments.folder)
    if arguments.download:
        _download(arguments.download, folder)
        return
    chosen = [entry(arguments.name)] if arguments.name else list(entries())
    found = [check(one, folder) if folder else None for one in chosen]
    if arguments.format == "json":
        facts = [_facts(one, state) for one, state in zip(chosen, found, strict=True)]
        print(json.dumps(facts[0] if arguments.name else facts, ensure_ascii=False, indent=2))
    elif arguments.name:
        _page(chosen[0], found[0])
    else:
        _table(chosen, found, folder)


def _download(name: str, folder: Path | None) -> None:
    from twofold.datasets.download import download

    if folder is None:
        raise InputError(
            f"No folder is known to put {name!r} into.", "Pass --folder, or set TWOFOLD_DATA."
        )
    path = download(entry(name), folder)
    print(f"{name}: {path}, with the shape that the papers give.")


def _facts(one: Entry, state: Found | None) -> dict[str, Any]:
    return {
        "name": one.name,
        "files": list(one.files),
        "target": one.target,
        "rows": one.rows,
        "attributes": one.attributes,
        "classes": one.classes or None,
        "missing_cells": one.missing,
        "papers": dict(one.papers),
        "remark": one.remark or None,
        "status": state.status if state else None,
        "detail": (state.detail or None) if state else None,
    }


def _page(one: Entry, state: Found | None) -> None:
    import textwrap

    rows = [
        ("name", one.name),
        ("files", ", ".join(one.files)),
        ("target", one.target + ("" if one.classes else ", a number")),
        ("shape", f"{one.rows} rows, {one.attributes} attributes, {one.classes or 'no'} classes"),
        ("missing", f"{one.missing} cells"),
    ]
    if one.drop:
        rows.append(("left out", ", ".join(one.drop)))
    rows += [("paper", f"{paper}: {name}") for paper, name in one.papers.items()]
    if one.remark:
        rows.append(("remark", one.remark))
    if state:
        rows.append(("folder", state.status + (f": {state.detail}" if state.detail else "")))
    for label, text in rows:
        print(textwrap.fill(text, 79, initial_indent=f"{label:<10}", subsequent_indent=" " * 10))


def _table(chosen: list[Entry], found: list[Found | None], folder: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    table.add_column("name", no_wrap=True)
    for title in ("rows", "attributes", "classes"):
        table.add_column(title, no_wrap=True, justify="right")
    table.add_column("papers", no_wrap=True)
    table.add_column("in the folder" if folder else "")
    for one, state in zip(chosen, found, strict=True):
        status = Text(state.status, COLOURS[state.status]) if state else Text("")
        if state and state.status == "differs":
            status.append(f": {state.detail}")
        table.add_row(
            one.name,
            str(one.rows),
            str(one.attributes),
            str(one.classes or "number"),
            " ".join(SHORT[paper] for paper in one.papers),
            status,
        )
    console.print(table)
    console.print()
    for gone in unavailable():
        console.print(f"Not to be had: {gone.name}. {gone.reason}", soft_wrap=False)
    papers = "BF04 Bouckaert & Frank 2004, D06 Demšar 2006, D98 Dietterich 1998."
    console.print(papers)
    if folder is None:
        console.print("Name a folder with --folder or TWOFOLD_DATA to see what it holds.")
