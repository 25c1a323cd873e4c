"""Typed columns, as every reader returns them, before one of them becomes the target."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.result import Note
from twofold.tables import list_names
from twofold.tables.cells import AMBIGUOUS, MISSING, MISSING_NUMBERS, parse_plain

Floats = NDArray[np.float64]

FEW_NUMBERS = 10
"""Whole numbers up to which the word "none" beside them is a value."""


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A column: numbers, or indices of ``values``; NaN where a cell is missing.

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


def unusable_column(name: str, rows: int, problem: str) -> Column:
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


def sort_words(words: Iterable[str]) -> tuple[str, ...]:
    """Sort words, by size where all of them are numbers."""
    distinct = sorted(set(words))
    try:
        return tuple(sorted(distinct, key=float))
    except ValueError:
        return tuple(distinct)


def numeric_column(
    name: str,
    cells: Sequence[str],
    *,
    missing: Collection[str] = MISSING,
    comma: Literal["", "decimal", "doubtful"] = "",
) -> Column | None:
    """Return the cells as numbers, or None where one of them is none.

    ``comma`` says whether a comma is a decimal mark; where that is doubtful, some cell must have
    one that cannot part thousands.
    """
    lookup: dict[str, float] = {}
    stand_ins: set[str] = set()
    doubtful = comma == "doubtful"
    for cell in set(cells):
        word = cell.strip()
        if comma and "," in word:
            doubtful = doubtful and bool(AMBIGUOUS.fullmatch(word))
            word = word.replace(",", ".")
        try:
            lookup[cell] = np.nan if word in missing else parse_plain(word)
        except ValueError:
            if word.lower() not in MISSING_NUMBERS:
                return None
            stand_ins.add(word.lower())
            lookup[cell] = np.nan
    if doubtful or (stand_ins and not _are_missing(stand_ins, lookup.values())):
        return None
    return Column(name, _look_up(lookup, cells))


def _are_missing(words: set[str], values: Iterable[float]) -> bool:
    """Tell whether words such as a dash stand for missing numbers rather than for themselves."""
    numbers = {value for value in values if not math.isnan(value)}
    few_whole = len(numbers) <= FEW_NUMBERS and all(map(float.is_integer, numbers))
    return bool(numbers) and not (few_whole and "none" in words)  # none, 1 or 2 of something


def nominal_column(
    name: str,
    cells: Sequence[str],
    *,
    missing: Collection[str] = MISSING,
    values: tuple[str, ...] | None = None,
) -> Column:
    """Return the cells as indices of the values that are declared, or that occur."""
    declared = values is not None
    words = {cell: cell.strip() for cell in set(cells)}
    if values is None:
        values = sort_words(word for word in words.values() if word not in missing)
    codes = {value: float(i) for i, value in enumerate(values)}
    lookup: dict[str, float] = {}
    for cell, word in words.items():
        if word in codes:
            lookup[cell] = codes[word]
        elif word in missing:
            lookup[cell] = np.nan
        else:
            raise InputError(
                f"Column {name!r} holds {word!r}, which its header does not declare.",
                f"Declared are {list_names(values)}; correct the cell or the header.",
            )
    return Column(name, _look_up(lookup, cells), values, declared=declared)


def _look_up(lookup: dict[str, float], cells: Sequence[str]) -> Floats:
    return np.fromiter(map(lookup.__getitem__, cells), dtype=np.float64, count=len(cells))


def join_tables(tables: Sequence[Table]) -> Table:
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
        parts = [part for table in tables for part in table.columns if part.name == column.name]
        columns.append(_join_columns(parts))
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    return Table(first.name, tuple(columns), first.target, first.target_words, notes)


def _join_columns(parts: list[Column]) -> Column:
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
    values = tuple(dict.fromkeys(words)) if declared else sort_words(words)
    codes = {value: i for i, value in enumerate(values)}
    data = []
    for part in parts:
        new = np.array([codes[value] for value in part.values or ()] + [np.nan])
        data.append(new[np.where(np.isnan(part.data), -1, part.data).astype(np.intp)])
    return Column(first.name, np.concatenate(data), values, declared=declared, text=first.text)
