"""Which n, or which difference, gives the power that is asked for; or which power they have."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from twofold.errors import InputError
from twofold.planning.plan_result import Solved
from twofold.planning.power_models import Formula, PowerModel, RunModel
from twofold.planning.settings import Setting

MOST = 100_000_000
"""No more than so many are looked for."""

MOST_RUNS = 1000
"""Runs up to which an answer is looked for: beyond, nothing changes."""

NEAR = 0.005
"""Where a published formula meets the power that is asked for this closely, its n is taken: others
get the same number."""

FAR = 1000.0
"""Differences up to so many times a first guess are tried."""

Ends = tuple[float | None, float | None] | None


@dataclass(frozen=True, slots=True)
class Target:
    """What is asked for: so much power, or verdicts that agree so often."""

    kind: Literal["power", "replicability"]
    value: float

    @property
    def as_power(self) -> float:
        """The power at which two independent experiments agree so often."""
        if self.kind == "power":
            return self.value
        return (1 + math.sqrt(2 * self.value - 1)) / 2

    def is_met(self, model: PowerModel, n: int, difference: float) -> bool:
        """Tell whether so many find so large a difference often enough."""
        right = model.find(n, difference).right
        if self.kind == "power":
            return right >= self.value
        # Experiments agree too where all of them miss the difference; that is not meant.
        return right >= 0.5 and model.agree(n, difference) >= self.value


@dataclass(frozen=True, slots=True)
class Solution:
    """What was asked for and what was found; ``n`` is None where no number is enough."""

    solved_for: Solved
    target: Target
    n: int | None
    difference: float
    smallest_difference: float | None
    interval: Ends


def solve_plan(
    setting: Setting, target: Target, n: int | None, difference: float | None
) -> Solution:
    """Find n or the difference, whichever is None; with both, what n find at the least."""
    model = setting.model
    if difference is None:
        assert n is not None
        return _solve_for_difference(setting, target, n)
    if n is None:
        return _solve_for_n(setting, target, difference)
    ends = _find_ends(setting, lambda m: _limit_power(m, n, difference))
    if ends is not None:
        ends = ends[1], ends[0]  # the least spread has the most power
    return Solution("power", target, n, difference, find_difference(model, n, target), ends)


def _solve_for_difference(setting: Setting, target: Target, n: int) -> Solution:
    ends = _find_ends(setting, lambda m: find_difference(m, n, target))
    difference = find_difference(setting.model, n, target)
    if difference is None:
        raise InputError(
            f"No difference is large enough for {n} to find it with {target.kind} "
            f"{target.value:g}.",
            "Plan for more of them: give a larger `n`.",
        )
    return Solution("difference", target, n, difference, difference, ends)


def _solve_for_n(setting: Setting, target: Target, difference: float) -> Solution:
    limited = isinstance(setting.model, RunModel)
    most = MOST_RUNS if limited else MOST
    ends = _find_ends(setting, lambda m: find_n(m, difference, target, most))
    n = find_n(setting.model, difference, target, most)
    if n is None and not limited:
        raise InputError(
            f"No number up to {MOST:,} finds a difference of {difference:g} so often.",
            "Ask for a larger difference: give another `difference`.",
        )
    smallest = difference if n is not None else None
    return Solution("n", target, n, difference, smallest, ends)


def _find_ends(setting: Setting, solve: Callable[[PowerModel], float | None]) -> Ends:
    """Return what the answer would be with the least and the largest spread."""
    if setting.extremes is None:
        return None
    low, high = (solve(model) for model in setting.extremes)
    return low, high


def _limit_power(model: PowerModel, n: int, difference: float) -> float | None:
    if difference > model.largest_difference():
        return None
    return model.find(n, difference).right


def find_n(model: PowerModel, difference: float, target: Target, most: int = MOST) -> int | None:
    """Return the smallest n that meets the target; None where none up to ``most`` does."""
    formula = model.apply_formula(difference, target.as_power)
    if formula is not None and _is_taken(model, formula, difference, target):
        return model.complete(formula.n)
    guess = 16 if formula is None else min(max(formula.n, model.fewest), most)
    low, high = model.fewest - 1, guess
    while not target.is_met(model, high, difference):
        if high >= most:
            return None
        low, high = high, min(max(high + 1, math.ceil(high * 1.4)), most)
    while high > model.fewest and low < model.fewest:
        lower = max(model.fewest, math.floor(high / 1.4))
        if not target.is_met(model, lower, difference):
            low = lower
            break
        if lower == high:
            break
        high = lower
    while high - low > 1:
        middle = (low + high) // 2
        if target.is_met(model, middle, difference):
            high = middle
        else:
            low = middle
    return model.complete(high)


def _is_taken(model: PowerModel, formula: Formula, difference: float, target: Target) -> bool:
    """Tell whether a formula's n is what is asked for, or nearly so."""
    if not model.fewest <= formula.n <= MOST:
        return False
    if model.free_of_distribution:
        return True
    right = model.find(formula.n, difference).right
    return target.kind == "power" and abs(right - target.value) <= NEAR


def find_difference(model: PowerModel, n: int, target: Target) -> float | None:
    """Return the smallest difference that n find often enough; None where none is large enough."""
    guess = model.guess_difference(n)
    largest = min(model.largest_difference(), FAR * guess)
    low, high = 0.0, min(guess, largest)
    if model.free_of_distribution:
        low = 0.5
    while not target.is_met(model, n, high):
        if high >= largest:
            return None
        low, high = high, min(2 * high, largest)
    while high - low > 5e-4 * high:
        middle = (low + high) / 2
        if target.is_met(model, n, middle):
            high = middle
        else:
            low = middle
    return high
