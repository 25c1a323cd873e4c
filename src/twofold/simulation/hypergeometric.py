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

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.simulation.stream import compile_uniform, stream_of

Integers = NDArray[np.int64]

MANY = 2000  # runs from which on it pays to make tables

# Twice the square root of 2/e, and 3 less twice the square root of 3/e: the rectangle around
# any hypergeometric histogram.
WIDTH, EXTRA = 1.7155277699214135, 0.8989161620588988


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
    experiments = len(totals)
    every = np.broadcast_to(np.asarray(sizes, np.int64), (experiments, np.shape(sizes)[-1]))
    most = int(every.sum(axis=1).max(initial=0))
    out = np.empty((experiments, runs, every.shape[1], kinds), dtype=np.int32)
    counted = np.ascontiguousarray(totals[:, :kinds], dtype=np.int64)
    if np.ndim(sizes) == 1 and experiments * runs >= MANY:
        from twofold.simulation.even_folds import is_worth_it, tables_for

        if is_worth_it(every[0], counted[:, 0]):
            tables = tables_for(every[0].copy(), counted[:, 0]).arguments()
            with stream_of(rng) as stream:
                _compile_even_loop()(
                    stream, counted, every[0].copy(), log_factorials(most), out, *tables
                )
            return out
    with stream_of(rng) as stream:
        _compile_plain_loop()(
            stream, counted, np.ascontiguousarray(every), log_factorials(most), out
        )
    return out


def log_factorials(most: int) -> NDArray[np.float64]:
    """Return log 0!, log 1!, … up to ``most``; the table grows by doubling and is kept."""
    return _log_factorials(1 << max(most, 1023).bit_length())[: most + 1]


@lru_cache(maxsize=4)
def _log_factorials(size: int) -> NDArray[np.float64]:
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(1, size + 1, dtype=np.float64)))


@lru_cache(maxsize=1)
def _compile_draw() -> Any:
    """Compile the draw of how many good rows are among ``draws`` from good and bad ones."""
    from numba import njit

    uniform = compile_uniform()

    def draw(stream: Any, good: int, bad: int, draws: int, log_factorial: Any) -> int:
        rows = good + bad
        few, many = min(good, bad), max(good, bad)
        drawn = min(draws, rows - draws)  # what stays behind is as random as what is drawn
        value = 0
        if few > 0 and drawn > 0:
            share = few / rows
            centre = drawn * share + 0.5
            spread = math.sqrt((rows - drawn) * drawn * share * (1 - share) / (rows - 1) + 0.5)
            width = WIDTH * spread + EXTRA
            slack = many - drawn
            mode = int((drawn + 1) * (few + 1) / (rows + 2))
            height = (
                log_factorial[mode]
                + log_factorial[few - mode]
                + log_factorial[drawn - mode]
                + log_factorial[slack + mode]
            )
            end = min(min(drawn, few) + 1.0, math.floor(centre + 16 * spread))
            while True:
                u, v = uniform(stream), uniform(stream)
                if u == 0.0:
                    continue
                position = centre + width * (v - 0.5) / u
                if position < 0.0 or position >= end:
                    continue
                value = int(position)
                log_ratio = height - (
                    log_factorial[value]
                    + log_factorial[few - value]
                    + log_factorial[drawn - value]
                    + log_factorial[slack + value]
                )
                # Two bounds of the logarithm spare it most of the time.
                if u * (4.0 - u) - 3.0 <= log_ratio:
                    break
                if u * (u - log_ratio) >= 1.0:
                    continue
                if 2.0 * math.log(u) <= log_ratio:
                    break
        if good > bad:
            value = drawn - value
        if drawn < draws:
            value = good - value
        return value

    # Inlined: a call would count who uses the arrays, by locked additions.
    return njit(error_model="numpy", forceinline=True)(draw)


@lru_cache(maxsize=1)
def _compile_plain_loop() -> Callable[..., None]:
    from numba import njit

    draw = _compile_draw()

    def fill(stream: Any, totals: Any, sizes: Any, log_factorial: Any, out: Any) -> None:
        experiments, runs, folds, kinds = out.shape
        left = np.empty(kinds, dtype=np.int64)
        for experiment in range(experiments):
            rows = sizes[experiment].sum()
            for run in range(runs):
                left[:] = totals[experiment]
                pool = rows
                for fold in range(folds - 1):
                    remaining, draws = pool, sizes[experiment, fold]
                    pool -= draws
                    for kind in range(kinds):
                        good = left[kind]
                        taken = draw(stream, good, remaining - good, draws, log_factorial)
                        out[experiment, run, fold, kind] = taken
                        left[kind] = good - taken
                        remaining -= good
                        draws -= taken
                out[experiment, run, folds - 1] = left  # the last fold gets what is left

    compiled: Callable[..., None] = njit(error_model="numpy")(fill)
    return compiled


@lru_cache(maxsize=1)
def _compile_even_loop() -> Callable[..., None]:
    """The same, but the first kind is drawn by the tables of `even_folds`."""
    from numba import njit

    draw, uniform = _compile_draw(), compile_uniform()

    def fill(
        stream: Any,
        totals: Any,
        sizes: Any,
        log_factorial: Any,
        out: Any,
        lowest: float,
        step: float,
        which: Any,
        start: Any,
        cumulated: Any,
        guide: Any,
        odds: Any,
        mode: Any,
        height: Any,
    ) -> None:
        experiments, runs, folds, kinds = out.shape
        rows = sizes.sum()
        probabilities, parts = guide.shape[1], guide.shape[2]
        left = np.empty(kinds, dtype=np.int64)
        for experiment in range(experiments):
            for run in range(runs):
                left[:] = totals[experiment]
                pool = rows
                for fold in range(folds - 1):
                    draws = sizes[fold]
                    good, rest = left[0], pool - draws
                    near = min(max(int((good / pool - lowest) / step), 0), probabilities - 1)
                    size = which[fold]
                    taken = 0
                    while True:
                        u = uniform(stream)
                        index = int(guide[size, near, int(u * parts)])
                        while cumulated[size, near, index] <= u:
                            index += 1
                        taken = start[size, near] + index
                        later = good - taken
                        if later < 0 or later > rest:
                            continue
                        log_ratio = (
                            height[fold, near]
                            + later * odds[near]
                            - log_factorial[later]
                            - log_factorial[rest - later]
                        )
                        u = uniform(stream)
                        # 1 + t is below exp(t), and spares it most of the time.
                        if u <= 1.0 + log_ratio or u <= math.exp(log_ratio):
                            break
                    out[experiment, run, fold, 0] = taken
                    left[0] = later
                    remaining = pool - good
                    draws -= taken
                    pool = rest
                    for kind in range(1, kinds):
                        good = left[kind]
                        taken = draw(stream, good, remaining - good, draws, log_factorial)
                        out[experiment, run, fold, kind] = taken
                        left[kind] = good - taken
                        remaining -= good
                        draws -= taken
                out[experiment, run, folds - 1] = left

    compiled: Callable[..., None] = njit(error_model="numpy")(fill)
    return compiled
