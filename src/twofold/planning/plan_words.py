"""A plan in words: the answer, and the sentence for a paper."""

from __future__ import annotations

from twofold.planning.plan_numbers import format_chance, format_count, format_number
from twofold.planning.plan_result import Plan
from twofold.planning.settings import RANK_SUM
from twofold.stats import entry

UNITS = {"items": "items", "datasets": "data sets", "runs": "runs", "seeds": "seeds"}
ONE = {"items": "item", "datasets": "data set", "runs": "run", "seeds": "seed"}


def count_units(plan: Plan, n: int | None = None) -> str:
    """Return "626 items"; seeds are those of each learner."""
    n = plan.n if n is None else n
    assert n is not None
    unit = ONE[plan.situation] if n == 1 else unit_of(plan)
    each = " of each learner" if plan.situation == "seeds" else ""
    return f"{format_count(n)} {unit}{each}"


def unit_of(plan: Plan) -> str:
    """Return what n counts."""
    if plan.situation == "runs" and entry(plan.test).on_splits:
        return "splits"
    return UNITS[plan.situation]


def name_difference(plan: Plan) -> str:
    """Return "a difference of 0.05"."""
    if plan.probability is not None:
        return f"a probability of {format_chance(plan.probability)} of scoring higher"
    assert plan.difference is not None
    return f"a difference of {format_number(plan.difference)}"


def name_test(plan: Plan) -> str:
    """Return the test in words, as it stands within a sentence."""
    if plan.test == RANK_SUM:
        return "the one-sided Mann–Whitney test"
    return entry(plan.test).in_words


def name_target(plan: Plan) -> str:
    """Return "power .80" or "replicability .90"."""
    kind, value = next(iter(plan.target.items()))
    return f"{kind} {format_chance(value)}"


def describe_plan(plan: Plan) -> str:
    """Return the answer in a sentence or two."""
    gap = name_difference(plan)
    if plan.solved_for == "n":
        if plan.n is None:
            return (
                f"No number of {unit_of(plan)} finds {gap} with {name_target(plan)}: endless ones "
                f"have power {format_chance(plan.power)}."
            )
        found = f"{gap[0].upper()}{gap[1:]} is found with {name_target(plan)}"
        return f"{found} by {count_units(plan)}{_reach(plan)}."
    if plan.solved_for == "power":
        again = f"two such experiments agree with a chance of {format_chance(plan.replicability)}"
        chance = f"power {format_chance(plan.power)}"
        return f"{count_units(plan)} find {gap} with {chance}; {again}."
    return f"The smallest difference that {count_units(plan)} find with {name_target(plan)} is " + (
        f"{_gap_value(plan)}{_reach(plan)}."
        if plan.probability is None
        else f"a probability of {_gap_value(plan)} of scoring higher."
    )


def _gap_value(plan: Plan) -> str:
    if plan.probability is not None:
        return format_chance(plan.probability)
    assert plan.difference is not None
    return format_number(plan.difference)


def _reach(plan: Plan) -> str:
    """Return the interval, in brackets."""
    if plan.interval is None:
        return ""
    show = format_count if plan.solved_for == "n" else format_number
    low, high = plan.interval
    words = [("any number" if end is None else show(end)) for end in (low, high)]
    if high is None:
        return f" ({words[0]} or more, given how sure the pilot is)"
    return f" ({words[0]} to {words[1]}, given how sure the pilot is)"


def write_sentence(plan: Plan) -> str:
    """Return the sentence for a paper."""
    if plan.n is None:
        return (
            f"No number of {unit_of(plan)} on this data set finds {name_difference(plan)} with "
            f"{name_target(plan)} ({name_test(plan)}, α = {format_level(plan.alpha)})."
        )
    spread = _describe_assumptions(plan)
    several = f"; {plan.comparisons_in_words}" if plan.comparisons > 1 else ""
    sides = "" if plan.situation == "seeds" else "two-sided "
    what = f"{name_difference(plan)}"
    return (
        f"With {count_units(plan)}, {what} is found with power {format_chance(plan.power)} by "
        f"{name_test(plan)} ({sides}α = {format_level(plan.alpha)}{several}{spread}); two such "
        f"experiments agree with a probability of {format_chance(plan.replicability)}."
    )


def format_level(alpha: float) -> str:
    """Return a level as papers have it: .05."""
    return f"{alpha:.4g}".removeprefix("0")


def _describe_assumptions(plan: Plan) -> str:
    parts = [f"{each.name} {format_number(each.value)}" for each in plan.assumptions]
    source = "" if plan.now is None else " in a pilot"
    return f"; {', '.join(parts)}{source}" if parts else ""
