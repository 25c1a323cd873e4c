"""CSV, TSV and their kin: delimiter and header are found by rules that are written here.

Delimiter: the first of tab, semicolon, bar and comma that gives every line the same number of
cells, two or more; if none does, runs of spaces are tried; if those do not either, the delimiter
that is most frequent in the first line is taken, and the line that does not fit is named.

Header: the first line is a header if it has words above a column of numbers. If there are no
columns of numbers, it is one if none of its cells occurs again below itself.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from twofold.datasets.table import (
    MISSING,
    Column,
    Table,
    listed,
    nominal_column,
    number,
    numeric_column,
    part_plain,
)
from twofold.datasets.text import read_text
from twofold.errors import InputError
from twofold.result import Note

TARGET_WORDS = ("class", "target", "label", "y", "outcome")
LOOKED_AT = 200
# A column with so many different numbers, and so few words in so few of its rows, has a mistake.
MANY_NUMBERS, FEW_WORDS, STRANGE_SHARE = 10, 3, 0.1


def read_delimited(path: Path) -> Table:
    """Read a table of text with one row per line."""
    text, notes = read_text(path)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else _delimiter(text)
    cells = _columns(text, delimiter, path.name)
    if _has_header([part[:LOOKED_AT] for part in cells]):
        names = [part[0].strip() or f"column{i}" for i, part in enumerate(cells, start=1)]
        cells = [part[1:] for part in cells]
    else:
        names = [f"column{i}" for i in range(1, len(cells) + 1)]
        detail = (
            f"The first line of {path.name} holds values, so that columns are called column1 "
            f"to column{len(names)}."
        )
        notes += (Note("header-missing", "No header", detail),)
    if not cells[0]:
        raise InputError(f"{str(path)!r} has a header but no rows.", "Add rows below the header.")
    comma = delimiter == ";"  # where semicolons part the cells, commas may be decimal marks
    columns = tuple(
        _column(name, part, comma=comma) for name, part in zip(names, cells, strict=True)
    )
    for column, part in zip(columns, cells, strict=True):
        notes += _words_among_numbers(column, part)
    return Table(path.stem, columns, target_words=TARGET_WORDS, notes=notes)


def _columns(text: str, delimiter: str, name: str) -> list[Sequence[str]]:
    """Part a text into columns, the first line included."""
    if '"' not in text and delimiter != " ":
        lines = [line for line in text.split("\n") if line.strip() or delimiter in line]
        plain = part_plain(lines, delimiter)
        if plain is not None:
            return list(plain)
    rows, ends = _rows(text, delimiter)
    _check_widths(rows, ends, name)
    return list(zip(*rows, strict=True))


def _column(name: str, cells: Sequence[str], *, comma: bool) -> Column:
    found = numeric_column(name, cells)
    if found is None and comma:
        found = numeric_column(name, cells, comma=True)
    return found or nominal_column(name, cells)


def _words_among_numbers(column: Column, cells: Sequence[str]) -> tuple[Note, ...]:
    """Warn of a column that would hold numbers, were it not for a few cells."""
    if column.values is None:
        return ()
    words = [value for value in column.values if not _is_number(value)]
    if len(column.values) - len(words) < MANY_NUMBERS or len(words) > FEW_WORDS:
        return ()
    present = [cell.strip() for cell in cells if cell.strip() not in MISSING]
    strange = [cell for cell in present if cell in words]
    if len(strange) > STRANGE_SHARE * len(present):
        return ()
    row = next(i for i, cell in enumerate(cells, start=1) if cell.strip() == strange[0])
    detail = (
        f"Column {column.name!r} would hold numbers, were it not for {listed(words)} (first in "
        f"row {row}); all of it is taken for words. Correct the cells, or leave them empty where "
        "the number is missing."
    )
    return (Note("words-among-numbers", "Words among numbers", detail, "warning"),)


def _delimiter(text: str) -> str:
    head = "\n".join(text.split("\n", LOOKED_AT)[:LOOKED_AT])
    for delimiter in ("\t", ";", "|", ",", " "):
        try:
            # The last line looked at may end within quotes.
            widths = {len(row) for row in _rows(head, delimiter)[0][: LOOKED_AT - 1]}
        except InputError:
            continue
        if len(widths) == 1 and widths.pop() > 1:
            return delimiter
    first = next(line for line in text.split("\n") if line.strip())
    return max(",\t;|", key=first.count)


def _rows(text: str, delimiter: str) -> tuple[list[list[str]], list[int]]:
    """Return the rows that are not blank, and the line on which each ends."""
    if delimiter == " ":
        # Spaces at the start of lines part nothing, and several part no more than one.
        numbered = [(line.split(), i) for i, line in enumerate(text.split("\n"), start=1)]
        kept = [(row, i) for row, i in numbered if row]
        return [row for row, _ in kept], [i for _, i in kept]
    rows, lines = [], []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise InputError(
            f"Line {reader.line_num} cannot be parted into cells: {error}.", "Check its quotes."
        ) from None
    return rows, lines


def _check_widths(rows: list[list[str]], lines: list[int], name: str) -> None:
    if not rows:
        raise InputError(f"{name} holds no cells.", "Check its quotes; it needs a header and rows.")
    width = len(rows[0])
    for row, line in zip(rows, lines, strict=True):
        if len(row) != width:
            raise InputError(
                f"{name}, line {line}: {len(row)} cells where the first line has {width}.",
                "Give every row one cell per column; leave a missing value empty.",
            )


def _is_number(cell: str) -> bool:
    try:
        number(cell.strip().replace(",", "."))
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
        present = [cell for cell in cells if cell.strip() not in MISSING]
        if present and all(map(_is_number, present)):
            numeric.append(first)
    if numeric:
        return any(not _is_number(cell) and cell.strip() not in MISSING for cell in numeric)
    return not any(first in cells for first, cells in zip(firsts, below, strict=True))
