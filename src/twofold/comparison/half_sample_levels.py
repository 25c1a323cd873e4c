"""Half samples of a data set: a test of their own, and the level that another test has there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.comparison.comparison import Comparison, Pair
from twofold.comparison.deciding_intervals import Ends, align_with_decision
from twofold.comparison.defaults import HALF_SAMPLES
from twofold.comparison.guards import note_level
from twofold.comparison.pair import decide_outcome, df_tuple
from twofold.comparison.pairwise import adjust_pairs, columns_to_compare
from twofold.comparison.sentences import describe_many, describe_pair, name_basis, p_value
from twofold.options import Question
from twofold.result import Note, Result
from twofold.rounding import written
from twofold.stats import entry
from twofold.stats.distributions import student_quantile

LEVEL = ("level-above", "level-known")
OF_THE_OTHER = (*LEVEL, "low-replicability", "unequal-folds", "calibrated-df", "given-df")
"""Notes on the level of a test, and on the test that half samples replace."""


@dataclass(frozen=True, slots=True, eq=False)
class HalfSamples:
    """Mean scores of learners on halves of the rows.

    Attributes
    ----------
    values : array (learners, runs, 2)
        On one half and on the other, for each run of the design.
    """

    values: NDArray[np.float64]


def compare_by_half_samples(
    answer: Comparison, halves: HalfSamples, options: Question
) -> Comparison:
    """Return the answer that the half-sample t test gives, in place of that of another test."""
    assert answer.scores is not None
    metric, higher = answer.metric, answer.higher_is_better
    results = _apply(answer, halves, options)
    decided = [
        _decide(pair, result, higher, options)
        for pair, result in zip(answer.pairs, results, strict=True)
    ]

    def find_intervals(members: Sequence[int], level: float) -> list[Ends | None]:
        question = replace(options, alpha=level)
        again = _apply(answer, halves, question)
        return [_decide(answer.pairs[i], again[i], higher, question).interval for i in members]

    pairs: tuple[Pair, ...] = tuple(decided)
    adjustment: str | None = None
    if len(decided) > 1:
        whole = options.control is None
        pairs, adjustment = adjust_pairs(decided, options, higher, None, find_intervals, whole)
        basis = name_basis(f"{HALF_SAMPLES}, {adjustment}" if adjustment else HALF_SAMPLES)
        verdict = describe_many(
            pairs, answer.ranking, options, basis, higher_is_better=answer.higher_is_better
        )
    else:
        verdict = describe_pair(pairs[0], metric, options)
    return replace(
        answer,
        verdict=verdict,
        method=HALF_SAMPLES + (f", {adjustment}" if adjustment else ""),
        adjustment=adjustment,
        reason="Disjoint halves of the rows show how much a cross-validation varies.",
        pairs=pairs,
        notes=tuple(
            dict.fromkeys(
                [note for note in answer.notes if note.code not in OF_THE_OTHER]
                + [note for result in results for note in result.notes]
                + note_level(HALF_SAMPLES, halves.values.shape[1], None, options.alpha)
            )
        ),
    )


def with_level(answer: Comparison, halves: HalfSamples, options: Question) -> Comparison:
    """Return the answer with the half-sample test beside it, and the level of its own test."""
    results = _apply(answer, halves, options)
    pairs = tuple(
        replace(
            pair,
            beside=(
                *pair.beside,
                {"method": HALF_SAMPLES, "pvalue": float(np.asarray(result.pvalue))},
            ),
        )
        for pair, result in zip(answer.pairs, results, strict=True)
    )
    level = _note(pairs, results, options)
    notes = [note for note in answer.notes if note.code not in LEVEL]
    return replace(answer, pairs=pairs, notes=(level, *notes))


def _apply(answer: Comparison, halves: HalfSamples, options: Question) -> list[Result]:
    assert answer.scores is not None
    whole = answer.scores.folds(0).values.mean(axis=-1)  # learners, runs
    test = entry(HALF_SAMPLES).load()
    x = np.concatenate([whole[..., None], halves.values], axis=-1)
    return [
        test(x[i], x[j], alternative=options.alternative, confidence=options.confidence)
        for i, j in columns_to_compare(answer.scores, options)
    ]


def _decide(pair: Pair, result: Result, higher: bool, options: Question) -> Pair:
    assert result.interval is not None
    estimate = float(np.asarray(result.estimate))
    outcome = decide_outcome(bool(result.reject(options.alpha)), estimate, higher)
    ends = float(result.interval.low), float(result.interval.high)
    return replace(
        pair,
        estimate=estimate,
        interval=align_with_decision(ends, outcome, higher),
        interval_kind="single",
        interval_confidence=options.confidence,
        method=HALF_SAMPLES,
        statistic=float(result.statistic),
        df=df_tuple(result.df),
        pvalue_unadjusted=float(np.asarray(result.pvalue)),
        adjusted={},
        adjustment=None,
        outcome=outcome,
        replicability=None,
        details={},
    )


def _note(pairs: tuple[Pair, ...], results: list[Result], options: Question) -> Note:
    """Note the level of the test on this data, for the pair with the highest."""
    alpha = options.alpha
    sides = 2 if options.alternative == "two-sided" else 1
    levels = [
        _level(pair, result, alpha, sides) for pair, result in zip(pairs, results, strict=True)
    ]
    worst = int(np.argmax([middle for middle, _, _ in levels]))
    middle, low, high = (written(level, 3).replace("0.", ".", 1) for level in levels[worst])
    pair, runs = pairs[worst], results[worst].n
    named = f" for {pair.a} and {pair.b}" if len(pairs) > 1 else ""
    p = p_value(float(np.asarray(results[worst].pvalue)))
    detail = (
        f"{runs} random halvings of the rows show how much a cross-validation varies{named}: by "
        f"that {entry(pair.method).in_words} would err about {middle} of the time here (95% "
        f"interval {low} to {high}) where its level is {alpha:g}. The test that uses the halves, "
        f"{HALF_SAMPLES}, has {p}."
    )
    above = levels[worst][1] > alpha
    return Note(
        "level-here",
        "The level with these learners and data",
        detail,
        "warning" if above else "info",
    )


def _level(pair: Pair, result: Result, alpha: float, sides: int) -> tuple[float, float, float]:
    """Return how often the test would err if the half samples' variance is the true one.

    The interval is that of a variance with as many degrees of freedom as there are halvings.
    """
    variance = float(np.asarray(result.details["standard_error"])) ** 2
    if pair.statistic == 0 or variance == 0 or not np.isfinite(pair.statistic):
        return (alpha,) * 3 if variance else (0.0,) * 3
    error = abs(pair.estimate / pair.statistic)
    bound = float(student_quantile(1 - alpha / sides, pair.df[0])) * error
    df = float(np.asarray(result.df))
    shares = np.array([1.0, df / special.chdtri(df, 0.025), df / special.chdtri(df, 0.975)])
    middle, low, high = sides * special.ndtr(-bound / np.sqrt(variance * shares))
    return float(middle), float(low), float(high)
