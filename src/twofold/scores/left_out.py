"""Columns beside the scores of a wide table: row numbers, sizes, spreads, times, summaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.result import Note
from twofold.scores.cells import is_missing, mostly_numbers, parse
from twofold.scores.names import INDEX, SIZES, SPREAD, SUMMARIES, TIMES, partner_of_spread, plain
from twofold.scores.raw import RawTable, listed


def guessed(raw: RawTable, names: list[str]) -> tuple[list[str], str | None, list[Note]]:
    """Return the columns that hold scores of learners, and say which were left out and why.

    The second part is a column of numbers that names the rows, such as an identifier. Nothing
    is left out where fewer than two learners would remain.
    """
    why: dict[str, list[str]] = {}
    for name in names:
        reason = _reason(raw, name, names)
        if reason:
            why.setdefault(reason, []).append(name)
    gone = {name for group in why.values() for name in group}
    learners = [name for name in names if name not in gone]
    if len(learners) < 2 and gone:
        # Better a learner with an odd name than none; words still cannot be scores.
        words = why.get("words", [])
        kept = [name for name in names if name not in words]
        if len(kept) >= 2:
            why = {"words": words} if words else {}
            return kept, None, [*_notes(why), _kept(gone - set(words))]
        return names, None, []
    if not why:
        return learners, None, []
    number = next((n for n in why.get("numbers of rows", []) if _names_rows(raw.columns[n])), None)
    return learners, number, _notes(why)


def _notes(why: dict[str, list[str]]) -> list[Note]:
    if not why:
        return []
    told = "; ".join(f"{listed(group)} ({reason})" for reason, group in why.items())
    detail = f"Not taken for learners: {told}. --learners A,B,C (only=) says which are."
    return [Note("left-out-columns", "Columns left out", detail)]


def _kept(names: set[str]) -> Note:
    detail = (
        f"{listed(sorted(names))} may be no learner, but without it fewer than two are left. "
        "Check that it is one."
    )
    return Note("kept-columns", "Doubtful columns kept", detail, "warning")


def _reason(raw: RawTable, name: str, names: list[str]) -> str | None:
    """Return what a column holds instead of scores, None where it may hold scores."""
    cells, word = raw.columns[name], plain(name)
    if not mostly_numbers(cells):
        return "words" if not _begin_with_digits(cells) else None
    if INDEX.fullmatch(word):
        return "numbers of rows" if _whole(cells) else None
    if SIZES.fullmatch(word):
        return "sizes" if _whole(cells) else None
    if TIMES.fullmatch(word):
        return "times"
    if word in SPREAD or word in ("sd", "standard deviation", "standard error"):
        return "spreads"
    partner = partner_of_spread(name, names)
    if partner is not None and _smaller(cells, raw.columns[partner]):
        return "spreads"
    if partner_of_spread(name, names, times=True) is not None:
        return "times"
    if SUMMARIES.fullmatch(word):
        return "summaries"
    return None


def _sample(cells: Sequence[Any]) -> Any:
    out = []
    for cell in cells[:: max(1, len(cells) // 500)]:
        if is_missing(cell):
            continue
        try:
            out.append(parse(cell)[0] if isinstance(cell, str) else float(cell))
        except (TypeError, ValueError):
            continue
    return np.array(out)


def _whole(cells: Sequence[Any]) -> bool:
    values = _sample(cells)
    return bool(np.all(values == np.round(values)))


def _smaller(spread: Sequence[Any], scores: Sequence[Any]) -> bool:
    """A spread is never negative and much smaller than what it is the spread of."""
    low, high = _sample(spread), _sample(scores)
    if not len(low) or not len(high):
        return True
    return bool((low >= 0).all() and np.median(low) < np.median(np.abs(high)) / 2)


def _begin_with_digits(cells: Sequence[Any]) -> bool:
    """Cells such as 0.9/0.8 are scores that cannot be read: an error must name them."""
    texts = [str(cell).strip() for cell in cells if not is_missing(cell)][:50]
    return bool(texts) and sum(text[:1].isdigit() for text in texts) > len(texts) / 2


def _names_rows(cells: Sequence[Any]) -> bool:
    """Numbers that differ, and do more than count the rows."""
    values = _sample(cells)
    if len(values) < len(cells) or len(set(values.tolist())) < len(values):
        return False
    return values.tolist() not in (list(range(len(values))), list(range(1, len(values) + 1)))
