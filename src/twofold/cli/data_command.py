"""`twofold data`: the data sets of the papers, and which of them a folder holds."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from twofold.cli.streams import open_console
from twofold.datasets.dataset_catalog import (
    DatasetEntry,
    EntryState,
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
    states = [check(dataset, folder) if folder else None for dataset in chosen]
    if arguments.format == "json":
        facts = list(map(_describe, chosen, states))
        print(json.dumps(facts[0] if arguments.name else facts, ensure_ascii=False, indent=2))
    elif arguments.name:
        _print_page(chosen[0], states[0])
    else:
        _print_table(chosen, states, folder)


def _download(name: str, folder: Path | None) -> None:
    from twofold.datasets.download import download

    if folder is None:
        raise InputError(
            f"No folder is known to put {name!r} into.", "Pass --folder, or set TWOFOLD_DATA."
        )
    path = download(entry(name), folder)
    print(f"{name}: {path}, with the shape that the papers give.")


def _describe(dataset: DatasetEntry, state: EntryState | None) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "files": list(dataset.files),
        "target": dataset.target,
        "rows": dataset.rows,
        "attributes": dataset.attributes,
        "classes": dataset.classes or None,
        "missing_cells": dataset.missing,
        "papers": dict(dataset.papers),
        "remark": dataset.remark or None,
        "status": state.status if state else None,
        "detail": (state.detail or None) if state else None,
    }


def _print_page(dataset: DatasetEntry, state: EntryState | None) -> None:
    import textwrap

    classes = dataset.classes or "no"
    rows = [
        ("name", dataset.name),
        ("files", ", ".join(dataset.files)),
        ("target", dataset.target + ("" if dataset.classes else ", a number")),
        ("shape", f"{dataset.rows} rows, {dataset.attributes} attributes, {classes} classes"),
        ("missing", f"{dataset.missing} cells"),
    ]
    if dataset.drop:
        rows.append(("left out", ", ".join(dataset.drop)))
    rows += [("paper", f"{paper}: {name}") for paper, name in dataset.papers.items()]
    if dataset.remark:
        rows.append(("remark", dataset.remark))
    if state:
        rows.append(("folder", state.status + (f": {state.detail}" if state.detail else "")))
    for label, text in rows:
        print(textwrap.fill(text, 79, initial_indent=f"{label:<10}", subsequent_indent=" " * 10))


def _print_table(
    chosen: list[DatasetEntry], states: list[EntryState | None], folder: Path | None
) -> None:
    from rich.table import Table
    from rich.text import Text

    console = open_console()
    table = Table(box=None, pad_edge=False)
    table.add_column("name", no_wrap=True)
    for title in ("rows", "attributes", "classes"):
        table.add_column(title, no_wrap=True, justify="right")
    table.add_column("papers", no_wrap=True)
    table.add_column("in the folder" if folder else "")
    for dataset, state in zip(chosen, states, strict=True):
        status = Text(state.status, COLOURS[state.status]) if state else Text("")
        if state and state.status == "differs":
            status.append(f": {state.detail}")
        table.add_row(
            dataset.name,
            str(dataset.rows),
            str(dataset.attributes),
            str(dataset.classes or "number"),
            " ".join(SHORT[paper] for paper in dataset.papers),
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
