"""Small summaries that pictures are drawn from: p values, and predictions beside what came true."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from twofold.result import is_significant
from twofold.studies.measures import Floats, share

LEVELS = (
    *(0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1),
    *(round(0.05 * step, 2) for step in range(3, 20)),
)
"""Where the distribution of p values is read off; close to each other where levels are."""

BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
"""Ends of the bins of predicted probabilities; those near one are what most experiments predict."""


@dataclass(frozen=True, slots=True)
class Curve:
    """Shares at some values of x, with intervals.

    Attributes
    ----------
    x, value, low, high : tuple of float
    datasets : tuple of int
        How many data sets each share is over.
    """

    x: tuple[float, ...]
    value: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    datasets: tuple[int, ...]


def distribution(pvalues: Floats, confidence: float) -> Curve:
    """Return how many p values, (data sets, repetitions), are at or below each of LEVELS."""
    shares = [share(is_significant(pvalues, level).mean(axis=1), confidence) for level in LEVELS]
    return Curve(
        LEVELS,
        tuple(each.value for each in shares),
        tuple(each.low for each in shares),
        tuple(each.high for each in shares),
        (len(pvalues),) * len(LEVELS),
    )


def compare_predictions(probabilities: Floats, outcomes: Floats, confidence: float) -> Curve:
    """Return, for predictions in each bin, their mean and how often they came true.

    Parameters
    ----------
    probabilities : array (data sets, some repetitions)
        Predicted by the first repetitions: that another one decides the same.
    outcomes : array (data sets, repetitions)
    """
    n = outcomes.shape[1]
    mine = outcomes[:, : probabilities.shape[1]]
    # Each decision is compared with those of the other repetitions on the same data set.
    alike = ((outcomes[:, None, :] == mine[:, :, None]).sum(axis=2) - 1) / (n - 1)
    bins = np.searchsorted(BINS[1:-1], probabilities, side="right")
    columns: list[tuple[float, float, float, float, int]] = []
    for number in range(len(BINS) - 1):
        inside = bins == number
        used = inside.any(axis=1)
        if not used.any():
            continue
        # Repetitions on one data set are not independent, so data sets are averaged first.
        actual = share(_means(alike, inside)[used], confidence)
        predicted = float(_means(probabilities, inside)[used].mean())
        columns.append((predicted, actual.value, actual.low, actual.high, int(used.sum())))
    x, value, low, high, datasets = zip(*columns, strict=True)
    return Curve(x, value, low, high, datasets)


def _means(values: Floats, inside: NDArray[np.bool_]) -> Floats:
    """Return the mean of each row over the cells that are inside."""
    total = np.where(inside, values, 0.0).sum(axis=1)
    return np.asarray(total / np.maximum(inside.sum(axis=1), 1))
