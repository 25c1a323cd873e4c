"""What is asked for, checked: exactly one of n, power and the difference is left open."""

from __future__ import annotations

from typing import Any

from twofold.errors import InputError
from twofold.planning.plan_numbers import format_number
from twofold.planning.plan_options import Planning
from twofold.planning.power_models import RightWrongModel
from twofold.planning.settings import Setting
from twofold.planning.solve import Target
from twofold.stats.arguments import positive, probability, whole

POWER = {"items": 0.8, "datasets": 0.8, "runs": 0.8, "seeds": 0.95}
"""Where none is asked for; of seeds, what Bouthillier et al. (2021) recommend."""
MOST_LEARNERS = 200


def find_target(kind: str, options: Planning, alpha: float) -> Target:
    """Return what is asked for, and refuse a question without an open end."""
    if options.power is not None and options.replicability is not None:
        raise InputError(
            "`power` and `replicability` both say how sure the answer is to be.",
            "Give one of them.",
        )
    gap = options.probability if kind == "seeds" else options.difference
    name = "probability" if kind == "seeds" else "difference"
    asked = options.power is not None or options.replicability is not None
    if options.n is not None and gap is not None and asked:
        which = "power" if options.power is not None else "replicability"
        raise InputError(
            f"`n`, `{which}` and `{name}` are all given: nothing is left to be found.",
            "Leave out one of them; it is then the answer.",
        )
    if options.replicability is not None:
        value = probability("replicability", options.replicability, 0.9)
        if value <= 0.5:
            raise InputError(
                f"`replicability` must be above 0.5, got {value:g}.",
                "Coins agree half of the time; 0.9 is a good aim.",
            )
        return Target("replicability", value)
    value = POWER[kind] if options.power is None else probability("power", options.power, 0.8)
    if value <= alpha:
        raise InputError(
            f"`power` must be above the level of the test, {alpha:g}, got {value:g}.",
            "Usual are 0.8 and 0.9.",
        )
    return Target("power", value)


def read_n(kind: str, options: Planning, setting: Setting) -> int | None:
    """Return how many there are, if that is known; else the pilot's where nothing else is."""
    if options.n is not None:
        return whole("n", options.n, setting.model.fewest)
    gap = options.probability if kind == "seeds" else options.difference
    if gap is not None:
        return None
    if setting.pilot_n is not None:
        return setting.pilot_n
    if kind == "seeds":
        raise InputError(
            "How often is the better learner to score higher? `probability` says it.",
            "`probability=0.75` is usual. Or say how many seeds there are, `n`.",
        )
    raise InputError(
        "Which difference matters? `difference` says it, in the metric's units.",
        "Pass for instance `difference=0.01`. Or say how many there are, `n`: then the answer is "
        "the smallest difference that they can find.",
    )


def check_difference(kind: str, options: Planning, setting: Setting) -> float | None:
    """Return the difference that matters, or None where it is asked for."""
    if kind == "seeds":
        if options.probability is None:
            return None
        value = probability("probability", options.probability, 0.75)
        if value <= 0.5:
            raise InputError(
                f"`probability` must be above 0.5, got {value:g}: below, the other is better.",
                "0.75 is usual.",
            )
        return value
    if options.difference is None:
        return None
    remedy = "It is the smallest difference that matters to you, in the metric's units: 0.01?"
    value = positive("difference", options.difference, remedy)
    largest = setting.model.largest_difference()
    if value > largest:
        of_pilot = "" if setting.pilot_n is None else " in the pilot"
        share = format_number(largest)
        kinds = "items" if isinstance(setting.model, RightWrongModel) else "items of a cluster"
        raise InputError(
            f"`difference` cannot be {value:g}: just one of two is right on {share} of the "
            f"{kinds}{of_pilot}.",
            f"A difference is at most that share, {share}.",
        )
    return value


def count_learners(learners: Any, of_pilot: int | None = None) -> int:
    """Return how many learners are compared: a number, or names of them."""
    if learners is None:
        return 2 if of_pilot is None else of_pilot
    count = _count(learners)
    if count > MOST_LEARNERS:
        raise InputError(
            f"At most {MOST_LEARNERS} learners are planned for, got {count:,}.", "Plan for fewer."
        )
    return count


def _count(learners: Any) -> int:
    several = isinstance(learners, list | tuple)
    if several and len(learners) == 1:
        learners, several = learners[0], False
    if several:
        return len(learners)
    try:
        count = int(learners)
    except (TypeError, ValueError):
        raise InputError(
            f"`learners` must be a number or names of learners, got {learners!r}.",
            "Pass for instance `learners=4`.",
        ) from None
    return whole("learners", count, 2)
