"""Orange's .tab files: three rows of header, or one row whose names carry prefixes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from twofold.datasets.read_delimited import TARGET_WORDS, read_delimited
from twofold.datasets.table import (
    DATES,
    Column,
    Table,
    nominal_column,
    numeric_column,
    unusable_column,
)
from twofold.errors import InputError
from twofold.result import Note
from twofold.tables import list_names, read_text, split_plain, without_gz
from twofold.tables.cells import MISSING

KINDS = {
    **dict.fromkeys(("c", "continuous", "numeric", "n"), "continuous"),
    **dict.fromkeys(("d", "discrete", "categorical"), "discrete"),
    **dict.fromkeys(("s", "string", "text"), "string"),
    **dict.fromkeys(("t", "time"), "time"),
}
FLAGS = {
    **dict.fromkeys(("class", "c"), "class"),
    **dict.fromkeys(("meta", "m"), "meta"),
    **dict.fromkeys(("ignore", "i"), "ignore"),
    **dict.fromkeys(("weight", "w"), "weight"),
}
PREFIX = re.compile(r"([cmiw]?)([CDSTN]?)#(.*)", re.DOTALL)
ABSENT = MISSING | {".", "~"}


class _Header(NamedTuple):
    name: str
    kind: str  # continuous, discrete, string, time, values, or "" where the cells must tell
    flag: str
    values: tuple[str, ...] | None = None


def read_tab(path: Path) -> Table:
    """Read an Orange file; a plain table with the suffix .tab is read as one."""
    text, notes = read_text(path, path.name)
    lines = text.split("\n")
    names = [name.strip() for name in lines[0].split("\t")]
    if len(lines) > 2 and _has_three_rows(lines):
        headers = _parse_three_rows(names, lines[1].split("\t"), lines[2].split("\t"))
        start = 3
    elif any(PREFIX.fullmatch(name) for name in names):
        headers = [_parse_prefix(name) for name in names]
        start = 1
    else:
        return read_delimited(path)
    filled = [i for i in range(start, len(lines)) if lines[i].strip()]
    for i in filled:
        width = lines[i].count("\t") + 1
        if width != len(names):
            raise InputError(
                f"{path.name}, line {i + 1}: {width} cells where the header has {len(names)}.",
                "Give every row one cell per column, ? where a value is missing.",
            )
    if not filled:
        raise InputError(f"{str(path)!r} has a header but no rows.", "Add rows below the header.")
    classes = [header.name for header in headers if header.flag == "class"]
    if len(classes) > 1:
        raise InputError(
            f"{path.name} marks several classes: {list_names(classes)}.",
            "Mark one as class; name the others in the flags as meta.",
        )
    cells = split_plain([lines[i] for i in filled], "\t") or []
    pairs = list(zip(headers, cells, strict=True))
    used = [(header, part) for header, part in pairs if header.flag in ("", "class")]
    columns = tuple(_column(header, part) for header, part in used)
    return Table(
        without_gz(path).stem,
        columns,
        target=classes[0] if classes else None,
        target_words=TARGET_WORDS,
        notes=notes + _notes(headers, path.name),
    )


def _has_three_rows(lines: list[str]) -> bool:
    """Tell whether the second and third lines hold types and flags."""
    kinds = [cell.strip().lower() for cell in lines[1].split("\t")]
    if all(kind in KINDS or not kind for kind in kinds) and any(kinds):
        return True
    flags = [flag for cell in lines[2].split("\t") for flag in cell.split()]
    return all(flag.lower() in FLAGS or "=" in flag for flag in flags) and len(kinds) == len(
        lines[0].split("\t")
    )


def _parse_three_rows(names: list[str], kinds: list[str], flags: list[str]) -> list[_Header]:
    # Writers leave out empty cells at the end of a line.
    kinds += [""] * (len(names) - len(kinds))
    flags += [""] * (len(names) - len(flags))
    headers = []
    for name, raw, marks in zip(names, kinds, flags, strict=False):
        kind = raw.strip()
        flag = next((FLAGS[mark] for mark in marks.lower().split() if mark in FLAGS), "")
        if kind.lower() == "basket":
            raise InputError(
                f"Column {name!r} is marked as a basket, which cannot be used.",
                "Write a column for each thing that may be in it, or mark it as ignore.",
            )
        if kind.lower() in KINDS or not kind:
            headers.append(_Header(name, KINDS.get(kind.lower(), ""), flag))
        else:
            words = [word.replace("\\ ", " ") for word in re.split(r"(?<!\\) +", kind)]
            headers.append(_Header(name, "values", flag, tuple(dict.fromkeys(words))))
    return headers


def _parse_prefix(name: str) -> _Header:
    match = PREFIX.fullmatch(name)
    if not match:
        return _Header(name, "", "")
    return _Header(match[3].strip(), KINDS.get(match[2].lower(), ""), FLAGS.get(match[1], ""))


def _column(header: _Header, cells: Sequence[str]) -> Column:
    if header.kind == "time":
        return unusable_column(header.name, len(cells), DATES)
    if header.kind in ("continuous", ""):
        numbers = numeric_column(header.name, cells, missing=ABSENT)
        if numbers is not None:
            return numbers
        if header.kind:
            raise InputError(
                f"Column {header.name!r} is marked as continuous but holds words.",
                "Mark it with d, or correct its cells.",
            )
    column = nominal_column(header.name, cells, missing=ABSENT, values=header.values)
    if header.kind == "string":
        return Column(column.name, column.data, column.values, text=True)
    return column


def _notes(headers: list[_Header], file: str) -> tuple[Note, ...]:
    notes = []
    aside = [header.name for header in headers if header.flag in ("meta", "ignore")]
    if aside:
        detail = f"{file} marks {list_names(aside)} as not to be learned from."
        notes.append(Note("marked-columns-dropped", "Marked columns were left out", detail))
    if any(header.flag == "weight" for header in headers):
        detail = f"{file} gives rows weights; all rows count alike here."
        notes.append(Note("weights-ignored", "Weights were ignored", detail, "warning"))
    return tuple(notes)
