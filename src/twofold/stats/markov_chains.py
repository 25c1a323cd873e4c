"""Markov chains as rows of an array: slice sampling, and how far to trust the draws."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from twofold.stats.arguments import Floats

SLICE, BATCH = 6.0, 12  # width of the first interval (of a logarithm); proposals at once


def sample_slice(
    density: Callable[[Floats], Floats],
    x: Floats,
    bounds: tuple[float, float],
    random: np.random.Generator,
) -> Floats:
    """Move every chain by slice sampling: shrink a randomly placed interval (Neal 2003).

    Where the next proposals lie, if those before are refused, does not depend on the density; so
    a whole batch of them is looked at in one call, and the first in the slice is taken.
    """
    drop = random.standard_exponential(x.shape)
    left = x - SLICE * random.random(x.shape)
    left, right = np.maximum(left, bounds[0]), np.minimum(left + SLICE, bounds[1])
    points = np.empty((BATCH + 1, x.size))
    points[0] = x
    new, waiting, chain = x.copy(), np.ones(x.shape, dtype=bool), np.arange(x.size)
    for _ in range(20):  # ends far earlier: the interval shrinks towards x, which is in the slice
        for k, share in enumerate(random.random((BATCH, x.size)), start=1):
            points[k] = left + (right - left) * share
            below = points[k] < x
            left, right = np.where(below, points[k], left), np.where(below, right, points[k])
        values = density(points)
        inside = values[1:] >= values[0] - drop
        first = inside.argmax(axis=0)
        accepted = waiting & inside[first, chain]
        new = np.where(accepted, points[first + 1, chain], new)
        waiting &= ~accepted
        if not waiting.any():
            break
    return new


def _halves(draws: Floats) -> Floats:
    half = len(draws) // 2
    return np.concatenate([draws[:half], draws[-half:]], axis=1)


def split_rhat(draws: Floats) -> float:
    """Return R̂ over the halves of the chains: near 1 where they agree (Gelman et al. 2013)."""
    chains = _halves(draws)
    within, between = chains.var(axis=0, ddof=1).mean(), chains.mean(axis=0).var(ddof=1)
    return float(np.sqrt(1 - 1 / len(chains) + between / within)) if within > 0 else 1.0


def effective_size(draws: Floats) -> float:
    """Return how many independent draws the mean is worth (Geyer 1992; Gelman et al. 2013)."""
    chains = _halves(draws)
    n = len(chains)
    means = chains.mean(axis=0)
    power = np.abs(np.fft.rfft(chains - means, 2 * n, axis=0)) ** 2
    covariance = np.fft.irfft(power, 2 * n, axis=0)[:n].mean(axis=1) / n
    total = covariance[0] + means.var(ddof=1)
    if total <= 0:
        return float(chains.size)
    correlation = 1 - (covariance[0] - covariance) / total
    pairs = correlation[: n // 2 * 2].reshape(-1, 2).sum(axis=1)
    last = int(np.argmax(pairs < 0)) or len(pairs)
    time = 2 * np.minimum.accumulate(pairs[:last]).sum() - 1
    return float(chains.size / max(time, 1 / np.log10(chains.size)))
