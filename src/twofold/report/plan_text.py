"""A plan for the terminal, and as Markdown."""

from __future__ import annotations

import textwrap

from twofold.planning import Plan
from twofold.planning.cost import describe_time
from twofold.planning.plan_numbers import format_chance, format_count, format_number
from twofold.planning.plan_words import count_units, name_target, name_test, unit_of

WIDTH = 79
QUESTIONS = {
    "n": "How many {} are enough?",
    "power": "What do so many {} find?",
    "difference": "What is the smallest difference that so many {} find?",
}


def ask_question(plan: Plan) -> str:
    """Return the question that a plan answers."""
    return QUESTIONS[plan.solved_for].format(unit_of(plan))


def list_facts(plan: Plan) -> list[tuple[str, str]]:
    """Return the numbers of a plan, each with its name."""
    facts = []
    if plan.n is not None:
        facts.append(("n", count_units(plan) + _format_interval(plan, "n")))
    if plan.formula is not None and plan.formula["n"] != plan.n:
        words = f"{format_count(plan.formula['n'])} by the formula of {plan.formula['source']}"
        facts.append(("formula", words))
    elif plan.formula is not None:
        facts.append(("formula", f"that of {plan.formula['source']}"))
    facts.append(("power", format_chance(plan.power) + _format_interval(plan, "power")))
    facts.append(("replicability", format_chance(plan.replicability)))
    if plan.probability is not None:
        facts.append(("probability", format_chance(plan.probability)))
    elif plan.difference is not None:
        gap = format_number(plan.difference) + _format_interval(plan, "difference")
        facts.append(("difference", gap))
    if plan.solved_for == "power" and plan.smallest_difference is not None:
        smallest = format_number(plan.smallest_difference)
        facts.append(("smallest found", f"{smallest} with {name_target(plan)}"))
    level = f"{plan.alpha:g}, {plan.comparisons_in_words}"
    facts.append(("level", level))
    facts.append(("test", name_test(plan)))
    for each in plan.assumptions:
        words = format_number(each.value)
        if each.low is not None and each.high is not None:
            words += f" ({format_number(each.low)} to {format_number(each.high)})"
        facts.append(("assumed", f"{each.name}: {words}"))
    if plan.now is not None and plan.now.n != plan.n:
        now = f"{count_units(plan, plan.now.n)} have power {format_chance(plan.now.power)}"
        facts.append(("the pilot", f"{now}, replicability {format_chance(plan.now.replicability)}"))
    if plan.cost:
        facts.append(("cost", describe_cost(plan)))
    return facts


def _format_interval(plan: Plan, quantity: str) -> str:
    if plan.interval is None or plan.solved_for != quantity:
        return ""
    show = {"n": format_count, "power": format_chance, "difference": format_number}[quantity]
    low, high = ("—" if end is None else show(end) for end in plan.interval)
    return f" (95% interval {low} to {high})"


def describe_cost(plan: Plan) -> str:
    """Return fits, time, and what a budget buys."""
    parts = []
    if "fits" in plan.cost:
        parts.append(f"{format_count(plan.cost['fits'])} fits")
    if "seconds" in plan.cost:
        parts.append(f"about {describe_time(plan.cost['seconds'])}")
    text = ", ".join(parts)
    if "affordable" in plan.cost:
        buys = count_units(plan, plan.cost["affordable"])
        chance = format_chance(plan.cost["affordable_power"])
        text += f"{'; ' * bool(text)}the budget buys {buys}: power {chance}"
    return text


def format_plan(plan: Plan) -> str:
    """Return a plan for the terminal."""
    lines = [ask_question(plan), "", *textwrap.wrap(plan.verdict, WIDTH), ""]
    for name, words in list_facts(plan):
        lines += textwrap.wrap(
            words, WIDTH, initial_indent=f"  {name:<16}", subsequent_indent=" " * 18
        )
    lines += ["", *_format_curve(plan)]
    for sentence in plan.advice:
        lines += ["", *textwrap.wrap(sentence, WIDTH)]
    for note in plan.notes:
        lines += ["", *textwrap.wrap(f"Note: {note.title}. {note.detail}", WIDTH)]
    paper = textwrap.wrap(plan.sentence, WIDTH, initial_indent="  ", subsequent_indent="  ")
    return "\n".join([*lines, "", "For the paper:", *paper])


def _format_curve(plan: Plan) -> list[str]:
    head = f"  {unit_of(plan):>12}  power  replicability"
    rows = [
        f"  {format_count(point.n):>12}  {format_chance(point.power):>5}  "
        f"{format_chance(point.replicability):>13}{'  ←' if point.n == plan.n else ''}"
        for point in plan.curve
    ]
    return [head, *rows]


def plan_markdown(plan: Plan) -> str:
    """Return a plan as Markdown."""
    lines = [f"# {ask_question(plan)}", "", f"**{plan.verdict}**", ""]
    lines += ["| | |", "|---|---|", *(f"| {name} | {words} |" for name, words in list_facts(plan))]
    lines += ["", f"| {unit_of(plan)} | power | replicability |", "|---:|---:|---:|"]
    for point in plan.curve:
        chances = f"{format_chance(point.power)} | {format_chance(point.replicability)}"
        lines.append(f"| {format_count(point.n)} | {chances} |")
    for sentence in plan.advice:
        lines += ["", sentence]
    for note in plan.notes:
        lines += ["", f"> **{note.title}.** {note.detail}"]
    return "\n".join([*lines, "", "For the paper:", "", f"> {plan.sentence}"])
