"""The four situations, each with a sensible default and the reason for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import guards, sentences
from twofold.comparison.attainable import smallest_by_ranks, too_few, too_few_for_pairs
from twofold.comparison.comparison import Comparison, CriticalDifference, Pair, Predicted
from twofold.comparison.degrees_of_freedom import freedom_for, refuse_df
from twofold.comparison.groups import groups_of, rank_learners
from twofold.comparison.hierarchical_model import by_hierarchical_model, fold_differences
from twofold.comparison.limits import agreement_of_pair, limit_tables, with_limit
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
from twofold.comparison.pair import (
    check_splits,
    choose_for_one_data_set,
    on_one_data_set,
    outcome_by_posterior,
    over_data_sets,
    posterior_of,
    predict_on_one,
    rope_of,
)
from twofold.comparison.pairwise import (
    adjust_pairs,
    levels_to_meet,
    pairs_one_by_one,
    wanted_pairs,
)
from twofold.comparison.refusals import refuse_adjust, refuse_alternative, refuse_rope
from twofold.comparison.table_guards import guards_of_table
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note, Result
from twofold.scores import Scores
from twofold.stats import entry, win_tie_loss
from twofold.stats.bradley_terry import estimated_ranks


def answer(scores: Scores, options: Question) -> Comparison:
    """Answer the question that the table asks."""
    if len(scores.learners) < 2:
        raise InputError(
            f"Only {scores.learners[0]!r} has scores; comparing needs two learners.",
            "Add the scores of another learner.",
        )
    if options.control is not None:
        scores.index_of(options.control)
    if len(scores.datasets) == 1:
        return _on_one(scores, options)
    refuse_df(options, "several data sets")
    if len(scores.learners) == 2 and scores.form != "ranks":
        return _two_over_many(scores, options)
    return _many_over_many(scores, options)


def _frame(scores: Scores, options: Question, **facts: Any) -> Comparison:
    return Comparison(
        learners=scores.learners,
        datasets=scores.datasets,
        metric=scores.metric,
        higher_is_better=scores.higher_is_better,
        positive=scores.positive,
        alpha=options.alpha,
        control=options.control,
        alternative=options.alternative,
        rope=options.rope,
        seed=options.seed,
        scores=scores,
        groups=() if options.control else groups_of(facts["ranking"], facts["pairs"]),
        **facts,
    )


def _better_first(pair: Pair, higher_is_better: bool) -> tuple[str, ...]:
    """Return the two learners of the only pair, the better one first."""
    return rank_learners({pair.a: pair.estimate, pair.b: 0.0}, higher_is_better=higher_is_better)


def _on_one(scores: Scores, options: Question) -> Comparison:
    if scores.counts().max() < 2:
        raise InputError(
            "One data set with one score for each learner cannot carry a test.",
            "Give the scores of every fold and run (columns run, fold), or of more data sets.",
        )
    folds = scores.folds(0)
    test, reason = choose_for_one_data_set(folds, options)
    check_splits(folds, test)
    wanted = wanted_pairs(scores, options)
    refuse_adjust(options, wanted)
    if not folds.has_folds:
        refuse_rope(options, "random splits")
    chosen_df = freedom_for(test, folds.values.shape[1], folds.values.shape[2], options)
    df = None if chosen_df is None else chosen_df.df
    found, remarks = on_one_data_set(scores, folds, wanted, test, options, df)
    notes = guards_of_table(scores, scores.means()) + guards.of_test(test) + _varied(remarks)
    if chosen_df is not None:
        reason += f" Degrees of freedom: {chosen_df.short}."
        notes.append(chosen_df.note)

    def predict(i: int, level: float) -> Predicted | None:
        return predict_on_one(folds, wanted[i], test, level, options, df)

    def predict_all(adjustment: str, p: Any, rejected: Any) -> list[Predicted | None]:
        levels = levels_to_meet(p, adjustment, options.alpha)
        return [None if levels is None else predict(i, float(levels[i])) for i in range(len(p))]

    pairs: tuple[Pair, ...]
    chosen: str | None = None
    if len(found) > 1:
        whole = options.control is None
        pairs, chosen = adjust_pairs(found, options, scores.higher_is_better, predict_all, whole)
    else:
        predicted = predict(0, options.alpha) if found[0].defined else None
        pairs = (replace(found[0], replicability=predicted),)
    notes += guards.of_undefined(pairs)
    notes += guards.of_runs(folds, pairs) + guards.of_sides(options)
    notes += guards.of_prediction(test) + guards.of_level(test, pairs, options)
    verdict = (
        sentences.of_pair(pairs[0], scores.metric, options, scores.higher_is_better)
        if len(pairs) == 1
        else sentences.of_many((), pairs, options)
    )
    means = dict(zip(scores.learners, folds.values.mean(axis=(1, 2)).tolist(), strict=True))
    return _frame(
        scores,
        options,
        question="Which learner does better when trained on data like this data set?",
        ranking=rank_learners(means, higher_is_better=scores.higher_is_better),
        mean_scores=means,
        verdict=verdict + _repeats(pairs),
        method=test + (f", {chosen}" if chosen else ""),
        adjustment=chosen,
        reason=reason,
        pairs=pairs,
        notes=tuple(notes + guards.of_pairs(pairs, options)),
    )


def _varied(remarks: Iterable[Note]) -> list[Note]:
    """Return remarks without that on zero variance, which `guards.of_undefined` makes by name."""
    return [note for note in remarks if note.code != "zero-variance"]


def _repeats(pairs: tuple[Pair, ...]) -> str:
    """Say how probable it is that a repetition would agree."""
    share = pairs[0].repeats
    if len(pairs) != 1 or share is None:
        return ""
    return f" A repetition would say the same with a chance of {sentences.chance(share)}."


def _two_over_many(scores: Scores, options: Question) -> Comparison:
    table = scores.means()
    both = ~np.isnan(table).any(axis=1)
    if both.sum() < 2:
        raise InputError(
            "The two learners share fewer than two data sets.", "Add scores, or use folds of one."
        )
    # The control comes first in its pair; the learners keep the order of the table.
    i, j = wanted_pairs(scores, options)[0]
    refuse_adjust(options, [(i, j)])
    names = (scores.learners[i], scores.learners[j])
    hierarchical = _hierarchical(scores, names, options)
    if options.test == "bayes-hierarchical":
        refuse_alternative(options)
        return _by_hierarchical(scores, table, names, hierarchical, options)
    pair, result = over_data_sets(
        names, table[both, i], table[both, j], options, scores.higher_is_better
    )
    pair = replace(pair, beside=(*pair.beside, *map(posterior_of, hierarchical)))
    endless = limit_tables(scores, options)
    if endless is not None and pair.replicability is not None:
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
    notes = guards_of_table(scores, table) + guards.of_test(test)
    notes += [note for note in _varied(result.notes) if note.code != "too-few"]
    notes += guards.of_undefined((pair,)) + too_few(test, int(both.sum()), options)
    shared = [
        name for name, kept in zip(scores.datasets, np.asarray(both).tolist(), strict=True) if kept
    ]
    notes += guards.of_two(pair, table[both, i], table[both, j], shared, options)
    notes += guards.of_repetition((pair,), True, len(shared), 2)
    notes += guards.of_sides(options)
    return _frame(
        scores,
        options,
        question="Which of two learners does better on new data sets?",
        verdict=sentences.of_pair(pair, scores.metric, options, scores.higher_is_better)
        + _repeats((pair,)),
        method=test,
        reason=reason,
        ranking=_better_first(pair, scores.higher_is_better),
        pairs=(pair,),
        notes=tuple(notes + guards.of_pairs((pair,), options)),
    )


def _hierarchical(scores: Scores, names: tuple[str, str], options: Question) -> list[Result]:
    """Answer by the folds of all data sets at once, where the table has them."""
    asked = options.test == "bayes-hierarchical"
    if options.test is not None and not asked:
        return []
    try:
        if (scores.fold < 0).any():
            raise InputError("The table has no folds.", "Give it a column fold.")
        gaps = fold_differences(scores, names)
        if any(gap.shape[-1] < 2 for gap in gaps):
            raise InputError("A data set has one fold only.", "Give the scores of every fold.")
    except InputError as error:
        if asked:
            raise InputError(
                f"`bayes-hierarchical` needs folds on every data set. {error.rule}", error.remedy
            ) from None
        return []  # folds are missing; the answer over data sets does not need them
    if not asked and any(not np.ptp(gap) for gap in gaps):
        return []  # without any spread there is nothing to shrink
    return [by_hierarchical_model(gaps, rope_of(options), options.seed, options.confidence)]


def _by_hierarchical(
    scores: Scores, table: Any, names: tuple[str, str], answers: list[Result], options: Question
) -> Comparison:
    """Let the hierarchical model decide, because it was asked for."""
    result, flip = answers[0], 1 if scores.higher_is_better else -1
    beside = posterior_of(result)
    a, b = (table[:, scores.index_of(name)] for name in names)
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
        verdict=sentences.of_pair(pair, scores.metric, options, scores.higher_is_better),
        method=result.method,
        reason="You asked for this test.",
        ranking=_better_first(pair, scores.higher_is_better),
        pairs=(pair,),
        notes=tuple(guards_of_table(scores, table) + list(result.notes)),
    )


def _many_over_many(scores: Scores, options: Question) -> Comparison:
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
        notes += too_few_for_pairs(pairs, smallest_by_ranks(table.shape, chosen), chosen, options)
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
    ranking = rank_learners(means, higher_is_better=False)
    notes += guards.of_many(omnibus, pairs, scores, table, options)
    notes += guards.of_undefined(pairs)
    said = dict.fromkeys(note for result in results for note in result.notes)
    if not all(pair.defined for pair in pairs):
        said = dict.fromkeys(_varied(said))
    codes = {note.code for note in notes}
    notes += [note for note in said if note.code not in codes]
    if options.test is not None:
        notes += guards.of_test(options.test)
    predicted = None
    found_any = bool(omnibus) and omnibus[-1].pvalue <= options.alpha
    if complete and found_any and not any(note.code == "too-few" for note in notes):
        predicted = omnibus_replicability(table, scores, omnibus[-1].method, options)
    notes += guards.of_repetition(pairs, found_any, *table.shape)
    return _frame(
        scores,
        options,
        question="Which learners do better on new data sets?",
        verdict=sentences.of_many(omnibus, pairs, options, _ahead(ranking, means, complete)),
        method=method,
        adjustment=chosen,
        reason=reason,
        ranking=ranking,
        mean_ranks=means,
        ranks_are="mean" if complete else "estimated",
        omnibus=omnibus,
        omnibus_replicability=predicted,
        critical_difference=cd,
        pairs=pairs,
        notes=tuple(notes + guards.of_pairs(pairs, options) + guards.of_sides(options)),
    )


def _ahead(ranking: tuple[str, ...], means: dict[str, float], complete: bool) -> str:
    """Say who has the best mean rank, or who share it."""
    kind = "mean rank" if complete else "estimated mean rank"
    best = [name for name in ranking if means[name] - means[ranking[0]] < 1e-9]
    if len(best) == 1:
        return f"{best[0]} has the best {kind}"
    more = f" and {len(best) - 2} more" if len(best) > 2 else ""
    joint = ", " if more else " and "
    return f"{best[0]}{joint}{best[1]}{more} share the best {kind}"


def _pairwise(options: Question) -> bool:
    return options.test is not None and entry(options.test).data in ("pairs", "positive-pairs")


def _fitting(options: Question, complete: bool) -> Question:
    """Return options that many learners over many data sets can use, or refuse them."""
    test = options.test
    if test is None or not test.startswith("bayes"):
        refuse_rope(options, "several learners over data sets, but by Bayesian tests of each pair")
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
    """Return mean ranks; where cells are missing, those expected of a table without gaps."""
    if np.isnan(table).any():
        means = estimated_ranks(table, higher_is_better=scores.higher_is_better)
    else:
        means = table_of_ranks(table, scores).mean(axis=0)
    return {name: float(mean) for name, mean in zip(scores.learners, means, strict=True)}
