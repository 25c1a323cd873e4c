"""Writing findings and calibrations to files: the suffix says what kind."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from twofold.report.save import write_report
from twofold.report.study_html import calibration_html, findings_html
from twofold.studies import Calibration, Findings

NUMBERS = re.compile(r"\[\s+((?:-?[\d.e+-]+,?\s+)+)\]")


def study_json(answer: Findings | Calibration) -> str:
    """Return everything as JSON, each list of numbers on one line."""
    text = json.dumps(answer.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)
    return NUMBERS.sub(lambda match: f"[{' '.join(match[1].split())}]", text)


def _render(answer: Findings | Calibration) -> str:
    return findings_html(answer) if isinstance(answer, Findings) else calibration_html(answer)


WRITERS: dict[str, Callable[[Findings | Calibration], str]] = {
    ".html": _render,
    ".htm": _render,
    ".json": study_json,
    ".csv": lambda answer: answer.to_csv(),
    ".txt": str,
}


def save_study_report(answer: Findings | Calibration, path: str | os.PathLike[str]) -> None:
    """Write a report: .html, .json, .csv or .txt. An existing file is replaced."""
    write_report(answer, Path(path), WRITERS)
