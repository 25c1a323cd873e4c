"""Answers as a folder of static files: what `twofold compare` writes, byte for byte."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.page.kept_tables import clean_name
from twofold.writing import write_whole

SUFFIXES = (".html", ".tex", ".md", ".json")
"""Reports of each file; beside the .tex there is a .bib."""


def write_bundle(
    folder: str, files: Sequence[str], phrase: Callable[[Any], Any] | None = None
) -> list[Path]:
    """Write the answer for each file, and a page with links to them; return the names of all.

    Each answer names the command that writes the same.
    """
    if not files:
        raise InputError("`bundle` needs tables to answer.", "Name their files.")
    stems = [Path(clean_name(file)).name.partition(".")[0] for file in files]
    for stem in stems:
        if stems.count(stem) > 1 or stem == "index":
            raise InputError(f"Two pages would be called {stem!r}.", "Rename one of the files.")
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder!r} cannot be made: {error.strerror}.", "Name another.") from None
    written: list[Path] = []
    verdicts: list[tuple[str, str, str]] = []
    for file, stem in zip(files, stems, strict=True):
        reports = [target / f"{stem}{suffix}" for suffix in SUFFIXES]
        verdicts.append((file, f"{stem}.html", _answer(file, reports, phrase)))
        written += [*reports, target / f"{stem}.bib"]
    from twofold.report.rendering import open_environment

    index = open_environment("twofold.page").get_template("bundle.html")
    return [write_whole(target / "index.html", index.render(answers=verdicts)), *written]


def _answer(file: str, reports: Sequence[Path], phrase: Callable[[Any], Any] | None) -> str:
    """Write the reports of one file, and return its verdict."""
    from twofold.api import compare_as
    from twofold.provenance_record import record_provenance
    from twofold.report import save_report

    flags = [word for report in reports for word in ("--report", str(report))]
    with record_provenance(shlex.join(["twofold", "compare", file, *flags])):
        answer = compare_as(file, None, None, {})
    if phrase is not None:
        answer = phrase(answer)
    for report in reports:
        save_report(answer, report)
    verdict: str = answer.verdict
    return verdict
