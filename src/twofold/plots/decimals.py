"""How many decimals a column of numbers needs."""

from __future__ import annotations

import math
from collections.abc import Iterable


def decimals_of(values: Iterable[float]) -> int:
    """Return how many decimals show three digits of the largest value, at most six."""
    largest = max((abs(v) for v in values if math.isfinite(v)), default=0.0)
    if largest == 0:
        return 2
    return min(6, max(0, 2 - math.floor(math.log10(largest) + 1e-9)))
