"""Two learners on the items of one test set: right or wrong, a grade or a loss for each item.

Arrays have the items on the last axis; leading axes hold further comparisons. Items may stand in
clusters (the questions on one passage, the images of one patient), which are drawn as a whole: then
clusters, and not items, are what varies independently.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.result import Alternative, Result
from twofold.seeds import rng
from twofold.stats.arguments import (
    Floats,
    check_alternative,
    check_size,
    differences,
    index_clusters,
    whole,
)
from twofold.stats.distributions import normal_pvalue
from twofold.stats.t_tests import degenerate_notes, plain, ratio_or_limit, student_result

FLIPPED_EXACTLY_UP_TO = 20
"""Clusters up to which all flips of signs are tried: about a million."""
FLIPS = 100_000
"""Flips that are drawn where there are more."""
DRAWN_AT_ONCE = 1000
DRAWN_UP_TO = 1000
"""Clusters up to which flips are drawn; beyond, the normal distribution is nearer than draws."""
SAME_MEAN = "On new items both learners have the same mean score."
SYMMETRIC = "The sums of differences A − B of clusters are distributed symmetrically around zero."


def clustered_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    clusters: ArrayLike | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on the items of a test set, by a standard error over clusters.

    With d the differences and G clusters, the standard error of their mean is
    √(G/(G−1) · Σ_g (Σ_{i∈g} (d_i − d̄))²) / n, and the mean over it is compared with t, G − 1 df.
    Without clusters this is the paired t test.

    Parameters
    ----------
    a, b : array (..., items)
        A score of each learner on each item, the mean over samples where there are several; or,
        without ``b``, the differences.
    clusters : array (items), optional
        The cluster of each item: numbers or names. Each item is its own by default.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None

    Returns
    -------
    Result
        ``details`` has standard_error, clusters, and effective_items: as many independent items
        would have this standard error.

    Notes
    -----
    Null hypothesis: on new items both learners have the same mean score. It says nothing of the
    variation between training sets. The standard error is that of Inspect's ``stderr(cluster=…)``;
    Miller (2024) has it without the factor G/(G−1).

    Examples
    --------
    >>> a, b = [1, 1, 0, 1, 1, 1], [0, 1, 0, 0, 0, 1]
    >>> result = clustered_t(a, b, clusters=["x", "x", "y", "y", "z", "z"])
    >>> round(result.details["standard_error"], 4), result.df
    (0.0, 2.0)
    """
    side = check_alternative(alternative)
    d = differences(a, b, axes=1)
    totals, sizes = sum_clusters(d, clusters)
    n, count = d.shape[-1], totals.shape[-1]
    mean = d.mean(axis=-1)
    off = totals - sizes * mean[..., None]
    # Sums that are equal but for rounding have no spread.
    off = np.where(np.abs(off) < 64 * np.finfo(float).eps * np.abs(totals).max(initial=0), 0.0, off)
    error = np.sqrt(count / (count - 1) * (off**2).sum(axis=-1)) / n
    alone = np.sqrt(d.var(axis=-1, ddof=1) / n)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(error > 0, n * (alone / error) ** 2, float(n))
    return student_result(
        "clustered-t",
        mean,
        error,
        float(count - 1),
        alternative=side,
        confidence=confidence,
        n=n,
        notes=[],
        null=SAME_MEAN,
        flat_notes=degenerate_notes(mean, error),
        details={"clusters": count, "effective_items": plain(effective)},
    )


