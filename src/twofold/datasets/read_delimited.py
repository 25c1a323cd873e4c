"""CSV, TSV and similar text files: is there a header, and which columns hold numbers?

The first line is a header if it has words above a column of numbers. If there are no columns of
numbers, it is one if none of its cells occurs again below itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from twofold.datasets.table import Column, Table, nominal_column, numeric_column
from twofold.errors import InputError
from twofold.result import Note
from twofold.tables import list_names, parse_text, read_text, without_gz
from twofold.tables.cells import MISSING, is_missing, parse_plain
from twofold.tables.delimited import HEAD, uneven_error

TARGET_WORDS = ("class", "target", "label", "y", "outcome")
# A column with so many different numbers, and so few words in so few of its rows, has a mistake.
MANY_NUMBERS, FEW_WORDS, STRANGE_SHARE = 10, 3, 0.1


def read_delimited(path: Path) -> Table:
    """Read a table of text with one row per line."""
    text, notes = read_text(path, path.name)
    table = parse_text(text, path.name, suffix=without_gz(path).suffix.lower(), keep_marked=True)
    cells = table.columns
    if _has_header([column[:HEAD] for column in cells]):
        names = [column[0].strip() or f"column{i}" for i, column in enumerate(cells, start=1)]
        cells = [column[1:] for column in cells]
    elif table.short_header:
        raise uneven_error(path.name, table.lines[1], len(cells), len(cells) - 1)
    else:
        names = [f"column{i}" for i in range(1, len(cells) + 1)]
        detail = (
            f"The first line of {path.name} holds values, so that columns are called column1 "
            f"to column{len(names)}."
        )
        notes += (Note("header-missing", "No header", detail),)
    if not cells[0]:
        raise InputError(f"{str(path)!r} has a header but no rows.", "Add rows below the header.")
    columns = tuple(
        _type_column(name, column, table.delimiter)
        for name, column in zip(names, cells, strict=True)
    )
    for typed, column in zip(columns, cells, strict=True):
        notes += _note_words_among_numbers(typed, column)
    return Table(without_gz(path).stem, columns, target_words=TARGET_WORDS, notes=notes)


def _type_column(name: str, cells: Sequence[str], delimiter: str) -> Column:
    """Return a column of numbers if all cells are some, else one of words."""
    numbers = numeric_column(name, cells)
    if numbers is None:
        numbers = numeric_column(name, cells, comma="decimal" if delimiter == ";" else "doubtful")
    return numbers or nominal_column(name, cells)


def _note_words_among_numbers(column: Column, cells: Sequence[str]) -> tuple[Note, ...]:
    """Warn of a column that would hold numbers, were it not for a few cells."""
    if column.values is None:
        return ()
    words = [value for value in column.values if not _is_number(value)]
    if len(column.values) - len(words) < MANY_NUMBERS or not 0 < len(words) <= FEW_WORDS:
        return ()
    present = [cell.strip() for cell in cells if cell.strip() not in MISSING]
    strange = [cell for cell in present if cell in words]
    if len(strange) > STRANGE_SHARE * len(present):
        return ()
    row = next(i for i, cell in enumerate(cells, start=1) if cell.strip() == strange[0])
    detail = (
        f"Column {column.name!r} would hold numbers, were it not for {list_names(words)} (first in "
        f"row {row}); all of it is taken for words. Correct the cells, or leave them empty where "
        "the number is missing."
    )
    return (Note("words-among-numbers", "Words among numbers", detail, "warning"),)


def _is_number(cell: str) -> bool:
    try:
        parse_plain(cell.strip().replace(",", "."))
    except ValueError:
        return False
    return True


def _has_header(columns: Sequence[Sequence[str]]) -> bool:
    firsts = [cells[0] for cells in columns]
    below = [cells[1:] for cells in columns]
    if not below[0]:
        return not any(map(_is_number, firsts))
    numeric = []
    for first, cells in zip(firsts, below, strict=True):
        present = [cell for cell in cells if not is_missing(cell)]
        if present and all(map(_is_number, present)):
            numeric.append(first)
    if numeric:
        return any(not _is_number(cell) and not is_missing(cell) for cell in numeric)
    return not any(first in cells for first, cells in zip(firsts, below, strict=True))
