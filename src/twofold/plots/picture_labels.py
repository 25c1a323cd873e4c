"""Words in pictures: names cut to the room there is, and ranks along an axis."""

from __future__ import annotations

import bisect
import math
import unicodedata
from collections.abc import Callable, Sequence

from twofold.errors import InputError, suggest

CONTROL, STAR = " (control)", " *"


def check_highlight(highlight: Sequence[str], names: Sequence[str], kind: str = "learner") -> None:
    """Refuse names to emphasise that are not in the picture."""
    for name in highlight:
        if name not in names:
            raise InputError(
                f"`highlight` names {name!r}, which is no {kind} here.",
                suggest(name, names, f"Pass the name of a {kind}.", 0.6),
            )


def count_columns(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    wide = (unicodedata.east_asian_width(c) in "WF" for c in text if not unicodedata.combining(c))
    return sum(2 if double else 1 for double in wide)


def ticks(first: int, last: int, fits: Callable[[int], bool]) -> list[int]:
    """Return the ranks to write at the axis, as many as are apart by a distance that ``fits``."""
    step = next((step for step in (1, 2, 5, 10, 20, 50, 100) if fits(step)), last)
    if step <= 2:
        return list(range(first, last + 1, step))
    inner = [rank for rank in range(first, last + 1) if rank % step == 0] or [first]
    # The ends as well, unless they crowd.
    before = [first] if inner[0] - first > step / 2 and fits(inner[0] - first) else []
    after = [last] if last - inner[-1] > step / 2 and fits(last - inner[-1]) else []
    return before + inner + after


def shorten(
    names: Sequence[str], rooms: Sequence[float], wide: Sequence[Callable[[str], float]]
) -> list[str]:
    """Return labels cut in the middle where they need more room, and still all different."""
    whole = [name.removesuffix(CONTROL).removesuffix(STAR) for name in names]
    # The word about the control stays, unless it would leave its name no room; stars stay always.
    ends = [
        CONTROL
        if name.endswith(CONTROL) and room >= 1.7 * of(CONTROL)
        else STAR * name.endswith(STAR)
        for name, room, of in zip(names, rooms, wide, strict=True)
    ]
    rooms = [room - of(end) for room, of, end in zip(rooms, wide, ends, strict=True)]
    short = list(map(_cut, whole, rooms, wide))
    for share in (0.35, 0.15, 1.0):
        for i in _find_repeated(short):
            short[i] = _cut(whole[i], rooms[i], wide[i], share)
    for i in _find_repeated(short):
        number = f"#{i + 1}"
        short[i] = _cut(whole[i], rooms[i] - wide[i](number), wide[i], 1.0) + number
    return [name + end for name, end in zip(short, ends, strict=True)]


def _find_repeated(names: Sequence[str]) -> list[int]:
    return [i for i, name in enumerate(names) if names.count(name) > 1]


def _cut(name: str, room: float, wide: Callable[[str], float], share: float = 0.6) -> str:
    """Return the name with an ellipsis; ``share`` of the letters kept are from its beginning."""
    if wide(name) <= room:
        return name

    def keep(letters: int) -> str:
        head = math.ceil(letters * share)
        return f"{name[:head].rstrip()}…{name[len(name) - letters + head :].lstrip()}"

    # The widest that fits; widths grow with letters.
    letters = bisect.bisect_right(range(1, len(name)), room, key=lambda n: wide(keep(n)))
    return keep(letters)
