"""The catalog of the papers' data sets: which files they are, and what must be in them.

The data is not part of twofold. It is looked for in a folder that the user names, by ``--folder``
or in the environment variable TWOFOLD_DATA, and checked against the shapes in dataset_catalog.toml.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any, Literal

import numpy as np

from twofold.dataset import Dataset
from twofold.datasets.table import Table
from twofold.errors import InputError

Status = Literal["found", "other copy", "differs", "missing"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One data set of the papers.

    Attributes
    ----------
    name : str
    files : tuple of str
        Files whose rows are put together, in this order.
    sha256 : tuple of str
        The first 16 digits for each file.
    target : str
    rows, attributes, classes, missing : int
        What must be in it; no classes where a number is predicted. ``missing`` counts cells.
    papers : mapping
        What each paper that used it calls it.
    drop : tuple of str
        Columns that only name the rows.
    openml : int, optional
        The number of a copy at OpenML.
    remark : str
    """

    name: str
    files: tuple[str, ...]
    sha256: tuple[str, ...]
    target: str
    rows: int
    attributes: int
    classes: int
    missing: int
    papers: Mapping[str, str]
    drop: tuple[str, ...] = ()
    openml: int | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A data set of the papers that could not be found anywhere, and what is known of it."""

    name: str
    papers: Mapping[str, str]
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a folder holds of one entry; ``detail`` says what is missing or different."""

    entry: Entry
    status: Status
    detail: str = ""


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    text = resources("twofold.datasets").joinpath("dataset_catalog.toml").read_text("utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Return all entries, in the order in which they are listed."""
    return tuple(Entry(**_with_tuples(raw)) for raw in _file()["datasets"])


def _with_tuples(raw: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}


def unavailable() -> tuple[Unavailable, ...]:
    """Return the data sets of the papers that could not be found."""
    return tuple(Unavailable(**raw) for raw in _file()["unavailable"])


def of_paper(paper: str) -> tuple[Entry, ...]:
    """Return the data sets of one paper, one for each that it names.

    Where several copies may be meant, as of adult and waveform, it is the first in the catalog.
    """
    chosen: dict[str, Entry] = {}
    for one in entries():
        if paper in one.papers:
            chosen.setdefault(one.papers[paper], one)
    if not chosen:
        known = sorted({key for one in entries() for key in one.papers})
        raise InputError(
            f"The catalog has no data sets of {paper!r}.", f"It has those of {', '.join(known)}."
        )
    return tuple(chosen.values())


def entry(name: str) -> Entry:
    """Return the entry of that name.

    >>> entry("zoo").drop
    ('animal',)
    """
    for one in entries():
        if one.name == name:
            return one
    for gone in unavailable():
        if gone.name == name:
            raise InputError(f"`{name}` could not be found anywhere.", gone.reason)
    close = difflib.get_close_matches(name, [one.name for one in entries()], n=1, cutoff=0.5)
    hint = f"Did you mean {close[0]!r}?" if close else "`twofold data` lists them all."
    raise InputError(f"There is no data set named {name!r} in the catalog.", hint)


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the folder of data: the one given, else TWOFOLD_DATA, else None."""
    named = folder if folder is not None else os.environ.get("TWOFOLD_DATA")
    if not named:
        return None
    path = Path(named)
    if not path.is_dir():
        how = "" if folder is not None else " in TWOFOLD_DATA"
        wrong = "is not a folder" if path.exists() else "does not exist"
        raise InputError(f"The folder {str(path)!r}{how} {wrong}.", "Make it, or name another one.")
    return path


def find_dataset(name: str, folder: str | os.PathLike[str] | None = None) -> Dataset:
    """Read a data set of the catalog out of a folder, and check its shape."""
    one = entry(name)
    place = data_folder(folder)
    if place is None:
        raise InputError(
            f"No folder of data is known to look for {name!r} in.",
            "Pass `folder`, or set TWOFOLD_DATA.",
        )
    gone = [file for file in one.files if not (place / file).exists()]
    if gone:
        known = f" or: twofold data --download {name}" if one.openml else "."
        raise InputError(
            f"`{name}` needs {' and '.join(gone)} in {str(place)!r}.", f"Put it there{known}"
        )
    dataset = read_entry(one, [place / file for file in one.files])
    problem = difference(one, dataset)
    if problem:
        raise InputError(
            f"The file of `{name}` is not the one that the papers used: {problem}.",
            "Find a complete copy; `twofold data` lists the shapes.",
        )
    return dataset


def read_entry(one: Entry, paths: list[Path]) -> Dataset:
    """Read the files of an entry as the catalog says."""
    from twofold.datasets.build_dataset import build
    from twofold.datasets.read import read_table
    from twofold.datasets.table import join

    tables = [_without(read_table(path), one.drop) for path in paths]
    table = join(tables) if len(tables) > 1 else tables[0]
    # The catalog has decided on every column, so that no rule leaves out another one.
    table = replace(table, name=one.name, chosen=True)
    task = "classification" if one.classes else "regression"
    return build(table, target=one.target, task=task)


def _without(table: Table, names: tuple[str, ...]) -> Table:
    return replace(table, columns=tuple(c for c in table.columns if c.name not in names))


def difference(one: Entry, dataset: Dataset) -> str:
    """Say in what a data set differs from what the catalog expects; nothing if it does not."""
    facts = [
        ("rows", dataset.rows, one.rows),
        ("attributes", len(dataset.attributes), one.attributes),
        ("classes", len(dataset.classes or ()), one.classes),
        ("missing cells", int(np.isnan(dataset.X).sum()), one.missing),
    ]
    return ", ".join(
        f"{is_} {what} instead of {should}" for what, is_, should in facts if is_ != should
    )


def check(one: Entry, folder: Path) -> Found:
    """Look for an entry in a folder: found, another copy of the same shape, different, missing."""
    paths = [folder / file for file in one.files]
    gone = [path.name for path in paths if not path.exists()]
    if gone:
        return Found(one, "missing", f"no {' and no '.join(gone)}")
    digests = tuple(hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in paths)
    if digests == one.sha256:
        return Found(one, "found")
    try:
        problem = difference(one, read_entry(one, paths))
    except InputError as error:
        problem = error.rule
    return Found(one, "differs", problem) if problem else Found(one, "other copy")
