"""Areas under ROC curves on one test set: their covariance, and the test of DeLong.

Examples may stand in clusters, such as the images of one patient (Obuchowski 1997).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InputError
from twofold.result import Interval, Result
from twofold.stats.arguments import (
    ROUNDING,
    Floats,
    check_alternative,
    check_size,
    floats,
    index_clusters,
    probability,
)
from twofold.stats.distributions import student_pvalue, student_quantile
from twofold.stats.ranking import rank_ascending
from twofold.stats.t_tests import degenerate_notes, lacks_spread, plain, ratio_or_limit

SAME_AREA = "On new examples both classifiers have the same area under the ROC curve."


@dataclass(frozen=True, eq=False)
class Areas:
    """Areas under the ROC curves of several classifiers on one test set.

    Attributes
    ----------
    areas : array (classifiers)
    covariance : array (classifiers, classifiers)
        Of the areas, over new examples of both classes, or over new clusters.
    clusters : int or None
        How many clusters there are, where there are any.
    parts : pair of (covariance, count) or None
        Without clusters: what the positive and the negative examples each add to the covariance,
        and how many there are.
    """

    areas: Floats
    covariance: Floats
    clusters: int | None = None
    parts: tuple[tuple[Floats, int], tuple[Floats, int]] | None = None

    def degrees_of_freedom(self, weights: Floats) -> float:
        """Return those of a weighted sum of the areas: G − 1 of clusters, else Welch's.

        The variance is the sum of two, over positive and over negative examples, as in Welch's t
        test: where one class is rare its few examples decide.
        """
        if self.parts is None:
            return float(self.clusters or 2) - 1.0
        products = weights[:, None] * weights
        variances = np.array([max(float((products * c).sum()), 0.0) for c, _ in self.parts])
        least = np.array([count - 1.0 for _, count in self.parts])
        below = float((variances**2 / least).sum())
        return float(variances.sum() ** 2 / below) if below > 0 else float(least.min())


def roc_areas(truth: ArrayLike, scores: ArrayLike, *, clusters: ArrayLike | None = None) -> Areas:
    """Return the areas of several classifiers and their covariance (DeLong et al. 1988).

    Parameters
    ----------
    truth : array (examples)
        1 or True for the positive class, 0 or False for the other.
    scores : array (classifiers, examples)
        Higher for what is more probably positive; equal scores count by half.
    clusters : array (examples), optional
        The cluster of each example: numbers or names. Clusters may hold examples of one class or
        of both, and are independent of each other.

    Notes
    -----
    By midranks, O(n log n) for each classifier (Sun & Xu 2014); with clusters by the sums over
    clusters of what each example contributes (Obuchowski 1997).
    """
    labels = floats("truth", truth, axes=1)
    values = np.atleast_2d(floats("scores", scores, axes=1))
    if labels.ndim != 1 or values.shape != (len(values), len(labels)):
        raise InputError(
            f"`scores` must have a number for each of {labels.size} examples, got {values.shape}.",
            "Pass classifiers × examples.",
        )
    if not np.isin(labels, (0.0, 1.0)).all():
        raise InputError("`truth` must hold 0 and 1 only.", "Pass labels == positive.")
    positive = labels == 1
    m, n = int(positive.sum()), int((~positive).sum())
    check_size("truth", min(m, n), 2, "examples of either class")
    placed = place_examples(positive, values)
    above, below = placed[:, positive], placed[:, ~positive]
    areas = above.mean(axis=-1)
    if clusters is None:
        first, second = (
            _products(x, x) / (size - 1) / size
            for x, size in ((above - areas[:, None], m), (below - areas[:, None], n))
        )
        return Areas(areas, first + second, parts=((first, m), (second, n)))
    index = index_clusters(clusters, labels.size)
    count = int(index.max()) + 1
    check_size("clusters", count, 2, "clusters")
    of_positive, with_positive = _sum_parts(above - areas[:, None], index[positive], count)
    of_negative, with_negative = _sum_parts(below - areas[:, None], index[~positive], count)
    check_size("clusters", min(with_positive, with_negative), 2, "clusters with either class")
    both = _products(of_positive, of_negative) * (count / (count - 1) / (m * n))
    covariance = (
        _products(of_positive, of_positive) * (with_positive / (with_positive - 1) / m**2)
        + _products(of_negative, of_negative) * (with_negative / (with_negative - 1) / n**2)
        + both
        + both.T
    )
    return Areas(areas, covariance, count)


def place_examples(positive: NDArray[np.bool_], scores: Floats) -> Floats:
    """Return how well each example is placed, (classifiers, examples).

    Of a positive example that is the share of negative ones below it, of a negative one the share
    of positive ones above; equal scores count by half.
    """
    m, n = int(positive.sum()), int((~positive).sum())
    placed = _midranks(scores)
    placed[:, positive] -= _midranks(scores[:, positive])
    placed[:, ~positive] -= _midranks(scores[:, ~positive])
    placed[:, positive] /= max(n, 1)
    placed[:, ~positive] = 1 - placed[:, ~positive] / max(m, 1)
    return placed


def _products(first: Floats, second: Floats) -> Floats:
    """Return the sums of the products of rows, added up in the same order on every processor."""
    return np.einsum("ik,jk->ij", first, second)


def _sum_parts(parts: Floats, index: NDArray[np.intp], count: int) -> tuple[Floats, int]:
    """Return sums over clusters (classifiers, clusters), and how many clusters have any."""
    sums = np.stack([np.bincount(index, row, count) for row in parts]).astype(np.float64)
    return sums, len(np.unique(index))


def _midranks(values: Floats) -> Floats:
    """Return ranks from the lowest, 1; equal values share theirs, and others are never ties."""
    return rank_ascending(values, np.zeros((*values.shape[:-1], 1)))


def delong(
    truth: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two classifiers on one test set by their areas under the ROC curve.

    Parameters
    ----------
    truth : array (examples) of 0 and 1
    scores_a, scores_b : array (examples)
        Higher for what is more probably positive.
    clusters : array (examples), optional
        The cluster of each example.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None

    Notes
    -----
    Null hypothesis: on new examples both have the same area. It says nothing of the variation
    between training sets (DeLong, DeLong & Clarke-Pearson 1988; with clusters Obuchowski 1997).
    They take the normal distribution, which rejects too often with few examples of a class or few
    clusters. The statistic is compared with t here: with Welch's df, for the variance is the sum of
    two, over positive and over negative examples; or with one less than there are clusters.

    Examples
    --------
    >>> truth = [1, 1, 1, 0, 0, 0]
    >>> result = delong(truth, [0.9, 0.8, 0.4, 0.5, 0.2, 0.1], [0.9, 0.3, 0.4, 0.5, 0.8, 0.1])
    >>> round(result.estimate, 4)
    0.3333
    """
    side = check_alternative(alternative)
    first, second = floats("scores_a", scores_a, axes=1), floats("scores_b", scores_b, axes=1)
    if first.shape != second.shape:
        raise InputError(
            f"`scores_a` and `scores_b` must be of one shape, got {first.shape}, {second.shape}.",
            "Score the same examples with both classifiers.",
        )
    curves = roc_areas(truth, np.stack([first, second]), clusters=clusters)
    return compare_areas(curves, 0, 1, first.size, alternative=side, confidence=confidence)


