"""Would more runs on the same data sets change the answer over data sets?

Each cell of the table is a mean over runs, and still has some luck of the splits in it. What
infinitely many runs would give is not known, but how far it may be from the mean is: the spread
between runs tells. Tables are drawn from what they may be, and decided like the table at hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.comparison.repetition import count_draws
from twofold.errors import InputError
from twofold.options import Question
from twofold.result import is_significant
from twofold.scores import Scores
from twofold.scores.splits import TIME_SERIES
from twofold.seeds import rng
from twofold.stats import entry

EXACT_UP_TO = 25
"""Data sets up to which drawn tables are tested exactly."""


def count_tables(work: int) -> int:
    """Return how many tables to draw where each costs that many numbers."""
    return 5 * count_draws(work)


def limit_tables(scores: Scores, options: Question) -> Any:
    """Return draws (draws, data sets, learners) of the table that infinitely many runs would give.

    None where a data set has less than two runs, or learners have not the same ones, or runs are
    no repetitions but follow each other in time.
    """
    shape = len(scores.datasets), len(scores.learners)
    draws = count_tables(4 * shape[0] * shape[1])
    tables = np.empty((draws, *shape))
    if TIME_SERIES in {note.code for note in scores.notes}:
        return None
    if scores.form != "long" or len(scores.value) < 2 * shape[0] * shape[1]:
        return None
    for d in range(shape[0]):
        try:
            values = scores.folds(d).values
        except InputError:
            return None
        runs = values.shape[1]
        if runs < 2 or np.isnan(values).any():
            return None
        means = values.mean(axis=2).T
        centre = means.mean(axis=0)
        stream = rng(options.seed, "endless runs", scores.datasets[d])
        # A t variable in as many dimensions as there are learners: their luck is shared.
        luck = np.einsum("ij,jk->ik", stream.standard_normal((draws, runs)), means - centre)
        chi = stream.chisquare(runs - 1, draws)
        tables[:, d] = centre + luck / np.sqrt(chi * runs)[:, None]
    return tables


def limit_agreement(
    a: Any, b: Any, drawn_a: Any, drawn_b: Any, test: str, options: Question
) -> float:
    """Return the share of drawn scores (draws, data sets) on which a test decides as on a and b."""
    quick = entry(test).quick if len(a) > EXACT_UP_TO else {}
    # The table itself goes first, by the same road as the draws.
    first, second = np.vstack([a, drawn_a]), np.vstack([b, drawn_b])
    result = entry(test).load()(
        first, second, confidence=None, alternative=options.alternative, **quick
    )
    rejects = is_significant(np.asarray(result.pvalue), options.alpha)
    if not rejects[0]:
        return float(1 - rejects[1:].mean())
    leans = lean_of(result, test)
    return float((rejects[1:] & (leans[1:] == leans[0])).mean())


def lean_of(result: Any, test: str) -> Any:
    """Return which learner the test favours in each row: 1, 0 or −1."""
    sides = {"signed ranks": ("r_plus", "r_minus"), "wins": ("wins", "losses")}
    names = sides.get(entry(test).model)
    if names is None:
        return np.sign(np.asarray(result.statistic))
    ahead, behind = (np.asarray(result.details[name]) for name in names)
    return np.sign(ahead - behind)
