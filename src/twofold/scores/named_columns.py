"""From the cells of a text to a table of scores: its first row names the columns."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.errors import InputError
from twofold.escapes import unescape_cell
from twofold.result import Note
from twofold.scores.name_hints import ROLES, names_repeats, plain
from twofold.tables import RawTable, list_names, parse_text, refuse_duplicates
from twofold.tables.cells import is_number
from twofold.tables.raw_table import Columns
from twofold.tables.text_columns import TextColumn

LABELS = {word for role in ("dataset", "learner") for word in ROLES[role]}


def from_text(text: str, where: str, suffix: str = "") -> RawTable:
    """Return the table that a text holds."""
    table = parse_text(text, where, suffix=suffix, packed=True)
    names = [unescape_cell(column[0].strip()) for column in table.columns]
    if plain(names[0]) in LABELS:
        names[0] = names[0].lstrip("#")
    _refuse_numbers_as_names(names, f"{where}, line {table.lines[0]}")
    refuse_duplicates(name for j, name in enumerate(names) if name or not j)
    columns: Columns = {}
    for j, (name, cells) in enumerate(zip(names, table.columns, strict=True)):
        if not name and j and not any(cell.strip() for cell in cells[1:]):
            continue  # a delimiter too many at the end of each line
        if not name and j:
            raise InputError(
                f"{where}: column {j + 1} has no name.",
                "Name every column in the first row; cells of a header must not be merged.",
            )
        columns[name] = cells[1:]
    if "'" in text:  # as our own tables have it before names that look like formulas
        columns = {name: _unescape(cells) for name, cells in columns.items()}
    return RawTable(columns, _note_comments(table.comments), lines=table.lines[1:])


def _unescape(cells: Sequence[str]) -> Sequence[str]:
    if isinstance(cells, TextColumn) and not cells.holds("'"):
        return cells
    return list(map(unescape_cell, cells))


def _note_comments(rows: list[list[str]]) -> tuple[Note, ...]:
    """Say which rows stand behind a #: comments, or data sets with such names."""
    if not rows:
        return ()
    names = list_names(row[0].strip() for row in rows)
    detail = f"Rows that begin with # are comments: {names}. Rename a row to keep it."
    return (Note("left-out-rows", "Rows left out", detail, "warning"),)


def _refuse_numbers_as_names(names: list[str], where: str) -> None:
    """Refuse a first line of scores; numbers are names if the first column has a known header."""
    if len(names) > 1 and (plain(names[0]) in ("", *LABELS) or names_repeats(names[0])):
        return
    fraction = is_number(names[0]) and not names[0].isdigit()  # no learner is called -0.32
    if fraction or 2 * sum(map(is_number, names[1:])) > len(names[1:]):
        raise InputError(
            f"{where}: the first line holds scores, not names.",
            "Begin with a line of names, such as dataset,A,B.",
        )
