"""Reading scores: from any table to a verdict one can defend."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from twofold.comparison.compare import answer
from twofold.comparison.comparison import (
    PLOTTERS,
    RENDERERS,
    Comparison,
    CriticalDifference,
    Omnibus,
    Pair,
    Predicted,
)
from twofold.comparison.options import checked
from twofold.comparison.predictions import compare_predictions
from twofold.comparison.refusals import (
    refuse_for_predictions,
    refuse_late_reading,
    refuse_sizes,
)
from twofold.scores import read_predictions, read_scores
from twofold.scores.read_options import Reading

__all__ = [
    "PLOTTERS",
    "RENDERERS",
    "Comparison",
    "CriticalDifference",
    "Omnibus",
    "Pair",
    "Predicted",
    "compare",
]


def compare(
    table: Any,
    *,
    control: str | None = None,
    alpha: float = 0.05,
    adjust: str | None = None,
    test: str | None = None,
    rope: float | None = None,
    alternative: str = "two-sided",
    df: float | str | Path | None = None,
    predictions: bool = False,
    truth: str | None = None,
    seed: int = 0,
    **reading: Unpack[Reading],
) -> Comparison:
    """Compare learners by a table of their scores.

    Parameters
    ----------
    table : file name, frame, dict, records, array or Scores
        Wide (a row per data set, a column per learner) or long (dataset, learner, value, and
        where there are any run, fold, n_train, n_test, metric).
    control : str, optional
        Compare each learner with this one instead of all pairs.
    alpha : float
        Level of the tests; intervals have level 1 − alpha.
    adjust : str, optional
        Adjustment for several pairs; "nemenyi" or, with a control, "holm" by default.
    test : str, optional
        A test of the catalog instead of the default for the situation.
    rope : float, optional
        Half the width of the region of practical equivalence for the Bayesian answers.
    alternative : {"two-sided", "less", "greater"}
        With a ``control``: whether it scores less, or greater, than each of the others.
    df : "calibrated", number, file, or "textbook", optional
        Degrees of freedom of a test on the folds of one data set: those of the shipped table,
        which Bouckaert's tests take by default; a number; those of a table of your own
        (`twofold calibrate -o FILE.json`); or those of the textbook, which are unsafe for
        Bouckaert's tests. Without ``test``, use-all-data.
    predictions : bool
        The table holds true labels and a column of predictions for each classifier.
    truth : str, optional
        With ``predictions``: the column of true labels.
    seed : int
        Where the random numbers of resampling and Bayesian tests come from.
    metric, higher_is_better, ranks, drop, only, rows, transpose, n_train, n_test, test_share
        What is known about the table, as `twofold.read_scores` takes it. Predictions take ``drop``
        and ``only``.

    Examples
    --------
    >>> scores = {"A": [0.8, 0.7, 0.9, 0.6, 0.8, 0.7], "B": [0.7, 0.6, 0.7, 0.5, 0.6, 0.65]}
    >>> compare(scores).pairs[0].outcome
    'a'
    """
    options = checked(
        alpha=alpha,
        control=control,
        adjust=adjust,
        test=test,
        rope=rope,
        alternative=alternative,
        seed=seed,
        df=df,
    )
    refuse_for_predictions(options, truth, predictions, reading)
    if predictions:
        columns, notes = read_predictions(
            table, truth=truth, drop=reading.get("drop", ()), only=reading.get("only")
        )
        compared = compare_predictions(columns, options, truth)
        return replace(compared, notes=(*compared.notes, *notes))
    refuse_late_reading(table, reading)
    compared = answer(read_scores(table, **reading), options)
    refuse_sizes(compared, reading)
    return compared
