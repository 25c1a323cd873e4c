"""Tables in text: CSV and its kin, columns parted by spaces, and Markdown."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable
from dataclasses import replace

from twofold.errors import InputError
from twofold.result import Note
from twofold.scores.cells import parse
from twofold.scores.name_hints import ROLES, names_repeats, plain
from twofold.scores.raw import RawTable, listed

LABELS = {word for role in ("dataset", "learner") for word in ROLES[role]}
DELIMITERS = "\t;,|"
_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)+\|?\s*|\s*\|\s*:?-+:?\s*\|\s*")

Rows = list[tuple[int, list[str]]]
"""Lines of the file and the cells of the row that begins there."""


def from_text(text: str, where: str) -> RawTable:
    """Return the table that a text holds; its first row names the columns."""
    lines = text.splitlines()
    rule = next(
        (i for i, line in enumerate(lines) if i and "|" in lines[i - 1] and _RULE.fullmatch(line)),
        None,
    )
    rows, notes = _delimited(text, where) if rule is None else (_markdown(lines, rule), ())
    if not rows:
        raise InputError(f"{where} is empty.", "It needs a header and at least one row of scores.")
    rows = _even(rows, where)
    _refuse_numbers_as_names(rows, where)
    return replace(_table(rows, where), notes=notes)


def _markdown(lines: list[str], rule: int) -> Rows:
    """Return the rows of the first table, whatever is written above and below it."""
    rows = []
    for i in range(rule - 1, len(lines)):
        if i == rule:
            continue
        if "|" not in lines[i]:
            break
        inner = lines[i].strip().removeprefix("|")
        inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
        cells = re.split(r"(?<!\\)\|", inner)
        rows.append((i + 1, [cell.replace("\\|", "|").strip() for cell in cells]))
    return [(line, [_unmarked(c) for c in cells] if k == 0 else [_unmarked(cells[0]), *cells[1:]])
            for k, (line, cells) in enumerate(rows)]  # fmt: skip


def _unmarked(name: str) -> str:
    """Take bold and italic marks off a name."""
    match = re.fullmatch(r"(\*\*|__|\*|_|`)(.+)\1", name)
    return match[2] if match else name


def _delimited(text: str, where: str) -> tuple[Rows, tuple[Note, ...]]:
    kept: list[str] = []
    numbers: list[int] = []
    header = ""
    comments: list[str] = []
    for i, line in enumerate(text.splitlines(keepends=True), start=1):
        if line.startswith("#"):
            if not any(line.strip() for line in kept):
                header = line  # the last comment above the table may be its header
            else:
                comments.append(line)
            continue
        kept.append(line)
        numbers.append(i)
    filled = [line for line in kept if line.strip()]
    if not filled:
        return [], ()
    delimiter = max(DELIMITERS, key=filled[0].count)
    if not filled[0].count(delimiter):
        rows = [(n, _spaced(line)) for n, line in zip(numbers, kept, strict=True) if line.strip()]
        return rows, _commented([_spaced(line) for line in comments], len(rows[0][1]))
    source = csv.reader(io.StringIO("".join(kept), newline=""), delimiter=delimiter)
    rows = []
    start = 0
    try:
        first, *rest = csv.reader([filled[0], *comments], delimiter=delimiter)
        for row in source:
            if "".join(row).strip():
                rows.append((numbers[start], row))
            start = source.line_num
    except csv.Error as error:
        raise InputError(
            f"{where}, line {numbers[min(start, len(numbers) - 1)]}: {error}.",
            "Is a quotation mark left open, or is it not a text file?",
        ) from None
    notes = _commented(rest, len(first))
    names = [cell.strip() for cell in header.lstrip("# \t").split(delimiter)]
    if not re.match(r"#+\s", header) and plain(names[0]) not in LABELS:
        names[0] = header.split(delimiter)[0].strip()  # a name such as #4
    if header and len(names) == len(rows[0][1]) > 1 and _numbers(names) < _numbers(rows[0][1]):
        return [(0, names), *rows], notes  # the header stood behind a #
    return rows, notes


def _commented(rows: list[list[str]], count: int) -> tuple[Note, ...]:
    """Say which rows stand behind a #: comments, or data sets with such names."""
    names = [row[0].strip() for row in rows if len(row) == count]
    if not names:
        return ()
    detail = f"Rows that begin with # are comments: {listed(names)}. Rename a row to keep it."
    return (Note("left-out-rows", "Rows left out", detail, "warning"),)


