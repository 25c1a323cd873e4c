"""Several learners over several data sets, by their ranks, their means or pair by pair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison import defaults, guards
from twofold.comparison.attainable import note_too_few_for_pairs, smallest_by_ranks
from twofold.comparison.comparison import CriticalDifference
from twofold.comparison.groups import rank_learners
from twofold.comparison.mean_pairs import compare_by_mean_ranks, compare_by_means
from twofold.comparison.omnibus_tests import (
    apply_omnibus_tests,
    predict_any_difference,
    rank_table,
)
from twofold.comparison.pairwise import compare_pairwise
from twofold.comparison.possible_ranks import rank_over_data_sets
from twofold.comparison.refusals import refuse_rope
from twofold.comparison.sentences import describe_many
from twofold.comparison.table_guards import note_table
from twofold.comparison.wording import name_repetition
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import join_first
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
    options = _check(test, options, complete)
    omnibus, results = apply_omnibus_tests(table, scores, options)
    notes = note_table(scores, table)
    cd: CriticalDifference | None = None
    adjustment: str | None
    if test is not None and test.role == "means":
        pairs, adjustment, remarks = compare_by_means(table, scores, options)
        notes += remarks
        method, reason = adjustment, "You asked for this test."
    elif complete and not (test and test.on_pairs):
        pairs, adjustment, cd = compare_by_mean_ranks(table, scores, options)
        smallest = smallest_by_ranks(table.shape, adjustment)
        notes += note_too_few_for_pairs(pairs, smallest, adjustment, options)
        by_cd = adjustment == cd.method
        method = cd.method if by_cd else f"{defaults.MEAN_RANKS}, {adjustment}"
        reason = (
            "Friedman's test by ranks, then each learner against the control, adjusted."
            if options.control
            else "Friedman's test by ranks, then all pairs by their mean ranks."
        )
    else:
        pairs, adjustment, remarks = compare_pairwise(table, scores, options)
        notes += remarks
        method = pairs[0].method + (f", {adjustment}" if adjustment else "")
        reason = (
            "You asked for this test; each pair is compared by itself."
            if options.test
            else "Cells are missing: each pair is compared on the data sets that both have."
        )
    means = _mean_ranks(table, scores)
    ranking = rank_learners(means, higher_is_better=False)
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
    differ = bool(omnibus) and omnibus[-1].pvalue <= options.alpha
    if complete and differ and not any(note.code == "too-few" for note in notes):
        predicted = predict_any_difference(table, scores, omnibus[-1].method, options)
    notes += [] if differ else [guards.NO_DIFFERENCE_AGAIN]
    notes += guards.note_low_replicability(pairs, name_repetition("data sets"))
    notes += guards.note_one_sided(options)
    return {
        "question": "Which learners do better on new data sets?",
        "verdict": describe_many(omnibus, pairs, options, _name_best(ranking, means, complete)),
        "method": method,
        "adjustment": adjustment,
        "reason": reason,
        "ranking": ranking,
        "mean_ranks": means,
        "ranks_are": "mean" if complete else "estimated",
        "omnibus": omnibus,
        "omnibus_replicability": predicted,
        "critical_difference": cd,
        "pairs": pairs,
        "rank_sets": sets,
        "notes": tuple(notes),
    }


def _name_best(ranking: tuple[str, ...], means: dict[str, float], complete: bool) -> str:
    """Say which learner has the best mean rank, or which ones share it."""
    kind = "mean rank" if complete else "estimated mean rank"
    best = [name for name in ranking if means[name] - means[ranking[0]] < 1e-9]
    if len(best) == 1:
        return f"{best[0]} has the best {kind}"
    names = " and ".join(best) if len(best) == 2 else join_first(best, 2)
    return f"{names} share the best {kind}"


def _check(test: CatalogEntry | None, options: Question, complete: bool) -> Question:
    """Return options that many learners over many data sets can use, or refuse them."""
    if test is None or not test.bayesian:
        refuse_rope(options, "several learners over data sets, but by Bayesian tests of each pair")
    pairwise = test is not None and test.on_pairs
    if test is not None and not pairwise:
        _check_table(test, complete)
    one_sided = pairwise or (test is not None and test.one_sided)
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
