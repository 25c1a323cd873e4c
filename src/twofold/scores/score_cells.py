"""From cells to numbers: percent signs, spreads, markup and decimal commas as people write them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.result import Note
from twofold.scores.scores import Floats
from twofold.tables import RawTable
from twofold.tables.cells import THOUSANDS, is_missing, parse_number, plain_numbers, to_number
from twofold.tables.text_columns import TextColumn

LARGEST_SCORE = 1e150
"""The squares of larger scores are infinite: tests refuse them, and means overflow before."""

_SAMPLE = 200


def distinct(cells: Sequence[Any]) -> list[Any]:
    """Return hashable cells: lists and dicts, which cannot be names, become text."""
    if isinstance(cells, TextColumn):
        return list(cells)
    try:
        hash(tuple(cells))
    except TypeError:
        return [str(cell) for cell in cells]
    return list(cells)


def list_distinct(cells: Sequence[Any]) -> list[Any]:
    """Return each cell that occurs, once."""
    if isinstance(cells, TextColumn):
        return cells.list_distinct()
    return list(dict.fromkeys(distinct(cells)))


def mostly_numbers(cells: Sequence[Any]) -> bool:
    """Tell whether a column holds numbers, by a sample of its cells; an empty one does."""
    sample = cells[:: max(1, len(cells) // _SAMPLE)]
    if plain_numbers(sample) is not None:
        return True
    sample = [cell for cell in sample if not is_missing(cell)]
    numbers = [_is_number(cell) and not isinstance(cell, bool | np.bool_) for cell in sample]
    return 2 * sum(numbers) >= len(sample)


def _is_number(cell: Any) -> bool:
    """Tell a number, be it with separators between thousands, which are refused later."""
    parted = isinstance(cell, str) and THOUSANDS.fullmatch(cell.strip())
    return bool(parted) or to_number(cell) is not None


def all_numbers(cells: Sequence[Any]) -> bool:
    """Tell whether a column holds no word at all."""
    return all(is_missing(cell) or _is_number(cell) for cell in dict.fromkeys(distinct(cells)))


def as_name(cell: Any) -> str:
    """Return a cell as a name; 31.0 as 31, for a column with gaps becomes one of floats."""
    if isinstance(cell, float | np.floating) and float(cell).is_integer():
        return str(int(cell))
    return str(cell).strip()


def number_labels(cells: Sequence[Any], rows: list[int]) -> Any:
    """Number the labels of runs or folds by first appearance; −1 where a cell is missing."""
    labels = distinct([cells[i] for i in rows])
    # There are few labels and many rows: each label is looked at once.
    names = {cell: "" if is_missing(cell) else as_name(cell) for cell in dict.fromkeys(labels)}
    order = {name: i for i, name in enumerate(dict.fromkeys(n for n in names.values() if n))}
    return np.array([order.get(names[cell], -1) for cell in labels])


class CellReader:
    """Reads the columns of one table, and remembers what it had to look past."""

    def __init__(self, raw: RawTable) -> None:
        self.raw = raw
        self.seen: dict[str, str] = {}
        self.small = ""

    def numbers(self, name: str, rows: Sequence[int] | None = None) -> Floats:
        """Return a column of numbers, NaN where a cell is missing; only these rows if given."""
        cells = self.raw.columns[name]
        if isinstance(cells, TextColumn):
            cells = list(cells)
        indices = range(len(cells)) if rows is None else rows
        plain = plain_numbers(cells if rows is None else [cells[row] for row in rows])
        out = np.empty(len(indices)) if plain is None else np.array(plain)
        percent: list[int] = []
        for i, row in enumerate(indices if plain is None else ()):
            cell = cells[row]
            try:
                if cell.__class__ is bool or isinstance(cell, np.bool_):
                    raise ValueError
                out[i] = float(cell)
            except (TypeError, ValueError, OverflowError):
                out[i] = self._slowly(name, row, cell)
                if isinstance(cell, str) and "%" in cell:
                    percent.append(i)
        if np.isinf(out).any():
            where = self.raw.locate(indices[int(np.flatnonzero(np.isinf(out))[0])])
            raise InputError(
                f"Column {name!r}, {where}: a score must be finite.",
                "Leave the cell empty where a score is missing.",
            )
        if (np.abs(out) > LARGEST_SCORE).any():
            where = self.raw.locate(indices[int(np.nanargmax(np.abs(out)))])
            raise InputError(
                f"Column {name!r}, {where}: a score must not exceed {LARGEST_SCORE:g} in size.",
                "Measure in a larger unit.",
            )
        small = (np.abs(out) <= 1) & (out != 0)
        small[percent] = False
        if small.any() and not self.small:
            row = indices[int(np.flatnonzero(small)[0])]
            self.small = f"{cells[row]!r} (column {name!r}, {self.raw.locate(row)})"
        return out

    def _slowly(self, name: str, row: int, cell: Any) -> float:
        if is_missing(cell):
            return math.nan
        where = f"Column {name!r}, {self.raw.locate(row)}"
        try:
            if not isinstance(cell, str):
                raise ValueError
            value, marks = parse_number(cell)
        except ValueError:
            text = repr(cell) if len(repr(cell)) < 40 else repr(cell)[:38] + "…"
            if isinstance(cell, str) and THOUSANDS.fullmatch(cell.strip()):
                raise InputError(
                    f"{where}: {text} has separators between thousands.",
                    "Write the number without them, for instance 1234.5.",
                ) from None
            raise InputError(
                f"{where}: {text} is not a number.",
                "Scores must be numbers; leave a cell empty where a score is missing.",
            ) from None
        for mark in marks:
            self.seen.setdefault(mark, f"{cell.strip()!r} ({where})")
        return value

    def notes(self) -> list[Note]:
        """Refuse ambiguous notation, and return notes on the marks that were ignored."""
        if ";" in self.seen and "," not in self.seen:
            raise InputError(
                f"Is the comma in {self.seen[';']} for decimals or for thousands?",
                "Write decimals with a point and thousands without a separator.",
            )
        if "%" in self.seen and self.small:
            raise InputError(
                f"Some scores have a percent sign, but {self.small} does not.",
                "Write all scores in percent, or none.",
            )
        return [
            Note(code, title, detail.format(self.seen[mark]))
            for mark, (code, title, detail) in _NOTES.items()
            if mark in self.seen
        ]


def read_parts(raw: RawTable, roles: Mapping[str, str], rows: list[int]) -> list[Any]:
    """Return runs, folds and sizes of the parts, −1 and NaN where the table has none."""
    reader = CellReader(raw)
    labels = [number_labels(raw.columns[roles[role]], rows) if role in roles
              else np.full(len(rows), -1) for role in ("run", "fold")]  # fmt: skip
    sizes = [reader.numbers(roles[role], rows) if role in roles else np.full(len(rows), np.nan)
             for role in ("n_train", "n_test")]  # fmt: skip
    return labels + sizes


_NOTES = {
    "%": (
        "percent-signs",
        "Percent signs",
        "Scores with a percent sign were read in percent, such as {}: 1 is one point of a hundred.",
    ),
    "±": (
        "spread-ignored",
        "Spreads were ignored",
        "What stands after ± or in brackets was not used, such as in {}: the tests take the "
        "spread from the scores themselves.",
    ),
    "*": (
        "markup-ignored",
        "Markup was ignored",
        "Bold type, stars and the like were taken off the numbers, such as {}.",
    ),
    ",": ("decimal-comma", "Decimal commas", "Commas were read as decimal points, such as {}."),
}
