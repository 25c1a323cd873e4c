"""Numbers with the same decimals and a true minus sign."""

from __future__ import annotations

import math
from collections.abc import Iterable


def decimals_of(values: Iterable[float]) -> int:
    """Return how many decimals show three digits of the largest value, at most six."""
    largest = max((abs(v) for v in values if math.isfinite(v)), default=0.0)
    if largest == 0:
        return 2
    return min(6, max(0, 2 - math.floor(math.log10(largest) + 1e-9)))


def written(value: float, decimals: int, *, plus: bool = False) -> str:
    """Return a number with a true minus sign, never "−0.00"."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.{decimals}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    elif plus and value > 0:
        text = "+" + text
    return text.replace("-", "−")
