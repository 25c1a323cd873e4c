"""Who cannot be told apart."""

from __future__ import annotations

import numpy as np

from twofold.comparison.answer import Pair


def groups_of(order: list[str], pairs: tuple[Pair, ...]) -> tuple[tuple[str, ...], ...]:
    """Return the largest runs of neighbours, best first, within which no pair differs."""
    place = {name: i for i, name in enumerate(order)}
    differ = np.zeros((len(order), len(order)), dtype=bool)
    for pair in pairs:
        if pair.outcome != "none":
            i, j = sorted((place[pair.a], place[pair.b]))
            differ[i, j] = True
    # For each learner, the worst place before it that it differs from; then of all up to it.
    places = np.arange(len(order))[:, None]
    barrier = np.maximum.accumulate(np.where(differ, places, -1).max(axis=0))
    found: list[tuple[str, ...]] = []
    for end in range(len(order)):
        start = int(barrier[end]) + 1
        last = end + 1 == len(order) or barrier[end + 1] >= start
        if last and end > start:
            found.append(tuple(order[start : end + 1]))
    return tuple(found)
