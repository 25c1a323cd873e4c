"""Learners on disjoint training sets and one test set: Dietterich's questions 5 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import guards
from twofold.comparison.accuracies import compare_accuracies
from twofold.comparison.comparison import Comparison, Omnibus, Pair
from twofold.comparison.defaults import DISJOINT_TRAINING_SETS
from twofold.comparison.degrees_of_freedom import refuse_df
from twofold.comparison.one_learner import estimate_crossed
from twofold.comparison.pair import count_wins, df_tuple, make_pair
from twofold.comparison.refusals import refuse_rope
from twofold.errors import InputError
from twofold.options import Question
from twofold.stats import entry


def compare_crossed(
    right: Mapping[str, Any], options: Question, dataset: str, training_rows: int | None = None
) -> Comparison:
    """Compare learners by arrays (training sets, examples) of right and wrong answers.

    One learner is not compared: its accuracy has an interval of its own.
    """
    if len(right) == 1:
        return estimate_crossed(right, options, dataset, training_rows)
    if options.test not in (None, DISJOINT_TRAINING_SETS):
        raise InputError(
            f"`{options.test}` does not fit disjoint training sets.", "Use quasi-f, the default."
        )
    if options.alternative != "two-sided":
        raise InputError("`quasi-f` has no one-sided form.", "Leave out the alternative.")
    if options.equivalence is not None:
        raise InputError("`equivalence` does not go with `quasi-f`.", "Leave it out.")
    refuse_df(options, "disjoint training sets")
    refuse_rope(options, "disjoint training sets")
    names = list(right)
    test = entry(DISJOINT_TRAINING_SETS).load()
    omnibus: tuple[Omnibus, ...] = ()
    if len(names) > 2:
        every = test(np.stack([right[name] for name in names]), confidence=None)
        p = float(np.asarray(every.pvalue))
        if not every.no_spread:
            omnibus = (Omnibus(every.method, float(every.statistic), df_tuple(every.df), p),)

    def compare_pair(a: str, b: str, question: Question) -> Pair:
        result = test(np.stack([right[a], right[b]]), confidence=question.confidence)
        (counts,) = count_wins(right[a].mean(axis=1), right[b].mean(axis=1))
        estimate = float(np.asarray(result.estimate))
        return make_pair((a, b), result, estimate, True, counts, None, (), question)

    answer = compare_accuracies(
        right,
        compare_pair,
        omnibus,
        options,
        "learner",
        question="Which learner does better when trained on new training sets of this size?",
        datasets=(dataset,),
        reason="Disjoint training sets and one test set: both are samples, and the quasi-F test "
        "allows for both.",
    )
    notes = (*guards.note_unsafe(DISJOINT_TRAINING_SETS), *guards.note_undefined(answer.pairs))
    return replace(answer, notes=notes)
