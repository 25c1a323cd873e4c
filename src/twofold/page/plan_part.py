"""A plan as a part of a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from twofold.page.answer_part import open_templates
from twofold.page.page_jobs import AnswerPart, Choices
from twofold.planning import plan
from twofold.report.plan_html import view_plan


def make_plan_part(situation: str, pilot: Any, options: Mapping[str, Any]) -> AnswerPart:
    """Plan, and return the answer for the page."""
    # Timings of fits are the user's own affair; items have none.
    apart: dict[str, Any] = {} if situation == "items" else {"store": ":memory:"}
    answer = plan(situation, pilot=pilot, **options, **apart)
    body = open_templates().get_template("answer.html").render(view=view_plan(answer), heading=1)
    return AnswerPart(answer.verdict, body, (), False, Choices())