def _spaced(line: str) -> list[str]:
    """Part a line at two or more spaces, or at single ones where there are no wider gaps."""
    if '"' in line:
        return next(csv.reader([line.strip()], delimiter=" ", skipinitialspace=True))
    wide = re.split(r"\s{2,}", line.strip())
    return wide if len(wide) > 2 else line.split()


def _numbers(cells: list[str]) -> int:
    """Count the cells that hold a number."""
    return sum(_is_number(cell) for cell in cells)


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(parse(text)[0])
    except ValueError:
        return False


def _even(rows: Rows, where: str) -> Rows:
    """Return rows of one length: empty cells at the end go, names of rows need no header."""
    (line, names), body = rows[0], rows[1:]
    if body and all(len(cells) == len(names) + 1 for _, cells in body):
        if all(not cells[-1].strip() for _, cells in body):
            body = [(n, cells[:-1]) for n, cells in body]
        else:
            names = ["", *names]  # as R and pandas print tables
    for n, cells in body:
        if len(cells) != len(names) and any("\n" in cell for cell in cells):
            raise InputError(
                f"{where}, line {n}: a quotation mark is left open.",
                "Close it, or take it away.",
            )
        if len(cells) != len(names):
            raise InputError(
                f"{where}, line {n}: {len(cells)} cells where the header has {len(names)}.",
                "Give every row one cell per column; leave a missing score empty.",
            )
    return [(line, names), *body]


def _refuse_numbers_as_names(rows: Rows, where: str) -> None:
    """A first line of scores is no header; behind a header for names numbers may be names."""
    names = [name.strip() for name in rows[0][1]]
    first = plain(names[0])
    if len(names) > 1 and (first in ("", *LABELS) or names_repeats(names[0])):
        return
    if 2 * _numbers(names[1:]) > len(names[1:]):
        raise InputError(
            f"{where}, line {rows[0][0]}: the first line holds scores, not names.",
            "Begin with a line of names, such as dataset,A,B.",
        )


def _table(rows: Rows, where: str) -> RawTable:
    names = [name.strip() for name in rows[0][1]]
    body = rows[1:]
    columns: dict[str, list[str]] = {}
    for j, name in enumerate(names):
        cells = [row[j] for _, row in body]
        if not name and j and not any(cell.strip() for cell in cells):
            continue  # a delimiter too many at the end of each line
        if not name and j:
            raise InputError(
                f"{where}: column {j + 1} has no name.",
                "Name every column in the first row; cells of a header must not be merged.",
            )
        if name in columns:
            raise InputError(f"Two columns are called {name!r}.", "Give each column its own name.")
        columns[name] = cells
    return RawTable(dict(columns), lines=[line for line, _ in body])


def decoded(data: bytes, path: str) -> tuple[str, tuple[Note, ...]]:
    """Return the text of a file in UTF-8, or in what spreadsheets write instead."""
    encodings: list[tuple[str, Callable[[], str]]] = [
        ("UTF-8", lambda: data.decode("utf-8-sig")),
        ("UTF-16", lambda: data.decode("utf-16") if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""),
        ("Windows-1252", lambda: data.decode("cp1252")),
    ]
    for name, decode in encodings:
        try:
            text = decode()
        except UnicodeError:
            continue
        if not text and data:
            continue
        if name != "UTF-8" and not all(c.isprintable() or c in "\r\n\t" for c in text):
            continue
        if "\0" in text:
            continue
        if name == "UTF-8":
            return text, ()
        detail = f"The file is not in UTF-8; it was read as {name}. Check names with accents."
        return text, (Note("encoding", "Not in UTF-8", detail),)
    raise InputError(
        f"{path!r} is not a text file in UTF-8.", "Save the table as CSV with UTF-8 encoding."
    )
