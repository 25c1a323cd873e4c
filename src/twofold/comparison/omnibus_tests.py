"""Is there any difference at all among several learners over several data sets?"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.comparison.comparison import Omnibus, Predicted
from twofold.comparison.defaults import OMNIBUS_OF_FEW, choose_omnibus
from twofold.comparison.pair import df_tuple
from twofold.comparison.repetition import predict_omnibus
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import Result
from twofold.scores import Scores
from twofold.stats import entry, ranks
from twofold.stats.friedman_exact import is_small


def rank_table(table: Any, scores: Scores) -> Any:
    """Return the ranks, rank 1 best."""
    if scores.form == "ranks":
        return table
    return ranks(table, higher_is_better=scores.higher_is_better)


def apply_omnibus_tests(
    table: Any, scores: Scores, options: Question
) -> tuple[tuple[Omnibus, ...], tuple[Result, ...]]:
    """Return the tests for any difference at all; the last one decides."""
    names = choose_omnibus(options.test, bool(np.isnan(table).any()))
    results = tuple(_apply(name, table, scores, options.alpha) for name in names)
    if OMNIBUS_OF_FEW in names and is_small(*table.shape):
        results += (_apply(OMNIBUS_OF_FEW, table, scores, options.alpha, method="auto"),)
    # Without any spread a test has no answer, and is left out; its note stays.
    return tuple(_summarise(result) for result in results if not result.no_spread), results


def _summarise(result: Result) -> Omnibus:
    """Return the answer, and beside it that of the formula without correction for ties."""
    uncorrected = None
    dealt = result.details.get("dealt")
    if dealt is None and any(note.code == "ties" for note in result.notes):
        statistic, pvalue = (float(result.details[name]) for name in ("plain", "plain_pvalue"))
        uncorrected = {"statistic": statistic, "pvalue": pvalue}
    statistic, pvalue = float(result.statistic), float(np.asarray(result.pvalue))
    return Omnibus(result.method, statistic, df_tuple(result.df), pvalue, uncorrected, dealt)


def predict_any_difference(table: Any, scores: Scores, method: str, options: Question) -> Predicted:
    """Predict whether other data sets of this kind would agree that there is a difference."""

    def test(tables: Any) -> Any:
        return _apply(method, tables, scores, options.alpha)

    return predict_omnibus(table, rank_table(table, scores), test, method, options)


def _apply(name: str, table: Any, scores: Scores, alpha: float, **more: str) -> Result:
    test = entry(name)
    if scores.form == "ranks" and not (test.takes("are_ranks") or test.takes_gaps):
        raise InputError(
            f"`{name}` needs scores; the table holds ranks.", "Use friedman or iman-davenport."
        )
    arguments = {
        "are_ranks": scores.form == "ranks",
        "higher_is_better": scores.higher_is_better,
        "alpha": alpha,
    }
    result: Result = test.load()(
        table,
        **{option: value for option, value in arguments.items() if test.takes(option)},
        **more,
    )
    return result
