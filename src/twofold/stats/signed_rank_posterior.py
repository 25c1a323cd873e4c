"""Draws from the posterior of the Bayesian signed-rank test."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from twofold.seeds import rng
from twofold.stats.arguments import ROUNDING, Floats, positive, whole

Indices = NDArray[np.intp]

ROPE_REMEDY = "Pass the largest difference that does not matter to you, for instance 0.01."
DRAWS_PER_BLOCK = 2000
"""Draws that share one stream; a fixed size, so that threads do not change the numbers."""


def draw_regions(
    x: Floats, noise: Floats, rope: float, prior: float, samples: int, seed: int
) -> Floats:
    """Draw how much weight lies above, within and below the rope: (samples, 3)."""
    width = positive("rope", rope, ROPE_REMEDY, zero=True)
    strength = positive("prior", prior, "Pass for instance 0.5.")
    draws = whole("samples", samples, 100)
    zero = np.abs(x) <= noise
    z, noise = (np.append(np.where(zero, 0.0, part), 0.0) for part in (x, noise))
    order = np.lexsort((noise, z))
    mirror = np.lexsort((noise, -z))
    # Swapping the learners must mirror the answer to the last digit, so that both orders
    # compute with the same one of the two.
    swapped = tuple(-z[mirror]) < tuple(z[order])
    z, noise = (-z[mirror], noise[mirror]) if swapped else (z[order], noise[order])
    out = _draw_sorted(z, noise, width, strength, draws, seed)
    return out[:, ::-1] if swapped else out


def _draw_sorted(
    z: Floats, noise: Floats, width: float, strength: float, draws: int, seed: int
) -> Floats:
    """Draw for sorted z, which holds the pseudo data set as its zero.

    With the differences sorted, those that pair with zᵢ to a mean above the rope are the last
    ones: one cumulative sum of the weights serves all i, so that a draw costs O(N), not O(N²).
    The rope is closed: a mean is above it only where it is so beyond both differences' rounding.
    """
    n = len(z)
    heavy = int(np.searchsorted(z, 0.0))
    edge = 2 * width * (1 + ROUNDING)
    upper = _partners(z - noise, edge, "right")
    lower = _partners(z + noise, -edge, "left")
    one_order = bool((upper[0] == lower[0]).all())
    out = np.empty((3, draws))
    starts = range(0, draws, DRAWS_PER_BLOCK)
    threads = min(os.cpu_count() or 1, len(starts))

    def share(first: int) -> None:
        size = 0
        for start in starts[first::threads]:
            rows = out[:, start : start + DRAWS_PER_BLOCK]
            if rows.shape[1] != size:  # memory is taken once: fresh pages cost more than the draws
                size = rows.shape[1]
                weights, gathered = np.empty((n, size)), np.empty((n, size))
                below = np.zeros((n + 1, size))
            stream = rng(seed, "bayes-signed-rank", start)
            stream.standard_exponential(out=weights)
            weights[heavy] = stream.standard_gamma(strength, size)
            for row, (order, counts) in ((0, upper), (2, lower)):
                if row == 0 or not one_order:
                    for i in range(n):  # one at a time is several times quicker than np.cumsum
                        np.add(below[i], weights[order[i]], out=below[i + 1])
                np.take(below, counts, axis=0, out=gathered, mode="clip")
                np.einsum("ij,ij->j", weights, gathered, out=rows[row])
                rows[row] /= below[n] ** 2
            rows[0] = 1 - rows[0]
            rows[1] = 1 - rows[0] - rows[2]
            np.clip(rows, 0.0, 1.0, out=rows)

    with ThreadPoolExecutor(threads) as pool:
        for _ in pool.map(share, range(threads)):
            pass
    return out.T


def _partners(z: Floats, bound: float, side: Literal["left", "right"]) -> tuple[Indices, Indices]:
    """Return the order of z, and for each zᵢ how many zⱼ in that order keep zᵢ + zⱼ below."""
    order = np.argsort(z, kind="stable")
    return order, np.searchsorted(z[order], bound - z, side=side)
