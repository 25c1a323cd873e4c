"""Learners compared by their accuracy on the examples of one test set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison.comparison import Comparison, Omnibus, Pair, Predicted
from twofold.comparison.deciding_intervals import Ends, levels_to_meet
from twofold.comparison.detectable import add_detectable
from twofold.comparison.groups import find_groups, rank_learners
from twofold.comparison.learner_scores import score_right_answers
from twofold.comparison.pairwise import adjust_pairs, list_pairs
from twofold.comparison.possible_ranks import add_rank_sets
from twofold.comparison.refusals import refuse_adjust
from twofold.comparison.sentences import describe_many, describe_pair, name_basis
from twofold.options import Question

PredictNewExamples = Callable[[Sequence[tuple[str, str]], Any, Any], Sequence[Predicted | None]]
"""Takes pairs of names, the level of each, and the signs of what was found (0 for nothing)."""


def compare_accuracies(
    right: Mapping[str, Any],
    compare_pair: Callable[[str, str, Question], Pair],
    omnibus: tuple[Omnibus, ...],
    options: Question,
    kind: str,
    predict: PredictNewExamples | None = None,
    **facts: Any,
) -> Comparison:
    """Compare all pairs, or each with the control; ``kind`` is what the error calls a learner.

    ``right`` holds right (1) and wrong (0) answers of each. ``predict`` says how probably as many
    new examples would say the same.
    """
    accuracies = {name: float(np.mean(answers)) for name, answers in right.items()}
    names = list(right)
    columns = list_pairs(names, options.control, kind)
    pairs_of_names = [(names[i], names[j]) for i, j in columns]
    single = [compare_pair(a, b, options) for a, b in pairs_of_names]
    pairs: tuple[Pair, ...] = tuple(single)
    refuse_adjust(options, pairs)

    def find_intervals(members: Sequence[int], level: float) -> list[Ends | None]:
        question = replace(options, alpha=level)
        return [compare_pair(*pairs_of_names[i], question).interval for i in members]

    def predict_all(adjustment: str, p: Any, rejected: Any) -> Sequence[Predicted | None]:
        levels = levels_to_meet(p, adjustment, options.alpha)
        if predict is None or levels is None:
            return [None] * len(single)
        signs = np.sign([pair.estimate for pair in single])
        return predict(pairs_of_names, levels, np.where(rejected, signs, 0.0))

    adjustment: str | None = None
    if len(pairs) > 1:
        pairs, adjustment = adjust_pairs(
            single, options, True, predict_all, find_intervals, options.control is None
        )
    elif predict is not None:
        found = np.sign([single[0].estimate]) if single[0].differs else np.zeros(1)
        (predicted,) = predict(pairs_of_names, np.array([options.alpha]), found)
        pairs = (replace(single[0], replicability=predicted),)
    two = len(names) == 2
    method = pairs[0].method + (f", {adjustment}" if adjustment else "")
    ranking = rank_learners(accuracies, higher_is_better=True)
    answer = Comparison(
        learners=tuple(names),
        metric="accuracy",
        higher_is_better=True,
        alpha=options.alpha,
        verdict=describe_pair(pairs[0], "accuracy", options)
        if two
        else describe_many(
            pairs,
            ranking,
            options,
            name_basis(method, f"{len(right[names[0]].T):,} examples"),
            asked=omnibus[-1] if omnibus and omnibus[-1].method == options.test else None,
        ),
        method=method,
        adjustment=adjustment,
        alternative=options.alternative,
        seed=options.seed,
        ranking=ranking,
        mean_scores=accuracies,
        learner_scores=score_right_answers(right, ranking, options.confidence),
        omnibus=omnibus,
        pairs=pairs,
        groups=() if options.control else find_groups(ranking, pairs),
        control=options.control,
        **facts,
    )
    return add_rank_sets(add_detectable(answer))
