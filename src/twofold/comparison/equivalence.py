"""Whether pairs of learners are equivalent within a margin, beside whether they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from twofold.comparison.comparison import Comparison, Equivalence, MeanWithinMargin, Pair
from twofold.comparison.deciding_intervals import levels_to_meet
from twofold.comparison.defaults import ADJUSTMENT
from twofold.comparison.margin_tests import DATA_SETS, MarginTests, find_worst
from twofold.comparison.sentences import describe_worst, p_value
from twofold.options import Question
from twofold.result import is_significant, join_first
from twofold.rounding import number
from twofold.stats import MarginResult, adjust

MOST_NAMED = 4
"""Equivalent pairs that the verdict names."""


def add_equivalence(answer: Comparison, tests: MarginTests, options: Question) -> Comparison:
    """Return the answer with whether each pair is equivalent within the margin asked for.

    Over data sets the test of a typical data set and that of the mean must both show it. Of several
    pairs the p values of equivalence are adjusted, whatever adjusts those of differences: each is
    the largest of one-sided ones, and any of them may be called equivalent.
    """
    margin = options.equivalence
    assert margin is not None
    index = {name: i for i, name in enumerate(answer.learners)}
    columns = [(index[pair.a], index[pair.b]) for pair in answer.pairs]
    results = [tests.bracket(two, margin, options.alpha) for two in columns]
    p = np.array([max(float(result.pvalue) for result in both) for both in results])
    decisive = p.tolist()
    levels = np.full(len(p), options.alpha)
    if len(p) > 1:
        decisive = adjust(p, ADJUSTMENT).tolist()
        levels = levels_to_meet(p, ADJUSTMENT, options.alpha)
        if levels is not None:
            results = [
                tests.bracket(two, margin, float(level))
                for two, level in zip(columns, levels, strict=True)
            ]
    pairs = []
    for i, pair in enumerate(answer.pairs):
        level = None if levels is None else float(levels[i])
        equivalent = bool(is_significant(decisive[i], options.alpha))
        worst: tuple[tuple[str, float], ...] = ()
        if tests.unit == DATA_SETS and answer.scores is not None:
            equivalent = equivalent and bool(abs(tests.subtract(columns[i]).mean()) < margin)
            if not equivalent:
                gaps = np.subtract(*answer.scores.means().T[list(columns[i])])
                worst = find_worst(answer.datasets, np.abs(gaps), gaps, margin)
        found = _summarise(results[i], decisive[i], equivalent, level, worst)
        pairs.append(replace(pair, equivalence=found))
    verdict = f"{answer.verdict} {describe_equivalence(pairs)}"
    return replace(answer, pairs=tuple(pairs), verdict=verdict, equivalence=margin)


def _summarise(
    results: Sequence[MarginResult],
    p: float,
    equivalent: bool,
    level: float | None,
    worst: tuple[tuple[str, float], ...],
) -> Equivalence:
    """Return what was found by ``p``, with intervals at the level that decided, so that they agree.

    Of very many pairs these levels are not known, and intervals are left out.
    """
    result, *others = results
    on_mean = None
    if others:
        (mean,) = others
        on_mean = MeanWithinMargin(
            method=mean.method,
            estimate=float(np.asarray(mean.estimate)),
            lower_p=float(mean.lower_p),
            upper_p=float(mean.upper_p),
            interval=_align(mean, equivalent, level),
        )
    return Equivalence(
        margin=result.margin,
        method=result.method,
        lower_p=float(result.lower_p),
        upper_p=float(result.upper_p),
        pvalue=p,
        pvalue_unadjusted=max(float(each.pvalue) for each in results),
        interval=_align(result, equivalent, level),
        interval_confidence=None if level is None else 1 - 2 * level,
        equivalent=equivalent,
        on_mean=on_mean,
        worst=worst,
    )


def _align(
    result: MarginResult, equivalent: bool, level: float | None
) -> tuple[float, float] | None:
    """Return the interval, which passes an edge of the margin exactly where its test decided so.

    Ties may put an end on the other side.
    """
    if result.interval is None or level is None:
        return None
    low, high = float(result.interval.low), float(result.interval.high)
    above, below = (equivalent or p <= level for p in (result.lower_p, result.upper_p))
    low = max(low, -result.margin) if above else min(low, -result.margin)
    high = min(high, result.margin) if below else max(high, result.margin)
    return low, high


def describe_equivalence(pairs: Sequence[Pair]) -> str:
    """Say which pairs are equivalent within the margin, as a sentence.

    Without intervals: that of the difference is in the verdict already, at another level.
    """
    first = pairs[0].equivalence
    assert first is not None
    within = f"within {number(first.margin)}"
    if len(pairs) > 1:
        return _describe_several(pairs, within)
    figures = p_value(first.pvalue)
    if first.on_mean is not None:
        typical = p_value(max(first.lower_p, first.upper_p))
        mean = p_value(max(first.on_mean.lower_p, first.on_mean.upper_p))
        figures = f"{typical} for a typical data set, {mean} for the mean"
    if first.equivalent and pairs[0].differs:
        return f"Yet they are equivalent {within}: the difference is smaller ({figures})."
    if first.equivalent:
        return f"They are equivalent {within} ({figures})."
    text = f"That they are equivalent {within} was not shown ({figures})"
    return f"{text}; {describe_worst(first.worst)}." if first.worst else f"{text}."


def _describe_several(pairs: Sequence[Pair], within: str) -> str:
    shown = [pair for pair in pairs if pair.equivalence is not None and pair.equivalence.equivalent]
    if not shown:
        return f"No pair was shown to be equivalent {within}."
    if len(shown) == len(pairs):
        return f"All pairs are equivalent {within} (Holm-adjusted)."
    names = join_first([f"{pair.a} and {pair.b}" for pair in shown], MOST_NAMED, "; ")
    return f"Equivalent {within} (Holm-adjusted): {names}."
