"""Writing findings of studies and calibrations to files: the suffix says what kind."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from twofold.report.data_study_html import data_findings_html, view_data_findings
from twofold.report.save import write_report
from twofold.report.study_html import (
    calibration_html,
    findings_html,
    view_calibration,
    view_findings,
)
from twofold.report.study_sentences import describe_calibration, summarize
from twofold.report.table_study_html import table_findings_html, view_table_findings
from twofold.studies import DataFindings, Findings, StudyAnswer, TableFindings
from twofold.studies.data_sentences import summarize_data

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


def view_answer(answer: StudyAnswer) -> dict[str, Any]:
    """Arrange findings for the template that pages of all studies share, `answer.html`."""
    if isinstance(answer, DataFindings):
        return view_data_findings(answer)
    if isinstance(answer, TableFindings):
        return view_table_findings(answer)
    return view_findings(answer) if isinstance(answer, Findings) else view_calibration(answer)


def summarize_answer(answer: StudyAnswer) -> str:
    """Return what was found, in the words that stand on top of the page."""
    if isinstance(answer, DataFindings):
        return summarize_data(answer)
    if isinstance(answer, TableFindings):
        return answer.verdict
    if isinstance(answer, Findings):
        return summarize(answer)
    return " ".join(describe_calibration(answer))


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
