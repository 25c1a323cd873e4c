"""The four situations, each with a sensible default and the reason for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from twofold.comparison import guards, sentences
from twofold.comparison.answer import Comparison, Pair
from twofold.comparison.many import (
    adjust_pairs,
    groups_of,
    omnibus_tests,
    pairs_by_mean_ranks,
    pairs_one_by_one,
    redrawn_omnibus,
    table_of_ranks,
)
from twofold.comparison.options import Options
from twofold.comparison.pair import (
    choose_for_one_data_set,
    on_one_data_set,
    over_data_sets,
    posterior_of,
)
from twofold.errors import InputError
from twofold.scores import Scores
from twofold.stats import bayes_hierarchical, entry


def answer(scores: Scores, options: Options) -> Comparison:
    """Answer the question that the table asks."""
    if options.control is not None:
        scores.place(options.control)
    if len(scores.datasets) == 1:
        return _on_one(scores, options)
    if len(scores.learners) == 2 and scores.form != "ranks":
        return _two_over_many(scores, options)
    return _many_over_many(scores, options)


def _frame(scores: Scores, options: Options, **facts: Any) -> Comparison:
    return Comparison(
        learners=scores.learners,
        datasets=scores.datasets,
        metric=scores.metric,
        higher_is_better=scores.higher_is_better,
        alpha=options.alpha,
        control=options.control,
        alternative=options.alternative,
        rope=options.rope,
        seed=options.seed,
        scores=scores,
        **facts,
    )


def _on_one(scores: Scores, options: Options) -> Comparison:
    if scores.counts().max() < 2:
        raise InputError(
            "One data set with one score for each learner cannot carry a test.",
            "Give the scores of every fold and run (columns run, fold), or of more data sets.",
        )
    folds = scores.folds(0)
    test, reason = choose_for_one_data_set(folds, options)
    wanted: list[tuple[int, int]] = list(combinations(range(len(scores.learners)), 2))
    if options.control is not None:
        first = scores.place(options.control)
        wanted = [(first, other) for other in range(len(scores.learners)) if other != first]
    found: list[Pair] = []
    notes = guards.of_table(scores, scores.means()) + guards.of_test(test)
    for i, j in wanted:
        names = (scores.learners[i], scores.learners[j])
        pair, result = on_one_data_set(names, folds, (i, j), test, options, scores.higher_is_better)
        found.append(pair)
        notes += [note for note in result.notes if note not in notes]
    pairs: tuple[Pair, ...] = tuple(found)
    chosen: str | None = None
    if len(pairs) > 1:
        pairs, chosen = adjust_pairs(found, options, scores.higher_is_better)
    verdict = (
        sentences.of_pair(pairs[0], scores.metric, pairs[0].pvalue, options.alpha)
        if len(pairs) == 1
        else sentences.of_many((), pairs, options.control, options.alpha)
    )
    return _frame(
        scores,
        options,
        question="Which learner does better when trained on data like this data set?",
        verdict=verdict + _repeats(pairs),
        method=test + (f", {chosen}" if chosen else ""),
        adjustment=chosen,
        reason=reason,
        pairs=pairs,
        notes=tuple(notes + guards.of_pairs(pairs, options)),
    )


def _repeats(pairs: tuple[Pair, ...]) -> str:
    if len(pairs) != 1 or pairs[0].replicability is None:
        return ""
    share = pairs[0].replicability.predicted
    return f" A repetition would say the same with a chance of about {share:.0%}."


def _two_over_many(scores: Scores, options: Options) -> Comparison:
    table = scores.means()
    both = ~np.isnan(table).any(axis=1)
    if both.sum() < 2:
        raise InputError(
            "The two learners share fewer than two data sets.", "Add scores, or use folds of one."
        )
    names = (scores.learners[0], scores.learners[1])
    if options.control == names[1]:
        return _two_over_many(scores.select(names[::-1]), options)
    pair, result = over_data_sets(
        names, table[both, 0], table[both, 1], options, scores.higher_is_better
    )
    pair = replace(pair, beside=(*pair.beside, *_hierarchical(scores, both, options)))
    test = result.method
    reason = (
        "You asked for this test."
        if options.test
        else "It is safe with outliers and without normality, and counts large differences more."
    )
    notes = guards.of_table(scores, table) + guards.of_test(test) + list(result.notes)
    return _frame(
        scores,
        options,
        question="Which of two learners does better on new data sets?",
        verdict=sentences.of_pair(pair, scores.metric, pair.pvalue, options.alpha)
        + _repeats((pair,)),
        method=test,
        reason=reason,
        pairs=(pair,),
        notes=tuple(notes + guards.of_pairs((pair,), options)),
    )


def _hierarchical(scores: Scores, both: Any, options: Options) -> list[Mapping[str, Any]]:
    """Answer by the folds of all data sets at once, where the table has them."""
    counts = scores.counts()
    if options.test is not None or counts[counts > 0].min() < 2 or (scores.fold < 0).any():
        return []
    flip = 1 if scores.higher_is_better else -1
    try:
        parts = [scores.folds(int(i)).values for i in np.flatnonzero(both)]
    except InputError:
        return []  # folds are missing; the answer over data sets does not need them
    if any(part.shape[-1] < 2 or not np.ptp(part[0] - part[1]) for part in parts):
        return []  # without folds, or without any spread, there is nothing to shrink
    result = bayes_hierarchical(
        [flip * (part[0] - part[1]) for part in parts],
        rope=options.rope or 0.0,
        samples=8000,
        seed=options.seed,
    )
    return [posterior_of(result)]


def _many_over_many(scores: Scores, options: Options) -> Comparison:
    table = scores.means()
    if len(table) < 2:
        raise InputError("Ranks need at least two data sets.", "Add data sets.")
    complete = not np.isnan(table).any()
    _refuse_misfits(options, complete)
    pairwise = options.test is not None and entry(options.test).data in ("pairs", "positive-pairs")
    omnibus = omnibus_tests(table, scores, replace(options, test=None) if pairwise else options)
    cd = None
    chosen: str | None
    if complete and not pairwise:
        pairs, chosen, cd = pairs_by_mean_ranks(table, scores, options)
        method = chosen if cd and chosen == cd.method else f"mean-rank-z, {chosen}"
        reason = (
            "Friedman's test by ranks, then each learner against the control, adjusted."
            if options.control
            else "Friedman's test by ranks, then all pairs by their mean ranks."
        )
    else:
        pairs, chosen = pairs_one_by_one(table, scores, options)
        method = pairs[0].method + (f", {chosen}" if chosen else "")
        reason = (
            "Cells are missing: each pair is compared on the data sets that both have."
            if not complete
            else "You asked for this test; each pair is compared by itself."
        )
    means = _mean_ranks(table, scores)
    order = sorted(means, key=lambda name: means[name])
    notes = guards.of_table(scores, table) + guards.of_many(omnibus, pairs, scores, table, options)
    if options.test is not None:
        notes += guards.of_test(options.test)
    return _frame(
        scores,
        options,
        question="Which learners do better on new data sets?",
        verdict=sentences.of_many(omnibus, pairs, options.control, options.alpha, order[0]),
        method=method,
        adjustment=chosen,
        reason=reason,
        mean_ranks=means,
        omnibus=omnibus,
        omnibus_replicability=redrawn_omnibus(table, scores, options) if complete else None,
        critical_difference=cd,
        pairs=pairs,
        groups=() if options.control else groups_of(order, pairs),
        notes=tuple(notes + guards.of_pairs(pairs, options)),
    )


def _refuse_misfits(options: Options, complete: bool) -> None:
    """Refuse a test or an alternative that would not be used."""
    if options.test is not None:
        one = entry(options.test)
        omnibus = one.data == "table" and one.name in OMNIBUS
        pairwise = one.data in ("pairs", "positive-pairs") and not one.name.startswith("bayes")
        if not omnibus and not pairwise:
            raise InputError(
                f"`{one.name}` does not fit several learners over several data sets here.",
                f"Use one of {', '.join(OMNIBUS)}, wilcoxon, sign, paired-t; or --adjust.",
            )
        if omnibus and not complete and one.name != "skillings-mack":
            raise InputError(
                f"`{one.name}` needs a complete table, and cells are missing.",
                "Use skillings-mack, which is the default then.",
            )
        if not omnibus:
            return
    if options.alternative != "two-sided":
        raise InputError(
            "Tests on mean ranks are two-sided.",
            "Use --test wilcoxon for one-sided tests of each pair.",
        )


OMNIBUS = ("friedman", "iman-davenport", "quade", "aligned-friedman", "skillings-mack", "rm-anova")


def _mean_ranks(table: Any, scores: Scores) -> dict[str, float]:
    """Return mean ranks, each over the data sets that the learner has."""
    if not np.isnan(table).any():
        means = table_of_ranks(table, scores).mean(axis=0)
    else:
        from twofold.stats import skillings_mack

        result = skillings_mack(table, higher_is_better=scores.higher_is_better)
        means = np.asarray(result.details["mean_ranks"])
    return {name: float(mean) for name, mean in zip(scores.learners, means, strict=True)}
