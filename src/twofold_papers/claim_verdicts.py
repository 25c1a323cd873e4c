"""Verdicts on claims: a claim holds, does not hold, or cannot be told from our trials."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Word = Literal["holds", "does not hold", "cannot be told"]
Z = 1.959963984540054
"""How many standard errors a difference must be away from zero to be told from it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What our trials say of a claim.

    Attributes
    ----------
    word : str
        "holds", "does not hold", or "cannot be told".
    detail : str
        Our numbers.
    """

    word: Word
    detail: str = ""


def judge_exact(condition: object, detail: str = "") -> Verdict:
    """Return the verdict on a claim that chance has no part in: it holds or it does not."""
    return Verdict("holds" if condition else "does not hold", detail)


def judge_difference(difference: float, standard_error: float, detail: str = "") -> Verdict:
    """Return the verdict on the claim that a difference is above zero.

    Parameters
    ----------
    difference : float
        What the claim says is positive: the rate that should be higher minus the other, a rate
        minus the bound that it should exceed, a bound minus what should stay below it.
    standard_error : float
        Of the difference; paired where both numbers come from the same trials. Zero where nothing
        is random: then no difference does not hold.
    detail : str
    """
    if not (math.isfinite(difference) and standard_error >= 0):
        raise ValueError(f"no difference or no standard error: {difference}, {standard_error}")
    reach = Z * standard_error
    if difference > reach:
        return Verdict("holds", detail)
    if difference < -reach or reach == 0:
        return Verdict("does not hold", detail)
    return Verdict("cannot be told", detail)


def judge_all(verdicts: Iterable[Verdict], detail: str = "") -> Verdict:
    """Return the verdict on a claim that says several things at once.

    It does not hold where one of them does not, and cannot be told where one of them cannot.
    Without ``detail`` those of the parts are joined.
    """
    parts = list(verdicts)
    if not parts:
        raise ValueError("a claim that says nothing cannot be judged")
    words = {part.word for part in parts}
    order: tuple[Word, ...] = ("does not hold", "cannot be told", "holds")
    word = next(each for each in order if each in words)
    joined = "; ".join(dict.fromkeys(part.detail for part in parts if part.detail))
    return Verdict(word, detail or joined)


def judge_most(verdicts: Iterable[Verdict], share: float, detail: str = "") -> Verdict:
    """Return the verdict on a claim of several cases, of which at least a share must hold.

    It holds where enough cases hold, does not where too many do not, and cannot be told where
    those that cannot be told decide.
    """
    parts = list(verdicts)
    if not parts or not 0 < share <= 1:
        raise ValueError("cases and a share above 0 are needed")
    needed = math.ceil(share * len(parts) - 1e-9)
    holding = sum(part.word == "holds" for part in parts)
    possible = holding + sum(part.word == "cannot be told" for part in parts)
    if holding >= needed:
        verdict = Verdict("holds", detail)
    elif possible < needed:
        verdict = Verdict("does not hold", detail)
    else:
        verdict = Verdict("cannot be told", detail)
    return verdict if detail else replace(verdict, detail=f"{holding} of {len(parts)} hold")
