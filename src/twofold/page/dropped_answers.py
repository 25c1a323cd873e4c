"""Files that hold a whole answer instead of a table: findings of a study, the result of an item."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

RESULT_KEYS = {"rules", "paper", "item", "numbers", "claims", "trials"}
"""What the result of an item of a paper has, as `twofold reproduce --save` writes it."""


def find_answer_kind(text: str) -> Literal["findings", "result", ""]:
    """Return which answer a text of JSON holds, nothing where it is something else."""
    from twofold.studies.findings_json import find_kind

    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if find_kind(values) is not None:
        return "findings"
    return "result" if isinstance(values, dict) and values.keys() >= RESULT_KEYS else ""


def holds_answer(file: str) -> bool:
    """Tell a file that holds a whole answer from a table."""
    if not file.lower().endswith(".json"):
        return False
    try:
        return find_answer_kind(Path(file).read_text("utf-8")) != ""
    except (OSError, ValueError):
        return False
