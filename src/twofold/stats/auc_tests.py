"""Areas under ROC curves on one test set: their covariance, and the test of DeLong."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Interval, Result
from twofold.stats.arguments import Floats, check_alternative, check_size, floats, probability
from twofold.stats.distributions import normal_pvalue
from twofold.stats.ranking import rank_ascending
from twofold.stats.t_tests import degenerate_notes, plain, ratio_or_limit

SAME_AREA = "On new examples both classifiers have the same area under the ROC curve."


@dataclass(frozen=True, eq=False)
class Areas:
    """Areas under the ROC curves of several classifiers on one test set.

    Attributes
    ----------
    areas : array (classifiers)
    covariance : array (classifiers, classifiers)
        Of the areas, over new examples of both classes.
    """

    areas: Floats
    covariance: Floats


def roc_areas(truth: ArrayLike, scores: ArrayLike) -> Areas:
    """Return the areas of several classifiers and their covariance (DeLong et al. 1988).

    Parameters
    ----------
    truth : array (examples)
        1 or True for the positive class, 0 or False for the other.
    scores : array (classifiers, examples)
        Higher for what is more probably positive; equal scores count by half.

    Notes
    -----
    By midranks, O(n log n) for each classifier (Sun & Xu 2014).
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
    together = _midranks(values)
    # Of a positive example: the share of negative ones below it; of a negative one: of those above.
    above = (together[:, positive] - _midranks(values[:, positive])) / n
    below = 1 - (together[:, ~positive] - _midranks(values[:, ~positive])) / m
    covariance = np.atleast_2d(np.cov(above)) / m + np.atleast_2d(np.cov(below)) / n
    return Areas(above.mean(axis=-1), covariance)


def _midranks(values: Floats) -> Floats:
    """Return ranks from the lowest, 1; equal values share theirs, and others are never ties."""
    return rank_ascending(values, np.zeros((*values.shape[:-1], 1)))


def delong(
    truth: ArrayLike,
    scores_a: ArrayLike,
    scores_b: ArrayLike,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two classifiers on one test set by their areas under the ROC curve.

    Parameters
    ----------
    truth : array (examples) of 0 and 1
    scores_a, scores_b : array (examples)
        Higher for what is more probably positive.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None

    Notes
    -----
    Null hypothesis: on new examples both have the same area. It says nothing of the variation
    between training sets (DeLong, DeLong & Clarke-Pearson 1988).

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
    curves = roc_areas(truth, np.stack([first, second]))
    gap = curves.areas[0] - curves.areas[1]
    variance = curves.covariance[0, 0] + curves.covariance[1, 1] - 2 * curves.covariance[0, 1]
    error = np.sqrt(np.maximum(variance, 0.0))
    z = ratio_or_limit(gap, error)
    pvalue = np.where((error == 0) & (gap == 0), 1.0, normal_pvalue(z, side))
    interval = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        reach = -special.ndtri((1 - level) / (2 if side == "two-sided" else 1)) * error
        low = -1.0 if side == "less" else max(-1.0, gap - reach)
        high = 1.0 if side == "greater" else min(1.0, gap + reach)
        interval = Interval(float(low), float(high), level)
    return Result(
        method="delong",
        statistic=plain(z),
        pvalue=plain(pvalue),
        df=None,
        estimate=plain(gap),
        interval=interval,
        alternative=side,
        null=SAME_AREA,
        n=first.size,
        notes=tuple(degenerate_notes(gap, error)),
        details={
            "area_a": plain(curves.areas[0]),
            "area_b": plain(curves.areas[1]),
            "standard_error": plain(error),
        },
    )
