"""Signed ranks and their exact null distribution, with ties and zeros."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from twofold.stats.arguments import ROUNDING, Floats, floats
from twofold.stats.ranking import average_ranks

EXACT_UP_TO = 1000
"""Data sets up to which the exact distribution is used by default: at most a third of a second,
once for all comparisons of that size."""

EXACT_UP_TO_WITH_TIES = 200
"""The same where there are ties, whose distribution each comparison has to itself: two
milliseconds each."""

NOISE_OF_DIFFERENCES = 1e-11
"""Where scores are not given: gaps below this share of a difference are rounding errors."""


def tie_tolerance(a: ArrayLike, b: ArrayLike | None, x: Floats) -> Floats:
    """Return for each difference the size below which gaps to zero and to others are rounding.

    Each is judged by its own data set's scores, which may be in other units than the next one's.
    Differences without scores carry their own size only; there the lowest ones are zeros where
    all larger ones are eleven orders of magnitude above them.
    """
    if b is not None:
        return ROUNDING * np.maximum(np.abs(floats("a", a)), np.abs(floats("b", b)))
    size = np.abs(x)
    ordered = np.sort(size, axis=-1)
    below, above = ordered[..., :-1], ordered[..., 1:]
    noise = np.where(below < NOISE_OF_DIFFERENCES * above, below, 0.0).max(axis=-1, initial=0.0)
    return np.where(size <= noise[..., None], size, NOISE_OF_DIFFERENCES * size)


def rope_edge(width: float, tolerance: Floats) -> Floats:
    """Return how far each difference may go and be practically equal: the rope is closed.

    A difference of exactly the rope must not fall outside of it by a rounding error.
    """
    return width * (1 + ROUNDING) + tolerance


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """Ranks of absolute differences, ascending, one row per sample."""

    ranks: Floats
    """Average ranks of the differences; zero differences carry rank 0 here."""
    positive: Floats
    """1 where the difference at that index is positive, else 0."""
    zero_share: Floats
    """What the zeros give to each of R+ and R−: half of the sum of their ranks, or nothing."""
    n: Floats
    """Differences that were ranked; split zeros leave one out where their number is odd."""
    tied: np.ndarray
    """Whether the row has ties or zeros, so that its null distribution is its own."""


def rank_differences(x: Floats, tolerance: Floats, *, split_zeros: bool = True) -> SignedRanks:
    """Rank |x| along the last axis of a matrix; ``tolerance`` has the shape of ``x``.

    What is within its own tolerance of zero is zero; neighbours within the larger of their two
    tolerances are ties. Zeros keep the lowest ranks and are split evenly, one being ignored if
    their number is odd (Demšar 2006, section 3.1.3), or count for neither (Pratt 1959).
    """
    magnitude = np.abs(x)
    magnitude[magnitude <= tolerance] = 0.0
    # One sort carries value and sign: the bits of a non-negative float sort like the float, and
    # its own sign bit is free to be shifted out, which makes room for the sign of x.
    keys = (magnitude.view(np.uint64) << np.uint64(1)) | (x > 0)
    keys.sort(axis=-1)
    positive = (keys & np.uint64(1)).astype(np.float64)
    ordered = (keys >> np.uint64(1)).view(np.float64)
    rows, n = ordered.shape
    zeros = (ordered == 0).sum(axis=-1)
    gaps = ordered[:, 1:] - ordered[:, :-1]
    # What all tolerances of a row agree on is sure; few rows need each value's own.
    joined = gaps <= tolerance.min(axis=-1)[:, None]
    near = np.flatnonzero((joined != (gaps <= tolerance.max(axis=-1)[:, None])).any(axis=-1))
    if near.size:
        # A zero is a zero, however coarse its data set, and ties with zeros only.
        sizes = np.where(magnitude[near] == 0, 0.0, tolerance[near])
        order = np.lexsort((sizes, magnitude[near]), axis=-1)
        sizes = np.take_along_axis(sizes, order, axis=-1)
        joined[near] = gaps[near] <= np.maximum(sizes[:, 1:], sizes[:, :-1])
    tied = joined.any(axis=-1) | (zeros > 0)
    ranks = np.broadcast_to(np.arange(1.0, n + 1), (rows, n))
    if tied.any():
        ranks = ranks.copy()
        ranks[tied] = average_ranks(joined[tied])
    ignored = zeros % 2 * float(split_zeros)
    if zeros.any():
        ranks = np.where(np.arange(n) < zeros[:, None], 0.0, ranks - ignored[:, None])
        positive = np.where(np.arange(n) < zeros[:, None], 0.0, positive)
    halved = (zeros - ignored) * split_zeros
    return SignedRanks(ranks, positive, halved * (halved + 1) / 4, n - ignored, tied)


@lru_cache(maxsize=64)
def rank_sum_cdf(doubled_ranks: tuple[int, ...]) -> Floats:
    """Return P(2W ≤ s) for s = 0, 1, …, where W sums ranks picked by fair coins.

    Ranks come doubled, so that the half ranks of ties are whole numbers. Dynamic programming
    over the ranks: exact for any pattern of ties, in the smallest tails too, since only positive
    numbers are added. The distribution is symmetric, so that half of it is enough.
    """
    total = sum(doubled_ranks)
    half = total // 2 + 1
    # Memory is taken once: fresh pages cost more than the sums. The upper half is spare room first.
    cdf = np.zeros(total + 1)
    ways, spare = cdf[:half], cdf[half:]
    ways[0] = 1.0  # counts of sign patterns: 2^N stays in range up to N = 1023
    reach = 0
    ranks = sorted(filter(None, doubled_ranks))
    for rank in ranks:
        reach = min(reach + rank, half - 1)
        size = reach + 1 - rank
        if size > 0:
            spare[:size] = ways[:size]
            ways[rank : reach + 1] += spare[:size]
    np.cumsum(ways, out=ways)
    ways *= 0.5 ** len(ranks)
    if total:  # P(2W ≤ s) = 1 − P(2W < total − s)
        np.subtract(1.0, ways[: total - half][::-1], out=spare[:-1])
        spare[-1] = 1.0
    return cdf


def cdf_without_ties(n: int) -> Floats:
    """Return P(W ≤ w), w = 0, 1, …, for the ranks 1 … n without ties."""
    return rank_sum_cdf(tuple(range(1, n + 1)))


def rank_sum_quantile(probability: float, n: int) -> int:
    """Return the smallest w with P(W ≤ w) ≥ probability, without ties."""
    return int(np.searchsorted(cdf_without_ties(n), probability * (1 - 1e-12)))


def exact_tails(ranked: SignedRanks, r_plus: Floats) -> tuple[Floats, Floats]:
    """Return P(R+ ≤ observed) and P(R+ ≥ observed) for each row, conditional on its ties.

    Rows without ties share one distribution; each pattern of ties has its own.
    """
    n = ranked.ranks.shape[1]
    below, above = np.empty(len(r_plus)), np.empty(len(r_plus))
    plain = ~ranked.tied
    if plain.any():
        cdf = cdf_without_ties(n)
        observed = r_plus[plain].astype(np.intp)
        below[plain], above[plain] = _lookup(cdf, observed)
    if ranked.tied.any():
        doubled = np.rint(2 * ranked.ranks[ranked.tied]).astype(np.int64)
        observed = np.rint(2 * (r_plus - ranked.zero_share)[ranked.tied]).astype(np.intp)
        patterns, member = np.unique(doubled, axis=0, return_inverse=True)
        low, high = np.empty(len(observed)), np.empty(len(observed))
        order = np.argsort(member.ravel(), kind="stable")
        bounds = np.searchsorted(member.ravel()[order], np.arange(len(patterns) + 1))
        for i, pattern in enumerate(patterns):
            rows = order[bounds[i] : bounds[i + 1]]
            cdf = rank_sum_cdf(tuple(int(rank) for rank in pattern if rank))
            low[rows], high[rows] = _lookup(cdf, observed[rows])
        below[ranked.tied], above[ranked.tied] = low, high
    return below, above


def _lookup(cdf: Floats, observed: np.ndarray) -> tuple[Floats, Floats]:
    # The distribution is symmetric, so the upper tail is the lower tail of the mirrored value;
    # subtracting from one would lose the digits of small tails.
    return cdf[observed], cdf[len(cdf) - 1 - observed]
