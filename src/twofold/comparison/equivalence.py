"""Whether pairs of learners are equivalent within a margin, beside whether they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from twofold.comparison.comparison import Comparison, Equivalence, Pair
from twofold.comparison.deciding_intervals import levels_to_meet
from twofold.comparison.defaults import ADJUSTMENT
from twofold.comparison.margin_tests import MarginTests
from twofold.comparison.sentences import p_value
from twofold.comparison.wording import difference
from twofold.options import Question
from twofold.result import is_significant, join_first
from twofold.rounding import number
from twofold.stats import MarginResult, adjust

MOST_NAMED = 4
"""Equivalent pairs that the verdict names."""


def add_equivalence(answer: Comparison, tests: MarginTests, options: Question) -> Comparison:
    """Return the answer with whether each pair is equivalent within the margin asked for.

    Of several pairs the p values of equivalence are adjusted, whatever adjusts those of
    differences: each is the larger of two one-sided ones, and any of them may be called equivalent.
    """
    margin = options.equivalence
    assert margin is not None
    index = {name: i for i, name in enumerate(answer.learners)}
    columns = [(index[pair.a], index[pair.b]) for pair in answer.pairs]
    results = [tests.bracket(two, margin, options.alpha) for two in columns]
    p = np.array([float(result.pvalue) for result in results])
    if len(p) == 1:
        found = [
            _summarise(results[0], None, bool(is_significant(p[0], options.alpha)), options.alpha)
        ]
    else:
        levels = levels_to_meet(p, ADJUSTMENT, options.alpha)
        if levels is not None:
            results = [
                tests.bracket(two, margin, float(level))
                for two, level in zip(columns, levels, strict=True)
            ]
        found = [
            _summarise(
                result,
                float(q),
                bool(is_significant(q, options.alpha)),
                None if levels is None else float(levels[i]),
            )
            for i, (result, q) in enumerate(zip(results, adjust(p, ADJUSTMENT), strict=True))
        ]
    pairs = tuple(
        replace(pair, equivalence=shown) for pair, shown in zip(answer.pairs, found, strict=True)
    )
    verdict = f"{answer.verdict} {describe_equivalence(pairs)}"
    return replace(answer, pairs=pairs, verdict=verdict, equivalence=margin)


def _summarise(
    result: MarginResult, adjusted: float | None, equivalent: bool, level: float | None
) -> Equivalence:
    """Return what was found, with the interval at the level that decided, so that both agree.

    Of very many pairs these levels are not known, and intervals are left out.
    """
    interval = None
    if result.interval is not None and level is not None:
        low, high = float(result.interval.low), float(result.interval.high)
        if equivalent:  # ties may put an end on the other side of the margin
            low, high = max(low, -result.margin), min(high, result.margin)
        elif not is_significant(result.lower_p, level):
            low = min(low, -result.margin)
        else:
            high = max(high, result.margin)
        interval = (low, high)
    return Equivalence(
        margin=result.margin,
        method=result.method,
        lower_p=float(result.lower_p),
        upper_p=float(result.upper_p),
        pvalue=float(result.pvalue),
        pvalue_adjusted=adjusted,
        interval=interval,
        interval_confidence=None if level is None else 1 - 2 * level,
        equivalent=equivalent,
    )


def describe_equivalence(pairs: Sequence[Pair]) -> str:
    """Say which pairs are equivalent within the margin, as a sentence."""
    first = pairs[0].equivalence
    assert first is not None
    within = f"within {number(first.margin)}"
    if len(pairs) > 1:
        return _describe_several(pairs, within)
    # A difference that was found is told as a size, without a sign.
    sign = -1 if pairs[0].differs and pairs[0].estimate < 0 else 1
    interval = first.interval
    if interval is not None and sign < 0:
        interval = -interval[1], -interval[0]
    _, ends = difference(sign * pairs[0].estimate, interval)
    figures = p_value(first.pvalue)
    if ends and first.interval_confidence is not None:
        figures = f"{100 * first.interval_confidence:.4g}% interval {ends}, {figures}"
    if not first.equivalent:
        return f"That they are equivalent {within} was not shown ({figures})."
    if pairs[0].differs:
        return f"Yet they are equivalent {within}: the difference is smaller ({figures})."
    return f"They are equivalent {within} ({figures})."


def _describe_several(pairs: Sequence[Pair], within: str) -> str:
    shown = [pair for pair in pairs if pair.equivalence is not None and pair.equivalence.equivalent]
    if not shown:
        return f"No pair was shown to be equivalent {within}."
    if len(shown) == len(pairs):
        return f"All pairs are equivalent {within} (Holm-adjusted)."
    names = join_first([f"{pair.a} and {pair.b}" for pair in shown], MOST_NAMED, "; ")
    return f"Equivalent {within} (Holm-adjusted): {names}."
