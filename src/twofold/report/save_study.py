"""Writing findings and calibrations to files: the suffix says what kind."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.report.study_html import calibration_html, findings_html
from twofold.studies import Calibration, Findings
from twofold.writing import write_whole

NUMBERS = re.compile(r"\[\s+((?:-?[\d.e+-]+,?\s+)+)\]")


def study_json(found: Findings | Calibration) -> str:
    """Return everything as JSON, each list of numbers on one line."""
    text = json.dumps(found.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)
    return NUMBERS.sub(lambda match: f"[{' '.join(match[1].split())}]", text)


def _page(found: Findings | Calibration) -> str:
    return findings_html(found) if isinstance(found, Findings) else calibration_html(found)


def _table(found: Findings | Calibration) -> str:
    return found.to_csv()


WRITERS: dict[str, Callable[[Any], str]] = {
    ".html": _page,
    ".htm": _page,
    ".json": study_json,
    ".csv": _table,
    ".txt": str,
}


def save_study_report(found: Findings | Calibration, path: str | os.PathLike[str]) -> None:
    """Write a report: .html, .json, .csv or .txt. An existing file is replaced."""
    file = Path(path)
    make = WRITERS.get(file.suffix.lower())
    if make is None:
        raise InputError(
            f"{file.name!r} does not say what kind of report it is.",
            "Give it a name that ends in .html, .json, .csv or .txt.",
        )
    text = make(found)
    write_whole(file, text if text.endswith("\n") else text + "\n")
