"""A plan as one page, in the look of a comparison's page."""

from __future__ import annotations

from functools import partial
from typing import Any

from twofold.planning import Plan
from twofold.planning.plan_numbers import format_chance, format_count
from twofold.planning.plan_words import name_difference, name_test, unit_of
from twofold.plots.plan_picture import chart_plan
from twofold.report.plan_text import ask_question, list_facts
from twofold.report.rendering import Section, make_prefix, render_element, render_page
from twofold.report.study_html import view_study

CALLS = (
    ("--n N", "what so many find"),
    ("--replicability 0.9", "how many make two experiments agree"),
    ("--pilot FILE", "spread from earlier scores, and an interval"),
    ("--format json", "every number, for programs"),
)


def plan_html(plan: Plan) -> str:
    """Return a plan as a self-contained page."""
    return render_page("answer.html", plan.verdict, view=view_plan(plan))


def plan_fragment(plan: Plan, *, heading: int = 3) -> str:
    """Return a plan as an element that brings its own styles."""
    prefix = make_prefix(plan.to_dict())
    return render_element("answer.html", heading, view=view_plan(plan, prefix))


def view_plan(plan: Plan, prefix: str = "") -> dict[str, Any]:
    """Return all that the template of a plan shows."""
    cards = [
        _make_card(
            unit_of(plan), "—" if plan.n is None else format_count(plan.n), _name_ends(plan)
        ),
        _make_card("power", format_chance(plan.power), f"of finding {name_difference(plan)}"),
        _make_card(
            "replicability", format_chance(plan.replicability), "two such experiments agree"
        ),
    ]
    view = {
        "question": ask_question(plan),
        "verdict": plan.verdict,
        "scope": f"Power of {name_test(plan)}; {plan.comparisons_in_words}.",
        "plan": plan,
        "facts": list_facts(plan),
        "unit": unit_of(plan),
        "chance": format_chance,
        "count": format_count,
        **view_study(
            "plan_numbers",
            prefix,
            {"power": partial(chart_plan, plan)},
            plan.notes,
            {"Python": plan.call} if plan.call else {},
            CALLS,
            (Section("plan_sentence", "For the paper"),),
        ),
    }
    return view | {"cards": cards}


def _make_card(label: str, value: str, detail: str) -> dict[str, str]:
    return {"label": label, "value": value, "detail": detail, "tone": ""}


def _name_ends(plan: Plan) -> str:
    if plan.solved_for != "n" or plan.interval is None:
        return "planned" if plan.solved_for == "n" else "given"
    low, high = ("—" if end is None else format_count(end) for end in plan.interval)
    return f"95% interval {low} to {high}"
