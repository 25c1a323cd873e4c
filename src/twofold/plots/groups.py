"""Bars that tell the truth: two learners share one exactly where they were not told apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

Pair = frozenset[int]


def truthful_groups(order: Sequence[int], differ: Collection[Pair]) -> tuple[tuple[int, ...], ...]:
    """Return groups, best first, within which no pair differs and which cover all other pairs.

    Tests on mean ranks give runs of neighbours. Tests of single pairs may find a difference between
    two learners and none between others further apart; then groups skip learners.

    >>> truthful_groups([0, 1, 2], [frozenset({0, 1})])
    ((0, 2), (1, 2))
    """
    same = {frozenset(pair) for pair in combinations(order, 2)} - set(differ)
    found: list[tuple[int, ...]] = []
    covered: set[Pair] = set()

    def add(group: tuple[int, ...]) -> None:
        found.append(group)
        covered.update(frozenset(pair) for pair in combinations(group, 2))

    last = 0
    for start in range(len(order)):  # the largest runs of neighbours
        end = start + 1
        while end < len(order) and all(
            frozenset((order[end], member)) in same for member in order[start:end]
        ):
            end += 1
        if end - start >= 2 and end > last:
            add(tuple(order[start:end]))
        last = max(last, end)
    for first, second in combinations(order, 2):  # then groups for the pairs that are left
        pair = frozenset((first, second))
        if pair not in same or pair in covered:
            continue
        group = [first, second]
        for other in order:
            joined = [frozenset((other, member)) for member in group if member != other]
            if len(joined) == len(group) and all(pair in same for pair in joined):
                group.append(other)
        add(tuple(sorted(group, key=order.index)))
    kept = [g for g in found if not any(set(g) < set(other) for other in found)]
    place = {member: n for n, member in enumerate(order)}
    return tuple(sorted(kept, key=lambda group: [place[member] for member in group]))
