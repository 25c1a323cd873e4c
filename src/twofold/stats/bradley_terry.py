"""Ranks of learners that did not all meet on every data set.

With gaps, a plain mean of ranks depends on whom a learner met: third of six and second of two are
not the same. Here the wins of all pairs are fitted by the model of Bradley & Terry (1952), and a
learner's rank is what the fit expects where all meet.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from twofold.errors import InputError
from twofold.stats.arguments import Floats, floats
from twofold.stats.ranking import ranks

Bools = NDArray[np.bool_]
STEPS = 200
ROUNDING = 1e-13
"""How much of a log-likelihood may be lost to rounding."""


def estimate_ranks(scores: ArrayLike, *, higher_is_better: bool = True) -> Floats:
    """Estimate the mean ranks of a table (data sets, learners) with gaps (NaN), rank 1 best.

    A learner's rank is 1 plus the expected number of others that beat it, by a Bradley–Terry fit of
    the wins on all data sets; ties are half a win for both. The fit makes expected and observed
    wins equal, so that without gaps these are the mean ranks. A learner that lost every comparison
    is last, one that won every is first.

    >>> estimate_ranks([[0.9, 0.8, 0.7], [0.8, 0.9, 0.7], [0.9, 0.7, 0.8]]).round(3).tolist()
    [1.333, 2.0, 2.667]
    """
    x = floats("scores", scores, axes=2, finite=False)
    wins = pairwise_wins(x, higher_is_better=higher_is_better)
    if (wins.sum(axis=0) + wins.sum(axis=1) == 0).any():
        raise InputError(
            "Every learner needs a score on some data set that it shares with another learner.",
            "Leave out learners that were compared with no other.",
        )
    return np.asarray(1 + win_probabilities(wins).sum(axis=0))


def pairwise_wins(scores: Floats, *, higher_is_better: bool) -> Floats:
    """Return how often each learner (row) beats each other (column), ties counted half."""
    k = scores.shape[1]
    wins = np.zeros((k, k))
    for row in scores:
        present = np.flatnonzero(~np.isnan(row))
        if len(present) > 1:
            ranked = ranks(row[present], higher_is_better=higher_is_better)
            ahead = np.sign(ranked[None, :] - ranked[:, None])
            wins[np.ix_(present, present)] += (ahead + 1) / 2
    np.fill_diagonal(wins, 0.0)
    return wins


def win_probabilities(wins: ArrayLike) -> Floats:
    """Return the probabilities that each learner (row) beats each other (column); 0 with itself.

    Strengths are finite only among learners that each beat or tie another around a circle. Whoever
    stands above such a circle, by a chain of wins that nothing answers, wins for certain. Where no
    chain leads from one to the other the probability is even, but who lost every comparison stands
    below who did not, and who won every one above who did not.
    """
    won = floats("wins", wins, axes=2)
    k = len(won)
    above = _chains(won > 0)
    same = (above & above.T) | np.eye(k, dtype=bool)
    level = np.sign(won.sum(axis=1)) - np.sign(won.sum(axis=0))  # 1 won all, −1 lost all
    unmet = ~above & ~above.T & ~same
    probability = np.where(above, 1.0, 0.0)
    probability = np.where(unmet, (np.sign(level[:, None] - level[None, :]) + 1) / 2, probability)
    for first in np.flatnonzero(same.argmax(axis=1) == np.arange(k)):
        members = np.flatnonzero(same[first])
        if len(members) > 1:
            inside = np.ix_(members, members)
            strength = strengths(won[inside])
            probability[inside] = special.expit(strength[:, None] - strength[None, :])
    np.fill_diagonal(probability, 0.0)
    return probability


def strengths(wins: ArrayLike) -> Floats:
    """Return the maximum-likelihood strengths of a Bradley–Terry model, with mean zero.

    P(i beats j) is the logistic function of their difference. ``wins`` must lead from every learner
    to every other by chains, or there is no finite answer.

    >>> strengths([[0, 3], [1, 0]]).round(4).tolist()  # ±log(3)/2
    [0.5493, -0.5493]
    """
    won = floats("wins", wins, axes=2)
    games, total = won + won.T, won.sum(axis=1)
    k = len(won)
    strength, best = np.zeros(k), _log_likelihood(np.zeros(k), won)
    for _ in range(STEPS):
        p = special.expit(strength[:, None] - strength[None, :])
        slope = total - (games * p).sum(axis=1)
        weight = games * p * p.T
        # The ones fix the mean, along which the likelihood does not change.
        step = np.linalg.solve(np.diag(weight.sum(axis=1)) - weight + 1.0 / k, slope)
        size = 1.0
        while size > 1e-8:
            further = strength + size * step
            reached = _log_likelihood(further, won)
            # At the top the likelihood is flat: the last steps change it by less than rounding.
            if reached >= best - ROUNDING * abs(best):
                break
            size /= 2
        strength, best = further - further.mean(), reached
        if np.abs(step).max() < 1e-12 or size <= 1e-8:
            break
    return strength


def _log_likelihood(strength: Floats, won: Floats) -> float:
    return float((won * special.log_expit(strength[:, None] - strength[None, :])).sum())


def _chains(edges: Any) -> Bools:
    """Return which nodes each node reaches along edges."""
    reach = np.array(edges, dtype=bool)
    for middle in range(len(reach)):
        reach |= reach[:, middle, None] & reach[middle]
    return reach
