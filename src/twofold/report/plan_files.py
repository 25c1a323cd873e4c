"""Writing plans to files: the suffix says what kind."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

from twofold.planning import Plan
from twofold.report.plan_html import plan_html
from twofold.report.plan_text import plan_markdown
from twofold.report.save import write_report


def plan_json(plan: Plan) -> str:
    """Return every number as JSON."""
    return json.dumps(plan.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)


PLAN_WRITERS: dict[str, Callable[[Plan], str]] = {
    ".html": plan_html,
    ".htm": plan_html,
    ".md": plan_markdown,
    ".json": plan_json,
    ".txt": str,
}


def save_plan(plan: Plan, path: str | os.PathLike[str]) -> None:
    """Write a plan: .html, .md, .json or .txt. An existing file is replaced."""
    write_report(plan, Path(path), PLAN_WRITERS)
