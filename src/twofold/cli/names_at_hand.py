"""Names in the files that a command line mentions: columns, learners, data sets.

Read for completion, where every tenth of a second counts: only the beginning of a file, and without
what reads tables in earnest. A guess that is wrong costs nobody anything.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BEGINNING = 1 << 16
"""Bytes of a file that are looked at."""

TEXT = (".csv", ".tsv", ".txt", ".data", ".dat", ".md", ".tab", ".arff")
LEARNER_COLUMNS = ("learner", "algorithm", "model", "classifier", "method", "estimator")
"""Columns of a long table that hold names of learners."""

_ATTRIBUTE = re.compile(r"^\s*@attribute\s+('[^']*'|\"[^\"]*\"|\S+)", re.IGNORECASE | re.MULTILINE)
_LABEL = re.compile(r"\s*([^=(\[{'\"]*[^=(\[{'\"\s])\s*=")


@dataclass(frozen=True, slots=True)
class TableNames:
    """Names in a table: all columns, those that are learners, and what rows stand for."""

    columns: tuple[str, ...] = ()
    learners: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()


def read_names(path: str) -> TableNames:
    """Return the names in a table of text; none where it cannot be read."""
    try:
        return _find_names(_read_beginning(path))
    except (OSError, EOFError, ValueError, csv.Error):
        return TableNames()


def _read_beginning(path: str) -> str:
    stem, suffix = os.path.splitext(path.lower())
    packed = suffix == ".gz"
    if (os.path.splitext(stem)[1] if packed else suffix) not in TEXT:
        return ""
    with open(path, "rb") as file:
        if not packed:
            return file.read(BEGINNING).decode("utf-8-sig", "replace")
        import gzip

        with gzip.open(file) as unpacked:
            return unpacked.read(BEGINNING).decode("utf-8-sig", "replace")


def _find_names(text: str) -> TableNames:
    if text.lstrip()[:9].lower() == "@relation":
        return TableNames(tuple(name.strip("'\"") for name in _ATTRIBUTE.findall(text)))
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return TableNames()
    delimiter = max(",;\t|", key=lines[0].count)
    header, *rows = [
        [cell.strip() for cell in row]
        for row in csv.reader(lines, delimiter=delimiter)
        if any(cell.strip(" -:") for cell in row)  # the rule of a Markdown table has no names
    ]
    columns = [name for name in header if name]
    for index, name in enumerate(header):
        if name.lower() in LEARNER_COLUMNS:
            return TableNames(tuple(columns), _take_column(rows, index))
    numeric = [name for i, name in enumerate(header) if name and _holds_numbers(rows, i)]
    words = [i for i, name in enumerate(header) if name and name not in numeric]
    labels = _take_column(rows, words[0]) if words else ()
    return TableNames(tuple(columns), tuple(numeric), labels)


def _take_column(rows: Iterable[Sequence[str]], index: int) -> tuple[str, ...]:
    """Return the different values of a column; the last row may be cut off."""
    return tuple(dict.fromkeys(row[index] for row in rows if len(row) > index and row[index]))


def _holds_numbers(rows: Sequence[Sequence[str]], index: int) -> bool:
    cells = [row[index] for row in rows[:20] if len(row) > index and row[index] not in ("", "?")]
    try:
        return all(float(cell.replace(",", ".")) is not None for cell in cells)
    except ValueError:
        return False


def label_learners(learners: Iterable[str]) -> list[str]:
    """Return what learners are called: their label, or themselves."""
    matches = [(_LABEL.match(learner), learner) for learner in learners]
    return [match[1] if match else learner for match, learner in matches]


def open_experiment(path: str) -> tuple[list[str], list[str]]:
    """Return the learners or the table of an experiment file, and its data."""
    import tomllib

    try:
        with open(path, "rb") as file:
            raw = tomllib.load(file)
    except (OSError, ValueError):
        return [], []
    folder = os.path.dirname(path)
    data = raw.get("data", [])
    data = [os.path.join(folder, name) for name in ([data] if isinstance(data, str) else data)]
    tables = raw.get("scores", [])
    tables = [tables] if isinstance(tables, str) else tables
    names = [os.path.join(folder, name) for name in tables]
    return names or list(raw.get("learners", [])), data
