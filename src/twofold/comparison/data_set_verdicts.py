"""Each data set by itself: which learners differ from the control, or from the best one there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.comparison.omnibus_tests import rank_table
from twofold.comparison.one_data_set import choose_for_splits, shape_scores, sizes_for
from twofold.errors import InputError
from twofold.result import is_significant
from twofold.scores import Scores
from twofold.stats import entry

Floats = NDArray[np.float64]


def spread_on_each_data_set(scores: Scores) -> Floats:
    """Return the standard deviation of each cell (data sets, learners), NaN below two values."""
    shape = len(scores.datasets), len(scores.learners)
    cell = scores.dataset * shape[1] + scores.learner
    gaps = scores.value - scores.means().reshape(-1)[cell]
    squares = np.bincount(cell, weights=gaps**2, minlength=shape[0] * shape[1])
    count = scores.counts().reshape(-1)
    return np.sqrt(squares / np.where(count > 1, count - 1, np.nan)).reshape(shape)


def rank_each_data_set(scores: Scores) -> Floats:
    """Return the ranks on each data set among the learners that have a score, NaN elsewhere."""
    table = scores.means()
    ranked = np.full(table.shape, np.nan)
    for row, values in enumerate(table):
        present = ~np.isnan(values)
        ranked[row, present] = rank_table(values[None, present], scores)[0]
    return ranked


def decide_on_each_data_set(scores: Scores, control: str | None, alpha: float) -> Floats | None:
    """Return who is better (1), worse (−1) or not told apart (0), by the default test.

    Each learner is compared with the control, or with the best learners on the data set, by the
    folds or splits of that data set alone, without adjustment. NaN where nothing was compared;
    None where no data set has splits that carry a test.
    """
    if scores.counts().max() < 2:
        return None
    ranked = rank_each_data_set(scores)
    best = ranked == np.nanmin(ranked, axis=1, keepdims=True)
    if control is not None:
        best = np.broadcast_to(np.array(scores.learners) == control, ranked.shape)
    # Several may share the best mean: who is not told apart from one of them has the mark.
    rows = [
        np.fmax.reduce([_decide(scores, row, int(i), alpha) for i in np.flatnonzero(references)])
        for row, references in enumerate(best)
    ]
    table = np.array(rows)
    return None if np.isnan(table).all() else table


def _decide(scores: Scores, dataset: int, reference: int, alpha: float) -> Floats:
    outcome = np.full(len(scores.learners), np.nan)
    try:
        folds = scores.folds(dataset)
        test = choose_for_splits(folds)
        sizes = sizes_for(folds, test)
    except InputError:
        return outcome  # folds are missing, or the sizes of random splits
    present: Any = ~np.isnan(folds.values).any(axis=(1, 2))
    if not present[reference] or folds.values[0].size < 2:
        return outcome
    present[reference] = False
    if not present.any():
        return outcome
    shaped = shape_scores(folds, slice(None), test)
    result: Any = entry(test).load()(shaped[present] - shaped[reference], confidence=None, **sizes)
    flip = 1 if scores.higher_is_better else -1
    decided = np.where(is_significant(result.pvalue, alpha), flip * np.sign(result.estimate), 0.0)
    outcome[present] = np.where(result.no_spread, np.nan, decided)
    return outcome
