"""Tables from which the first kind of rows is assigned to folds, faster than draw by draw.

Independent binomial counts, given their sum, are distributed as counts of rows in folds, whatever
the p of the binomials. So the count of the next fold can be proposed from a binomial, and is kept
with a probability in proportion to that of the rest in the other folds. With p near the share of
good rows that are left, nearly all proposals are kept while many folds are left, and seven in ten
for the last two. Folds of one size need tables of one binomial for each of a few p, made once for
all data sets.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.simulation.hypergeometric import Integers, log_factorials

Floats = NDArray[np.float64]
GUIDE = 1024  # where in the table to start looking, for each of so many parts of [0, 1)
REACH = 9.0  # standard deviations; what lies beyond is rarer than a double can tell
PROBABILITIES = 28
FEW = 5  # rows of a kind in a fold


@dataclass(frozen=True)
class Tables:
    """Everything the compiled loop looks up; p is one of an even grid of probabilities.

    Attributes
    ----------
    lowest, step : float
        The grid of p.
    which : array (folds,)
        Which size the fold has, among the different sizes.
    start, cumulated, guide : arrays (sizes, probabilities), (…, values), (…, GUIDE)
        The binomials: first value, distribution function, and where to start in it.
    odds : array (probabilities,)
        Logarithm of the odds of p.
    height : array (folds, probabilities)
        −log probability, but for a constant, of the likeliest count in all later folds.
    """

    lowest: float
    step: float
    which: Integers
    start: Integers
    cumulated: Floats
    guide: NDArray[np.uint16]
    odds: Floats
    height: Floats

    def arguments(self) -> tuple[Any, ...]:
        """Return them in the order the loop takes them."""
        return tuple(getattr(self, field.name) for field in fields(self))


def is_worth_it(sizes: Integers, totals: Integers) -> bool:
    """Whether proposals from tables are kept often: data sets alike, rows of both kinds in folds.

    Counts are exact either way; here it is only decided which way is faster.
    """
    rows = int(sizes.sum())
    least = min(int(totals.min()), rows - int(totals.max()))
    if least * int(sizes.min()) < FEW * rows:
        return False
    share = least / rows
    return bool(_grid(sizes, totals)[1] < 2 * np.sqrt(share * (1 - share) / rows))


def _grid(sizes: Integers, totals: Integers) -> tuple[float, float]:
    """Return where the grid of probabilities begins, and its step.

    Shares wander while folds are filled; the grid covers where they go, and its ends stand for
    what lies beyond.
    """
    shares = np.array([totals.min(), totals.max()]) / sizes.sum()
    wander = 4 * np.sqrt(shares * (1 - shares) / (2 * sizes.min()))
    lowest, highest = np.clip(shares + wander * (-1, 1), 1e-4, 1 - 1e-4)
    return float(lowest), float((highest - lowest) / PROBABILITIES)


def tables_for(sizes: Integers, totals: Integers) -> Tables:
    """Make tables for folds of these sizes, and data sets with so many good rows."""
    rows = int(sizes.sum())
    lowest, step = _grid(sizes, totals)
    p = lowest + step * (np.arange(PROBABILITIES) + 0.5)
    odds = np.log(p) - np.log1p(-p)
    kinds, which = np.unique(sizes, return_inverse=True)
    spread = np.sqrt(kinds[:, None] * p * (1 - p))
    centre = kinds[:, None] * p
    start = np.maximum(0, np.floor(centre - REACH * spread - 10)).astype(np.int64)
    values = int(np.ceil((2 * REACH * spread + 22).max()))
    value = start[..., None] + np.arange(values)
    log_factorial = log_factorials(rows)
    inside = value <= kinds[:, None, None]
    value = np.minimum(value, kinds[:, None, None])
    logs = value * odds[:, None] - log_factorial[value]
    logs -= log_factorial[kinds[:, None, None] - value]
    weight = np.where(inside, np.exp(logs - logs.max(axis=-1, keepdims=True)), 0.0)
    cumulated = np.cumsum(weight, axis=-1)
    cumulated /= cumulated[..., -1:]
    ticks = np.arange(GUIDE) / GUIDE
    flat = cumulated.reshape(-1, values)
    guide = np.stack([np.searchsorted(row, ticks, side="right") for row in flat])
    rest = rows - np.cumsum(sizes)
    mode = np.minimum(np.floor((rest[:, None] + 1) * p), rest[:, None]).astype(np.int64)
    height = log_factorial[mode] + log_factorial[rest[:, None] - mode] - mode * odds
    return Tables(
        lowest,
        step,
        which.astype(np.int64),
        start,
        cumulated,
        guide.reshape(*start.shape, GUIDE).astype(np.uint16),  # small, to stay in the cache
        odds,
        height,
    )
