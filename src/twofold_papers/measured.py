"""Numbers with their standard errors, and claims about them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from twofold.rounding import written
from twofold_papers.claim_verdicts import Verdict, judge_all, judge_difference


@dataclass(frozen=True, slots=True)
class MeasuredNumber:
    """A number and its standard error.

    Two of them may be subtracted where they come from different trials. For numbers from the same
    trials take `measure` of the differences, trial by trial.
    """

    value: float
    error: float = 0.0

    def __sub__(self, other: MeasuredNumber | float) -> MeasuredNumber:
        second = other if isinstance(other, MeasuredNumber) else MeasuredNumber(other)
        return MeasuredNumber(self.value - second.value, math.hypot(self.error, second.error))

    def __rsub__(self, other: float) -> MeasuredNumber:
        return MeasuredNumber(other - self.value, self.error)

    def __mul__(self, factor: float) -> MeasuredNumber:
        return MeasuredNumber(self.value * factor, self.error * abs(factor))

    def __str__(self) -> str:
        return f"{written(self.value, 3)} ± {written(self.error, 3)}".replace("-", "−")


def measure(values: ArrayLike) -> MeasuredNumber:
    """Return the mean of numbers, one for each trial; of a single trial nothing is known."""
    x = np.asarray(values, dtype=float)
    error = float(x.std(ddof=1)) / math.sqrt(len(x)) if len(x) > 1 else math.inf
    return MeasuredNumber(float(x.mean()), error)


def average(parts: Sequence[MeasuredNumber]) -> MeasuredNumber:
    """Return the mean of numbers that come from different trials."""
    value = float(np.mean([part.value for part in parts]))
    return MeasuredNumber(value, math.hypot(*(part.error for part in parts)) / len(parts))


def judge_positive(number: MeasuredNumber, detail: str = "") -> Verdict:
    """Return the verdict on the claim that a number is above zero."""
    return judge_difference(number.value, number.error, detail)


def judge_near(number: MeasuredNumber, target: float, margin: float, detail: str = "") -> Verdict:
    """Return the verdict on the claim that a number is no further than a margin from a target."""
    low, high = target - margin, target + margin
    return judge_all([judge_positive(number - low), judge_positive(high - number)], detail)