def sign_flip(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    clusters: ArrayLike | None = None,
    draws: int = FLIPS,
    seed: int = 0,
    alternative: str = "two-sided",
) -> Result:
    """Compare two learners on the items of a test set, by flipping the signs of whole clusters.

    Under the null hypothesis A and B could be exchanged in any cluster. The p value is the share of
    such exchanges that give a mean difference as far from zero as the observed one. Up to 20
    clusters all of them are tried; up to 1000 many are drawn, and the observed one counts among
    them; with more clusters the normal distribution stands for them.

    Parameters
    ----------
    a, b, clusters, alternative
        As `clustered_t` takes them.
    draws : int
        How many exchanges are drawn where there are more than 20 clusters.
    seed : int
        Where the draws come from.

    Returns
    -------
    Result
        ``statistic`` is the mean difference; ``details`` has clusters, flips (how many exchanges
        were tried, 0 where the normal distribution stands for them) and exact: whether all were.

    Notes
    -----
    Null hypothesis: the sums of differences of clusters are distributed symmetrically around zero.

    Examples
    --------
    >>> sign_flip([3, 1, 2, 4], [1, 0, 1, 1]).pvalue
    0.125
    """
    side = check_alternative(alternative)
    tried = whole("draws", draws, 1)
    root = whole("seed", seed, 0)
    d = differences(a, b, axes=1)
    totals, _ = sum_clusters(d, clusters)
    shape, count = totals.shape[:-1], totals.shape[-1]
    flat = totals.reshape(-1, count)
    exact = count <= FLIPPED_EXACTLY_UP_TO
    if exact:
        pvalue = np.array([_share_of_all_flips(row, side) for row in flat])
        tried = 2**count
    elif count <= DRAWN_UP_TO:
        pvalue = _share_of_drawn_flips(flat, tried, root, side)
    else:
        z = ratio_or_limit(flat.sum(axis=-1), np.sqrt((flat**2).sum(axis=-1)))
        pvalue, tried = normal_pvalue(z, side), 0
        pvalue = np.where((flat == 0).all(axis=-1), 1.0, pvalue)
    mean = d.mean(axis=-1)
    return Result(
        method="sign-flip",
        statistic=plain(mean),
        pvalue=plain(pvalue.reshape(shape)),
        df=None,
        estimate=plain(mean),
        interval=None,
        alternative=side,
        null=SYMMETRIC,
        n=d.shape[-1],
        notes=tuple(degenerate_notes(mean, np.where((d == 0).all(axis=-1), 0.0, 1.0))),
        details={"clusters": count, "flips": tried, "exact": exact},
    )


def sum_clusters(d: Floats, clusters: ArrayLike | None) -> tuple[Floats, Floats]:
    """Return the sum of the differences of each cluster, (..., clusters), and its size."""
    n = d.shape[-1]
    if clusters is None:
        check_size("a", n, 2, "items")
        return d, np.ones(n)
    index = index_clusters(clusters, n)
    count = int(index.max()) + 1
    check_size("clusters", count, 2, "clusters")
    flat = d.reshape(-1, n)
    totals: Floats = np.stack([np.bincount(index, row, count) for row in flat]).astype(np.float64)
    sizes = np.bincount(index, minlength=count).astype(np.float64)
    return totals.reshape(*d.shape[:-1], count), sizes


def _share_of_all_flips(totals: Floats, side: Alternative) -> float:
    """Return the share of all flips that reach as far as what was observed."""
    sums = np.zeros(1)
    for value in totals:
        sums = np.concatenate([sums - value, sums + value])
    return float(_reaches(sums, totals.sum(), np.abs(totals).sum(), side).mean())


def _reaches(sums: Floats, observed: Floats, size: Floats, side: Alternative) -> NDArray[np.bool_]:
    """Tell which sums are as far from zero as the observed one, but for rounding."""
    slack = 64 * np.finfo(np.float64).eps * size
    if side == "less":
        return np.asarray(sums <= observed + slack)
    if side == "greater":
        return np.asarray(sums >= observed - slack)
    return np.asarray(np.abs(sums) >= np.abs(observed) - slack)


def _share_of_drawn_flips(totals: Floats, draws: int, seed: int, side: Alternative) -> Floats:
    """Return the shares for several comparisons, which are flipped alike."""
    observed, size = totals.sum(axis=-1)[:, None], np.abs(totals).sum(axis=-1)[:, None]
    reached = np.zeros(len(totals))
    for start in range(0, draws, DRAWN_AT_ONCE):
        random = rng(seed, "sign flips", totals.shape[-1], start)
        rows = min(DRAWN_AT_ONCE, draws - start)
        signs = 2.0 * random.integers(0, 2, (totals.shape[-1], rows), dtype=np.int8) - 1.0
        reached += _reaches(totals @ signs, observed, size, side).sum(axis=-1)
    return np.asarray((reached + 1) / (draws + 1))
