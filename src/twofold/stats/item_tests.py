"""Two learners on the items of one test set: right or wrong, a grade or a loss for each item.

Arrays have the items on the last axis; leading axes hold further comparisons. Items may stand in
clusters (the questions on one passage, the images of one patient), which are drawn as a whole: then
clusters, and not items, are what varies independently.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InputError
from twofold.result import Alternative, Interval, Result
from twofold.stats.arguments import (
    ROUNDING,
    Floats,
    check_alternative,
    check_size,
    differences,
    index_clusters,
    probability,
)
from twofold.stats.sign_flips import FLIPPED_EXACTLY_UP_TO, flip_intervals, flip_pvalues
from twofold.stats.t_tests import degenerate_notes, plain, student_result

SAME_MEAN = "On new items both learners have the same mean score."
SYMMETRIC = "The sums of differences A − B of clusters are distributed symmetrically around zero."


def clustered_t(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on the items of a test set, by a standard error over clusters.

    With d the differences and G clusters, the standard error of their mean is
    √(G/(G−1) · Σ_g (Σ_{i∈g} (d_i − d̄))²) / n, and the mean over it is compared with t, G − 1 df.
    Without clusters this is the paired t test.

    With strata (the tasks of a benchmark) the mean of their means is compared: each stratum counts
    the same, its standard error is that of its own items, and df are Satterthwaite's.

    Parameters
    ----------
    a, b : array (..., items)
        A score of each learner on each item, the mean over samples where there are several; or,
        without ``b``, the differences.
    clusters : array (items), optional
        The cluster of each item: numbers or names. Each item is its own by default.
    strata : array (items), optional
        The stratum of each item. Where a cluster has items of several strata, df are G − 1.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None

    Returns
    -------
    Result
        ``details`` has standard_error; clusters; effective_clusters, n²/Σn_g²: as many clusters of
        equal size; and effective_items: as many independent items would have this standard error.

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
    groups = group_items(d.shape[-1], clusters, strata)
    mean, error, df = _find_moments(d, groups)
    _, alone, _ = _find_moments(d, group_items(d.shape[-1], None, strata))
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.where(error == 0, 1.0, (alone / error) ** 2)
    return student_result(
        "clustered-t",
        mean,
        error,
        df,
        alternative=side,
        confidence=confidence,
        n=d.shape[-1],
        notes=[],
        null=SAME_MEAN,
        flat_notes=degenerate_notes(mean, error),
        details={
            "clusters": len(groups.sizes),
            "effective_clusters": float(groups.sizes.sum() ** 2 / (groups.sizes**2).sum()),
            "effective_items": plain(gain * d.shape[-1]),
        },
    )


def sign_flip(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on the items of a test set, by flipping the signs of whole clusters.

    Under the null hypothesis A and B could be exchanged in any cluster. The p value is the share of
    such exchanges that give a mean difference as far from zero as the observed one; those that give
    exactly the same count by half, as in mid-p tests. Up to 16 clusters all of them are tried; with
    more, the saddlepoint approximation of Robinson (1982) gives their share, and with more than
    1000 the normal distribution. The interval holds the shifts of all differences that the test
    does not reject.

    Parameters
    ----------
    a, b, clusters, strata, alternative, confidence
        As `clustered_t` takes them.

    Returns
    -------
    Result
        ``statistic`` is the mean difference; ``details`` has clusters, and exact: whether all
        exchanges were tried.

    Notes
    -----
    Null hypothesis: the sums of differences of clusters are distributed symmetrically around zero.
    Clusters may be of any sizes: a cluster of many items has a large sum, and its sign is flipped
    as a whole.

    Examples
    --------
    >>> sign_flip([3, 1, 2, 4], [1, 0, 1, 1]).pvalue
    0.125
    """
    side = check_alternative(alternative)
    level = None if confidence is None else probability("confidence", confidence, 0.95)
    d = differences(a, b, axes=1)
    groups = group_items(d.shape[-1], clusters, strata)
    totals = groups.sum_clusters(d * groups.weights)
    mean = d.mean(axis=-1) if strata is None else (d * groups.weights).mean(axis=-1)
    return flip_totals(totals, groups.sizes, mean, d.shape[-1], side, level)


def flip_totals(
    totals: Floats, sizes: Floats, mean: Floats, n: int, side: Alternative, level: float | None
) -> Result:
    """Return the answer of `sign_flip` from the sums of clusters, (..., clusters)."""
    shape, count = totals.shape[:-1], totals.shape[-1]
    flat = totals.reshape(-1, count)
    # Sums that are zero but for rounding are zero.
    largest = np.abs(flat).max(axis=-1, keepdims=True, initial=0)
    flat = np.where(np.abs(flat) < ROUNDING * largest, 0.0, flat)
    pvalue = flip_pvalues(flat, side)
    interval = None
    if level is not None:
        low, high = flip_intervals(flat, sizes, side, level)
        # Exchanges that tie, and approximations, may leave zero on the other side of an end.
        kept = pvalue > 1 - level + 1e-12
        above = flat.sum(axis=-1) > 0
        low = np.where(kept, np.minimum(low, 0.0), np.where(above, np.maximum(low, 0.0), low))
        high = np.where(kept, np.maximum(high, 0.0), np.where(above, high, np.minimum(high, 0.0)))
        interval = Interval(plain(low.reshape(shape)), plain(high.reshape(shape)), level)
    spread = np.where((flat == 0).all(axis=-1), 0.0, 1.0).reshape(shape)
    return Result(
        method="sign-flip",
        statistic=plain(mean),
        pvalue=plain(pvalue.reshape(shape)),
        df=None,
        estimate=plain(mean),
        interval=interval,
        alternative=side,
        null=SYMMETRIC,
        n=n,
        notes=tuple(degenerate_notes(mean, spread)),
        details={"clusters": count, "exact": count <= FLIPPED_EXACTLY_UP_TO},
    )


