"""Several learners, each pair compared by itself and then adjusted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from twofold.comparison.attainable import smallest_p, too_few_for_pairs
from twofold.comparison.comparison import Pair, Predicted
from twofold.comparison.pair import outcome, over_data_sets
from twofold.comparison.repetition import PREDICTABLE, PairTest, predict_pairs
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note
from twofold.scores import Scores
from twofold.stats import adjust

Predict = Callable[[str, Any, Any], Sequence[Predicted | None]]
"""From the adjustment, the p values and which of them were rejected to predictions."""

BERGMANN_UNASKED = 9
"""Learners up to which Bergmann and Hommel's adjustment, whose cost grows fast, is given unasked;
how many it takes when asked for is settled in `twofold.stats.pair_adjustments`."""

MOST_PAIRS = 300
"""Pairs up to which repetitions of adjusted tests are predicted."""

NEED_SPREAD = ("paired-t", "relative-t")
"""Tests that need two data sets at least."""


def wanted_pairs(scores: Scores, options: Question) -> list[tuple[int, int]]:
    """Return which learners are compared: all pairs, or the control with each other one."""
    k = len(scores.learners)
    if options.control is None:
        return list(combinations(range(k), 2))
    first = scores.index_of(options.control)
    return [(first, other) for other in range(k) if other != first]


def pairs_one_by_one(
    table: Any, scores: Scores, options: Question
) -> tuple[tuple[Pair, ...], str | None, list[Note]]:
    """Compare pairs each on the data sets that both have, then adjust."""
    wanted = wanted_pairs(scores, options)
    found, columns, apart = [], [], []
    for i, j in wanted:
        both = ~np.isnan(table[:, i]) & ~np.isnan(table[:, j])
        names = (scores.learners[i], scores.learners[j])
        if both.sum() < (2 if options.test in NEED_SPREAD else 1):
            apart.append(f"{names[0]} and {names[1]}")
            continue
        a, b = table[both, i], table[both, j]
        alone = len(wanted) == 1
        pair, _ = over_data_sets(names, a, b, options, scores.higher_is_better, alone=alone)
        found.append(pair)
        columns.append((i, j))
    if not found:
        raise InputError("No two learners share enough data sets.", "Add scores.")
    notes = []
    if apart:
        listed = "; ".join(apart[:3]) + (f"; and {len(apart) - 3} more" if len(apart) > 3 else "")
        few = "fewer than two data sets" if options.test in NEED_SPREAD else "no data set"
        detail = f"{listed} share {few}, so that nothing can be said about them."
        notes.append(Note("no-shared-data", "Pairs without a common data set", detail, "warning"))

    smallest = [
        smallest_p(pair.method, pair.wins + pair.ties + pair.losses, options.alternative)
        for pair in found
    ]

    def predict(adjustment: str, p: Any, rejected: Any) -> Sequence[Predicted | None]:
        method = found[0].method
        levels = levels_to_meet(p, adjustment, options.alpha)
        if method not in PREDICTABLE or levels is None:
            return [None] * len(found)
        tests = [PairTest.of_scores(method, table[:, i], table[:, j]) for i, j in columns]
        predicted = predict_pairs(tests, options, adjustment, rejected)
        # Where a pair can never be rejected, that new data sets would not do so is no news.
        hopeless = (np.array(smallest) > levels).tolist()
        return [None if hide else one for one, hide in zip(predicted, hopeless, strict=True)]

    complete = options.control is None and not apart
    pairs, chosen = adjust_pairs(found, options, scores.higher_is_better, predict, complete)
    notes += too_few_for_pairs(pairs, smallest, chosen, options)
    return pairs, chosen, notes


def with_bergmann(k: int, options: Question) -> bool:
    """Tell whether all pairs of k learners are adjusted by Bergmann and Hommel's procedure too."""
    return k <= BERGMANN_UNASKED or options.adjust == "bergmann-hommel"


def adjust_pairs(
    found: list[Pair],
    options: Question,
    higher_is_better: bool,
    predict: Predict | None,
    all_pairs: bool,
) -> tuple[tuple[Pair, ...], str | None]:
    """Adjust the p values of pairs that were compared one by one."""
    chosen = options.adjust or "holm"
    if found[0].method.startswith("bayes"):
        if options.adjust is not None:
            raise InputError(
                f"`{found[0].method}` has no p values to adjust.", "Leave out the adjustment."
            )
        return tuple(found), None
    # Where nothing varies there is no p value; the pair must not lend others a small one.
    p = np.array([1.0 if pair.pvalue is None else pair.pvalue for pair in found])
    names = ["bonferroni", "holm", "hochberg", "hommel", "finner"]
    if all_pairs and len(p) >= 3:
        k = round((1 + np.sqrt(1 + 8 * len(p))) / 2)
        names += ["shaffer"] + ["bergmann-hommel"] * with_bergmann(k, options)
    else:
        names.append("li")
    if chosen not in names:
        raise InputError(
            f"`{chosen}` does not apply to these pairs, which were compared one by one.",
            f"Choose one of {', '.join(names)}.",
        )
    adjusted = {name: adjust(p, name) for name in names}
    rejected = adjusted[chosen] <= options.alpha
    predicted = [None] * len(p) if predict is None else predict(chosen, p, rejected)
    flip = 1 if higher_is_better else -1
    return (
        tuple(
            replace(
                pair,
                adjusted={name: float(values[i]) for name, values in adjusted.items()},
                adjustment=chosen,
                replicability=(predicted[i] or None) if pair.defined else None,
                outcome=outcome(bool(rejected[i]), _lean(pair, flip), higher_is_better),
            )
            for i, pair in enumerate(found)
        ),
        chosen,
    )


def levels_to_meet(p: Any, method: str, alpha: float) -> Any:
    """Return for each hypothesis the largest p that would be rejected, the others as they are.

    An adjusted test of a pair is a plain one at that level. None where there are too many pairs.
    """
    m = len(p)
    if m > MOST_PAIRS:
        return None
    if method == "bergmann-hommel":
        method = "shaffer"  # nearly the same levels, at a small part of the cost
    low, high = np.full(m, np.log(alpha / (m * 1000))), np.full(m, np.log(1 - 1e-12))
    table = np.tile(np.asarray(p, dtype=float), (m, 1))
    own = np.arange(m)
    for _ in range(30):
        middle = (low + high) / 2
        table[own, own] = np.exp(middle)
        kept = adjust(table, method)[own, own] <= alpha
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return np.exp(low)


def _lean(pair: Pair, flip: int) -> float:
    """Return the direction of a pair, which an estimate of exactly zero does not tell."""
    if pair.estimate or "r_plus" not in pair.details:
        return pair.estimate
    return flip * (pair.details["r_minus"] - pair.details["r_plus"])
