"""Which difference would have been found: what "no difference was found" leaves open.

An interval that holds zero is as wide as the test is blunt. From its longer half follows the
standard error, and from that the difference which an experiment like this one finds with power .8.
The standard error is an estimate: its upper 95 % limit is taken, so that the power is .8 or more.
"""

from __future__ import annotations

import math
from dataclasses import replace

from scipy import special

from twofold.comparison.comparison import Comparison, Pair
from twofold.comparison.wide_pairs import PairOfTable
from twofold.comparison.wording import ESTIMANDS, name_estimand
from twofold.rounding import number
from twofold.stats import entry
from twofold.stats.distributions import student_quantile
from twofold.stats.power import find_shift, mcnemar_power

DETECTED = 0.8
"""The power with which a difference would have been found."""
CONFIDENCE = 0.95
"""Of the upper limit of what is estimated: the spread, or the share of discordant examples."""
MOST_PAIRS = 45
"""Pairs up to which the verdict looks at each: those of ten learners."""
MOST_EXACT = 45
"""Pairs up to which counts are answered exactly; it takes some milliseconds each."""
COUNTS = "counts"
"""What tests take that decide by how often just one of two is right."""


def add_detectable(answer: Comparison, units: float | None = None) -> Comparison:
    """Return an answer in which pairs that were not told apart say what would have been found.

    ``units`` is by how many values the spread is known, where that is not the number of scores. Not
    where mean ranks decide: their power depends on the other learners.
    """
    pairs = tuple(
        pair
        if isinstance(pair, PairOfTable) or answer.is_one_sided
        else replace(
            pair,
            detectable=_find_detectable(
                pair, len(answer.pairs), answer.alpha, pair.n if units is None else units
            ),
        )
        for pair in answer.pairs
    )
    answer = replace(answer, pairs=pairs)
    sentence = _describe_detectable(answer)
    return replace(answer, verdict=f"{answer.verdict} {sentence}") if sentence else answer


def _find_detectable(pair: Pair, count: int, alpha: float, units: float) -> float | None:
    """Return the difference that would have been found, None where one was, or it is not known."""
    if pair.differs or not pair.defined or pair.pvalue is None or pair.interval is None:
        return None
    low, high = pair.interval
    if not (math.isfinite(low) and math.isfinite(high)) or low == high or len(pair.df) > 1:
        return None
    if entry(pair.method).role == "mean ranks":
        return None
    if entry(pair.method).estimate == "relative mean":
        return None  # the test judges shares of the scores, and they are none of the metric's
    if entry(pair.method).anytime:
        return None  # it is not looked at once, as what is known of its power supposes
    level = alpha / count
    if pair.interval_kind == "single" and pair.interval_confidence is not None:
        level = 1 - pair.interval_confidence
    if entry(pair.method).data == COUNTS and count <= MOST_EXACT and pair.wins + pair.losses:
        return _solve_counts(pair.n, _bound_share(pair.wins + pair.losses, pair.n), level)
    df = pair.df[0] if pair.df else math.inf
    reach = float(student_quantile(1 - level / 2, df))
    if not 0 < reach < math.inf or units < 2:
        return None
    longer = max(high - pair.estimate, pair.estimate - low)
    shift = find_shift(df, level, DETECTED) / reach
    return longer * shift * _bound_spread(min(df, units - 1))


def _bound_spread(df: float) -> float:
    """Return the upper limit of a standard deviation, by how many times the estimate.

    >>> round(_bound_spread(9), 3)
    1.645
    """
    return math.sqrt(df / float(special.chdtri(df, CONFIDENCE)))


def _bound_share(count: int, n: int) -> float:
    """Return the upper limit of a share (Clopper and Pearson).

    >>> round(_bound_share(60, 300), 4)
    0.2418
    """
    return 1.0 if count == n else float(special.betaincinv(count + 1, n - count, CONFIDENCE))


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
    low, high = number(min(sizes), 2), number(max(sizes), 2)
    about = name_estimand(answer.pairs[0].method, answer.pairs[0].n)
    mean = "mean " * (about == "mean")
    where = f" {about.partition(' (')[0]}" if about in ESTIMANDS.values() else ""
    by_pair = "" if low == high else ", depending on the pair"
    size = high if low == high else f"{low} to {high}"
    return f"At least 80% power to detect a {mean}difference of {size}{where}{by_pair}."
