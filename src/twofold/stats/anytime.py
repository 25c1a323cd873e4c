"""Tests that may be looked at after every item or data set, and stopped whenever one likes.

An e-process is the capital of someone who bets against the null hypothesis, beginning with 1. As
long as it is true, bets are fair, and the capital ever reaches 1/α with probability α at most
(Ville). So 1/capital is a p value that holds at any time, and the differences against which the
capital stays below 1/α are an interval that does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from twofold.errors import InputError
from twofold.result import Alternative, Interval, Note, Result
from twofold.stats.arguments import (
    Floats,
    broadcast_counts,
    check_alternative,
    check_size,
    counts,
    differences,
    floats,
    index_clusters,
    probability,
)
from twofold.stats.bets import (
    bet_on_mean,
    bet_on_wins,
    bound_means,
    bound_median,
    count_values,
)
from twofold.stats.counts import note_no_discordance
from twofold.stats.item_tests import SAME_MEAN
from twofold.stats.signed_rank import tie_tolerance
from twofold.stats.t_tests import degenerate_notes, plain

LARGEST_LOG = 700.0
"""Logarithms up to which a capital is written as a number."""


def anytime_sign(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners over data sets by wins, as often as one likes while data sets come in.

    After w wins and l losses the capital is 2^(w+l) · B(w + ½, l + ½) / B(½, ½); the p value is
    one over it. Ties count for neither.

    Parameters
    ----------
    a, b : array (..., data sets)
        Scores of the two learners; or, without ``b``, their differences.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None
        Level of the interval for the median difference, which holds at any time too.

    Returns
    -------
    Result
        ``statistic`` is the capital (the e-value); ``details`` has wins, ties, losses.

    Notes
    -----
    Null hypothesis: either learner is as likely to win on a new data set.

    Examples
    --------
    >>> round(anytime_sign([0.02, 0.01, 0.03, 0.02, 0.01, 0.04, 0.02]).statistic, 2)
    26.81
    """
    side = check_alternative(alternative)
    x = differences(a, b, axes=1)
    n = x.shape[-1]
    check_size("a", n, 1, "data sets")
    tolerance = tie_tolerance(a, b, x)
    wins, losses = (x > tolerance).sum(axis=-1), (x < -tolerance).sum(axis=-1)
    capital = bet_on_wins(wins, losses, side)
    interval = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        interval = bound_median(np.sort(x, axis=-1), side, level)
    return _make_result(
        "anytime-sign",
        capital,
        np.median(x, axis=-1),
        interval,
        side,
        "Either learner is equally likely to win on a new data set.",
        n,
        {"wins": plain(wins), "ties": plain(n - wins - losses), "losses": plain(losses)},
        degenerate_notes(wins + losses, wins + losses),
    )


