"""Drawing data sets from a table of scores, evenly or biased towards a difference (Demšar 2006).

A table has shape (data sets, learners); drawn tables have shape (draws, data sets, learners).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


def draw_data_sets(
    difference: Floats, bias: float, size: int, draws: int, random: np.random.Generator
) -> Indices:
    """Draw ``size`` data sets without replacement, (draws, size), in the order of the table.

    Data set i has weight 1/(1 + exp(−k·dᵢ)), k the bias (Demšar 2006, section 4.1.1). They are
    drawn in turn, each with its share of the weight that is left; that is the same as taking the
    smallest of exponential numbers with these rates, whose logarithms do not overflow.
    """
    waits = np.log(random.standard_exponential(size=(draws, len(difference))))
    waits -= special.log_expit(bias * difference)
    chosen = np.argpartition(waits, size - 1, axis=1)[:, :size]
    return np.sort(chosen, axis=1)


def draw_learners(
    learners: int, fixed: tuple[int, ...], count: int, draws: int, random: np.random.Generator
) -> Indices:
    """Draw ``count`` learners without replacement, (draws, count), the fixed ones first."""
    rest = np.array([i for i in range(learners) if i not in fixed], dtype=np.intp)
    order = np.argsort(random.random((draws, len(rest))), axis=1)
    drawn = np.sort(rest[order[:, : count - len(fixed)]], axis=1)
    first = np.broadcast_to(np.array(fixed, dtype=np.intp), (draws, len(fixed)))
    return np.concatenate([first, drawn], axis=1)


def exchange_labels(tables: Floats, random: np.random.Generator) -> Any:
    """Return drawn tables whose learners are exchanged at random on each data set.

    Of two learners A and B change places or do not; of several every order is equally likely.
    Whatever the scores are, no learner is better than another then.
    """
    return random.permuted(tables, axis=-1)