@dataclass(frozen=True, slots=True, eq=False)
class ItemGroups:
    """How items stand in clusters and strata.

    Attributes
    ----------
    cluster, stratum : arrays (items) of int
    of_cluster : array (clusters) of int or None
        The stratum of each cluster; None where one has items of several strata.
    weights : array (items)
        Each stratum has the same sum of weights; their mean is 1.
    sizes : array (clusters)
        Sums of weights.
    item_counts : array (strata)
        Items of each stratum.
    cluster_counts : array (strata)
        Clusters of each stratum.
    """

    cluster: NDArray[np.intp]
    stratum: NDArray[np.intp]
    of_cluster: NDArray[np.intp] | None
    weights: Floats
    sizes: Floats
    item_counts: Floats
    cluster_counts: Floats

    def sum_clusters(self, d: Floats) -> Floats:
        """Return the sums of items (..., items) in each cluster, (..., clusters)."""
        count = len(self.sizes)
        if count == d.shape[-1]:
            totals = np.empty_like(d)
            totals[..., self.cluster] = d
            return totals
        return _sum_by(d, self.cluster, count)


def group_items(n: int, clusters: ArrayLike | None, strata: ArrayLike | None) -> ItemGroups:
    """Return how ``n`` items stand in clusters and strata; refuse too few of them."""
    stratum = np.zeros(n, dtype=np.intp)
    if strata is not None:
        stratum = index_clusters(strata, n, "strata", "stratum")
    cluster = np.arange(n)
    if clusters is None:
        check_size("a", n, 2, "items")
    else:
        cluster = index_clusters(clusters, n)
        check_size("clusters", int(cluster.max()) + 1, 2, "clusters")
    count = int(cluster.max()) + 1
    members = np.unique(cluster * (int(stratum.max()) + 1) + stratum)  # clusters within strata
    of_cluster = members % (int(stratum.max()) + 1)
    cluster_counts = np.bincount(of_cluster).astype(np.float64)
    if cluster_counts.min() < 2:
        raise InputError(
            f"Each of `strata` must have at least 2 {'items' if clusters is None else 'clusters'}.",
            "Leave out strata with fewer: nothing tells how they vary.",
        )
    item_counts = np.bincount(stratum).astype(np.float64)
    weights = (n / len(item_counts) / item_counts)[stratum] if strata is not None else np.ones(n)
    sizes = np.bincount(cluster, weights, count).astype(np.float64)
    nested = of_cluster.astype(np.intp) if len(members) == count else None
    return ItemGroups(cluster, stratum, nested, weights, sizes, item_counts, cluster_counts)


def sum_clusters(d: Floats, clusters: ArrayLike | None) -> tuple[Floats, Floats]:
    """Return the sum of the differences of each cluster, (..., clusters), and its size."""
    groups = group_items(d.shape[-1], clusters, None)
    return groups.sum_clusters(d), groups.sizes


def _find_moments(d: Floats, groups: ItemGroups) -> tuple[Floats, Floats, Floats | float]:
    """Return the mean (over strata), its standard error, and degrees of freedom."""
    parts, n = len(groups.item_counts), d.shape[-1]
    totals = groups.sum_clusters(d * groups.weights)
    if parts == 1:
        mean = d.mean(axis=-1)
        off = totals - groups.sizes * mean[..., None]
    else:
        means = _sum_by(d, groups.stratum, parts) / groups.item_counts
        mean = means.mean(axis=-1)
        off = groups.sum_clusters((d - means[..., groups.stratum]) * groups.weights)
    # Sums that are equal but for rounding have no spread.
    largest = np.abs(totals).max(axis=-1, keepdims=True, initial=0)
    squares = np.where(np.abs(off) < ROUNDING * largest, 0.0, off) ** 2
    count = len(groups.sizes)
    if parts == 1 or groups.of_cluster is None:
        return mean, np.sqrt(count / (count - 1) * squares.sum(axis=-1)) / n, count - 1.0
    least = groups.cluster_counts
    variances = least / (least - 1) * _sum_by(squares, groups.of_cluster, parts)
    whole = variances.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = whole**2 / (variances**2 / (least - 1)).sum(axis=-1)
    return mean, np.sqrt(whole) / n, np.where(whole > 0, df, count - parts)


def _sum_by(values: Floats, labels: NDArray[np.intp], count: int) -> Floats:
    """Return the sums over the last axis of the values with each label."""
    flat = values.reshape(-1, values.shape[-1])
    sums = np.stack([np.bincount(labels, row, count) for row in flat])
    return np.asarray(sums.reshape(*values.shape[:-1], count))
