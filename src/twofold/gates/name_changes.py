"""What is new, what was removed, and what looks as if it had been renamed."""

from __future__ import annotations

from collections.abc import Sequence

from twofold.gates.gate_answer import Changes

ALIKE = 0.8
"""How much two names must have in common (the ratio of difflib) to be taken for one renamed."""
MOST_LOOKED_AT = 200
"""Names among which renamed ones are looked for: each is held against each."""


def find_changes(baseline: Sequence[str], candidate: Sequence[str]) -> Changes:
    """Return the names that only one side has.

    >>> find_changes(["iris", "wine", "glass 1"], ["wine", "glass_1", "zoo"])
    Changes(new=('glass_1', 'zoo'), removed=('iris', 'glass 1'), renamed=(('glass 1', 'glass_1'),))
    """
    before, after = set(baseline), set(candidate)
    new = tuple(name for name in dict.fromkeys(candidate) if name not in before)
    removed = tuple(name for name in dict.fromkeys(baseline) if name not in after)
    return Changes(new, removed, _pair_names(removed, new))


def _pair_names(removed: Sequence[str], new: Sequence[str]) -> tuple[tuple[str, str], ...]:
    import difflib

    left = list(new[:MOST_LOOKED_AT])
    pairs = []
    for name in removed[:MOST_LOOKED_AT]:
        # Numbers that differ are other items: "q12" was not renamed to "q13".
        fitting = [other for other in left if _digits(other) == _digits(name)]
        close = difflib.get_close_matches(name, fitting, n=1, cutoff=ALIKE)
        if close:
            pairs.append((name, close[0]))
            left.remove(close[0])
    return tuple(pairs)


def _digits(name: str) -> str:
    return "".join(letter for letter in name if letter.isdigit())
