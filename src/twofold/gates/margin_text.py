"""Margins as people give them: a difference in units of the metric, or a share of the baseline."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from twofold.errors import InputError

REMEDY = "Pass the largest difference that does not matter: 0.01, or '1%' of the baseline's mean."


@dataclass(frozen=True, slots=True)
class Margin:
    """A margin as it was given: ``number``, in percent of the baseline's mean or in its units."""

    number: float
    percent: bool

    def __str__(self) -> str:
        return f"{self.number:g}%" if self.percent else f"{self.number:g}"

    def size(self, baseline_mean: float) -> float:
        """Return the margin in units of the metric."""
        if not self.percent:
            return self.number
        size = self.number / 100 * abs(baseline_mean)
        if self.number > 0 and not size > 0:
            raise InputError(
                f"{self} of the baseline's mean score is nothing: the mean is {baseline_mean:g}.",
                "Give the margin in units of the metric, as 0.01.",
            )
        return size


def read_margin(margin: Any, *, needed: bool) -> Margin:
    """Return a margin from a number or a text such as "1%"; 0 where none is needed."""
    if margin is None and not needed:
        return Margin(0.0, False)
    if margin is None:
        raise InputError("A `margin` is needed: how much worse is still good enough?", REMEDY)
    text = str(margin).strip()
    percent = text.endswith("%")
    try:
        number = float(text.removesuffix("%")) if not isinstance(margin, bool) else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number < 0 or (number == 0 and needed):
        raise InputError(f"`margin` must be a number larger than zero, got {margin!r}.", REMEDY)
    return Margin(number, percent)
