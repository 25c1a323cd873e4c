"""The hierarchical model on the folds of two learners; answers and pictures run the same one."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.result import Result
from twofold.scores import Scores
from twofold.stats import bayes_hierarchical

SAMPLES = 8000


def fold_differences(scores: Scores, names: tuple[str, str]) -> list[Any]:
    """Return first minus second in all folds, better above zero, of each data set that both have.

    The sampler's draws depend on the order of data sets, so that it is that of their content.
    """
    both = scores.select(names)
    flip = 1 if scores.higher_is_better else -1
    shared = np.flatnonzero(~np.isnan(both.means()).any(axis=1))
    folds = [both.folds(int(i)).values for i in shared]
    gaps = [(flip * (a - b), scores.datasets[i]) for (a, b), i in zip(folds, shared, strict=True)]
    # Without signs, so that swapping the learners keeps the order.
    gaps.sort(key=lambda part: (np.sort(np.abs(part[0]).ravel()).tolist(), part[1]))
    return [gap for gap, _ in gaps]


def by_hierarchical_model(gaps: list[Any], rope: float, seed: int, confidence: float) -> Result:
    """Return the answer on differences in the folds of several data sets."""
    return bayes_hierarchical(gaps, rope=rope, samples=SAMPLES, seed=seed, confidence=confidence)
