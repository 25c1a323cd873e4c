"""Which ranks learners may have, and who may be the best, from which pairs were told apart.

If all decisions about pairs hold together with a confidence of 95%, so do these: they follow from
the decisions by counting (Mogstad, Romano, Shaikh & Wilhelm 2024).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InputError

Bools = NDArray[np.bool_]
Integers = NDArray[np.intp]


def rank_sets(better: ArrayLike) -> Integers:
    """Return the lowest and the highest rank that each learner may have, rank 1 being best.

    A learner's rank is 1 plus the number of learners that are truly better. So many as were found
    to be better are above it, and so many as were found to be worse are not.

    Parameters
    ----------
    better : bool array (..., learners, learners)
        Whether the learner of the row was found to be better than that of the column.

    Returns
    -------
    int array (..., learners, 2)

    Examples
    --------
    >>> rank_sets([[0, 0, 1], [0, 0, 0], [0, 0, 0]]).tolist()  # the first is better than the third
    [[1, 2], [1, 3], [2, 3]]
    """
    found = _check(better)
    above, below = found.sum(axis=-2), found.sum(axis=-1)
    return np.stack([1 + above, found.shape[-1] - below], axis=-1)


def tiers(better: ArrayLike) -> Integers:
    """Return the tier of each learner, 1 for those that nobody was found to be better than.

    A tier is 1 plus the longest chain of differences that leads down to the learner. So nobody was
    found to be better than another of the same tier, and everybody below the first tier is worse
    than somebody of the tier before. Learners that were found to be better than each other around
    a circle, which tests of single pairs allow, share a tier.

    Parameters
    ----------
    better : bool array (learners, learners)
        As `rank_sets` takes it.

    Examples
    --------
    >>> tiers([[0, 0, 1], [0, 0, 0], [0, 0, 0]]).tolist()
    [1, 1, 2]
    """
    found = _check(better)
    if found.ndim != 2:
        raise InputError("`better` must be one table.", "Find the tiers of one at a time.")
    above = found.copy()
    for middle in range(len(above)):
        above |= above[:, middle, None] & above[middle]
    # Who is on a circle with a learner is not above it.
    above &= ~above.T
    tier = np.zeros(len(above), dtype=np.intp)
    # Whoever is above a learner has fewer above itself.
    for j in np.argsort(above.sum(axis=0), kind="stable"):
        tier[j] = 1 + tier[above[:, j]].max(initial=0)
    return tier


def _check(better: ArrayLike) -> Bools:
    found = np.asarray(better, dtype=bool)
    if found.ndim < 2 or found.shape[-1] != found.shape[-2] or not found.size:
        raise InputError(
            f"`better` must have a row and a column for each learner, got {found.shape}.",
            "Pass True where the learner of the row was found to be better.",
        )
    return found
