"""What every reader hands on: named columns, before one of them becomes the target."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.result import Note

Floats = NDArray[np.float64]

# Words that stand for a missing value in tables of text. "None" is not among them: data sets use
# it as a value.
MISSING = frozenset({"", "?", "NA", "N/A", "#N/A", "NaN", "nan", "NAN", "null", "NULL"})


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column: numbers, or places among ``values``; NaN where a cell is missing.

    ``declared`` says that the file itself lists the values, in an order to keep; ``text`` that it
    calls the column free text; ``problem`` why it cannot be used, should nobody drop it.
    """

    name: str
    data: Floats
    values: tuple[str, ...] | None = None
    declared: bool = False
    text: bool = False
    problem: str = ""


DATES = "holds dates or times, which cannot be used"


def unusable(name: str, rows: int, problem: str) -> Column:
    """Return a column that is refused unless it is dropped."""
    return Column(name, np.full(rows, np.nan), problem=problem)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of one length, what the reader knows of the target, and what it noticed.

    ``target`` is the column that the source itself marks; ``target_words`` are names to look for
    where it marks none. ``chosen`` says that the caller picked the attributes by hand, so that none
    is left out unasked; ``original`` are the caller's rows, if they came from Python.
    """

    name: str
    columns: tuple[Column, ...]
    target: str | None = None
    target_words: tuple[str, ...] = ("class",)
    notes: tuple[Note, ...] = ()
    chosen: bool = False
    original: Any = None

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.columns[0].data) if self.columns else 0


def in_order(words: Iterable[str]) -> tuple[str, ...]:
    """Sort words, by size where all of them are numbers."""
    distinct = sorted(set(words))
    try:
        return tuple(sorted(distinct, key=float))
    except ValueError:
        return tuple(distinct)


def number(word: str) -> float:
    """Return the number that a word writes; Python's underscores are none of the user's."""
    if "_" in word:
        raise ValueError(word)
    return float(word)


def numeric_column(
    name: str, cells: Sequence[str], *, missing: Collection[str] = MISSING, comma: bool = False
) -> Column | None:
    """Return the cells as numbers, or None where one of them is none."""
    lookup: dict[str, float] = {}
    for cell in set(cells):
        word = cell.strip()
        try:
            lookup[cell] = (
                np.nan if word in missing else number(word.replace(",", ".") if comma else word)
            )
        except ValueError:
            return None
    return Column(name, _looked_up(lookup, cells))


def nominal_column(
    name: str,
    cells: Sequence[str],
    *,
    missing: Collection[str] = MISSING,
    values: tuple[str, ...] | None = None,
) -> Column:
    """Return the cells as places among the values that are declared, or that occur."""
    declared = values is not None
    words = {cell: cell.strip() for cell in set(cells)}
    if values is None:
        values = in_order(word for word in words.values() if word not in missing)
    places = {value: float(i) for i, value in enumerate(values)}
    lookup: dict[str, float] = {}
    for cell, word in words.items():
        if word in places:
            lookup[cell] = places[word]
        elif word in missing:
            lookup[cell] = np.nan
        else:
            raise InputError(
                f"Column {name!r} holds {word!r}, which its header does not declare.",
                f"Declared are {listed(values)}; correct the cell or the header.",
            )
    return Column(name, _looked_up(lookup, cells), values, declared=declared)


def part_plain(lines: Sequence[str], delimiter: str) -> list[list[str]] | None:
    """Part lines without quotes into columns at once; None where lines have different widths.

    One long split and slices of it take a third of the time of a list for each row.
    """
    marks = lines[0].count(delimiter)
    if any(line.count(delimiter) != marks for line in lines):
        return None
    cells = delimiter.join(lines).split(delimiter)
    return [cells[i :: marks + 1] for i in range(marks + 1)]


def _looked_up(lookup: dict[str, float], cells: Sequence[str]) -> Floats:
    return np.fromiter(map(lookup.__getitem__, cells), dtype=np.float64, count=len(cells))


def listed(names: Sequence[str], *, most: int = 6) -> str:
    """Return names for a sentence, the first few of them."""
    shown = ", ".join(repr(name) for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")


def join(tables: Sequence[Table]) -> Table:
    """Put the rows of several tables with the same columns below each other."""
    first = tables[0]
    names = [column.name for column in first.columns]
    for other in tables[1:]:
        if sorted(column.name for column in other.columns) != sorted(names):
            raise InputError(
                f"The parts of {first.name!r} have different columns.",
                "Name in `drop` those that only one part has.",
            )
    columns = []
    for column in first.columns:
        parts = [one for table in tables for one in table.columns if one.name == column.name]
        columns.append(_joined(parts))
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    return Table(first.name, tuple(columns), first.target, first.target_words, notes)


def _joined(parts: list[Column]) -> Column:
    first = parts[0]
    if any((part.values is None) != (first.values is None) for part in parts):
        raise InputError(
            f"Column {first.name!r} holds numbers in one part and words in another.",
            "Write it the same way in all parts.",
        )
    if first.values is None:
        return Column(first.name, np.concatenate([part.data for part in parts]))
    words = [value for part in parts for value in part.values or ()]
    declared = all(part.declared for part in parts)
    values = tuple(dict.fromkeys(words)) if declared else in_order(words)
    places = {value: i for i, value in enumerate(values)}
    data = []
    for part in parts:
        new = np.array([places[value] for value in part.values or ()] + [np.nan])
        data.append(new[np.where(np.isnan(part.data), -1, part.data).astype(np.intp)])
    return Column(first.name, np.concatenate(data), values, declared=declared, text=first.text)
