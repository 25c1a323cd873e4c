"""Several learners, each pair compared by itself and then adjusted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from twofold.comparison import defaults
from twofold.comparison.adjustments import adjustments_for
from twofold.comparison.attainable import note_too_few_for_pairs, smallest_p
from twofold.comparison.comparison import Pair, Predicted
from twofold.comparison.deciding_intervals import (
    Ends,
    FindIntervals,
    align_with_decision,
    find_deciding_intervals,
    levels_to_meet,
    name_kind,
    own_levels,
)
from twofold.comparison.over_data_sets import compare_over_data_sets
from twofold.comparison.repetition import PairTest, is_predictable, predict_pairs
from twofold.errors import InputError, suggest
from twofold.options import Question
from twofold.result import Note, is_significant, join_first
from twofold.scores import Items, Scores
from twofold.stats import adjust, entry

Predict = Callable[[str, Any, Any], Sequence[Predicted | None]]
"""Takes the adjustment, the p values and which were rejected; returns predictions."""


def columns_to_compare(scores: Scores | Items, options: Question) -> list[tuple[int, int]]:
    """Return which learners are compared: all pairs, or the control with each other one."""
    control = None if options.control is None else scores.index_of(options.control)
    return _pair_columns(len(scores.learners), control)


def list_pairs(names: Sequence[str], control: str | None, kind: str) -> list[tuple[int, int]]:
    """Return the same for what has names alone; ``kind`` is what the error calls one of them."""
    if control is not None and control not in names:
        raise InputError(
            f"There is no {kind} {control!r}.",
            suggest(control, names, f"There are {', '.join(names)}."),
        )
    return _pair_columns(len(names), None if control is None else names.index(control))


def _pair_columns(count: int, control: int | None) -> list[tuple[int, int]]:
    if control is None:
        return list(combinations(range(count), 2))
    return [(control, other) for other in range(count) if other != control]


def compare_pairwise(
    table: Any, scores: Scores, options: Question
) -> tuple[tuple[Pair, ...], str | None, list[Note]]:
    """Compare pairs each on the data sets that both have, then adjust."""
    columns = columns_to_compare(scores, options)
    alone = len(columns) == 1
    needs_two = options.test is not None and entry(options.test).model == "t"

    def compare_pair(i: int, j: int, question: Question) -> Pair:
        names = (scores.learners[i], scores.learners[j])
        both = ~np.isnan(table[:, i]) & ~np.isnan(table[:, j])
        a, b = table[both, i], table[both, j]
        higher = scores.higher_is_better
        return compare_over_data_sets(names, a, b, question, higher, alone=alone)[0]

    single, compared, apart = [], [], []
    for i, j in columns:
        both = ~np.isnan(table[:, i]) & ~np.isnan(table[:, j])
        if both.sum() < (2 if needs_two else 1):
            apart.append(f"{scores.learners[i]} and {scores.learners[j]}")
            continue
        single.append(compare_pair(i, j, options))
        compared.append((i, j))
    if not single:
        raise InputError("No two learners share enough data sets.", "Add scores.")
    notes = note_apart(apart, "fewer than two data sets" if needs_two else "no data set")

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

    def find_intervals(members: Sequence[int], level: float) -> list[Ends | None]:
        question = replace(options, alpha=level)
        return [compare_pair(*compared[i], question).interval for i in members]

    complete = options.control is None and not apart
    pairs, adjustment = adjust_pairs(
        single, options, scores.higher_is_better, predict, find_intervals, complete
    )
    notes += note_too_few_for_pairs(pairs, smallest, adjustment, options)
    return pairs, adjustment, notes


def note_apart(apart: Sequence[str], few: str) -> list[Note]:
    """Warn of pairs that share too few data sets to be compared."""
    if not apart:
        return []
    listed = join_first(apart, separator="; ")
    detail = f"{listed} share {few}, so that nothing can be said about them."
    return [Note("no-shared-data", "Pairs without a common data set", detail, "warning")]


def adjust_pairs(
    single: list[Pair],
    options: Question,
    higher_is_better: bool,
    predict: Predict | None,
    find_intervals: FindIntervals,
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
    rejected = is_significant(adjusted[adjustment], options.alpha)
    predicted = [None] * len(p) if predict is None else predict(adjustment, p, rejected)
    levels = own_levels(p, rejected, adjustment, options.alpha)
    intervals = find_deciding_intervals(levels, find_intervals)
    kind = name_kind(adjustment)
    pairs = []
    for i, pair in enumerate(single):
        # Adjusted p values are nowhere smaller: the pair by itself has decided which way.
        outcome = pair.outcome if rejected[i] else "none"
        ends = align_with_decision(intervals[i], outcome, higher_is_better)
        pairs.append(
            replace(
                pair,
                adjusted={name: float(values[i]) for name, values in adjusted.items()},
                adjustment=adjustment,
                replicability=(predicted[i] or None) if pair.defined else None,
                outcome=outcome,
                interval=ends if pair.defined else None,
                interval_kind=kind,
                interval_confidence=float(
                    1 - (options.alpha if kind == "simultaneous" else levels[i])
                ),
            )
        )
    return tuple(pairs), adjustment
