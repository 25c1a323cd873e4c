"""A plan as a part of a page, or as a file."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from twofold.page.answer_part import open_templates
from twofold.page.page_jobs import AnswerPart, Choices, MadeFile, PageJob
from twofold.planning import Plan, plan
from twofold.report.plan_files import PLAN_WRITERS, save_plan
from twofold.report.plan_html import view_plan


def make_plan_part(job: PageJob, pilot: Any) -> AnswerPart:
    """Plan, and return the answer for the page."""
    answer = _plan(job, pilot)
    body = open_templates().get_template("answer.html").render(view=view_plan(answer), heading=1)
    pictures = () if find_spec("matplotlib") is None else (("power", "Power"),)
    return AnswerPart(answer.verdict, body, pictures, False, Choices())


def make_plan_file(job: PageJob, pilot: Any) -> MadeFile:
    """Plan, and return the answer or its picture as a file."""
    answer = _plan(job, pilot)
    Path("made").mkdir(exist_ok=True)
    target = Path("made") / job.target
    if target.suffix in PLAN_WRITERS:
        save_plan(answer, target)
    else:
        answer.plot(target)
    return MadeFile(target.read_bytes())


def _plan(job: PageJob, pilot: Any) -> Plan:
    # Timings of fits are the user's own affair; items have none.
    apart: dict[str, Any] = {} if job.situation == "items" else {"store": ":memory:"}
    return plan(job.situation, pilot=pilot, **job.options, **apart)