def auc_interval(
    truth: ArrayLike,
    scores: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
) -> Interval:
    """Return the interval of the area under the ROC curve of one classifier.

    ``truth`` (examples) holds 0 and 1, ``scores`` (examples) what is higher for probable ones.

    >>> interval = auc_interval([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.4, 0.5, 0.2, 0.1])
    >>> round(interval.low, 3), interval.high
    (0.453, 1.0)
    """
    return find_area_interval(roc_areas(truth, scores, clusters=clusters), 0, confidence)


def find_area_interval(curves: Areas, index: int, confidence: float) -> Interval:
    """Return the interval of one of several areas."""
    level = probability("confidence", confidence, 0.95)
    df = curves.degrees_of_freedom(np.eye(len(curves.areas))[index])
    error = np.sqrt(max(float(curves.covariance[index, index]), 0.0))
    reach = float(student_quantile(0.5 + level / 2, df)) * error
    area = float(curves.areas[index])
    return Interval(float(max(0.0, area - reach)), float(min(1.0, area + reach)), level)


def compare_areas(
    curves: Areas,
    a: int,
    b: int,
    n: int,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two of several classifiers whose areas on n examples are known."""
    side = check_alternative(alternative)
    gap = curves.areas[a] - curves.areas[b]
    variance = curves.covariance[a, a] + curves.covariance[b, b] - 2 * curves.covariance[a, b]
    size = curves.covariance[a, a] + curves.covariance[b, b]
    # Scores in the same order have no difference but rounding.
    error = np.sqrt(np.where(variance > ROUNDING * size, variance, 0.0))
    gap = np.where(np.abs(gap) < ROUNDING, 0.0, gap)
    df = curves.degrees_of_freedom(np.eye(len(curves.areas))[a] - np.eye(len(curves.areas))[b])
    z = ratio_or_limit(gap, error)
    pvalue = np.where((error == 0) & (gap == 0), 1.0, student_pvalue(z, df, side))
    interval = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        tail = (1 - level) / (2 if side == "two-sided" else 1)
        reach = student_quantile(1 - tail, df) * error
        low = -1.0 if side == "less" else max(-1.0, float(gap - reach))
        high = 1.0 if side == "greater" else min(1.0, float(gap + reach))
        interval = Interval(low, high, level)
    details = {
        "area_a": plain(curves.areas[a]),
        "area_b": plain(curves.areas[b]),
        "standard_error": plain(error),
    }
    if curves.clusters is not None:
        details["clusters"] = curves.clusters
    return Result(
        method="delong",
        statistic=plain(z),
        pvalue=plain(pvalue),
        df=df,
        estimate=plain(gap),
        interval=interval,
        alternative=side,
        null=SAME_AREA,
        n=n,
        notes=tuple(degenerate_notes(gap, error)),
        no_spread=lacks_spread(gap, error),
        details=details,
    )
