"""Rates over data sets and repetitions, each with an interval that knows what is independent.

Data sets are; repetitions on one data set are not. So a rate is the mean over data sets of each
one's share, and its interval is Wilson's for as many trials as would vary as much.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.stats.intervals import wilson_of_share

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number and its interval."""

    value: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def share(per_dataset: Floats, confidence: float) -> Estimate:
    """Return the mean of numbers between 0 and 1, one for each data set."""
    n = len(per_dataset)
    mean = float(per_dataset.mean())
    spread = float(per_dataset.var(ddof=1)) / n if n > 1 else 0.0
    # As many yes-or-no trials as have this variance; where nothing varies, one for each data set.
    trials = mean * (1 - mean) / spread if spread > 1e-12 else float(n)
    size = np.asarray(max(trials, float(n)))
    interval = wilson_of_share(np.asarray(mean), size, confidence)
    return Estimate(mean, float(interval.low), float(interval.high))


def share_of_few(per_dataset: Floats, confidence: float) -> Estimate:
    """Return the same for few data sets, whose spread is an estimate that may be far too low.

    As many trials as have this variance are made fewer as the t distribution is wider than the
    normal one; but never fewer than data sets, since no numbers between 0 and 1 vary more.
    """
    n = len(per_dataset)
    mean = float(per_dataset.mean())
    spread = float(per_dataset.var(ddof=1)) / n if n > 1 else 0.0
    trials = float(n)
    if spread > 1e-12:
        middle = 0.5 + confidence / 2
        wider = special.stdtrit(n - 1.0, middle) / special.ndtri(middle)
        trials = max(trials, mean * (1 - mean) / spread / wider**2)
    interval = wilson_of_share(np.asarray(mean), np.asarray(trials), confidence)
    return Estimate(mean, float(interval.low), float(interval.high))


def mean(per_dataset: Floats, confidence: float) -> Estimate:
    """Return the mean of any numbers, one for each data set, with the interval of the t test."""
    n = len(per_dataset)
    value = float(per_dataset.mean())
    if n < 2:
        return Estimate(value, value, value)
    reach = special.stdtrit(n - 1.0, 0.5 + confidence / 2) * per_dataset.std(ddof=1) / np.sqrt(n)
    return Estimate(value, value - float(reach), value + float(reach))


def agreement_of(outcomes: Floats) -> Floats:
    """Return for each data set the share of pairs of repetitions with the same outcome."""
    n = outcomes.shape[-1]
    counts = np.stack([(outcomes == value).sum(axis=-1) for value in (-1, 0, 1)], axis=-1)
    return np.asarray((counts * (counts - 1)).sum(axis=-1) / (n * (n - 1)))


def agreement_of_rejections(rejected: NDArray[np.bool_]) -> Floats:
    """Return R(k, n) of Bouckaert & Frank (2004) for each data set."""
    n = rejected.shape[-1]
    k = rejected.sum(axis=-1)
    return np.asarray((k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1)))


def consistency(rejected: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Tell for each data set whether all repetitions agree, and whether all but one or none do."""
    n = rejected.shape[-1]
    k = rejected.sum(axis=-1)
    same = np.maximum(k, n - k)
    return (same == n).astype(float), (same >= n - 1).astype(float)
