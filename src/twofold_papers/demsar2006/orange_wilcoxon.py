"""Wilcoxon's test as Orange had it when the paper was written: its p is one-sided, its name is not.

Orange's ``statc.wilcoxont`` (source/include/stat.hpp, 2003 to 2013) leaves out data sets on which
both learners are equal, takes the normal approximation without a correction for ties or for
continuity, and returns one tail of |z|: half of the two-sided p, and never more than a half. Its
paired t test returns both tails. The paper does not say how its p values were computed; Orange is
the system that it was written with.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from scipy.stats import rankdata


def compute_orange_wilcoxon(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """Return Orange's p value of the scores of two learners; data sets are on the last axis."""
    difference = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    differs = difference != 0
    n = differs.sum(axis=-1)
    # Zeros have the lowest ranks; the others count from one without them.
    ranks: Any = rankdata(np.abs(difference), axis=-1)
    ranks = np.where(differs, ranks - (difference.shape[-1] - n)[..., None], 0.0)
    larger = np.where(difference > 0, ranks, 0.0).sum(axis=-1)
    smaller = np.minimum(larger, n * (n + 1) / 2 - larger)
    error = np.sqrt(np.maximum(n * (n + 1) * (2 * n + 1) / 24, 1e-300))
    z = np.abs(smaller - n * (n + 1) / 4) / error
    p: NDArray[np.float64] = np.where(n > 0, special.ndtr(-z), 1.0)
    return p
