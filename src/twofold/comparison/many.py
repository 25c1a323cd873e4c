"""Several learners over several data sets, by their ranks, their means or pair by pair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import defaults, guards
from twofold.comparison.attainable import (
    note_too_few_for_pairs,
    smallest_by_ranks,
    too_few_for_each,
)
from twofold.comparison.comparison import MEANS, CriticalDifference
from twofold.comparison.groups import mean_columns, rank_learners
from twofold.comparison.mean_pairs import compare_by_mean_ranks, compare_by_means
from twofold.comparison.omnibus_tests import (
    apply_omnibus_tests,
    predict_any_difference,
    rank_table,
)
from twofold.comparison.pairwise import columns_to_compare, compare_pairwise
from twofold.comparison.possible_ranks import rank_over_data_sets
from twofold.comparison.refusals import refuse_rope
from twofold.comparison.sentences import describe_many, name_basis
from twofold.comparison.table_guards import note_table
from twofold.comparison.wording import name_repetition
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import is_significant
from twofold.scores import Scores
from twofold.stats import CatalogEntry, catalog, entry
from twofold.stats.bradley_terry import estimate_ranks


def compare_many(scores: Scores, options: Question) -> dict[str, Any]:
    """Return the facts of a comparison of several learners."""
    table = scores.means()
    if len(table) < 2:
        raise InputError("Ranks need at least two data sets.", "Add data sets.")
    complete = not np.isnan(table).any()
    test = None if options.test is None else entry(options.test)
    by_ranks = _explain_mean_ranks(test, scores, table, options)
    options = _check(test, options, complete, by_ranks=bool(by_ranks))
    omnibus, results = apply_omnibus_tests(table, scores, options)
    notes = note_table(scores, table)
    cd: CriticalDifference | None = None
    adjustment: str | None
    if test is not None and test.role == "means":
        pairs, adjustment, remarks = compare_by_means(table, scores, options)
        notes += remarks
        method, reason = adjustment, "You asked for this test."
    elif by_ranks:
        pairs, adjustment, cd = compare_by_mean_ranks(table, scores, options)
        smallest = smallest_by_ranks(table.shape, adjustment)
        notes += note_too_few_for_pairs(pairs, smallest, adjustment, options)
        method = cd.method if adjustment == cd.method else f"{defaults.MEAN_RANKS}, {adjustment}"
        reason = f"{by_ranks} pairs are compared by their mean ranks (Demšar 2006)."
    else:
        pairs, adjustment, remarks = compare_pairwise(table, scores, options)
        notes += remarks
        method = pairs[0].method + (f", {adjustment}" if adjustment else "")
        reason = (
            "You asked for this test; each pair is compared by itself."
            if options.test
            else "Each pair is compared by itself: the other learners do not decide about it."
        )
    means = measure = _mean_ranks(table, scores)
    if entry(pairs[0].method).estimate in MEANS and scores.form != "ranks":
        measure = mean_columns(table, scores)
    higher = measure is not means and scores.higher_is_better
    ranking = rank_learners(measure, higher_is_better=higher)
    sets = rank_over_data_sets(table, scores, ranking, pairs, options)
    notes += guards.note_many(omnibus, pairs, scores, table, options)
    notes += guards.note_undefined(pairs)
    codes = {note.code for note in notes}
    if not all(pair.defined for pair in pairs):
        codes.add("zero-variance")  # `note_undefined` names those pairs
    remarks = [note for result in results for note in result.notes if note.code not in codes]
    notes += dict.fromkeys(remarks)
    if test is not None:
        notes += guards.note_unsafe(test.name)
    predicted = None
    differ = bool(omnibus) and is_significant(omnibus[-1].pvalue, options.alpha)
    if complete and differ and not any(note.code == "too-few" for note in notes):
        predicted = predict_any_difference(table, scores, omnibus[-1].method, options)
    notes += [] if differ else [guards.NO_DIFFERENCE_AGAIN]
    notes += guards.note_unpredicted_pairs(pairs)
    notes += guards.note_low_replicability(pairs, name_repetition("data sets"))
    notes += guards.note_one_sided(options)
    return {
        "question": "Which learners do better on new data sets?",
        "verdict": describe_many(
            pairs,
            ranking,
            options,
            name_basis(method, f"{len(table)} data sets"),
            higher_is_better=scores.higher_is_better,
            asked=omnibus[-1] if omnibus and test and test.role == "omnibus" else None,
        ),
        "method": method,
        "adjustment": adjustment,
        "reason": reason,
        "ranking": ranking,
        "measure": measure,
        "mean_ranks": means,
        "ranks_are": "mean" if complete else "estimated",
        "omnibus": omnibus,
        "omnibus_replicability": predicted,
        "critical_difference": cd,
        "pairs": pairs,
        "rank_sets": sets,
        "notes": tuple(notes),
    }


def _explain_mean_ranks(
    test: CatalogEntry | None, scores: Scores, table: Any, options: Question
) -> str:
    """Return why mean ranks decide about pairs, as a clause; nothing where they do not.

    Wilcoxon tests with Holm's adjustment decide by default, but where they could find nothing,
    whatever the scores: that takes 2^(1−N) times the number of pairs to be at most α.
    """
    if np.isnan(table).any():
        return ""
    if scores.form == "ranks":
        return "" if test is not None and test.on_pairs else "The table holds ranks:"
    if test is not None:
        return "" if test.on_pairs or test.role == "means" else "You asked for it:"
    if options.adjust in defaults.CRITICAL_DIFFERENCE.values():
        return "You asked for it:"
    if options.adjust is not None or options.alternative != "two-sided":
        return ""
    pairs = len(columns_to_compare(scores, options))
    n = len(table)
    if too_few_for_each(n, pairs, options.alpha):
        return f"With {n} data sets Wilcoxon tests of {pairs} pairs could find nothing:"
    return ""


def _check(
    test: CatalogEntry | None, options: Question, complete: bool, *, by_ranks: bool
) -> Question:
    """Return options that many learners over many data sets can use, or refuse them."""
    if test is None or not test.bayesian:
        refuse_rope(options, "several learners over data sets, but by Bayesian tests of each pair")
    pairwise = test is not None and test.on_pairs
    if test is not None and not pairwise:
        _check_table(test, complete)
    one_sided = not by_ranks if test is None else pairwise or test.one_sided
    if options.alternative != "two-sided" and not one_sided:
        kind = "Tests on mean ranks are" if test is None else f"`{test.name}` is"
        raise InputError(
            f"{kind} two-sided.",
            "Use `test='wilcoxon'` for one-sided tests of each pair.",
        )
    if test is not None and test.adjusts_itself:
        if options.adjust is not None and (test.role == "means" or options.adjust != test.name):
            raise InputError(f"`{test.name}` adjusts by itself.", "Leave out the adjustment.")
        return options if test.role == "means" else replace(options, adjust=test.name)
    if test is not None and test.role == "mean ranks":
        return replace(options, adjust=options.adjust or defaults.ADJUSTMENT)
    return options


def _check_table(test: CatalogEntry, complete: bool) -> None:
    """Refuse a test that does not fit a table of several learners, or not one with gaps."""
    if test.data != "table":
        roles = ("omnibus", "mean ranks", "means")
        fitting = [
            other.name
            for role in roles
            for other in catalog()
            if other.role == role and other.data == "table"
        ]
        raise InputError(
            f"`{test.name}` does not fit several learners over several data sets: it needs "
            f"{test.design}.",
            f"Use one of {', '.join(fitting)}, wilcoxon, sign, paired-t; or an adjustment with "
            "`adjust`.",
        )
    if not complete and not test.takes_gaps:
        raise InputError(
            f"`{test.name}` needs a complete table, and cells are missing.",
            "Use skillings-mack, which is the default then, or wilcoxon for pairs.",
        )


def _mean_ranks(table: Any, scores: Scores) -> dict[str, float]:
    """Return mean ranks; where cells are missing, those expected of a table without gaps."""
    if np.isnan(table).any():
        means = estimate_ranks(table, higher_is_better=scores.higher_is_better)
    else:
        means = rank_table(table, scores).mean(axis=0)
    return {name: float(mean) for name, mean in zip(scores.learners, means, strict=True)}
