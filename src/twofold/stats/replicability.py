"""Would a repetition give the same outcome? Measures from repeated experiments.

A repetition is the whole experiment once more on the same data, with other random splits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from twofold.errors import InputError
from twofold.result import Interval, Value
from twofold.stats.arguments import (
    Floats,
    check_choice,
    check_size,
    counts,
    floats,
    probability,
    whole,
)
from twofold.stats.intervals import clopper_pearson, wilson_of_share
from twofold.stats.t_tests import plain


@dataclass(frozen=True, slots=True, eq=False)
class Replicability:
    """How alike the repetitions of an experiment decided, over data sets.

    Attributes
    ----------
    replicability : float or array
        R, the probability that two repetitions on the same data decide alike, averaged over data
        sets; ``interval`` treats each data set as one yes-or-no trial, which is conservative:
        no score between 0 and 1 with that mean varies more.
    consistent, almost_consistent : int or array
        Data sets on which all repetitions agree, and on which all but at most one do.
    consistent_share, almost_consistent_share : Interval
        Wilson intervals for the shares of such data sets.
    """

    replicability: Value
    interval: Interval
    consistent: Value
    almost_consistent: Value
    consistent_share: Interval
    almost_consistent_share: Interval
    data_sets: int
    repetitions: int


def agreement(rejections: ArrayLike, repetitions: int) -> Value:
    """Return R(k, n), the share of pairs of repetitions that decide alike.

    k of n repetitions reject: R(k, n) = (k(k−1) + (n−k)(n−k−1)) / (n(n−1)), an unbiased estimate of
    the probability that two repetitions agree (Bouckaert & Frank 2004, section 2).

    >>> round(agreement(4, 10), 4)
    0.4667
    """
    k, n = _rejections(rejections, repetitions)
    return plain((k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1)))


def replicability(
    rejections: ArrayLike, repetitions: int, *, confidence: float = 0.95
) -> Replicability:
    """Summarise, over data sets, how often repetitions of a test decide alike.

    Parameters
    ----------
    rejections : array (..., data sets)
        In how many repetitions the null hypothesis was rejected (or, just as well, was not).
    repetitions : int
    confidence : float

    Examples
    --------
    Bouckaert & Frank's Table 1, naive Bayes against C4.5:

    >>> draws = [4, 9, 5, 10, 1, 10, 6, 7, 9, 6, 4, 9, 8, 10]
    >>> draws += [10, 10, 8, 9, 10, 7, 10, 8, 0, 4, 4, 8, 10]
    >>> r = replicability(draws, 10)
    >>> r.consistent, r.almost_consistent, round(r.replicability, 3)
    (9.0, 14.0, 0.737)
    """
    k, n = _rejections(rejections, repetitions)
    if k.ndim == 0:
        raise InputError(
            "`rejections` must hold one count for each data set.",
            "For a single data set use `agreement`.",
        )
    same = np.maximum(k, n - k)
    pairs = np.asarray(agreement(k, n))
    return _summary(pairs, same, n, confidence)


def replicability_of_outcomes(outcomes: ArrayLike, *, confidence: float = 0.95) -> Replicability:
    """Summarise repetitions by their outcomes, direction included.

    Two repetitions agree only if both find no difference, or both find the same learner better.

    Parameters
    ----------
    outcomes : array (..., data sets, repetitions) of −1, 0, 1
        B better, no difference found, A better.
    confidence : float
    """
    x = floats("outcomes", outcomes, axes=2)
    if not np.isin(x, (-1.0, 0.0, 1.0)).all():
        raise InputError(
            "`outcomes` must hold −1, 0 and 1 only.", "Pass np.sign(estimate) * reject."
        )
    n = x.shape[-1]
    check_size("outcomes", n, 2, "repetitions")
    tallies = np.stack([(x == value).sum(axis=-1) for value in (-1, 0, 1)], axis=-1)
    pairs = (tallies * (tallies - 1)).sum(axis=-1) / (n * (n - 1))
    return _summary(pairs, tallies.max(axis=-1).astype(float), n, confidence)


def _summary(pairs: Floats, same: Floats, n: int, confidence: float) -> Replicability:
    level = probability("confidence", confidence, 0.95)
    data_sets = pairs.shape[-1]
    check_size("rejections", data_sets, 1, "data sets")
    size = np.asarray(float(data_sets))
    mean = pairs.mean(axis=-1)
    all_agree = (same == n).sum(axis=-1)
    nearly = (same >= n - 1).sum(axis=-1)
    return Replicability(
        replicability=plain(mean),
        interval=wilson_of_share(mean, size, level),
        consistent=plain(all_agree),
        almost_consistent=plain(nearly),
        consistent_share=wilson_of_share(all_agree / data_sets, size, level),
        almost_consistent_share=wilson_of_share(nearly / data_sets, size, level),
        data_sets=data_sets,
        repetitions=n,
    )


def replicability_of_rejections(
    rejections: ArrayLike, repetitions: int, *, confidence: float = 0.95
) -> tuple[Value, Interval]:
    """Return R(e) of one experiment repeated n times, with an interval (Demšar 2006, 4.1.2).

    R(e) = π² + (1−π)², where π is the probability of a rejection; the interval carries the exact
    one for π over, which bends at π = ½.

    >>> value, interval = replicability_of_rejections(90, 100)
    >>> round(value, 4), round(interval.low, 4), round(interval.high, 4)
    (0.8182, 0.7097, 0.9068)
    """
    k, n = _rejections(rejections, repetitions)
    level = probability("confidence", confidence, 0.95)
    rate = clopper_pearson(k, np.full(k.shape, n), confidence=level)
    edges = [np.asarray(edge) ** 2 + (1 - np.asarray(edge)) ** 2 for edge in (rate.low, rate.high)]
    around_half = (np.asarray(rate.low) < 0.5) & (np.asarray(rate.high) > 0.5)
    value = agreement(k, n)
    # The unbiased estimate can fall below ½, where no probability of agreement lies.
    low = np.minimum(np.where(around_half, 0.5, np.minimum(*edges)), value)
    return value, Interval(plain(low), plain(np.maximum(np.maximum(*edges), value)), level)


def replicability_of_pvalues(
    pvalues: ArrayLike, *, confidence: float = 0.95
) -> tuple[Value, Interval]:
    """Return R(p) = 1 − 2·var(p) of repeated p values, with a jackknife interval.

    Demšar 2006, section 4.1.2: unlike R(e) it does not suffer when p lies near α.

    Parameters
    ----------
    pvalues : array (..., repetitions)
    confidence : float
    """
    p = floats("pvalues", pvalues, axes=1)
    n = p.shape[-1]
    check_size("pvalues", n, 3, "repetitions")
    if (p < 0).any() or (p > 1).any():
        raise InputError("`pvalues` must lie between 0 and 1.", "Pass p values, not statistics.")
    level = probability("confidence", confidence, 0.95)
    centred = p - p.mean(axis=-1, keepdims=True)
    total = (centred**2).sum(axis=-1)
    value = 1 - 2 * total / (n - 1)
    # Leaving out one value takes n/(n−1) of its squared distance off the sum of squares.
    without = (total[..., None] - centred**2 * n / (n - 1)) / (n - 2)
    spread = ((without - without.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    reach = special.stdtrit(n - 1.0, 0.5 + level / 2) * 2 * np.sqrt((n - 1) / n * spread)
    low, high = np.clip(value - reach, 0.0, 1.0), np.clip(value + reach, 0.0, 1.0)
    return plain(value), Interval(plain(low), plain(high), level)


def type_one_bound(alpha: float = 0.05) -> float:
    """Return the lower bound 1 − 2α + 2α² on the replicability of a test at level α.

    It holds when the null hypothesis is true (Bouckaert 2005, section 3): two independent
    repetitions both accept or both reject that often, and overlap can only make them more alike.

    >>> round(type_one_bound(0.05), 3)
    0.905
    """
    level = probability("alpha", alpha, 0.05)
    return 1 - 2 * level + 2 * level**2


def mcnemar_worst_case(
    test_share: float,
    *,
    repetitions: int = 2,
    method: Literal["paper", "exact"] = "exact",
) -> float:
    """Return the worst-case replicability of McNemar's test for a test set of this share.

    Where the power is one half, two repetitions agree least, however large the data set
    (Bouckaert 2005, appendix). Both share the fraction ``test_share`` of their test examples, so
    that their statistics have that correlation.

    Parameters
    ----------
    test_share : float
        Part of the data that is used for testing.
    repetitions : int
        The probability that this many repetitions all agree.
    method : {"exact", "paper"}
        "paper" puts the mean of the first outcome in place of its distribution, which gives
        Φ(t√(2/π)) for two repetitions; "exact" integrates over it, ½ + arcsin(t)/π for two.

    Examples
    --------
    >>> round(mcnemar_worst_case(0.1, method="paper"), 4), round(mcnemar_worst_case(0.1), 4)
    (0.5318, 0.5319)
    """
    share = probability("test_share", test_share, 0.1)
    times = whole("repetitions", repetitions, 2)
    check_choice("method", method, ("paper", "exact"))
    if method == "paper":
        if times != 2:
            raise InputError(
                f"The paper's formula is for two repetitions; got repetitions={times}.",
                'Use method="exact" for more.',
            )
        return float(special.ndtr(share * np.sqrt(2 / np.pi)))
    if times == 2:
        return float(0.5 + np.arcsin(share) / np.pi)
    # Given the data set, repetitions are independent; it shifts them all by √t/√(1−t).
    z = np.linspace(-9, 9, 40_001)
    reject = special.ndtr(z * np.sqrt(share / (1 - share)))
    agree = reject**times + (1 - reject) ** times
    return float((agree * np.exp(-(z**2) / 2)).sum() * (z[1] - z[0]) / np.sqrt(2 * np.pi))


def _rejections(rejections: ArrayLike, repetitions: int) -> tuple[Floats, int]:
    k, n = counts("rejections", rejections), whole("repetitions", repetitions, 2)
    if (k > n).any():
        raise InputError(
            f"`rejections` must not be larger than the {n} repetitions.",
            "Pass for each data set how many of its repetitions rejected.",
        )
    return k, n
