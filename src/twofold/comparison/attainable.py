"""Too few data sets: the smallest p value that a test can reach, adjustment included."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from twofold.comparison.comparison import Pair
from twofold.comparison.defaults import MEAN_RANKS
from twofold.options import Question
from twofold.result import Alternative, Note, is_significant
from twofold.rounding import number
from twofold.stats import adjust, entry, smallest_pvalue


@lru_cache(maxsize=1000)
def smallest_p(test: str, n: int, alternative: Alternative) -> float:
    """Return the smallest p of a test of two learners on n data sets: one wins on all of them."""
    if not entry(test).is_discrete:
        return 0.0
    ahead = np.arange(1.0, n + 1) * (-1 if alternative == "less" else 1)
    result = entry(test).load()(ahead, np.zeros(n), alternative=alternative, confidence=None)
    return float(result.pvalue)


def too_few_for_each(n: int, pairs: int, alpha: float) -> bool:
    """Tell whether the default test of each pair could find nothing, whatever the scores."""
    return pairs * smallest_pvalue(n) > alpha


def smallest_by_ranks(shape: tuple[int, int], adjustment: str) -> float:
    """Return the smallest p of a pair by mean ranks: one is first and one last on all data sets."""
    n, k = shape
    ordered = np.tile(np.arange(1.0, k + 1), (n, 1))
    if entry(adjustment).adjusts_itself:
        result = entry(adjustment).load()(ordered, are_ranks=True, confidence=None)
    else:
        result = entry(MEAN_RANKS).load()(ordered, are_ranks=True)
    return float(np.min(np.asarray(result.pvalue)))


def note_too_few(test: str, differences: Any, options: Question) -> list[Note]:
    """Warn where a test of two learners can never reject: one wins wherever they differ."""
    if not entry(test).is_discrete:
        return []
    ahead = np.abs(differences) * (-1 if options.alternative == "less" else 1)
    smallest = float(
        entry(test).load()(ahead, alternative=options.alternative, confidence=None).pvalue
    )
    n, ties = len(ahead), int((ahead == 0).sum())
    if is_significant(smallest, options.alpha) or ties == n:
        return []
    sets = "1 data set" if n == 1 else f"{n} data sets"
    equal = "" if not ties else f", {ties} of them with equal scores,"
    detail = f"{sets}{equal} cannot give a p below {number(smallest, 2)}."
    title = f"Too few data sets: p cannot fall below {number(smallest, 2)}"
    return [Note("too-few", title, detail, "warning")]


def note_too_few_for_pairs(
    pairs: tuple[Pair, ...],
    smallest: float | Sequence[float],
    adjustment: str | None,
    options: Question,
) -> list[Note]:
    """Warn of pairs that could not be found to differ, whatever their scores.

    No adjustment gives a pair a smaller p than where all pairs have the smallest they can have.
    """
    least = np.broadcast_to(np.asarray(smallest, dtype=float), len(pairs))
    if adjustment is not None and not entry(adjustment).adjusts_itself:
        least = adjust(least, adjustment)
    never = np.flatnonzero(~is_significant(least, options.alpha))
    if not len(never):
        return []
    worst = pairs[int(np.argmax(least))]
    which = "no pair" if len(never) == len(pairs) else f"{len(never)} of {len(pairs)} pairs never"
    after = "" if adjustment is None else f" after the adjustment ({entry(adjustment).short})"
    detail = (
        f"With so few data sets {which} can be found to differ at α = {options.alpha:.4g}, "
        f"whatever the scores: for {worst.a} and {worst.b} the smallest possible p{after} is "
        f"{number(least.max(), 2)}. That no difference was found there tells nothing."
    )
    title = "Too few data sets to tell pairs apart"
    return [Note("too-few-for-pairs", title, detail, "warning")]
