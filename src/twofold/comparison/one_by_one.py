"""Several learners, each pair compared by itself and then adjusted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from twofold.comparison.answer import Pair, Predicted
from twofold.comparison.attainable import smallest_p, too_few_for_pairs
from twofold.comparison.options import Options
from twofold.comparison.pair import outcome, over_data_sets
from twofold.comparison.redraws import levels_to_meet, redrawn_pair
from twofold.errors import InputError
from twofold.result import Note
from twofold.scores import Scores
from twofold.stats import adjust

Predict = Callable[[int, float], Predicted | None]
"""From the place of a pair and the level it has to meet to a prediction."""

BERGMANN_UP_TO = 9
NEED_SPREAD = ("paired-t", "relative-t")
"""Tests that need two data sets at least."""


def wanted_pairs(scores: Scores, options: Options) -> list[tuple[int, int]]:
    """Return which learners are compared: all pairs, or the control with each other one."""
    k = len(scores.learners)
    if options.control is None:
        return list(combinations(range(k), 2))
    first = scores.place(options.control)
    return [(first, other) for other in range(k) if other != first]


def pairs_one_by_one(
    table: Any, scores: Scores, options: Options
) -> tuple[tuple[Pair, ...], str | None, list[Note]]:
    """Compare pairs each on the data sets that both have, then adjust."""
    wanted = wanted_pairs(scores, options)
    found, values, apart = [], [], []
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
        values.append((a, b))
    if not found:
        raise InputError("No two learners share enough data sets.", "Add scores.")
    notes = []
    if apart:
        listed = "; ".join(apart[:3]) + (f"; and {len(apart) - 3} more" if len(apart) > 3 else "")
        few = "fewer than two data sets" if options.test in NEED_SPREAD else "no data set"
        detail = f"{listed} share {few}, so that nothing can be said about them."
        notes.append(Note("no-shared-data", "Pairs without a common data set", detail, "warning"))

    smallest = [
        smallest_p(pair.method, len(a), options.alternative)
        for pair, (a, _) in zip(found, values, strict=True)
    ]

    def predict(i: int, level: float) -> Predicted | None:
        if found[i].method not in ("wilcoxon", "sign", "paired-t", "relative-t"):
            return None
        if smallest[i] > level:  # it can never reject: that others would not either is no news
            return None
        return redrawn_pair(*values[i], found[i].method, level, options)

    complete = options.control is None and not apart
    pairs, chosen = adjust_pairs(found, options, scores.higher_is_better, predict, complete)
    notes += too_few_for_pairs(pairs, smallest, chosen, options)
    return pairs, chosen, notes


def adjust_pairs(
    found: list[Pair],
    options: Options,
    higher_is_better: bool,
    predict: Predict,
    all_pairs: bool,
) -> tuple[tuple[Pair, ...], str | None]:
    """Adjust the p values of pairs that were compared one by one."""
    chosen = options.adjust or "holm"
    if any(pair.pvalue is None for pair in found):
        if options.adjust is not None:
            raise InputError(
                f"`{found[0].method}` has no p values to adjust.", "Leave out the adjustment."
            )
        return tuple(found), None
    p = np.array([pair.pvalue for pair in found], dtype=float)
    names = ["bonferroni", "holm", "hochberg", "hommel", "finner"]
    if all_pairs and len(p) >= 3:
        k = round((1 + np.sqrt(1 + 8 * len(p))) / 2)
        names += ["shaffer"] + (["bergmann-hommel"] if k <= BERGMANN_UP_TO else [])
    else:
        names.append("li")
    if chosen not in names:
        raise InputError(
            f"`{chosen}` does not apply to these pairs, which were compared one by one.",
            f"Choose one of {', '.join(names)}.",
        )
    adjusted = {name: adjust(p, name) for name in names}
    levels = levels_to_meet(p, chosen, options.alpha)
    flip = 1 if higher_is_better else -1
    return (
        tuple(
            replace(
                pair,
                adjusted={name: float(values[i]) for name, values in adjusted.items()},
                replicability=None if levels is None else predict(i, float(levels[i])),
                outcome=outcome(
                    bool(adjusted[chosen][i] <= options.alpha), _lean(pair, flip), higher_is_better
                ),
            )
            for i, pair in enumerate(found)
        ),
        chosen,
    )


def _lean(pair: Pair, flip: int) -> float:
    """Return the direction of a pair, which an estimate of exactly zero does not tell."""
    if pair.estimate or "r_plus" not in pair.details:
        return pair.estimate
    return flip * (pair.details["r_minus"] - pair.details["r_plus"])
