"""Writing reports: the suffix says what kind, and a file is written whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from twofold.comparison import Comparison
from twofold.errors import InputError
from twofold.report.html import html
from twofold.report.latex import latex
from twofold.report.markdown import markdown
from twofold.report.terminal import terminal
from twofold.writing import write_whole


def as_json(c: Comparison) -> str:
    """Return the comparison as JSON."""
    return json.dumps(c.to_dict(), ensure_ascii=False, indent=2) + "\n"


WRITERS: dict[str, Callable[[Comparison], str]] = {
    ".html": html,
    ".htm": html,
    ".tex": latex,
    ".md": markdown,
    ".json": as_json,
    ".txt": terminal,
}


def save_report(c: Comparison, path: str | os.PathLike[str]) -> None:
    """Write a report: .html, .tex (with a .bib beside it), .md, .json or .txt.

    Parameters
    ----------
    c : Comparison
    path : path
        Its suffix says what kind of report. An existing file is replaced.
    """
    file = Path(path)
    make = WRITERS.get(file.suffix.lower())
    if make is None:
        raise InputError(
            f"{file.name!r} does not say what kind of report it is.",
            "Give it a name that ends in .html, .tex, .md, .json or .txt.",
        )
    texts = {file: make(c)}
    if make is latex:
        from twofold.report.bibtex import bibtex

        texts[file.with_suffix(".bib")] = bibtex(c)
        texts[file] = latex(c, bibliography=file.stem)
    for target, text in texts.items():
        write_whole(target, text if text.endswith("\n") else text + "\n")
