"""How rows of several kinds fall into folds, drawn as counts and not row by row.

If a data set of N rows holds G rows of a kind, the number of them in a random part of m rows is
hypergeometric; given that part, the next part is hypergeometric again, with what is left. So the
counts of all folds are drawn without shuffling a single row, and a draw costs the same for a
thousand rows as for two hundred thousand.

Single draws are by the ratio of uniforms with Stadlober's bounds (1989; 1990). numpy's generator
uses the same method, but sets up every draw anew behind a call, which takes about three times as
long; here the loops are compiled, and logarithms of factorials are looked up.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from twofold.simulation.stream import stream_of

Integers = NDArray[np.int64]

MANY = 2000  # runs from which on it pays to make tables


def draw_counts(
    totals: Integers,
    sizes: Integers,
    *,
    runs: int,
    kinds: int,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    """Return counts (experiments, runs, folds, kinds) of the first kinds of rows in each fold.

    Parameters
    ----------
    totals : array (experiments, kinds or more)
        How many rows of each kind each data set holds; rows of no listed kind are the rest.
    sizes : array (folds,) or (experiments, folds)
        Rows in each fold, which add up to the rows of the data set.
    runs : int
        How often each data set is split.
    kinds : int
        How many kinds are counted.
    """
    from twofold.learners.kernels.compile import announce
    from twofold.learners.kernels.fold_draws import (
        PLAIN_NAME,
        TABLES_NAME,
        fill_by_tables,
        fill_plainly,
    )

    experiments = len(totals)
    every = np.broadcast_to(np.asarray(sizes, np.int64), (experiments, np.shape(sizes)[-1]))
    most = int(every.sum(axis=1).max(initial=0))
    out = np.empty((experiments, runs, every.shape[1], kinds), dtype=np.int32)
    counted = np.ascontiguousarray(totals[:, :kinds], dtype=np.int64)
    if np.ndim(sizes) == 1 and experiments * runs >= MANY:
        from twofold.simulation.even_folds import is_worth_it, tables_for

        if is_worth_it(every[0], counted[:, 0]):
            tables = tables_for(every[0].copy(), counted[:, 0]).arguments()
            shared = every[0].copy()
            with stream_of(rng) as stream, announce(TABLES_NAME):
                fill_by_tables(stream, counted, shared, log_factorials(most), out, *tables)
            return out
    every = np.ascontiguousarray(every)
    with stream_of(rng) as stream, announce(PLAIN_NAME):
        fill_plainly(stream, counted, every, log_factorials(most), out)
    return out


def log_factorials(most: int) -> NDArray[np.float64]:
    """Return log 0!, log 1!, … up to ``most``; the table grows by doubling and is kept."""
    return _log_factorials(1 << max(most, 1023).bit_length())[: most + 1]


@lru_cache(maxsize=4)
def _log_factorials(size: int) -> NDArray[np.float64]:
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(1, size + 1, dtype=np.float64)))
