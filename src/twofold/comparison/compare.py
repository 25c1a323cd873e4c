"""From a table of scores to an answer: one learner, one data set, two over several, or many."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import guards
from twofold.comparison.attainable import note_too_few
from twofold.comparison.comparison import Comparison, Pair, Predicted
from twofold.comparison.deciding_intervals import Ends, levels_to_meet
from twofold.comparison.defaults import choose_for_one_data_set
from twofold.comparison.degrees_of_freedom import choose_freedom, refuse_df
from twofold.comparison.detectable import add_detectable
from twofold.comparison.groups import find_groups, mean_columns, rank_learners
from twofold.comparison.hierarchical_model import compare_all_folds, make_pair_by_posterior
from twofold.comparison.learner_scores import score_learners
from twofold.comparison.limits import limit_agreement, limit_tables
from twofold.comparison.many import compare_many
from twofold.comparison.one_data_set import (
    compare_on_one_data_set,
    predict_on_one_data_set,
    shape_scores,
)
from twofold.comparison.one_learner import estimate_scores
from twofold.comparison.over_data_sets import compare_over_data_sets
from twofold.comparison.pair import summarise_posterior
from twofold.comparison.pairwise import adjust_pairs, columns_to_compare
from twofold.comparison.possible_ranks import add_rank_sets
from twofold.comparison.refusals import refuse_adjust, refuse_alternative, refuse_rope
from twofold.comparison.sentences import (
    add_repetition,
    describe_many,
    describe_pair,
    name_basis,
)
from twofold.comparison.table_guards import note_table
from twofold.comparison.wording import name_repetition
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Note
from twofold.scores import Scores
from twofold.scores.splits import TIME_SERIES

MOST_COMPARED = 100_000
"""Pairs that are compared: those of 447 learners."""


def compare_scores(scores: Scores, options: Question) -> Comparison:
    """Answer the question that the table asks."""
    if len(scores.learners) == 1:
        return estimate_scores(scores, options)
    if options.control is not None:
        scores.index_of(options.control)
    refuse_many(len(scores.learners), options)
    if len(scores.datasets) == 1:
        facts = _compare_on_one(scores, options)
    else:
        refuse_df(options, "several data sets")
        two = len(scores.learners) == 2 and scores.form != "ranks"
        facts = _compare_two(scores, options) if two else compare_many(scores, options)
    means = facts.get("mean_ranks", {})
    measure = facts.pop("measure", None) or facts["mean_scores"]
    answer = Comparison(
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
        learner_scores=score_learners(scores, facts["ranking"], measure, means, options.confidence),
        groups=() if options.control else find_groups(facts["ranking"], facts["pairs"]),
        **facts,
    )
    return add_rank_sets(add_detectable(answer))


def refuse_many(k: int, options: Question) -> None:
    """Refuse more pairs than anyone can look at, before they take all memory."""
    pairs = k - 1 if options.control is not None else k * (k - 1) // 2
    if pairs > MOST_COMPARED:
        raise InputError(
            f"{k:,} learners make {pairs:,} pairs; at most {MOST_COMPARED:,} are compared.",
            "Name fewer of them with `only`, or one to compare the others with, `control`.",
        )


def _compare_on_one(scores: Scores, options: Question) -> dict[str, Any]:
    if scores.counts().max() < 2:
        raise InputError(
            "One data set with one score for each learner cannot carry a test.",
            "Give the scores of every fold and run (columns run, fold), or of more data sets.",
        )
    folds = scores.folds(0)
    codes = {note.code for note in scores.notes}
    test, reason = choose_for_one_data_set(folds, options, codes)
    shape_scores(folds, 0, test)  # refuses a test that does not fit the splits
    columns = columns_to_compare(scores, options)
    refuse_adjust(options, columns)
    if not folds.has_folds:
        refuse_rope(options, "random splits")
    freedom = choose_freedom(test, folds.values.shape[1], folds.values.shape[2], options)
    df = None if freedom is None else freedom.df
    single, remarks = compare_on_one_data_set(scores, folds, columns, test, options, df)
    notes = note_table(scores, scores.means()) + guards.note_unsafe(test) + _leave_flat(remarks)
    if freedom is not None:
        reason += f" Degrees of freedom: {freedom.short}."
        notes.append(freedom.note)

    def predict(i: int, level: float) -> Predicted | None:
        if TIME_SERIES in codes:
            return None  # the splits are not draws from which a repetition could be foreseen
        return predict_on_one_data_set(folds, columns[i], test, level, options, df)

    def predict_all(adjustment: str, p: Any, rejected: Any) -> list[Predicted | None]:
        levels = levels_to_meet(p, adjustment, options.alpha)
        return [None if levels is None else predict(i, float(levels[i])) for i in range(len(p))]

    def find_intervals(members: Sequence[int], level: float) -> list[Ends | None]:
        question = replace(options, alpha=level, rope=None)
        chosen = [columns[i] for i in members]
        again, _ = compare_on_one_data_set(scores, folds, chosen, test, question, df)
        return [pair.interval for pair in again]

    means = dict(zip(scores.learners, folds.values.mean(axis=(1, 2)).tolist(), strict=True))
    ranking = rank_learners(means, higher_is_better=scores.higher_is_better)
    again = name_repetition("one data set")
    pairs: tuple[Pair, ...]
    adjustment: str | None = None
    if len(single) > 1:
        whole = options.control is None
        pairs, adjustment = adjust_pairs(
            single, options, scores.higher_is_better, predict_all, find_intervals, whole
        )
        verdict = describe_many(
            pairs,
            ranking,
            options,
            name_basis(f"{test}, {adjustment}" if adjustment else test),
            higher_is_better=scores.higher_is_better,
        )
    else:
        predicted = predict(0, options.alpha) if single[0].defined else None
        pairs = (replace(single[0], replicability=predicted),)
        verdict = _describe_with_repetition(pairs[0], scores, options, again)
    notes += guards.note_undefined(pairs)
    notes += guards.note_one_run(folds) + guards.note_one_sided(options)
    if TIME_SERIES not in codes:
        notes += guards.note_parts(test, folds)
    notes += guards.note_unpredicted(test, folds)
    if options.df is None:  # errors were measured with the default degrees of freedom
        found = guards.find_narrowest(pairs)
        notes += guards.note_level(test, folds.values.shape[1], found, options.alpha)
    return {
        "question": "Which learner does better when trained on data like this data set?",
        "ranking": ranking,
        "mean_scores": means,
        "verdict": verdict,
        "method": test + (f", {adjustment}" if adjustment else ""),
        "adjustment": adjustment,
        "reason": reason,
        "pairs": pairs,
        "notes": tuple(notes + guards.note_low_replicability(pairs, again)),
    }


def _leave_flat(remarks: Iterable[Note]) -> list[Note]:
    """Return remarks without that on zero variance, which `guards.note_undefined` makes by name."""
    return [note for note in remarks if note.code != "zero-variance"]


def _describe_with_repetition(pair: Pair, scores: Scores, options: Question, again: str) -> str:
    """Return the verdict on a pair, and how probable it is that a repetition would agree."""
    verdict = describe_pair(pair, scores.metric, options, scores.higher_is_better)
    return add_repetition(verdict, pair, again)


def _compare_two(scores: Scores, options: Question) -> dict[str, Any]:
    table = scores.means()
    both = ~np.isnan(table).any(axis=1)
    if both.sum() < 2:
        raise InputError(
            "The two learners share fewer than two data sets.", "Add scores, or use folds of one."
        )
    # The control comes first in its pair; the learners keep the order of the table.
    i, j = columns_to_compare(scores, options)[0]
    refuse_adjust(options, [(i, j)])
    names = (scores.learners[i], scores.learners[j])
    question = "Which of two learners does better on new data sets?"
    measure = mean_columns(table, scores)
    ranking = rank_learners(measure, higher_is_better=scores.higher_is_better)
    by_folds = compare_all_folds(scores, names, options)
    if by_folds is not None and by_folds.method == options.test:
        refuse_alternative(options)
        pair = make_pair_by_posterior(scores, table, names, by_folds, options)
        return {
            "question": question,
            "verdict": describe_pair(pair, scores.metric, options, scores.higher_is_better),
            "method": by_folds.method,
            "reason": "You asked for this test.",
            "ranking": ranking,
            "measure": measure,
            "pairs": (pair,),
            "notes": tuple(
                note
                for note in [*note_table(scores, table), *by_folds.notes]
                if note.code != "averaged"  # the model takes every fold
            ),
        }
    a, b = table[both, i], table[both, j]
    pair, result = compare_over_data_sets(names, a, b, options, scores.higher_is_better)
    test = result.method
    if by_folds is not None:
        pair = replace(pair, beside=(*pair.beside, summarise_posterior(by_folds)))
    endless = limit_tables(scores, options)
    if endless is not None and pair.replicability is not None:
        draws = endless[..., i], endless[..., j]
        limit = limit_agreement(table[:, i], table[:, j], *draws, test, options)
        pair = replace(pair, replicability=replace(pair.replicability, limit=limit))
    notes = note_table(scores, table) + guards.note_unsafe(test)
    notes += [note for note in _leave_flat(result.notes) if note.code != "too-few"]
    notes += guards.note_undefined((pair,)) + note_too_few(test, a - b, options)
    shared = [scores.datasets[row] for row in np.flatnonzero(both)]
    notes += guards.note_deciding_data_set(pair, a, b, shared, options)
    again = name_repetition("data sets")
    notes += guards.note_one_sided(options) + guards.note_low_replicability((pair,), again)
    return {
        "question": question,
        "verdict": _describe_with_repetition(pair, scores, options, again),
        "method": test,
        "reason": "You asked for this test."
        if options.test
        else "It is safe with outliers and without normality, and counts large differences more.",
        "ranking": ranking,
        "measure": measure,
        "pairs": (pair,),
        "notes": tuple(notes),
    }
