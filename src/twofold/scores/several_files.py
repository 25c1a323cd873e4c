"""Several files at once, and folders: of one format, or plain tables that can stand together."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from twofold.errors import InputError, describe_error
from twofold.options import Reading
from twofold.readers import Reader, find_reader
from twofold.result import Note, join_first
from twofold.scores.crossed_metrics import split_shared_metric
from twofold.scores.name_hints import count_up, find_roles, is_summary
from twofold.scores.score_cells import mostly_numbers
from twofold.tables import RawTable, without_gz
from twofold.tables.decode import no_file_error
from twofold.tables.frames import FRAME_FILES
from twofold.tables.raw_table import Columns

MOST_FILES = 100_000
"""Files of a folder that are looked at."""

PLAIN = (".csv", ".tsv", ".json", ".jsonl", *FRAME_FILES)
"""Endings of plain tables in a folder; a README beside them is none."""

Read = Callable[[str, Reading], RawTable]
"""Reads one plain table."""


def name_files(table: Any) -> list[Path] | None:
    """Return the files that a list names, None where it is no list of names."""
    if not isinstance(table, list | tuple) or not table:
        return None
    if not all(isinstance(name, str | os.PathLike) for name in table):
        return None
    return [Path(name) for name in table]


def read_files(names: Sequence[Path], options: Reading, read_plain: Read) -> RawTable:
    """Return the table in some files and folders."""
    files: dict[Path, Reader | None] = {}
    left: list[Path] = []
    for path in names:
        files |= _list_folder(path, left) if path.is_dir() else {path: _find_reader(path)}
    readers = list({id(reader): reader for reader in files.values()}.values())
    if len(readers) > 1:
        first, second = (next(p for p, r in files.items() if r is reader) for reader in readers[:2])
        kinds = [_describe(reader) for reader in readers[:2]]
        raise InputError(
            f"{str(first)!r} ({kinds[0]}) and {str(second)!r} ({kinds[1]}) cannot be combined.",
            "Name files of one format.",
        )
    if readers[0] is not None:
        raw = read_as(readers[0], list(files), options)
        return replace(raw, notes=(*raw.notes, *_note_left_out(left)))
    refuse_unused(None, options)
    if len(files) == 1:
        return read_plain(str(next(iter(files))), options)
    return _join(list(files), [read_plain(str(path), options) for path in files])


def read_as(reader: Reader, files: Sequence[Path], options: Reading) -> RawTable:
    """Return what a reader makes of files; an error in someone else's reader is told."""
    refuse_unused(reader, options)
    try:
        return reader.read(files, options)
    except InputError:
        raise
    except Exception as error:
        if getattr(reader, "__name__", "").startswith("twofold."):
            raise
        raise InputError(
            f"The reader for {reader.TITLE} fails on {str(files[0])!r}: {describe_error(error)}.",
            "Repair or remove the package that brings it.",
        ) from None


def refuse_unused(reader: Reader | None, options: Reading) -> None:
    """Refuse options that a format has no use for."""
    for name in ("partial", "impute"):
        if getattr(options, name) and name not in getattr(reader, "OPTIONS", ()):
            raise InputError(
                f"`{name}` is not for {_describe(reader)}.", "Leave it out, or name other files."
            )


def _describe(reader: Reader | None) -> str:
    return "a plain table" if reader is None else f"files of {reader.TITLE}"


def _find_reader(path: Path) -> Reader | None:
    if not os.path.lexists(path):
        raise no_file_error(str(path))
    return find_reader(path)


def _note_left_out(files: Sequence[Path]) -> list[Note]:
    if not files:
        return []
    detail = f"Tables of no such format: {join_first([path.name for path in files])}."
    return [Note("left-out-files", "Files left out", detail, "warning")]


def _list_folder(folder: Path, left: list[Path]) -> dict[Path, Reader | None]:
    """Return the files of a folder and those within it: those of other tools, or plain tables.

    Tables beside files of other tools are left out, and added to ``left``.
    """
    paths: list[Path] = []
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths += [Path(root, name) for name in sorted(names) if not name.startswith(".")]
        if len(paths) > MOST_FILES:
            raise InputError(
                f"{str(folder)!r} holds more than {MOST_FILES:,} files.", "Name fewer of them."
            )
    found = {path: find_reader(path) for path in paths}
    known: dict[Path, Reader | None] = {
        path: reader for path, reader in found.items() if reader is not None
    }
    plain_files = [
        path for path in paths if path not in known and without_gz(path).suffix.lower() in PLAIN
    ]
    if known:
        left += plain_files
        return known
    if not plain_files:
        raise InputError(
            f"{str(folder)!r} holds no table and no file of a format known here.",
            "Name the files; `twofold read --formats` lists the formats.",
        )
    return dict.fromkeys(plain_files)


def _join(files: Sequence[Path], tables: Sequence[RawTable]) -> RawTable:
    """Return one table of several: long ones one below the other, or a learner for each file."""
    metric, learners = split_shared_metric([without_gz(path).stem for path in files])
    long = [name_learner(table, name) for table, name in zip(tables, learners, strict=True)]
    for path, table in zip(files, long, strict=True):
        if table is None:
            raise InputError(
                f"{str(path)!r} is a table with a column for each learner; such tables cannot be "
                "combined.",
                "Join them into one, or write long tables: columns dataset, learner, value.",
            )
    rows = [table for table in long if table is not None]
    names = [set(table.columns) for table in rows]
    for path, own in zip(files, names, strict=True):
        if own != names[0]:
            other = sorted(own ^ names[0], key=str)[0]
            raise InputError(
                f"{str(files[0])!r} and {str(path)!r} have different columns: {other!r} is in one "
                "of them only.",
                "Give all tables the same columns.",
            )
    unnamed = "learner" not in find_roles(tables[0].columns)
    columns: Columns = {
        name: [cell for table in rows for cell in table.columns[name]] for name in rows[0].columns
    }
    where = [
        f"{path}, {table.locate(i)}"
        for path, table in zip(files, rows, strict=True)
        for i in range(table.size)
    ]
    detail = f"{len(files)} tables, one below the other: {join_first([p.name for p in files])}."
    if unnamed:
        detail += " Each is of one learner, called as its file is."
    notes = [note for table in rows for note in table.notes]
    note = Note("files-joined", "Several files", detail)
    return replace(
        rows[0],
        columns=columns,
        lines=None,
        rows=where,
        notes=(*dict.fromkeys(notes), note),
        metric=metric if unnamed else "",
        metric_from="the names of files",
    )


def name_learner(table: RawTable, learner: str) -> RawTable | None:
    """Return a table with a row for each score, None where its columns are several learners."""
    columns = table.columns
    roles = find_roles(columns)
    if "learner" in roles:
        return table
    numeric = [n for n in columns if mostly_numbers(columns[n]) and n not in roles.values()]
    if count_up(numeric):  # a column for each repetition
        labels = [name for name in columns if name not in numeric]
        if len(labels) != 1:
            return None
        cells = columns[labels[0]]
        count = len(numeric)
        return RawTable(
            {
                "dataset": [cell for cell in cells for _ in numeric],
                "learner": [learner] * (count * len(cells)),
                "run": [int(float(name)) for _ in cells for name in numeric],
                "value": [columns[name][i] for i in range(len(cells)) for name in numeric],
            },
            table.notes,
            kind="a table of repetitions for each learner",
        )
    one = roles.get("value") or (numeric[0] if len(numeric) == 1 else None)
    if one is None or is_summary(one):
        return None
    return replace(table, columns={"learner": [learner] * table.size, **columns})
