"""Chances of classes along a number, by locally weighted lines (Cleveland, 1979)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import entry, kernel

NAME = "LOESS"
FLAT = 1e-12
"""Windows narrower than this share of their width, squared, get a level line."""


@kernel
def window(value: Any, many: Any, at: int, need: int) -> Any:
    """Return the stretch of values around one that holds so many rows, nearest first."""
    first = last = at
    held = many[at]
    while held < need and (first > 0 or last < value.size - 1):
        below = value[at] - value[first - 1] if first > 0 else np.inf
        above = value[last + 1] - value[at] if last < value.size - 1 else np.inf
        if below <= above:
            first -= 1
            held += many[first]
        if above <= below:
            last += 1
            held += many[last]
    return first, last


@entry(NAME, seconds=1)
def loess_curve(value: Any, count: Any, share: float, curve: Any) -> None:
    """Fill ``curve[v, c]``, the height at each value of the line through the classes around it.

    ``value`` ascends, ``count[v, c]`` says how many rows of class c have that value. A window
    holds a ``share`` of the rows, three or more; weights fall as (1 − d³)³ to its edge.
    """
    cells, classes = count.shape
    many = np.zeros(cells, dtype=np.int64)
    for v in range(cells):
        for c in range(classes):
            many[v] += count[v, c]
    need = max(3, math.ceil(many.sum() * share - 1e-9))
    high = np.empty(classes)
    mixed = np.empty(classes)
    for at in range(cells):
        first, last = window(value, many, at, need)
        width = max(value[at] - value[first], value[last] - value[at])
        total = slope = square = 0.0
        high[:] = 0.0
        mixed[:] = 0.0
        for v in range(first, last + 1):
            away = value[v] - value[at]
            near = abs(away) / width if width > 0.0 else 0.0
            weight = (1.0 - near * near * near) ** 3
            total += weight * many[v]
            slope += weight * many[v] * away
            square += weight * many[v] * away * away
            for c in range(classes):
                high[c] += weight * count[v, c]
                mixed[c] += weight * count[v, c] * away
        centre = slope / total
        spread = square / total - centre * centre
        for c in range(classes):
            curve[at, c] = high[c] / total
            if spread > FLAT * width * width:
                curve[at, c] -= centre * (mixed[c] / total - centre * high[c] / total) / spread
