"""Findings kept in a store, so that they can be looked at without the study being done again."""

from __future__ import annotations

import json

from twofold.execution.kept_answers import keep_answer
from twofold.execution.store import Store
from twofold.result import join_names
from twofold.studies.calibration import Calibration
from twofold.studies.data_findings import DataFindings
from twofold.studies.data_sentences import name_data
from twofold.studies.findings_json import StudyAnswer
from twofold.studies.findings_table import name_pair
from twofold.studies.table_findings import TableFindings
from twofold.studies.table_text import name_table


def keep_findings(store: Store, answer: StudyAnswer, command: str = "") -> str:
    """Keep findings in an open store, and return their key; the same findings are kept once.

    ``command`` is the line that gives them again, where there is one.
    """
    text = json.dumps(answer.to_dict(), ensure_ascii=False, allow_nan=False)
    texts = {"answer": text, "command": command}
    return keep_answer(store, "findings", name_study(answer), f"{command}\0{text}", texts)


def name_study(answer: StudyAnswer) -> str:
    """Return what a study was about, in a few words."""
    if isinstance(answer, Calibration):
        return f"degrees of freedom on {answer.made.get('source', 'null data')}"
    if isinstance(answer, TableFindings):
        return name_table(answer)
    if isinstance(answer, DataFindings):
        return f"{join_names(answer.learners)} on {name_data(answer)}"
    sources = dict.fromkeys(row.source for row in answer.rows)
    return f"{name_pair(answer.learners)} on {', '.join(sources)}"
