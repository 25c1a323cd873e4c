"""Which n, or which difference, gives the power that is asked for."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from twofold.planning.power_models import Formula, PowerModel

MOST = 100_000_000
"""No more than so many are looked for."""

NEAR = 0.005
"""Where a published formula meets the power that is asked for this closely, its n is taken: others
get the same number."""

FAR = 1000.0
"""Differences up to so many times a first guess are tried."""


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