def anytime_mcnemar(
    n01: ArrayLike,
    n10: ArrayLike,
    n: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two classifiers on a growing test set, as often as one likes.

    With m = n01 + n10 the capital is 2^m · B(n10 + ½, n01 + ½) / B(½, ½); the p value is one over
    it.

    Parameters
    ----------
    n01, n10 : counts
        Examples that only A, and only B, misclassifies (see `disagreements`).
    n : counts, optional
        Size of the test set so far; with it the answer has an estimate, accuracy of A − B, and an
        interval that holds at any time, that of `anytime_mean`.
    alternative : {"two-sided", "less", "greater"}
        "greater": A is the more accurate one.
    confidence : float or None

    Notes
    -----
    Null hypothesis: both classifiers have the same error rate. It says nothing of the variation
    between training sets.

    Examples
    --------
    >>> round(anytime_mcnemar(10, 25).statistic, 3)
    3.703
    """
    side = check_alternative(alternative)
    only_a, only_b = broadcast_counts(counts("n01", n01), counts("n10", n10))
    if confidence is not None:
        probability("confidence", confidence, 0.95)
    capital = bet_on_wins(only_b, only_a, side)
    estimate, interval = None, None
    if n is not None:
        only_a, only_b, size = broadcast_counts(only_a, only_b, counts("n", n))
        if (only_a + only_b > size).any() or (size < 1).any():
            raise InputError(
                "`n` must be at least n01 + n10 and at least 1.",
                "Pass the size of the whole test set.",
            )
        estimate = (only_b - only_a) / size
        if confidence is not None:
            weights = np.stack([only_a, size - only_a - only_b, only_b], axis=-1)
            values = np.array([-1.0, 0.0, 1.0])
            counted = [(values, values, row) for row in weights.reshape(-1, 3)]
            interval = bound_means(counted, size.shape, (-1.0, 1.0), side, confidence)
    seen = int(np.max(only_a + only_b)) if n is None else int(np.max(n))
    return _make_result(
        "anytime-mcnemar",
        capital,
        estimate,
        interval,
        side,
        "The two classifiers have the same error rate on new examples.",
        seen,
        {},
        note_no_discordance(only_a + only_b == 0),
    )


def anytime_mean(
    a: ArrayLike,
    b: ArrayLike | None = None,
    *,
    clusters: ArrayLike | None = None,
    bounds: tuple[float, float] = (-1.0, 1.0),
    difference: float = 0.0,
    alternative: str = "two-sided",
    confidence: float | None = 0.95,
) -> Result:
    """Compare two learners on growing items by their mean difference, as often as one likes.

    Each item is a bet on its difference d. Against the null hypothesis that the mean is δ or less,
    the capital is the mean of ∏ (1 + λ (dᵢ − δ)) over stakes λ from 0 to 1 / (δ − lowest)
    (Waudby-Smith & Ramdas 2024, by a mixture of stakes). It needs no more than that differences
    are bounded.

    Parameters
    ----------
    a, b : array (..., items)
        A score of each learner on each item; or, without ``b``, the differences.
    clusters : array (items), optional
        The cluster of each item. A bet is then on the mean difference of a cluster, and the mean is
        that over clusters, each counting alike.
    bounds : pair of numbers
        The lowest and the highest difference that can be: −1 and 1 for scores from 0 to 1.
    difference : float
        The mean difference A − B under the null hypothesis.
    alternative : {"two-sided", "less", "greater"}
    confidence : float or None
        Level of the interval for the mean, which holds at any time too.

    Notes
    -----
    Null hypothesis: on new items the mean difference A − B is the given one.

    Examples
    --------
    >>> d = [1, 0, 0, 1, 0, 1, 1, 0, -1, 1] * 4
    >>> result = anytime_mean(d)
    >>> round(result.statistic, 1), round(result.interval.low, 3), round(result.interval.high, 3)
    (54.1, 0.041, 0.702)
    """
    side = check_alternative(alternative)
    low, high = (float(end) for end in floats("bounds", bounds, axes=1))
    x = differences(a, b, axes=1)
    if clusters is not None:
        x = _average_clusters(x, clusters)
    slack = 1e-9 * (high - low)
    if low >= high or (x < low - slack).any() or (x > high + slack).any():
        raise InputError(
            f"Differences must lie between the bounds, {low:g} and {high:g}.",
            "Pass the lowest and the highest difference that scores can have.",
        )
    if not low < difference < high:
        raise InputError(
            f"`difference` must lie between {low:g} and {high:g}, got {difference!r}.",
            "Pass a difference that scores can have.",
        )
    x = np.clip(x, low, high)
    spread = np.abs(x).max(axis=-1)
    rows = x.reshape(-1, x.shape[-1])
    shape = x.shape[:-1]
    null = np.asarray(float(difference))
    counted = [count_values(row, low, high) for row in rows]
    capital = np.array([bet_on_mean(c, null, (low, high), side) for c in counted])
    interval = None
    if confidence is not None:
        level = probability("confidence", confidence, 0.95)
        interval = bound_means(counted, shape, (low, high), side, level)
    return _make_result(
        "anytime-mean",
        capital.reshape(shape),
        x.mean(axis=-1),
        interval,
        side,
        SAME_MEAN if difference == 0 else "On new items the mean difference is the given one.",
        np.shape(differences(a, b, axes=1))[-1],
        {"clusters": x.shape[-1]},
        degenerate_notes(spread, spread) if difference == 0 else [],
    )


def _average_clusters(x: Floats, clusters: ArrayLike) -> Floats:
    """Return the mean of each cluster, (..., clusters)."""
    index = index_clusters(clusters, x.shape[-1])
    sizes = np.bincount(index)
    order = np.argsort(index, kind="stable")
    starts = np.cumsum(sizes) - sizes
    return np.asarray(np.add.reduceat(x[..., order], starts, axis=-1) / sizes)


def _make_result(
    method: str,
    capital: Floats,
    estimate: Floats | None,
    interval: Interval | None,
    side: Alternative,
    null: str,
    n: int,
    details: dict[str, object],
    notes: list[Note],
) -> Result:
    """Build the answer of a test from the logarithm of its capital."""
    return Result(
        method=method,
        statistic=plain(np.exp(np.minimum(capital, LARGEST_LOG))),
        pvalue=plain(np.exp(-np.maximum(capital, 0.0))),
        df=None,
        estimate=None if estimate is None else plain(np.asarray(estimate)),
        interval=interval,
        alternative=side,
        null=null,
        n=n,
        notes=tuple(notes),
        details={**details, "log_capital": plain(capital)},
    )
