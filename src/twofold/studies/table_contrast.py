"""Which difference draws are biased towards, and in which unit it is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.scores import Scores
from twofold.scores.metrics import metric_range
from twofold.stats import ranks

Floats = NDArray[np.float64]

SPREADS = 10.0
"""Root mean squares of the difference in its unit, where no other unit is known."""

REST = "the mean of the others"


@dataclass(frozen=True, eq=False)
class Contrast:
    """The difference that draws are biased towards.

    Attributes
    ----------
    favoured : str
        The learner that does better on the data sets that a bias prefers.
    over : str or None
        The learner it does better than, None for the mean of all others.
    values : array (data sets,)
        By how much it does, in units; positive where the favoured learner is better.
    unit : str
        The unit, in words.
    """

    favoured: str
    over: str | None
    values: Floats
    unit: str

    @property
    def in_words(self) -> str:
        """Who does better than whom."""
        return f"{self.favoured} does better than {self.over or REST}"


def choose_contrast(
    scores: Scores, table: Floats, control: str | None, towards: Any, unit: float | None
) -> Contrast:
    """Return the difference that a bias acts on.

    Without ``towards`` it is that of the control, or of the learner with the best mean rank, from
    the mean of the others, in the direction in which the table leans.
    """
    better = table if scores.higher_is_better else -table
    names = _read_names(towards)
    if names:
        first = scores.index_of(names[0])
        second = scores.index_of(names[1]) if len(names) > 1 else None
    elif control is not None:
        first, second = scores.index_of(control), None
    else:
        first, second = int(ranks(better).mean(axis=0).argmin()), None
    if second is None and better.shape[1] == 2:
        second = 1 - first
    rest = np.delete(better, first, axis=1).mean(axis=1) if second is None else better[:, second]
    difference = better[:, first] - rest
    if not names and second is not None and difference.mean() < 0:
        first, second, difference = second, first, -difference
    values, words = _scale(difference, better, scores, unit)
    if not names and second is None and difference.mean() < 0:
        return Contrast(REST, scores.learners[first], -values, words)
    over = None if second is None else scores.learners[second]
    return Contrast(scores.learners[first], over, values, words)


def _read_names(towards: Any) -> list[str]:
    if towards is None:
        return []
    listed = towards.split(",") if isinstance(towards, str) else towards
    if not isinstance(listed, Sequence) or not all(isinstance(name, str) for name in listed):
        raise InputError(
            f"`towards` must be one or two learners, got {towards!r}.",
            "Pass the name of the one that is to do better, and of the other one.",
        )
    names = [name.strip() for name in listed]
    if not 1 <= len(names) <= 2 or len(set(names)) < len(names):
        raise InputError(
            f"`towards` must be one or two different learners, got {', '.join(names) or 'none'}.",
            "Pass the name of the one that is to do better, and of the other one.",
        )
    return names


def _scale(
    difference: Floats, better: Floats, scores: Scores, unit: float | None
) -> tuple[Floats, str]:
    """Return differences that do not depend on the metric's unit, and what theirs is.

    Shares are taken as they are, as Demšar's accuracies; the rule for other metrics gives
    differences of about the same size.
    """
    if unit is not None:
        return difference / unit, f"differences of {unit:g}"
    low, high = float(better.min()), float(better.max())
    low, high = (low, high) if scores.higher_is_better else (-high, -low)
    whole = _find_whole(scores.metric, low, high)
    if whole is not None:
        words = "differences of shares" if whole == 1 else "differences of per cent, over 100"
        return difference / whole, words
    size = np.abs(better).mean(axis=1)
    if low > 0 or high < 0:
        return difference / size, "differences over the mean score on their data set"
    spread = float(np.sqrt(np.mean(difference**2)))
    words = f"differences over {SPREADS:g} times their root mean square"
    return difference / (SPREADS * spread if spread > 0 else 1.0), words


def _find_whole(metric: str, low: float, high: float) -> float | None:
    """Return what a whole is where scores are shares, or metrics that end at one: 1 or 100."""
    ends = metric_range(metric, low, high)
    if np.isfinite(ends[1]) and ends[1] > 0:
        return float(ends[1])
    unknown = not np.isfinite(ends).any()
    return 1.0 if unknown and low >= 0 and high <= 1 else None
