"""Draws of how rows of several kinds fall into folds; `simulation.hypergeometric` says how."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from twofold.learners.kernels.compile import copy_into, entry, kernel, shared_kernel

PLAIN_NAME = "draws of folds"
TABLES_NAME = "draws of folds by tables"

# Twice the square root of 2/e, and 3 less twice the square root of 3/e: the rectangle around
# any hypergeometric histogram.
WIDTH, EXTRA = 1.7155277699214135, 0.8989161620588988


@shared_kernel
def uniform(state: Any) -> float:
    """Return the next number between 0 and 1 of a state of SFC64, which moves on."""
    a, b, c, counter = state[0], state[1], state[2], state[3]
    word = a + b + counter
    state[0] = b ^ (b >> np.uint64(11))
    state[1] = c + (c << np.uint64(3))
    state[2] = ((c << np.uint64(24)) | (c >> np.uint64(40))) + word
    state[3] = counter + np.uint64(1)
    return (word >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def draw_count(stream: Any, good: int, bad: int, draws: int, log_factorial: Any) -> int:
    """Draw how many good rows are among ``draws`` from good and bad ones."""
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


@kernel
def draw_kinds(
    stream: Any, first: int, left: Any, rows: int, draws: int, log_factorial: Any, fold: Any
) -> None:
    """Draw the counts of a fold for all kinds from ``first`` on, and take them from what is left.

    ``rows`` are those of these kinds and of no listed kind.
    """
    for kind in range(first, left.size):
        good = left[kind]
        taken = draw_count(stream, good, rows - good, draws, log_factorial)
        fold[kind] = taken
        left[kind] = good - taken
        rows -= good
        draws -= taken


@entry(PLAIN_NAME, seconds=1)
def fill_plainly(stream: Any, totals: Any, sizes: Any, log_factorial: Any, out: Any) -> None:
    """Fill in the counts of all folds, one hypergeometric draw after the other."""
    experiments, runs, folds, kinds = out.shape
    left = np.empty(kinds, dtype=np.int64)
    for experiment in range(experiments):
        rows = sizes[experiment].sum()
        for run in range(runs):
            copy_into(left, totals[experiment])
            pool = rows
            for fold in range(folds - 1):
                draws = sizes[experiment, fold]
                draw_kinds(stream, 0, left, pool, draws, log_factorial, out[experiment, run, fold])
                pool -= draws
            copy_into(out[experiment, run, folds - 1], left)  # the last fold gets what is left


@entry(TABLES_NAME, seconds=1)
def fill_by_tables(
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
    height: Any,
) -> None:
    """The same, but the first kind is drawn by the tables of `even_folds`."""
    experiments, runs, folds, kinds = out.shape
    rows = sizes.sum()
    probabilities, parts = guide.shape[1], guide.shape[2]
    left = np.empty(kinds, dtype=np.int64)
    for experiment in range(experiments):
        for run in range(runs):
            copy_into(left, totals[experiment])
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
                counts = out[experiment, run, fold]
                counts[0] = taken
                left[0] = later
                draw_kinds(stream, 1, left, pool - good, draws - taken, log_factorial, counts)
                pool = rest
            copy_into(out[experiment, run, folds - 1], left)
