"""The catalog of the papers' data sets: which files they are, and what must be in them.

The data is not part of twofold. It is looked for in a folder that the user names, by ``--folder``
or in the environment variable TWOFOLD_DATA, and checked against the shapes in dataset_catalog.toml.
"""

from __future__ import annotations

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
from twofold.errors import InputError, suggest

Status = Literal["found", "other copy", "differs", "missing"]


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    """One data set of the papers.

    The rows of its ``files`` are put together in this order; ``sha256`` has the first 16 digits for
    each. Columns to ``drop`` only name the rows. ``rows``, ``attributes``, ``classes`` (0 where a
    number is predicted) and ``missing`` cells are counts that must hold. ``papers`` says what each
    paper calls it, ``openml`` is the number of a copy at OpenML.
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
class EntryState:
    """What a folder holds of one entry; ``detail`` says what is missing or different."""

    entry: DatasetEntry
    status: Status
    detail: str = ""


@lru_cache(maxsize=1)
def _file() -> dict[str, Any]:
    text = resources("twofold.datasets").joinpath("dataset_catalog.toml").read_text("utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=1)
def entries() -> tuple[DatasetEntry, ...]:
    """Return all entries, in the order in which they are listed."""
    tuples: Any = ({key: tuple(value) if isinstance(value, list) else value
                    for key, value in raw.items()} for raw in _file()["datasets"])  # fmt: skip
    return tuple(DatasetEntry(**raw) for raw in tuples)


def unavailable() -> tuple[Unavailable, ...]:
    """Return the data sets of the papers that could not be found."""
    return tuple(Unavailable(**raw) for raw in _file()["unavailable"])


def entries_of_paper(paper: str) -> tuple[DatasetEntry, ...]:
    """Return the data sets of one paper, one for each that it names.

    Where several copies may be meant, as of adult and waveform, it is the first in the catalog.
    """
    chosen: dict[str, DatasetEntry] = {}
    for candidate in entries():
        if paper in candidate.papers:
            chosen.setdefault(candidate.papers[paper], candidate)
    if not chosen:
        papers = sorted({key for candidate in entries() for key in candidate.papers})
        raise InputError(
            f"The catalog has no data sets of {paper!r}.", f"It has those of {', '.join(papers)}."
        )
    return tuple(chosen.values())


def entry(name: str) -> DatasetEntry:
    """Return the entry of that name.

    >>> entry("zoo").drop
    ('animal',)
    """
    by_name = {candidate.name: candidate for candidate in entries()}
    if name in by_name:
        return by_name[name]
    for gone in unavailable():
        if gone.name == name:
            raise InputError(f"`{name}` could not be found anywhere.", gone.reason)
    hint = suggest(name, by_name, "`twofold data` lists them all.")
    raise InputError(f"There is no data set named {name!r} in the catalog.", hint)


def data_folder(folder: str | os.PathLike[str] | None = None) -> Path | None:
    """Return the folder of data: the one given, else TWOFOLD_DATA, else None."""
    named = folder if folder is not None else os.environ.get("TWOFOLD_DATA")
    if not named:
        return None
    path = Path(named)
    if not os.path.isdir(path):
        source = "" if folder is not None else " in TWOFOLD_DATA"
        wrong = "is not a folder" if os.path.exists(path) else "does not exist"
        raise InputError(
            f"The folder {str(path)!r}{source} {wrong}.", "Make it, or name another one."
        )
    return path


def find_dataset(name: str, folder: str | os.PathLike[str] | None = None) -> Dataset:
    """Read a data set of the catalog out of a folder, and check its shape."""
    expected, path = entry(name), data_folder(folder)
    if path is None:
        raise InputError(
            f"No folder of data is known to look for {name!r} in.",
            "Pass `folder`, or set TWOFOLD_DATA.",
        )
    gone = [file for file in expected.files if not (path / file).exists()]
    if gone:
        download = f", or: `twofold data --download {name}`." if expected.openml else "."
        raise InputError(
            f"`{name}` needs {' and '.join(gone)} in {str(path)!r}.", f"Put it there{download}"
        )
    dataset = read_entry(expected, [path / file for file in expected.files])
    problem = describe_difference(expected, dataset)
    if problem:
        raise InputError(
            f"The file of `{name}` is not the one that the papers used: {problem}.",
            "Find a complete copy; `twofold data` lists the shapes.",
        )
    return dataset


def read_entry(expected: DatasetEntry, paths: list[Path]) -> Dataset:
    """Read the files of an entry as the catalog says."""
    from twofold.datasets.build_dataset import build_dataset
    from twofold.datasets.read import read_table
    from twofold.datasets.table import join_tables

    tables = [_drop_columns(read_table(path), expected.drop) for path in paths]
    table = join_tables(tables) if len(tables) > 1 else tables[0]
    # The catalog has decided on every column, so that no rule leaves out another one.
    table = replace(table, name=expected.name, chosen=True)
    task = "classification" if expected.classes else "regression"
    return build_dataset(table, target=expected.target, task=task)


def _drop_columns(table: Table, names: tuple[str, ...]) -> Table:
    return replace(table, columns=tuple(c for c in table.columns if c.name not in names))


def describe_difference(expected: DatasetEntry, dataset: Dataset) -> str:
    """Say in what a data set differs from what the catalog expects; nothing if it does not."""
    counts = [
        ("rows", dataset.rows, expected.rows),
        ("attributes", len(dataset.attributes), expected.attributes),
        ("classes", len(dataset.classes or ()), expected.classes),
        ("missing cells", int(np.isnan(dataset.X).sum()), expected.missing),
    ]
    return ", ".join(
        f"{count} {kind} instead of {should}" for kind, count, should in counts if count != should
    )


def check(expected: DatasetEntry, folder: Path) -> EntryState:
    """Look for an entry in a folder: found, another copy of the same shape, different, missing."""
    paths = [folder / file for file in expected.files]
    gone = [path.name for path in paths if not path.exists()]
    if gone:
        return EntryState(expected, "missing", f"no {' and no '.join(gone)}")
    digests = tuple(hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in paths)
    if digests == expected.sha256:
        return EntryState(expected, "found")
    try:
        problem = describe_difference(expected, read_entry(expected, paths))
    except InputError as error:
        problem = error.rule
    return EntryState(expected, "differs" if problem else "other copy", problem)
