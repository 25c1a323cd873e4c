"""Orange's .tab files: three rows of header, or one row whose names carry prefixes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from twofold.datasets.read_delimited import TARGET_WORDS, read_delimited
from twofold.datasets.table import DATES, Column, Table, nominal_column, numeric_column, unusable
from twofold.errors import InputError
from twofold.result import Note
from twofold.tables import decode, list_names, read_bytes, split_plain
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
    text, notes = decode(read_bytes(path), path.name)
    lines = text.split("\n")
    names = [name.strip() for name in lines[0].split("\t")]
    if len(lines) > 2 and _three_rows(lines):
        headers = _described(names, lines[1].split("\t"), lines[2].split("\t"))
        start = 3
    elif any(PREFIX.fullmatch(name) for name in names):
        headers = [_prefixed(name) for name in names]
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
    classes = [one.name for one in headers if one.flag == "class"]
    if len(classes) > 1:
        raise InputError(
            f"{path.name} marks several classes: {list_names(classes)}.",
            "Mark one as class; name the others in the flags as meta.",
        )
    cells = split_plain([lines[i] for i in filled], "\t") or []
    pairs = list(zip(headers, cells, strict=True))
    kept = [(one, part) for one, part in pairs if one.flag in ("", "class")]
    columns = tuple(_column(one, part) for one, part in kept)
    return Table(
        path.stem,
        columns,
        target=classes[0] if classes else None,
        target_words=TARGET_WORDS,
        notes=notes + _notes(headers, path.name),
    )


def _three_rows(lines: list[str]) -> bool:
    """Whether the second and third lines say types and flags."""
    kinds = [cell.strip().lower() for cell in lines[1].split("\t")]
    if all(kind in KINDS or not kind for kind in kinds) and any(kinds):
        return True
    flags = [flag for cell in lines[2].split("\t") for flag in cell.split()]
    return all(flag.lower() in FLAGS or "=" in flag for flag in flags) and len(kinds) == len(
        lines[0].split("\t")
    )


def _described(names: list[str], kinds: list[str], flags: list[str]) -> list[_Header]:
    # Writers leave out empty cells at the end of a line.
    kinds += [""] * (len(names) - len(kinds))
    flags += [""] * (len(names) - len(flags))
    headers = []
    for name, raw, marks in zip(names, kinds, flags, strict=False):
        kind = raw.strip()
        known = [FLAGS[mark.lower()] for mark in marks.split() if mark.lower() in FLAGS]
        flag = known[0] if known else ""
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


def _prefixed(name: str) -> _Header:
    found = PREFIX.fullmatch(name)
    if not found:
        return _Header(name, "", "")
    return _Header(found[3].strip(), KINDS.get(found[2].lower(), ""), FLAGS.get(found[1], ""))


def _column(one: _Header, cells: Sequence[str]) -> Column:
    if one.kind == "time":
        return unusable(one.name, len(cells), DATES)
    if one.kind in ("continuous", ""):
        found = numeric_column(one.name, cells, missing=ABSENT)
        if found is not None:
            return found
        if one.kind:
            raise InputError(
                f"Column {one.name!r} is marked as continuous but holds words.",
                "Mark it with d, or correct its cells.",
            )
    column = nominal_column(one.name, cells, missing=ABSENT, values=one.values)
    if one.kind == "string":
        return Column(column.name, column.data, column.values, text=True)
    return column


def _notes(headers: list[_Header], file: str) -> tuple[Note, ...]:
    notes = []
    aside = [one.name for one in headers if one.flag in ("meta", "ignore")]
    if aside:
        detail = f"{file} marks {list_names(aside)} as not to be learned from."
        notes.append(Note("marked-columns-dropped", "Marked columns were left out", detail))
    if any(one.flag == "weight" for one in headers):
        detail = f"{file} gives rows weights; all rows count alike here."
        notes.append(Note("weights-ignored", "Weights were ignored", detail, "warning"))
    return tuple(notes)
