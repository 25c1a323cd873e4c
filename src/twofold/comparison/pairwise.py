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
    MOST_PAIRS,
    Ends,
    FindIntervals,
    align_with_decision,
    find_deciding_intervals,
    levels_to_meet,
    name_kind,
    own_levels,
)
from twofold.comparison.limits import lean_of
from twofold.comparison.over_data_sets import apply_to_pairs, compare_over_data_sets
from twofold.comparison.pair import count_wins, decide_outcome, make_pair, take_result
from twofold.comparison.repetition import PairTest, is_predictable, predict_pairs
from twofold.comparison.wide_pairs import OwnEffects, PairAnswers, PairOfTable
from twofold.errors import InputError, suggest
from twofold.options import Question
from twofold.result import Note, Result, is_significant, join_first
from twofold.scores import Items, Scores
from twofold.stats import adjust, entry
from twofold.stats.blocks import work_in_blocks

MOST_FOR_QUADRATIC = 2000
"""Pairs up to which adjustments whose cost grows with their square are given unasked."""

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
    test = options.test or defaults.MANY_LEARNERS
    shared = count_shared(table, columns)
    least = 2 if entry(test).model == "t" else 1
    apart = [
        f"{scores.learners[i]} and {scores.learners[j]}"
        for (i, j), count in zip(columns, shared, strict=True)
        if count < least
    ]
    compared = [pair for pair, count in zip(columns, shared, strict=True) if count >= least]
    if not compared:
        raise InputError("No two learners share enough data sets.", "Add scores.")
    notes = note_apart(apart, "fewer than two data sets" if least == 2 else "no data set")
    smallest = [smallest_p(test, count, options.alternative) for count in shared if count >= least]
    wide = len(compared) > MOST_PAIRS and entry(test).model in ("signed ranks", "wins")
    if wide and not np.isnan(table).any():
        many, chosen = compare_wide(table, scores, compared, test, options)
        notes += note_too_few_for_pairs(many, smallest[0], chosen, options)
        return many, chosen, notes
    single = compare_each(table, scores, compared, options)

    def predict(adjustment: str, p: Any, rejected: Any) -> Sequence[Predicted | None]:
        levels = levels_to_meet(p, adjustment, options.alpha)
        if not is_predictable(test) or levels is None:
            return [None] * len(single)
        tests = [PairTest.from_scores(test, table[:, i], table[:, j]) for i, j in compared]
        predicted = predict_pairs(tests, options, adjustment, rejected)
        # Where a pair can never be rejected, that new data sets would not do so is no news.
        hopeless = (np.array(smallest) > levels).tolist()
        return [None if hide else share for share, hide in zip(predicted, hopeless, strict=True)]

    def find_intervals(members: Sequence[int], level: float) -> list[Ends | None]:
        question = replace(options, alpha=level)
        chosen = [compared[i] for i in members]
        return [pair.interval for pair in compare_each(table, scores, chosen, question)]

    pairs, adjustment = adjust_pairs(
        single,
        options,
        scores.higher_is_better,
        predict,
        find_intervals,
        options.control is None and not apart,
    )
    notes += note_too_few_for_pairs(pairs, smallest, adjustment, options)
    return pairs, adjustment, notes


def count_shared(table: Any, columns: Sequence[tuple[int, int]]) -> list[int]:
    """Return how many data sets the learners of each pair share."""
    present = (~np.isnan(table)).astype(float)
    together = np.rint(present.T @ present).astype(int)
    return [int(together[i, j]) for i, j in columns]


