"""Learners on disjoint training sets and one test set: Dietterich's questions 5 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from twofold.comparison import guards
from twofold.comparison.comparison import Comparison, Omnibus, Pair
from twofold.comparison.defaults import DISJOINT_TRAINING_SETS
from twofold.comparison.degrees_of_freedom import refuse_df
from twofold.comparison.groups import find_groups, rank_learners
from twofold.comparison.pair import decide_outcome, df_tuple
from twofold.comparison.pairwise import adjust_pairs
from twofold.comparison.refusals import refuse_adjust, refuse_rope
from twofold.comparison.sentences import describe_many, describe_pair
from twofold.errors import InputError
from twofold.options import Question
from twofold.stats import entry, win_tie_loss


def compare_crossed(right: Mapping[str, Any], options: Question, dataset: str) -> Comparison:
    """Compare learners by arrays (training sets, examples) of right and wrong answers."""
    if options.test not in (None, DISJOINT_TRAINING_SETS):
        raise InputError(
            f"`{options.test}` does not fit disjoint training sets.", "Use quasi-f, the default."
        )
    if options.alternative != "two-sided":
        raise InputError("`quasi-f` has no one-sided form.", "Leave out the alternative.")
    refuse_df(options, "disjoint training sets")
    refuse_rope(options, "disjoint training sets")
    names = list(right)
    if len(names) < 2:
        raise InputError("Comparing needs two learners.", "Name another one.")
    names_to_compare = list(combinations(names, 2))
    if options.control is not None:
        if options.control not in names:
            raise InputError(
                f"There is no learner {options.control!r}.", f"There are {', '.join(names)}."
            )
        names_to_compare = [(options.control, name) for name in names if name != options.control]
    single = [_compare_pair(a, b, right, options) for a, b in names_to_compare]
    pairs: tuple[Pair, ...] = tuple(single)
    refuse_adjust(options, pairs)
    adjustment: str | None = None
    omnibus: tuple[Omnibus, ...] = ()
    if len(names) > 2:
        test = entry(DISJOINT_TRAINING_SETS).load()
        every = test(np.stack([right[name] for name in names]), confidence=None)
        p = float(np.asarray(every.pvalue))
        if not every.no_spread:
            omnibus = (Omnibus(every.method, float(every.statistic), df_tuple(every.df), p),)
    if len(pairs) > 1:
        whole = options.control is None
        pairs, adjustment = adjust_pairs(single, options, True, None, whole)
    verdict = (
        describe_pair(pairs[0], "accuracy", options)
        if len(pairs) == 1
        else describe_many(omnibus, pairs, options)
    )
    accuracies = {name: float(np.mean(right[name])) for name in names}
    ranking = rank_learners(accuracies, higher_is_better=True)
    return Comparison(
        question="Which learner does better when trained on new training sets of this size?",
        learners=tuple(names),
        datasets=(dataset,),
        metric="accuracy",
        higher_is_better=True,
        alpha=options.alpha,
        verdict=verdict,
        method=DISJOINT_TRAINING_SETS + (f", {adjustment}" if adjustment else ""),
        adjustment=adjustment,
        reason="Disjoint training sets and one test set: both are samples, and the quasi-F test "
        "allows for both.",
        ranking=ranking,
        mean_scores=accuracies,
        omnibus=omnibus,
        pairs=pairs,
        groups=() if options.control else find_groups(ranking, pairs),
        control=options.control,
        seed=options.seed,
        notes=(*guards.note_unsafe(DISJOINT_TRAINING_SETS), *guards.note_undefined(pairs)),
    )


def _compare_pair(a: str, b: str, right: Mapping[str, Any], options: Question) -> Pair:
    test = entry(DISJOINT_TRAINING_SETS).load()
    result = test(np.stack([right[a], right[b]]), confidence=options.confidence)
    assert result.interval is not None
    estimate = float(np.asarray(result.estimate))
    counts = win_tie_loss(right[a].mean(axis=1), right[b].mean(axis=1))
    defined = not result.no_spread
    rejected = defined and bool(result.reject(options.alpha))
    return Pair(
        a=a,
        b=b,
        estimate=estimate,
        interval=(float(result.interval.low), float(result.interval.high)) if defined else None,
        method=result.method,
        statistic=float(result.statistic),
        df=df_tuple(result.df),
        pvalue=float(np.asarray(result.pvalue)) if defined else None,
        adjusted={},
        outcome=decide_outcome(rejected, estimate, True),
        defined=defined,
        wins=int(counts.wins),
        ties=int(counts.ties),
        losses=int(counts.losses),
    )
