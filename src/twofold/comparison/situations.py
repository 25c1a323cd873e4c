"""The four situations, each with a sensible default and the reason for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import guards, sentences
from twofold.comparison.answer import Comparison, CriticalDifference, Pair, Predicted
from twofold.comparison.freedom import freedom_for, refuse_df
from twofold.comparison.groups import groups_of
from twofold.comparison.guards_of_table import guards_of_table
from twofold.comparison.limits import limit_tables, with_limit
from twofold.comparison.many import (
    BY_MEANS,
    BY_RANKS,
    OMNIBUS,
    omnibus_replicability,
    omnibus_tests,
    pairs_by_mean_ranks,
    pairs_by_means,
    table_of_ranks,
)
from twofold.comparison.one_by_one import adjust_pairs, pairs_one_by_one, wanted_pairs
from twofold.comparison.options import Options
from twofold.comparison.pair import (
    choose_for_one_data_set,
    on_one_data_set,
    outcome_by_posterior,
    over_data_sets,
    posterior_of,
    predict_on_one,
    rope_of,
)
from twofold.comparison.redraws import agreement_of_pair
from twofold.errors import InputError
from twofold.result import Result
from twofold.scores import Scores
from twofold.stats import bayes_hierarchical, entry, skillings_mack, win_tie_loss


def answer(scores: Scores, options: Options) -> Comparison:
    """Answer the question that the table asks."""
    if options.control is not None:
        scores.place(options.control)
    if len(scores.datasets) == 1:
        return _on_one(scores, options)
    refuse_df(options, "several data sets")
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
    wanted = wanted_pairs(scores, options)
    chosen_df = freedom_for(test, folds.values.shape[1], folds.values.shape[2], options)
    df = None if chosen_df is None else chosen_df.df
    found, remarks = on_one_data_set(scores, folds, wanted, test, options, df)
    notes = guards_of_table(scores, scores.means()) + guards.of_test(test) + list(remarks)
    if chosen_df is not None:
        reason += f" Degrees of freedom: {chosen_df.short}."
        notes.append(chosen_df.note)

    def predict(i: int, level: float) -> Predicted | None:
        return predict_on_one(folds, wanted[i], test, level, options, df)

    pairs: tuple[Pair, ...]
    chosen: str | None = None
    if len(found) > 1:
        whole = options.control is None
        pairs, chosen = adjust_pairs(found, options, scores.higher_is_better, predict, whole)
    else:
        pairs = (replace(found[0], replicability=predict(0, options.alpha)),)
    notes += guards.of_runs(folds, pairs) + guards.of_sides(options)
    notes += guards.of_prediction(test) + guards.of_level(test, pairs, options, chosen)
    verdict = (
        sentences.of_pair(pairs[0], scores.metric, options)
        if len(pairs) == 1
        else sentences.of_many((), pairs, options)
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
    """Say how probable it is that a repetition would agree."""
    if len(pairs) != 1 or pairs[0].replicability is None:
        return ""
    share = pairs[0].replicability.predicted
    return f" A repetition would say the same with a chance of {sentences.chance(share)}."


def _two_over_many(scores: Scores, options: Options) -> Comparison:
    table = scores.means()
    both = ~np.isnan(table).any(axis=1)
    if both.sum() < 2:
        raise InputError(
            "The two learners share fewer than two data sets.", "Add scores, or use folds of one."
        )
    # The control comes first in its pair; the learners keep the order of the table.
    i, j = wanted_pairs(scores, options)[0]
    names = (scores.learners[i], scores.learners[j])
    hierarchical = _hierarchical(scores.select(names), both, options)
    if options.test == "bayes-hierarchical":
        return _by_hierarchical(scores, table, names, hierarchical, options)
    pair, result = over_data_sets(
        names, table[both, i], table[both, j], options, scores.higher_is_better
    )
    pair = replace(pair, beside=(*pair.beside, *map(posterior_of, hierarchical)))
    endless = limit_tables(scores, options) if pair.replicability is not None else None
    if endless is not None:
        a, b = table[:, i], table[:, j]
        parts = (a, b, endless[..., i], endless[..., j], result.method, options.alpha, options)
        limit = with_limit(pair.replicability, agreement_of_pair(*parts))
        pair = replace(pair, replicability=limit)
    test = result.method
    reason = (
        "You asked for this test."
        if options.test
        else "It is safe with outliers and without normality, and counts large differences more."
    )
    notes = guards_of_table(scores, table) + guards.of_test(test) + list(result.notes)
    shared = [
        name for name, kept in zip(scores.datasets, np.asarray(both).tolist(), strict=True) if kept
    ]
    notes += guards.of_two(pair, table[both, i], table[both, j], shared, options)
    notes += guards.of_sides(options)
    return _frame(
        scores,
        options,
        question="Which of two learners does better on new data sets?",
        verdict=sentences.of_pair(pair, scores.metric, options) + _repeats((pair,)),
        method=test,
        reason=reason,
        pairs=(pair,),
        notes=tuple(notes + guards.of_pairs((pair,), options)),
    )


def _hierarchical(scores: Scores, both: Any, options: Options) -> list[Result]:
    """Answer by the folds of all data sets at once, where the table has them."""
    asked = options.test == "bayes-hierarchical"
    try:
        if (scores.fold < 0).any():
            raise InputError("The table has no folds.", "Give it a column fold.")
        parts = [scores.folds(int(i)).values for i in np.flatnonzero(both)]
        if any(part.shape[-1] < 2 for part in parts):
            raise InputError("A data set has one fold only.", "Give the scores of every fold.")
    except InputError as error:
        if asked:
            raise InputError(
                f"`bayes-hierarchical` needs folds on every data set. {error.rule}", error.remedy
            ) from None
        return []  # folds are missing; the answer over data sets does not need them
    if options.test is not None and not asked:
        return []
    if not asked and any(not np.ptp(part[0] - part[1]) for part in parts):
        return []  # without any spread there is nothing to shrink
    flip = 1 if scores.higher_is_better else -1
    return [
        bayes_hierarchical(
            [flip * (part[0] - part[1]) for part in parts],
            rope=rope_of(options),
            samples=8000,
            seed=options.seed,
        )
    ]


def _by_hierarchical(
    scores: Scores, table: Any, names: tuple[str, str], answers: list[Result], options: Options
) -> Comparison:
    """Let the hierarchical model decide, because it was asked for."""
    result, flip = answers[0], 1 if scores.higher_is_better else -1
    beside = posterior_of(result)
    a, b = (table[:, scores.place(name)] for name in names)
    both = ~np.isnan(a) & ~np.isnan(b)
    counts = win_tie_loss(flip * a[both], flip * b[both])
    assert result.interval is not None
    ends = sorted(flip * float(np.asarray(x)) for x in (result.interval.low, result.interval.high))
    pair = Pair(
        a=names[0],
        b=names[1],
        estimate=flip * float(np.asarray(result.estimate)),
        interval=(ends[0], ends[1]),
        method=result.method,
        statistic=float(np.asarray(result.statistic)),
        df=(),
        pvalue=None,
        adjusted={},
        outcome=outcome_by_posterior(beside, options.alpha),
        wins=int(counts.wins),
        ties=int(counts.ties),
        losses=int(counts.losses),
        beside=(beside,),
    )
    return _frame(
        scores,
        options,
        question="Which of two learners does better on new data sets?",
        verdict=sentences.of_pair(pair, scores.metric, options),
        method=result.method,
        reason="You asked for this test.",
        pairs=(pair,),
        notes=tuple(guards_of_table(scores, table) + list(result.notes)),
    )


def _many_over_many(scores: Scores, options: Options) -> Comparison:
    table = scores.means()
    if len(table) < 2:
        raise InputError("Ranks need at least two data sets.", "Add data sets.")
    complete = not np.isnan(table).any()
    options = _fitting(options, complete)
    omnibus, results = omnibus_tests(table, scores, options)
    notes = guards_of_table(scores, table)
    cd: CriticalDifference | None = None
    chosen: str | None
    if options.test in BY_MEANS:
        pairs, chosen = pairs_by_means(table, scores, options)
        method, reason = chosen, "You asked for this test."
    elif complete and not _pairwise(options):
        pairs, chosen, cd = pairs_by_mean_ranks(table, scores, options)
        method = cd.method if chosen == cd.method else f"mean-rank-z, {chosen}"
        reason = (
            "Friedman's test by ranks, then each learner against the control, adjusted."
            if options.control
            else "Friedman's test by ranks, then all pairs by their mean ranks."
        )
    else:
        pairs, chosen, remarks = pairs_one_by_one(table, scores, options)
        notes += remarks
        method = pairs[0].method + (f", {chosen}" if chosen else "")
        reason = (
            "You asked for this test; each pair is compared by itself."
            if options.test
            else "Cells are missing: each pair is compared on the data sets that both have."
        )
    means = _mean_ranks(table, scores)
    order = sorted(means, key=lambda name: means[name])
    notes += guards.of_many(omnibus, pairs, scores, table, options)
    said = dict.fromkeys(note for result in results for note in result.notes)
    notes += [note for note in said if note not in notes]
    if options.test is not None:
        notes += guards.of_test(options.test)
    predicted = None
    if complete and not any(note.code == "too-few" for note in notes):
        predicted = omnibus_replicability(table, scores, omnibus[-1].method, options)
    return _frame(
        scores,
        options,
        question="Which learners do better on new data sets?",
        verdict=sentences.of_many(omnibus, pairs, options, order[0]),
        method=method,
        adjustment=chosen,
        reason=reason,
        mean_ranks=means,
        omnibus=omnibus,
        omnibus_replicability=predicted,
        critical_difference=cd,
        pairs=pairs,
        groups=() if options.control else groups_of(order, pairs),
        notes=tuple(notes + guards.of_pairs(pairs, options) + guards.of_sides(options)),
    )


def _pairwise(options: Options) -> bool:
    return options.test is not None and entry(options.test).data in ("pairs", "positive-pairs")


def _fitting(options: Options, complete: bool) -> Options:
    """Return options that many learners over many data sets can use, or refuse them."""
    test = options.test
    if test is not None and not _pairwise(options):
        if test not in (*OMNIBUS, *BY_RANKS, *BY_MEANS):
            raise InputError(
                f"`{test}` does not fit several learners over several data sets: it needs "
                f"{entry(test).design}.",
                f"Use one of {', '.join((*OMNIBUS, *BY_RANKS, *BY_MEANS))}, wilcoxon, sign, "
                "paired-t; or an adjustment with --adjust.",
            )
        if not complete and test != "skillings-mack":
            raise InputError(
                f"`{test}` needs a complete table, and cells are missing.",
                "Use skillings-mack, which is the default then, or wilcoxon for pairs.",
            )
    if options.alternative != "two-sided" and not _pairwise(options) and test != "dunnett":
        raise InputError(
            "Tests on mean ranks are two-sided.",
            "Use --test wilcoxon for one-sided tests of each pair.",
        )
    if test in BY_MEANS and options.adjust is not None:
        raise InputError(f"`{test}` adjusts by itself.", "Leave out the adjustment.")
    if test in ("nemenyi", "bonferroni-dunn"):
        if options.adjust not in (None, test):
            raise InputError(f"`{test}` adjusts by itself.", "Leave out the adjustment.")
        return replace(options, adjust=test)
    if test == "mean-rank-z":
        return replace(options, adjust=options.adjust or "holm")
    return options


def _mean_ranks(table: Any, scores: Scores) -> dict[str, float]:
    """Return mean ranks, each over the data sets that the learner has."""
    if not np.isnan(table).any():
        means = table_of_ranks(table, scores).mean(axis=0)
    else:
        result = skillings_mack(table, higher_is_better=scores.higher_is_better)
        means = np.asarray(result.details["mean_ranks"])
    return {name: float(mean) for name, mean in zip(scores.learners, means, strict=True)}
