"""What is too large to be read: refused with its size and the limit, before memory runs out."""

from __future__ import annotations

import importlib
import re
import zipfile
from pathlib import Path
from typing import IO, Any

from twofold.errors import InputError

MOST_BYTES = 1_000_000_000
"""Bytes that are read of a file, or unpacked of a packed one."""

MOST_CELLS = 20_000_000
"""Cells of a table of scores; each takes about a hundred bytes while it is read."""

MOST_COLUMNS = 20_000
"""Columns of a table of scores."""

CHUNK = 1 << 24
"""Bytes that are read at once: signals are heard in between."""

_CELL = re.compile(rb'<(?:\w+:)?c\s[^>]*?\br="([A-Z]{1,3})(\d{1,7})"')


def lower_limits(*, cells: int, size: int) -> None:
    """Set narrower limits for the rest of this process, which reads tables of strangers."""
    global MOST_CELLS, MOST_BYTES
    MOST_CELLS, MOST_BYTES = min(MOST_CELLS, cells), min(MOST_BYTES, size)


def read_up_to(file: IO[bytes], name: str, verb: str = "holds", most: int | None = None) -> bytes:
    """Return all that a file holds, or refuse it where that is too much."""
    most = MOST_BYTES if most is None else most
    parts: list[bytes] = []
    size = 0
    while part := file.read(CHUNK):
        size += len(part)
        if size > most:
            raise InputError(
                f"{name!r} {verb} {size:,} bytes or more; at most {most:,} are read.",
                "Leave out what is not needed, or split it.",
            )
        parts.append(part)
    return b"".join(parts)


def refuse_cells(rows: int, columns: int, name: str) -> None:
    """Refuse a table of scores with too many cells, or too many of them in a row."""
    if columns > MOST_COLUMNS:
        raise InputError(
            f"{name!r} has {columns:,} columns; at most {MOST_COLUMNS:,} are read.",
            "Use a long table, with columns dataset, learner and value.",
        )
    if rows * columns > MOST_CELLS:
        raise InputError(
            f"{name!r} has {rows:,} × {columns:,} cells; at most {MOST_CELLS:,} are read.",
            "Leave out columns and rows that are not needed; delete cells far from the table.",
        )


def refuse_text(text: str, name: str, delimiters: str) -> None:
    """Refuse a text with more separators than a table of scores has cells."""
    rows = text.count("\n") + 1
    most = max(map(text.count, delimiters))
    refuse_cells(rows, most // rows + 1, name)


def refuse_workbook(path: Path) -> None:
    """Refuse an Excel file whose cells lie far apart, or which unpacks to too much.

    What lies between the cells is filled in when it is read, however few they are.
    """
    with zipfile.ZipFile(path) as book:
        size = sum(member.file_size for member in book.infolist())
        if size > MOST_BYTES:
            raise InputError(
                f"{str(path)!r} unpacks to {size:,} bytes; at most {MOST_BYTES:,} are read.",
                "Leave out what is not needed, or save the sheet as CSV.",
            )
        for member in book.namelist():
            if member.startswith("xl/worksheets/") and member.endswith(".xml"):
                with book.open(member) as sheet:
                    refuse_cells(*_measure(sheet), str(path))


def _measure(sheet: Any) -> tuple[int, int]:
    """Return the last row and column of a sheet that have a cell."""
    rows = columns = 0
    rest = b""
    while part := sheet.read(1 << 20):
        text = rest + part
        for letters, digits in _CELL.findall(text):
            column = 0
            for letter in letters:
                column = 26 * column + letter - 64
            rows, columns = max(rows, int(digits)), max(columns, column)
        rest = text[-200:]
    return rows, columns


def refuse_parquet(path: Path) -> None:
    """Refuse a Parquet file of too many cells; a few bytes can stand for billions of them."""
    facts = importlib.import_module("pyarrow.parquet").read_metadata(path)
    refuse_cells(facts.num_rows, facts.num_columns, str(path))


def refuse_feather(path: Path) -> None:
    """Refuse a Feather file of too many cells, counted part by part."""
    pyarrow = importlib.import_module("pyarrow")
    with pyarrow.memory_map(str(path)) as source:
        reader, rows = pyarrow.ipc.open_file(source), 0
        for part in range(reader.num_record_batches):
            rows += reader.get_batch(part).num_rows
            refuse_cells(rows, len(reader.schema.names), str(path))
