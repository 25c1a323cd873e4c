"""Tables of other tools, known by the names of their columns: CSV files and frames alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.readers.reader import FileStart
from twofold.result import Note
from twofold.tables import RawTable, parse_text, read_text, refuse_duplicates, without_gz
from twofold.tables.cells import is_missing, is_null, parse_plain


def list_column_names(file: FileStart) -> set[str]:
    """Return the names in the first line of a CSV file."""
    return {name.strip('" ') for name in file.line.split(",")}


def read_columns(files: Sequence[Path]) -> RawTable:
    """Return the rows of CSV files, one below the other; a column that one lacks is empty there."""
    tables: list[tuple[dict[str, Sequence[str]], list[str]]] = []
    notes: list[Note] = []
    for path in files:
        name = str(path)
        text, found = read_text(path, name)
        notes += found
        table = parse_text(text, name, suffix=without_gz(path).suffix.lower())
        names = [column[0].strip() for column in table.columns]
        refuse_duplicates(names)
        cells = [column[1:] for column in table.columns]
        columns = dict(zip(names, cells, strict=True))
        tables.append((columns, [f"{name}, line {line}" for line in table.lines[1:]]))
    every = dict.fromkeys(name for columns, _ in tables for name in columns)
    joined: dict[str, Sequence[Any]] = {
        name: [cell for columns, where in tables for cell in columns.get(name, [""] * len(where))]
        for name in every
    }
    where = [place for _, places in tables for place in places]
    return RawTable(joined, tuple(notes), rows=where)


def list_rows(raw: RawTable) -> list[tuple[str, dict[str, str]]]:
    """Return where each row stands, and its cells as text, empty where there is nothing."""
    names = list(raw.columns)
    cells = [[format_cell(cell) for cell in raw.columns[name]] for name in names]
    rows = zip(*cells, strict=True)
    where = raw.rows if raw.rows is not None else [raw.locate(i) for i in range(raw.size)]
    return [
        (location, dict(zip(names, row, strict=True)))
        for location, row in zip(where, rows, strict=True)
    ]


def format_cell(cell: Any) -> str:
    """Return a cell as text; whole numbers have no decimals, as frames give them."""
    if is_null(cell):
        return ""
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell).strip()


def take_score(cells: dict[str, str], name: str, where: str) -> float | None:
    """Return the number in a column, None where it is missing or there is no such column."""
    return parse_score(cells.get(name, ""), f"{where}, {name}")


def parse_score(cell: str, where: str) -> float | None:
    """Return the number in a cell, None where it is missing."""
    if is_missing(cell):
        return None
    try:
        number = parse_plain(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{where}: {cell!r} is not a number.", "Leave it empty.")
    return number


def take_cell(cells: dict[str, str], name: str, where: str) -> str:
    """Return what a column must name in each row."""
    if not cells.get(name):
        raise InputError(f"{where}: {name!r} is empty.", "Fill it, or leave the row out.")
    return cells[name]
