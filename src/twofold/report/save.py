"""Writing reports: the suffix says what kind, and a file is written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from twofold.comparison import Comparison, Comparisons
from twofold.errors import InputError, suggest
from twofold.extras import require
from twofold.report.bibtex import bibtex
from twofold.report.html import html
from twofold.report.json_text import json_parts
from twofold.report.latex import latex
from twofold.report.markdown import markdown
from twofold.report.terminal import terminal
from twofold.writing import check_target, write_whole

Answer = TypeVar("Answer")
Content = TypeVar("Content", bound=str | bytes)


def as_json(c: Comparison | Comparisons) -> str:
    """Return the comparison as JSON."""
    return "".join(json_parts(c))


def as_workbook(c: Comparison | Comparisons) -> bytes:
    """Return the comparison as an Excel workbook."""
    from twofold.report.workbook import write_workbook

    return write_workbook(c)


WRITERS: dict[str, Callable[[Comparison | Comparisons], str | bytes]] = {
    ".html": html,
    ".htm": html,
    ".tex": latex,
    ".md": markdown,
    ".json": as_json,
    ".txt": terminal,
    ".xlsx": as_workbook,
}


def save_report(c: Comparison | Comparisons, path: str | os.PathLike[str]) -> None:
    """Write a report: .html, .tex (with a .bib beside it), .md, .json, .txt or .xlsx.

    Parameters
    ----------
    c : Comparison, or Comparisons by several metrics
    path : path
        Its suffix says what kind of report. An existing file is replaced.
    """
    file = Path(path)
    if file.suffix.lower() == ".tex":
        text, references = latex(c, bibliography=file.stem), bibtex(c)
        write_whole(file, text)
        write_whole(file.with_suffix(".bib"), references)
    else:
        write_report(c, file, WRITERS)


def write_report(
    answer: Answer, file: Path, writers: Mapping[str, Callable[[Answer], str | bytes]]
) -> None:
    """Write an answer in the way that belongs to the suffix."""
    content = find_writer(file, writers)(answer)
    if isinstance(content, str) and not content.endswith("\n"):
        content += "\n"
    write_whole(file, content)


def check_report(path: str | os.PathLike[str]) -> None:
    """Refuse a name that no report can have, before there is an answer."""
    file = Path(path)
    find_writer(file, WRITERS)
    check_file(file)
    if file.suffix.lower() == ".tex":
        check_target(file.with_suffix(".bib"))


def check_file(file: Path) -> None:
    """Refuse a file that cannot be written, and Excel without the library that writes it."""
    check_target(file)
    if file.suffix.lower() == ".xlsx":
        require("tables", "Writing Excel files", "openpyxl")


def find_writer(
    file: Path, writers: Mapping[str, Callable[[Answer], Content]], kind: str = "report"
) -> Callable[[Answer], Content]:
    """Return what writes an answer to such a file."""
    write = writers.get(file.suffix.lower())
    if write is None:
        suffixes = [suffix for suffix in writers if suffix != ".htm"]
        listed = f"Give it a name that ends in {', '.join(suffixes[:-1])} or {suffixes[-1]}."
        raise InputError(
            f"{file.name!r} does not say what kind of {kind} it is.",
            suggest(file.suffix, suffixes, listed, 0.7),
        )
    return write
