"""Weka's ARFF, read as Weka reads it.

A bare ``?`` is missing, a quoted one is a value like any other. Values keep the order in which the
header declares them. Cells are parted by commas, spaces or tabs; ``%`` starts a comment unless it
is quoted; rows may be sparse and may carry a weight.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from twofold.datasets.table import DATES, Column, Table, sort_words, unusable_column
from twofold.errors import InputError
from twofold.result import Note
from twofold.tables import list_names, read_text, split_plain, without_gz
from twofold.tables.cells import parse_plain

QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
# A quote begins and ends a word; the apostrophe inside of it's is a letter.
TOKEN = re.compile(rf"(?:{QUOTED})(?=[\s,{{}}]|$)|[^\s,{{}}]+")
CELL = re.compile(rf"\s*+((?:{QUOTED})(?=\s*+,)|[^,]*+)\s*+,")
ATTRIBUTE = re.compile(
    rf"@attribute\s+({QUOTED}|[^\s{{}}'\"][^\s{{}}]*)\s*(.*)", re.IGNORECASE | re.DOTALL
)
# Without going back: a quote around a brace or percent sign must not become a letter after all.
NOMINAL = re.compile(rf"\{{((?>{TOKEN.pattern}|[^}}])*+)\}}")
COMMENT = re.compile(rf"((?>{QUOTED}|[^%\s,{{}}]+|[^%])*+)%.*")
WEIGHT = re.compile(r"(?:,|(?<!\s)\s)\s*+\{\s*+([-+.\deE]++)\s*+\}\s*$")
KINDS = {"numeric": "numeric", "real": "numeric", "integer": "numeric", "string": "string",
         "date": "date"}  # fmt: skip
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class _Attribute(NamedTuple):
    name: str
    kind: str  # numeric, nominal, string or date
    values: tuple[str, ...] | None = None


def read_arff(path: Path) -> Table:
    """Read an ARFF file."""
    text, notes = read_text(path, path.name)
    lines = text.split("\n")
    declared, start = _header(lines, path)
    filled = [i for i in range(start, len(lines)) if lines[i].strip()]
    filled = [i for i in filled if not lines[i].lstrip().startswith("%")]
    if not filled:
        raise InputError(f"{str(path)!r} has no rows.", "Add rows below @data.")
    numbers = [i + 1 for i in filled]
    data = [lines[i].strip() for i in filled]
    cells, weighted = _cells(data, numbers, declared, path)
    if weighted:
        detail = f"{weighted} rows of {path.name} carry a weight; all rows count alike here."
        notes += (Note("weights-ignored", "Weights were ignored", detail, "warning"),)
    columns = tuple(
        _column(attribute, part, numbers, path)
        for attribute, part in zip(declared, cells, strict=True)
    )
    return Table(without_gz(path).stem, columns, notes=notes)


def _header(lines: list[str], path: Path) -> tuple[list[_Attribute], int]:
    """Return the attributes and the index of the first line of data."""
    declared = []
    for i, raw in enumerate(lines):
        line = _strip_comment(raw).strip()
        word = line.split(None, 1)[0].lower() if line else ""
        if word.startswith("@attribute"):
            declared.append(_attribute(line, i + 1, path))
        elif word == "@data":
            if not declared:
                raise InputError(f"{str(path)!r} declares no attributes.", "Is it an ARFF file?")
            return declared, i + 1
        elif word == "@end":
            raise _relational_error(i + 1, path)
        elif word and not word.startswith("@relation"):
            raise InputError(
                f"{path.name}, line {i + 1}: {line[:40]!r} is not @attribute or @data.",
                "Is it an ARFF file? Other tables need the suffix .csv, .tsv or .tab.",
            )
    raise InputError(f"{str(path)!r} has no @data line.", "Is it an ARFF file, and complete?")


def _attribute(line: str, number_of_line: int, path: Path) -> _Attribute:
    match = ATTRIBUTE.match(line)
    if not match or not match[2].strip():
        raise InputError(
            f"{path.name}, line {number_of_line}: an attribute without a name or a type.",
            "Write for instance: @attribute size numeric",
        )
    name, kind = _unquote(match[1]), match[2].strip()
    if kind.startswith("{"):
        inside = NOMINAL.match(kind)
        if not inside:
            raise InputError(
                f"{path.name}, line {number_of_line}: the values of {name!r} do not end.",
                "Close them with } on the same line, and close every quote.",
            )
        return _Attribute(name, "nominal", _values(inside[1], name, number_of_line, path))
    word = re.split(r"[\s\[{]", kind, maxsplit=1)[0].lower()
    if word in KINDS:
        return _Attribute(name, KINDS[word])
    if word == "relational":
        raise _relational_error(number_of_line, path)
    raise InputError(
        f"{path.name}, line {number_of_line}: {word!r} is no type of attribute.",
        "Use numeric, real, integer, string, or the values in braces.",
    )


def _relational_error(line: int, path: Path) -> InputError:
    rule = f"{path.name}, line {line}: relational attributes cannot be used."
    return InputError(rule, "Write one row per bag instead.")


def _values(inside: str, name: str, line: int, path: Path) -> tuple[str, ...]:
    # Bare values may hold spaces in files that were not written by Weka.
    words = [word for word in _split_cells(inside) if word]
    if len(words) == 1 and words[0][0] in "'\"":
        words = TOKEN.findall(inside)
    values = tuple(map(_unquote, words))
    if len(set(values)) < len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise InputError(
            f"{path.name}, line {line}: {name!r} declares {twice!r} twice.", "Declare it once."
        )
    return values


def _cells(
    lines: list[str], numbers: list[int], declared: list[_Attribute], path: Path
) -> tuple[list[Any], int]:
    """Return columns of cells as they are written, and how many rows carry a weight."""
    width = len(declared)
    if not any(mark in line for mark in "'\"%{}" for line in lines):
        columns = split_plain(lines, ",")
        if columns is not None and len(columns) == width:
            return list(columns), 0
    rows: list[list[str]] = []
    weighted = 0
    for at, line in zip(numbers, lines, strict=True):
        if "%" in line:
            line = _strip_comment(line).strip()
        if "{" in line or "}" in line:
            bare, count = WEIGHT.subn("", line)
            if count:
                weighted, line = weighted + 1, bare.rstrip(" ,")
        if line[:1] == "{":
            row = _sparse(line, at, declared, path)
        elif "'" in line or '"' in line:
            row = TOKEN.findall(line)
            if len(row) != width:
                row = _split_cells(line)  # bare values with spaces in them
        else:
            row = line.split(",")
            if len(row) != width:
                row = line.replace(",", " ").split()
        if len(row) != width:
            raise InputError(
                f"{path.name}, line {at}: {len(row)} values where {width} are declared.",
                "Give every row one value per attribute, ? where it is missing.",
            )
        rows.append(row)
    return list(zip(*rows, strict=True)), weighted


def _split_cells(text: str) -> list[str]:
    return [cell.rstrip() for cell in CELL.findall(text + ",")]


def _sparse(line: str, at: int, declared: list[_Attribute], path: Path) -> list[str]:
    """Return a sparse row in full: what is not named is zero, or the first declared value."""
    row = ["0" if not values else f"'{_escape(values[0])}'" for _, _, values in declared]
    tokens = TOKEN.findall(line.strip("{} \t"))
    indices = tokens[::2]
    places = {str(place) for place in range(len(declared))}
    good = places.issuperset(indices)
    good = good and len(tokens) % 2 == 0 and line.endswith("}")
    if not good or len(set(indices)) < len(indices):
        raise InputError(
            f"{path.name}, line {at}: {line[:40]!r} is no sparse row.",
            f"Write {{place value, place value}}, each place once, from 0 to {len(declared) - 1}.",
        )
    for index, value in zip(indices, tokens[1::2], strict=True):
        row[int(index)] = value
    return row


def _column(attribute: _Attribute, cells: Sequence[str], lines: list[int], path: Path) -> Column:
    name, kind, values = attribute
    if kind == "date":
        return unusable_column(name, len(cells), DATES)
    # Each distinct way of writing a cell is looked at once, so that quotes cost nothing.
    words = {cell: None if cell.strip() == "?" else _unquote(cell.strip()) for cell in set(cells)}
    if kind == "string":
        values = sort_words(word for word in words.values() if word is not None)
    codes = {value: float(i) for i, value in enumerate(values or ())}
    lookup: dict[str, float] = {}
    for cell, word in words.items():
        try:
            if word is None:
                lookup[cell] = np.nan
            else:
                lookup[cell] = parse_plain(word) if values is None else codes[word]
        except (ValueError, KeyError):
            problem, remedy = "is no number", "Write a number, or ? where it is missing."
            if values is not None:
                problem = "is not declared"
                remedy = f"Declared are {list_names(values)}; correct the cell or the header."
            line = lines[cells.index(cell)]
            raise InputError(
                f"{path.name}, line {line}: {word!r} {problem} for {name!r}.", remedy
            ) from None
    data = np.fromiter(map(lookup.__getitem__, cells), dtype=np.float64, count=len(cells))
    return Column(name, data, values, declared=kind == "nominal", text=kind == "string")


def _unquote(word: str) -> str:
    if len(word) >= 2 and word[0] in "'\"" and word[-1] == word[0]:
        word = word[1:-1]
        if "\\" in word:
            word = re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), word)
    return word


def _escape(word: str) -> str:
    return word.replace("\\", "\\\\").replace("'", "\\'")


def _strip_comment(line: str) -> str:
    if "%" not in line:
        return line
    match = COMMENT.match(line)
    return match[1] if match else line
