"""Which difference would have been found: what "no difference was found" leaves open.

An interval that holds zero is so wide as the test is blunt. From its width follows the standard
error, and from that the difference which an experiment like this one finds with power .8.
"""

from __future__ import annotations

import math
from dataclasses import replace

from twofold.comparison.comparison import Comparison, Pair
from twofold.comparison.wide_pairs import DETECTED, PairOfTable
from twofold.rounding import number
from twofold.stats import entry
from twofold.stats.distributions import student_quantile
from twofold.stats.power import find_shift, mcnemar_power

MOST_PAIRS = 45
"""Pairs up to which the verdict looks at each: those of ten learners."""
MOST_EXACT = 45
"""Pairs up to which counts are answered exactly; it takes some milliseconds each."""
COUNTS = "counts"
"""What tests take that decide by how often just one of two is right."""


def add_detectable(answer: Comparison) -> Comparison:
    """Return an answer in which pairs that were not told apart say what would have been found."""
    pairs = tuple(
        pair
        if isinstance(pair, PairOfTable) or answer.is_one_sided
        else replace(pair, detectable=_find_detectable(pair, len(answer.pairs), answer.alpha))
        for pair in answer.pairs
    )
    answer = replace(answer, pairs=pairs)
    sentence = _describe_detectable(answer)
    return replace(answer, verdict=f"{answer.verdict} {sentence}") if sentence else answer


def _find_detectable(pair: Pair, count: int, alpha: float) -> float | None:
    """Return the difference that would have been found, None where one was, or it is not known."""
    if pair.differs or not pair.defined or pair.pvalue is None or pair.interval is None:
        return None
    low, high = pair.interval
    if not (math.isfinite(low) and math.isfinite(high)) or low == high or len(pair.df) > 1:
        return None
    if entry(pair.method).estimate == "relative mean":
        return None  # the test judges shares of the scores, and they are none of the metric's
    if entry(pair.method).anytime:
        return None  # it is not looked at once, as what is known of its power supposes
    level = alpha / count
    if pair.interval_kind == "single" and pair.interval_confidence is not None:
        level = 1 - pair.interval_confidence
    if entry(pair.method).data == COUNTS and count <= MOST_EXACT and pair.wins + pair.losses:
        return _solve_counts(pair.n, (pair.wins + pair.losses) / pair.n, level)
    df = pair.df[0] if pair.df else math.inf
    reach = float(student_quantile(1 - level / 2, df))
    if not 0 < reach < math.inf:
        return None
    return (high - low) / 2 * find_shift(df, level, DETECTED) / reach


def _solve_counts(n: int, discordant: float, level: float) -> float | None:
    """Return the difference of shares that McNemar's mid-p test finds among so many examples."""
    if mcnemar_power(n, discordant, discordant, level).right < DETECTED:
        return None
    low, high = 0.0, discordant
    while high - low > 1e-3 * discordant:
        middle = (low + high) / 2
        if mcnemar_power(n, discordant, middle, level).right < DETECTED:
            low = middle
        else:
            high = middle
    return high


def _describe_detectable(answer: Comparison) -> str:
    """Return a sentence for a verdict that found nothing."""
    if not answer.pairs or len(answer.pairs) > MOST_PAIRS or answer.is_one_sided:
        return ""
    if any(pair.differs for pair in answer.pairs):
        return ""
    sizes = [pair.detectable for pair in answer.pairs if pair.detectable]
    if not sizes:
        return ""
    unit = " of mean ranks" if answer.holds_ranks else ""
    low, high = number(min(sizes), 2), number(max(sizes), 2)
    if low == high:
        return f"A difference{unit} of {high} would have been found with a chance of 80%."
    sizes_in_words = f"{low} to {high}, by pair,"
    return f"A difference{unit} of {sizes_in_words} would have been found with a chance of 80%."
