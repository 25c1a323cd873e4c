"""How large is the difference? Effect sizes for paired data, each with an interval."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Alternative, Interval, Note, Value
from twofold.rounding import percentage
from twofold.stats.arguments import (
    Floats,
    check_alternative,
    check_size,
    differences,
    positive,
    probability,
)
from twofold.stats.intervals import wilson_of_share
from twofold.stats.moments import mean_and_deviation
from twofold.stats.signed_rank import (
    EXACT_UP_TO,
    cdf_without_ties,
    rank_differences,
    rope_edge,
    tie_tolerance,
)
from twofold.stats.t_tests import plain, t_interval
from twofold.stats.walsh import walsh_quantiles

LARGEST_WALSH = 4000
"""Values up to which all pairwise means are looked at: eight million of them."""

NULL_DATA_SETS = 5
"""Weight, in data sets, of the null hypothesis in the variance of a rank-biserial correlation."""


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """An effect size, its interval and what to know about it."""

    name: str
    estimate: Value
    interval: Interval | None
    n: int
    notes: tuple[Note, ...] = ()


def mean_difference(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    test_train_ratio: float = 0.0,
    confidence: float = 0.95,
) -> Effect:
    """Return the mean of A − B with its t interval.

    For differences from resampling pass ``test_train_ratio`` n₂/n₁, which widens the interval for
    the overlap of the training sets (Nadeau & Bengio 2003).
    """
    x = differences(a, b, axes=1, finite=False)
    n = x.shape[-1]
    check_size("a", n, 2, "differences")
    ratio = positive("test_train_ratio", test_train_ratio, "Pass n_test / n_train.", zero=True)
    mean, deviation = mean_and_deviation(x)
    error = np.sqrt(1 / n + ratio) * deviation
    interval = t_interval(mean, error, n - 1.0, "two-sided", confidence)
    return Effect("mean difference", plain(mean), interval, n)


def median_difference(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    confidence: float = 0.95,
    alternative: str = "two-sided",
) -> Effect:
    """Return the median of A − B with the exact interval between two order statistics.

    The interval holds for any distribution; it covers at least as often as it says. With too few
    values for that it is unbounded, and a note tells so.
    """
    x = differences(a, b, axes=1)
    n = x.shape[-1]
    check_size("a", n, 1, "differences")
    level = probability("confidence", confidence, 0.95)
    side = check_alternative(alternative)
    tail = (1 - level) / (2 if side == "two-sided" else 1)
    # The largest count c with P(fewer than c of n fall below the median) ≤ tail.
    below = special.bdtr(np.arange(n), n, 0.5)
    skip = int(np.searchsorted(below, tail * (1 + 1e-12), side="right"))
    ordered = np.sort(x, axis=-1)
    return _make_interval("median difference", np.median(x, axis=-1), ordered, skip, side, level, n)


def hodges_lehmann(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    confidence: float = 0.95,
    alternative: str = "two-sided",
) -> Effect:
    """Return the Hodges–Lehmann estimate (the median of all pairwise means) with its interval.

    The interval inverts the Wilcoxon signed-ranks test (Hodges & Lehmann 1963).
    """
    x = differences(a, b, axes=1)
    n = x.shape[-1]
    check_size("a", n, 1, "differences")
    level = probability("confidence", confidence, 0.95)
    side = check_alternative(alternative)
    tail = (1 - level) / (2 if side == "two-sided" else 1)
    if n > LARGEST_WALSH:
        raise InputError(
            f"`hodges_lehmann` takes at most {LARGEST_WALSH} values, got {n}.",
            "Use `median_difference`, or `wilcoxon` with confidence=None.",
        )
    if n <= EXACT_UP_TO:
        # As many of the smallest pairwise means as the test would still reject.
        skip = int(np.searchsorted(cdf_without_ties(n), tail * (1 + 1e-12), side="right"))
    else:
        spread = np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        skip = int(np.floor(n * (n + 1) / 4 + special.ndtri(tail) * spread))
    last = n * (n + 1) // 2 - 1
    estimate, low, high = walsh_quantiles(
        x.reshape(-1, n), max(skip - 1, 0), last - max(skip - 1, 0)
    )
    shape = x.shape[:-1]
    edges = np.stack([low, high], axis=-1).reshape(*shape, 2)
    return _make_interval(
        "Hodges–Lehmann estimate", estimate.reshape(shape), edges, min(skip, 1), side, level, n
    )


def _make_interval(
    name: str, estimate: Floats, ordered: Floats, skip: int, side: Alternative, level: float, n: int
) -> Effect:
    """Build the interval between the skip-th smallest and the skip-th largest value."""
    notes: tuple[Note, ...] = ()
    if skip == 0:
        low, high = np.full(estimate.shape, -np.inf), np.full(estimate.shape, np.inf)
        detail = f"{n} values are too few for an interval at {percentage(level)}; it is unbounded."
        notes = (Note("no-interval", "Too few values for an interval", detail, "info"),)
    else:
        low, high = ordered[..., skip - 1], ordered[..., ordered.shape[-1] - skip]
    if side == "less":
        low = np.full(estimate.shape, -np.inf)
    if side == "greater":
        high = np.full(estimate.shape, np.inf)
    return Effect(name, plain(estimate), Interval(plain(low), plain(high), level), n, notes)


def cohens_d(
    a: ArrayLike, b: ArrayLike | None = None, *, confidence: float = 0.95, unbiased: bool = False
) -> Effect:
    """Return Cohen's d for paired data, mean / standard deviation of A − B.

    The interval inverts the noncentral t distribution. ``unbiased`` applies Hedges' correction.
    Identical learners have d = 0; a constant difference has d = ±∞, and no bounds: values without
    spread do not tell how large d may be.
    """
    x = differences(a, b, axes=1, finite=False)
    n = x.shape[-1]
    check_size("a", n, 3 if unbiased else 2, "differences")
    level = probability("confidence", confidence, 0.95)
    mean, deviation = mean_and_deviation(x)
    flat = deviation == 0
    safe = np.where(flat, 1.0, deviation)
    t = np.where(flat, 0.0, mean / safe) * np.sqrt(n)
    low = _noncentrality(t, n - 1.0, 0.5 + level / 2) / np.sqrt(n)
    high = _noncentrality(t, n - 1.0, 0.5 - level / 2) / np.sqrt(n)
    d = t / np.sqrt(n)
    if unbiased:
        factor = np.exp(special.gammaln((n - 1) / 2) - special.gammaln((n - 2) / 2)) * np.sqrt(
            2 / (n - 1)
        )
        d, low, high = d * factor, low * factor, high * factor
    limit = np.where(mean == 0, 0.0, np.copysign(np.inf, mean))
    d = np.where(flat, limit, d)
    low, high = (np.where(flat, end, part) for end, part in ((-np.inf, low), (np.inf, high)))
    name = "Hedges' g, paired" if unbiased else "Cohen's d, paired"
    return Effect(name, plain(d), Interval(plain(low), plain(high), level), n)


def _noncentrality(t: Floats, df: float, probability_below: float) -> Floats:
    """Find the noncentrality at which P(T ≤ t) is as given, by bisection."""
    # With t in the hundreds the noncentrality is t times the estimated spread, and no more.
    far = t * np.sqrt(2 * special.gammaincinv(df / 2, 1 - probability_below) / df)
    far = np.where(t < 0, t * np.sqrt(2 * special.gammaincinv(df / 2, probability_below) / df), far)
    low, high = np.minimum(t, far) - 10.0, np.maximum(t, far) + 10.0
    for _ in range(70):
        middle = (low + high) / 2
        above = special.nctdtr(df, middle, t) > probability_below
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.where(np.abs(t) > 1000, far, (low + high) / 2)


def rank_biserial(a: ArrayLike, b: ArrayLike | None = None, *, confidence: float = 0.95) -> Effect:
    """Return the matched rank-biserial correlation (R+ − R−) / (R+ + R−) (Kerby 2014).

    R+ and R− are those of `wilcoxon`. The interval is of Wilson's form: it holds every ρ with
    (r − ρ)² ≤ t² c (1 − ρ²), where c is the jackknife variance over 1 − r², averaged with five
    data sets' worth of its value under the null hypothesis, 4/(3N). For the expected r over as
    many data sets it covered 94.7 to 100 % at a nominal 95 %, 97 % on average, the fewer data
    sets the more cautious; and 91.8 % in one of the 49 cases, 14 data sets of which a fifth have
    large opposite differences. Cases: 6 to 60 data sets from normal, skewed, heavy-tailed, mixed
    and rounded distributions, 3000 samples each (so ±.8 points).
    """
    x = differences(a, b, axes=1)
    n = x.shape[-1]
    check_size("a", n, 2, "differences")
    level = probability("confidence", confidence, 0.95)
    tolerance = tie_tolerance(a, b, x)
    ranked = rank_differences(x.reshape(-1, n), tolerance.reshape(-1, n))
    half = ranked.n * (ranked.n + 1) / 4
    r_plus = np.einsum("ij,ij->i", ranked.ranks, ranked.positive) + ranked.zero_share
    r = np.divide(r_plus - half, half, out=np.zeros_like(half), where=half > 0)
    r = r.reshape(x.shape[:-1])
    without = _rank_biserial_without_each(x, tolerance)
    spread = (n - 1) / n * ((without - without.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    # With every sign alike the jackknife sees no spread; the null hypothesis's stands in.
    usual, rest = 4 / (3 * n), 1 - r**2
    own = np.where(rest > 1e-9, spread / np.maximum(rest, 1e-9), usual)
    c = (n * own + NULL_DATA_SETS * usual) / (n + NULL_DATA_SETS)
    reach = special.stdtrit(n - 1.0, 0.5 + level / 2) ** 2 * c
    middle, width = r / (1 + reach), np.sqrt(reach * (1 + reach - r**2)) / (1 + reach)
    low, high = np.clip(middle - width, -1.0, r), np.clip(middle + width, r, 1.0)
    return Effect(
        "rank-biserial correlation", plain(r), Interval(plain(low), plain(high), level), n
    )


def _rank_biserial_without_each(x: Floats, tolerance: Floats) -> Floats:
    """Return the correlation without value i, for each i.

    sign(xᵢ + xⱼ) over all i ≤ j sums to R+ − R−, ties and zeros included.
    """
    n = x.shape[-1]
    own = np.empty(x.shape)
    signs = np.where(np.abs(x) <= tolerance, 0.0, np.sign(x))
    for i in range(n):
        sums, sign = x + x[..., i : i + 1], signs[..., i : i + 1]
        opposed = np.abs(sums) <= np.maximum(tolerance, tolerance[..., i : i + 1])
        larger = np.where(sign * signs == 0, sign + signs, np.sign(sums))
        own[..., i] = np.where(opposed & (sign * signs < 0), 0.0, larger).sum(axis=-1)
    excess = (own.sum(axis=-1) + signs.sum(axis=-1)) / 2
    return (excess[..., None] - own) / (n * (n - 1) / 2)


@dataclass(frozen=True, slots=True, eq=False)
class WinTieLoss:
    """Counts of wins, ties and losses of A, and its share of wins with an interval."""

    wins: Value
    ties: Value
    losses: Value
    share: Value
    interval: Interval


def win_tie_loss(
    a: ArrayLike, b: ArrayLike | None = None, *, rope: float = 0.0, confidence: float = 0.95
) -> WinTieLoss:
    """Count wins, ties and losses of A; differences within ``rope`` are ties.

    The share counts ties by half; its interval is Wilson's.
    """
    x = differences(a, b, axes=1)
    check_size("a", x.shape[-1], 1, "differences")
    width = positive("rope", rope, "Pass the largest difference that does not matter.", zero=True)
    edge = rope_edge(width, tie_tolerance(a, b, x))
    wins, losses = (x > edge).sum(axis=-1), (x < -edge).sum(axis=-1)
    ties = x.shape[-1] - wins - losses
    share = (wins + ties / 2) / x.shape[-1]
    level = probability("confidence", confidence, 0.95)
    interval = wilson_of_share(share, np.asarray(float(x.shape[-1])), level)
    return WinTieLoss(plain(wins), plain(ties), plain(losses), plain(share), interval)
