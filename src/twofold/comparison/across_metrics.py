"""Adjusting over metrics: all pairs by all metrics are one family.

Within a metric the p values of pairs are adjusted already. Over metrics, a pair's adjusted p value
is adjusted once more, together with one p value for each other metric: its largest. A metric steps
aside only where all its pairs were rejected. So no wrong pair by any metric is called different
with a probability above α, which docs/decisions/0031-adjusting-over-metrics.md proves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from twofold.comparison.comparison import Comparison
from twofold.comparison.deciding_intervals import levels_to_meet
from twofold.comparison.sentences import p_value
from twofold.errors import InputError
from twofold.result import is_significant
from twofold.stats import adjust

Floats = NDArray[np.float64]


def collect_pvalues(answer: Comparison) -> Floats:
    """Return the p value that decides each pair, 1 where differences have no spread."""
    if answer.pairs[0].is_bayesian:
        raise InputError(
            f"`{answer.pairs[0].method}` has no p values to adjust over metrics.",
            "Leave out `across_metrics`, or choose a test that has them.",
        )
    p = [pair.pvalue for pair in answer.pairs]
    return np.array([1.0 if value is None else value for value in p])


def adjust_across_metrics(families: Sequence[Floats], method: str) -> list[Floats]:
    """Adjust p values over metrics; ``families`` has an array (…, pairs) for each metric.

    >>> [p.round(3).tolist() for p in adjust_across_metrics([np.array([0.01]), np.array([0.03])],
    ...                                                     "holm")]
    [[0.02], [0.03]]
    """
    largest = np.stack([p.max(axis=-1) for p in families], axis=-1)[..., None, :]
    adjusted = []
    for index, p in enumerate(families):
        together = np.repeat(largest, p.shape[-1], axis=-2)
        together[..., index] = p
        adjusted.append(np.asarray(adjust(together, method)[..., index]))
    return adjusted


def share_level(families: Sequence[Floats], method: str, alpha: float) -> list[float]:
    """Return the level at which each metric decides: its p values up to there are rejected."""
    largest = np.array([p.max() for p in families])
    levels = levels_to_meet(largest, method, alpha).tolist()
    return [_find_fraction(level, alpha, len(families)) for level in levels]


def describe_share(answer: Comparison, adjusted: Sequence[float], alpha: float) -> str:
    """Say what the adjustment over metrics made of a p value, or of the level."""
    if len(answer.pairs) > 1 or not answer.pairs[0].defined:
        return f"This is at a level of {answer.alpha:.4g}, the share of this metric in {alpha:.4g}."
    above = "at most" if is_significant(adjusted[0], alpha) else "above"
    return f"Adjusted over metrics, {p_value(adjusted[0])}, {above} {alpha:.4g}."


def _find_fraction(level: float, alpha: float, parts: int) -> float:
    """Return α/2, α/3, … in place of a level that is equal to it but for rounding."""
    for part in range(1, parts + 1):
        if math.isclose(level, alpha / part, rel_tol=1e-6):
            return alpha / part
    return level