def compare_each(
    table: Any, scores: Scores, columns: Sequence[tuple[int, int]], options: Question
) -> list[Pair]:
    """Return the answer for each pair of columns by itself; those with the same gaps at once."""
    test = options.test or defaults.MANY_LEARNERS
    higher = scores.higher_is_better
    present = ~np.isnan(table)
    names = [(scores.learners[i], scores.learners[j]) for i, j in columns]
    if entry(test).bayesian:
        answers = []
        for (i, j), pair in zip(columns, names, strict=True):
            both = present[:, i] & present[:, j]
            a, b = table[both, i], table[both, j]
            answers.append(compare_over_data_sets(pair, a, b, options, higher, alone=False)[0])
        return answers
    alike: dict[bytes, list[int]] = {}
    for index, (i, j) in enumerate(columns):
        alike.setdefault((present[:, i] & present[:, j]).tobytes(), []).append(index)
    pairs: dict[int, Pair] = {}
    for members in alike.values():
        first, second = np.array([columns[index] for index in members]).T
        rows = table[present[:, first[0]] & present[:, second[0]]].T
        a, b = rows[first], rows[second]
        result = apply_to_pairs(test, a, b, 1 if higher else -1, options)
        counts = count_wins(a, b)
        sizes = (a - b).mean(axis=1) if result.estimate is None else np.asarray(result.estimate)
        for at, index in enumerate(members):
            answer, size = take_result(result, at), float(sizes[at])
            pairs[index] = make_pair(
                names[index], answer, size, higher, counts[at], None, (), options
            )
    return [pairs[index] for index in range(len(columns))]


def compare_wide(
    table: Any, scores: Scores, columns: Sequence[tuple[int, int]], test: str, options: Question
) -> tuple[tuple[Pair, ...], str]:
    """Compare very many pairs of a complete table; effects are computed for those looked at."""
    first, second = np.array(columns).T
    rows = np.ascontiguousarray(table.T)
    flip = 1 if scores.higher_is_better else -1

    def apply(a: Any, b: Any, level: float) -> Result:
        return apply_to_pairs(test, a, b, flip, replace(options, alpha=level))

    fields = {name: np.empty(len(columns)) for name in ("pvalue", "statistic", "lean")}

    def work(part: slice) -> None:
        a, b = rows[first[part]], rows[second[part]]
        result = entry(test).load()(a, b, confidence=None, alternative=options.alternative)
        fields["pvalue"][part] = np.where(result.no_spread, 1.0, result.pvalue)
        fields["statistic"][part] = result.statistic
        fields["lean"][part] = lean_of(result, test)

    work_in_blocks(len(columns), len(table), work, watched=True)
    p = fields["pvalue"]
    names = adjustments_for(len(p), options, all_pairs=options.control is None)
    adjustment = _check_adjustment(options.adjust or defaults.ADJUSTMENT, names)
    adjusted = {
        name: adjust(p, name)
        for name in names
        if name == adjustment or not entry(name).quadratic or len(p) <= MOST_FOR_QUADRATIC
    }
    rejected = is_significant(adjusted[adjustment], options.alpha)
    levels = own_levels(p, rejected, adjustment, options.alpha)
    outcomes = [
        decide_outcome(differs, lean, scores.higher_is_better)
        for differs, lean in zip(rejected.tolist(), fields["lean"].tolist(), strict=True)
    ]
    effects = OwnEffects(table, np.array(columns), scores, levels, outcomes, apply)
    nothing = [None] * len(p)
    answers = PairAnswers(effects, fields["statistic"], p, adjusted, nothing)
    shared = {
        "method": test,
        "df": (),
        "adjustment": adjustment,
        "interval_kind": name_kind(adjustment),
        "beside": (),
        "details": {},
        "defined": True,
        "standard_error": None,
        "equivalence": None,
        "detectable": None,
    }
    pairs = tuple(
        PairOfTable.make(
            answers, index, a=scores.learners[i], b=scores.learners[j], outcome=outcome, **shared
        )
        for index, ((i, j), outcome) in enumerate(zip(columns, outcomes, strict=True))
    )
    return pairs, adjustment


def _check_adjustment(adjustment: str, names: Sequence[str]) -> str:
    """Return the adjustment, or refuse one that these pairs do not have."""
    if adjustment not in names:
        raise InputError(
            f"`{adjustment}` does not apply to these pairs, which were compared one by one.",
            f"Choose one of {', '.join(names)}.",
        )
    return adjustment


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
    _check_adjustment(adjustment, names)
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
