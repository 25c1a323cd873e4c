"""The adaptive design on many data sets at once: what `until` would have done on runs at hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.experiments import FIRST_LOOK
from twofold.seeds import rng
from twofold.stats import predict_replicability
from twofold.studies import fold_differences
from twofold_papers.item import ItemOptions

Floats = NDArray[np.float64]
MOST = 25
"""Runs at most; a hundred runs on a data set give four repetitions of so many."""


@dataclass(frozen=True, eq=False)
class EarlyStops:
    """How the adaptive experiments ended, each (data sets, repetitions).

    Attributes
    ----------
    outcomes : array of −1, 0, 1
    runs : array of int
        How many runs each took.
    """

    outcomes: NDArray[Any]
    runs: NDArray[Any]


def stop_early(differences: Floats, target: float, *, alpha: float = 0.05) -> EarlyStops:
    """Add runs until the verdict is likely enough to be that of endless runs.

    ``differences`` are (data sets, repetitions, runs, folds); the first look is at three runs, as
    in `twofold.compare` with ``until``.
    """
    shape, most = differences.shape[:2], differences.shape[2]
    flat = differences.reshape(-1, *differences.shape[2:])
    outcomes, runs = np.zeros(len(flat)), np.full(len(flat), most)
    going = np.arange(len(flat))
    for count in range(min(FIRST_LOOK, most), most + 1):
        prediction = predict_replicability(flat[going, :count], alpha=alpha, confidence=None)
        verdict = np.atleast_1d(np.asarray(prediction.verdict))
        settled = np.atleast_1d(np.asarray(prediction.limit_agreement)) >= target
        ended = settled | (count == most)
        outcomes[going[ended]], runs[going[ended]] = verdict[ended], count
        going = going[~ended]
        if not len(going):
            break
    return EarlyStops(outcomes.reshape(shape), runs.reshape(shape))


def draw_differences(
    options: ItemOptions, source: Any, *, rows: int, datasets: int, repetitions: int, seed: int
) -> Floats:
    """Return the differences of all runs on each data set, shuffled into longer repetitions.

    The runs are those of a study with as many repetitions of 10×10 folds, and taken from its
    store. Given the data they are independent and alike, so it does not matter which belong
    together.
    """
    x = fold_differences(
        source,
        ["nb", "c45"],
        rows=rows,
        datasets=datasets,
        repetitions=repetitions,
        seed=seed,
        **options.engine,
    )
    whole = x.reshape(len(x), -1, x.shape[-1])
    whole = whole[:, rng(seed, "runs", source.name).permutation(whole.shape[1])]
    most = min(MOST, whole.shape[1] // 2)
    count = whole.shape[1] // most
    return whole[:, : count * most].reshape(len(x), count, most, x.shape[-1])
