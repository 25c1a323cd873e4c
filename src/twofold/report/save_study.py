"""Writing findings of studies and calibrations to files: the suffix says what kind."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from twofold.report.data_study_html import data_findings_html
from twofold.report.save import write_report
from twofold.report.study_html import calibration_html, findings_html
from twofold.report.table_study_html import table_findings_html
from twofold.studies import Calibration, DataFindings, Findings, TableFindings

StudyAnswer = Findings | DataFindings | TableFindings | Calibration

NUMBERS = re.compile(r"\[\s+((?:-?[\d.e+-]+,?\s+)+)\]")


def study_json(answer: StudyAnswer) -> str:
    """Return everything as JSON, each list of numbers on one line."""
    text = json.dumps(answer.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)
    return NUMBERS.sub(lambda match: f"[{' '.join(match[1].split())}]", text)


def _render(answer: StudyAnswer) -> str:
    if isinstance(answer, DataFindings):
        return data_findings_html(answer)
    if isinstance(answer, TableFindings):
        return table_findings_html(answer)
    return findings_html(answer) if isinstance(answer, Findings) else calibration_html(answer)


WRITERS: dict[str, Callable[[StudyAnswer], str]] = {
    ".html": _render,
    ".htm": _render,
    ".json": study_json,
    ".csv": lambda answer: answer.to_csv(),
    ".txt": str,
}


def save_study_report(answer: StudyAnswer, path: str | os.PathLike[str]) -> None:
    """Write a report: .html, .json, .csv or .txt. An existing file is replaced."""
    write_report(answer, Path(path), WRITERS)
