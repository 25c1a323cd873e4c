"""Several learners, each pair compared by itself and then adjusted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from twofold.comparison import defaults
from twofold.comparison.adjustments import adjustments_for, quick_adjustment
from twofold.comparison.attainable import note_too_few_for_pairs, smallest_p
from twofold.comparison.comparison import Pair, Predicted
from twofold.comparison.over_data_sets import compare_over_data_sets
from twofold.comparison.pair import decide_outcome
from twofold.comparison.repetition import PairTest, is_predictable, predict_pairs
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note, join_first
from twofold.scores import Scores
from twofold.stats import adjust, entry
from twofold.stats.adjust import reject

Predict = Callable[[str, Any, Any], Sequence[Predicted | None]]
"""Takes the adjustment, the p values and which were rejected; returns predictions."""

MOST_PAIRS = 300
"""Pairs up to which repetitions of adjusted tests are predicted."""


def columns_to_compare(scores: Scores, options: Question) -> list[tuple[int, int]]:
    """Return which learners are compared: all pairs, or the control with each other one."""
    k = len(scores.learners)
    if options.control is None:
        return list(combinations(range(k), 2))
    first = scores.index_of(options.control)
    return [(first, other) for other in range(k) if other != first]


def compare_pairwise(
    table: Any, scores: Scores, options: Question
) -> tuple[tuple[Pair, ...], str | None, list[Note]]:
    """Compare pairs each on the data sets that both have, then adjust."""
    columns = columns_to_compare(scores, options)
    alone = len(columns) == 1
    needs_two = options.test is not None and entry(options.test).model == "t"
    single, compared, apart = [], [], []
    for i, j in columns:
        both = ~np.isnan(table[:, i]) & ~np.isnan(table[:, j])
        names = (scores.learners[i], scores.learners[j])
        if both.sum() < (2 if needs_two else 1):
            apart.append(f"{names[0]} and {names[1]}")
            continue
        a, b = table[both, i], table[both, j]
        pair, _ = compare_over_data_sets(names, a, b, options, scores.higher_is_better, alone=alone)
        single.append(pair)
        compared.append((i, j))
    if not single:
        raise InputError("No two learners share enough data sets.", "Add scores.")
    notes = []
    if apart:
        few = "fewer than two data sets" if needs_two else "no data set"
        listed = join_first(apart, separator="; ")
        detail = f"{listed} share {few}, so that nothing can be said about them."
        notes.append(Note("no-shared-data", "Pairs without a common data set", detail, "warning"))

    smallest = [smallest_p(pair.method, pair.n, options.alternative) for pair in single]

    def predict(adjustment: str, p: Any, rejected: Any) -> Sequence[Predicted | None]:
        method = single[0].method
        levels = levels_to_meet(p, adjustment, options.alpha)
        if not is_predictable(method) or levels is None:
            return [None] * len(single)
        tests = [PairTest.from_scores(method, table[:, i], table[:, j]) for i, j in compared]
        predicted = predict_pairs(tests, options, adjustment, rejected)
        # Where a pair can never be rejected, that new data sets would not do so is no news.
        hopeless = (np.array(smallest) > levels).tolist()
        return [None if hide else share for share, hide in zip(predicted, hopeless, strict=True)]

    complete = options.control is None and not apart
    pairs, adjustment = adjust_pairs(single, options, scores.higher_is_better, predict, complete)
    notes += note_too_few_for_pairs(pairs, smallest, adjustment, options)
    return pairs, adjustment, notes


def adjust_pairs(
    single: list[Pair],
    options: Question,
    higher_is_better: bool,
    predict: Predict | None,
    all_pairs: bool,
) -> tuple[tuple[Pair, ...], str | None]:
    """Adjust the p values of pairs that were compared one by one."""
    adjustment = options.adjust or defaults.ADJUSTMENT
    if single[0].is_bayesian:
        if options.adjust is not None:
            raise InputError(
                f"`{single[0].method}` has no p values to adjust.", "Leave out the adjustment."
            )
        return tuple(single), None
    # Where nothing varies there is no p value; the pair must not lend others a small one.
    p = np.array([1.0 if pair.pvalue is None else pair.pvalue for pair in single])
    names = adjustments_for(len(p), options, all_pairs=all_pairs and len(p) >= 3)
    if adjustment not in names:
        raise InputError(
            f"`{adjustment}` does not apply to these pairs, which were compared one by one.",
            f"Choose one of {', '.join(names)}.",
        )
    adjusted = {name: adjust(p, name) for name in names}
    rejected = adjusted[adjustment] <= options.alpha
    predicted = [None] * len(p) if predict is None else predict(adjustment, p, rejected)
    flip = 1 if higher_is_better else -1
    return (
        tuple(
            replace(
                pair,
                adjusted={name: float(values[i]) for name, values in adjusted.items()},
                adjustment=adjustment,
                replicability=(predicted[i] or None) if pair.defined else None,
                outcome=decide_outcome(bool(rejected[i]), _lean(pair, flip), higher_is_better),
            )
            for i, pair in enumerate(single)
        ),
        adjustment,
    )


def levels_to_meet(p: Any, adjustment: str, alpha: float) -> Any:
    """Return for each hypothesis the largest p that would be rejected, the others as they are.

    An adjusted test of a pair is a plain one at that level. None where there are too many pairs.
    """
    m = len(p)
    if m > MOST_PAIRS:
        return None
    method = quick_adjustment(adjustment)
    low, high = np.full(m, np.log(alpha / (m * 1000))), np.full(m, np.log(1 - 1e-12))
    table = np.tile(np.asarray(p, dtype=float), (m, 1))
    own = np.arange(m)
    for _ in range(30):
        middle = (low + high) / 2
        table[own, own] = np.exp(middle)
        rejected = reject(table, alpha, method)[own, own]
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle)
    return np.exp(low)


def _lean(pair: Pair, flip: int) -> float:
    """Return the direction of a pair, which an estimate of exactly zero does not tell."""
    if pair.estimate or "r_plus" not in pair.details:
        return pair.estimate
    return flip * (pair.details["r_minus"] - pair.details["r_plus"])
