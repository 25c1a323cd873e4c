"""Would more runs on the same data sets change the answer over data sets?

Each cell of the table is a mean over runs, and still has some luck of the splits in it. What
infinitely many runs would give is not known, but how far it may be from the mean is: the spread
between runs tells. Tables are drawn from what they may be, and decided like the table at hand.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from twofold.comparison.answer import Predicted
from twofold.comparison.options import Options
from twofold.comparison.redraws import redraws
from twofold.errors import InputError
from twofold.scores import Scores
from twofold.seeds import rng


def limit_tables(scores: Scores, options: Options) -> Any:
    """Return draws (draws, data sets, learners) of the table that endless runs would give.

    None where a data set has less than two runs, or learners have not the same ones.
    """
    shape = len(scores.datasets), len(scores.learners)
    draws = redraws(4 * shape[0] * shape[1])
    tables = np.empty((draws, *shape))
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
        luck = stream.standard_normal((draws, runs)) @ (means - centre)
        chi = stream.chisquare(runs - 1, draws)
        tables[:, d] = centre + luck / np.sqrt(chi * runs)[:, None]
    return tables


def with_limit(predicted: Predicted | None, share: float) -> Predicted | None:
    """Return the prediction with the chance that endless runs would say the same."""
    return None if predicted is None else replace(predicted, limit=float(share))
