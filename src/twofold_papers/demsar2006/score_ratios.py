"""Demšar (2006), section 3.1.2: means of ratios of scores, and what an outlier does to t."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from twofold.rounding import written
from twofold_papers.claim_verdicts import judge_exact
from twofold_papers.demsar2006.bias_study import judge_mean
from twofold_papers.demsar2006.biased_draws import Floats
from twofold_papers.demsar2006.seven_learners import NAMES, measure_accuracies
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.printed import PrintedItem

PAIRS = tuple(combinations(range(len(NAMES)), 2))
LEAST = 1e-3
"""Scores below it count as it: a learner that is never right has no ratio."""


def compute_skewness(values: Floats) -> Floats:
    """Return the skewness, the third standardised moment, over the last axis."""
    centred = values - values.mean(axis=-1, keepdims=True)
    spread = np.maximum((centred**2).mean(axis=-1), 1e-300)
    skewness: Floats = (centred**3).mean(axis=-1) / spread**1.5
    return skewness


def compute_t(differences: Floats) -> Floats:
    """Return the paired t statistic, over the last axis."""
    t: Floats = differences.mean(axis=-1) / np.maximum(compute_error(differences), 1e-300)
    return t


def compute_error(differences: Floats) -> Floats:
    """Return the standard error of the mean, over the last axis."""
    error: Floats = differences.std(axis=-1, ddof=1) / np.sqrt(differences.shape[-1])
    return error


def ratios(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Geometric and arithmetic means of ratios of accuracies, beside differences of averages."""
    accuracies = measure_accuracies(options)
    scores = np.maximum(np.moveaxis(accuracies.values, 1, -1), LEAST)  # runs, learners, data sets
    a, b = (np.array([scores[:, pair[side]] for pair in PAIRS]) for side in (0, 1))
    difference, ratio = a - b, a / b
    geometric = np.exp(np.log(ratio).mean(axis=-1))
    averages = difference.mean(axis=-1)
    same = np.sign(np.log(geometric)) == np.sign(averages)
    logarithms = (np.log(a).mean(axis=-1) - np.log(b).mean(axis=-1)) - np.log(geometric)
    skews = {
        "differences": np.abs(compute_skewness(difference)),
        "ratios": np.abs(compute_skewness(ratio)),
        "logarithms of ratios": np.abs(compute_skewness(np.log(ratio))),
        "differences over mean scores": np.abs(compute_skewness(2 * difference / (a + b))),
    }
    median = np.median(difference, axis=-1, keepdims=True)
    largest = np.abs(difference - median).argmax(axis=-1)
    rest = np.arange(difference.shape[-1]) != largest[..., None]
    trimmed = difference[rest].reshape(*difference.shape[:-1], -1)
    t, without = np.abs(compute_t(difference)), np.abs(compute_t(trimmed))
    return ItemResult(
        claims=printed.judge(
            logarithms=judge_exact(
                bool((np.abs(logarithms) < 1e-12).all()),
                f"equal to twelve digits; both statistics prefer the same learner for "
                f"{written(same.mean() * len(PAIRS), 1)} of {len(PAIRS)} pairs on average",
            ),
            skewed=judge_mean(
                skews["ratios"].mean(axis=0) - 1,
                "mean absolute skewness: "
                + ", ".join(f"{name} {written(each.mean(), 2)}" for name, each in skews.items()),
            ),
            outliers=judge_mean(
                (compute_error(difference) - compute_error(trimmed)).mean(axis=0),
                f"mean standard error {written(compute_error(difference).mean(), 4)}, without the "
                f"outlier {written(compute_error(trimmed).mean(), 4)}; but the mean difference "
                f"shrinks with it: mean |t| {written(t.mean(), 2)} and "
                f"{written(without.mean(), 2)}",
            ),
        ),
        tables=(
            ResultTable(
                "First learner beside second, over all data sets: the difference of averages, "
                "Webb's geometric and Quinlan's arithmetic mean of ratios.",
                ("", "difference", "geometric", "arithmetic", "arithmetic of the inverse"),
                tuple(
                    (
                        f"{NAMES[i]} vs {NAMES[j]}",
                        written(averages[pair].mean(), 3, plus=True),
                        written(geometric[pair].mean(), 3),
                        written(ratio[pair].mean(), 3),
                        written((1 / ratio[pair]).mean(), 3),
                    )
                    for pair, (i, j) in enumerate(PAIRS)
                ),
            ),
        ),
        trials=f"{len(accuracies.datasets)} data sets, {len(accuracies.values)} ten-fold "
        "cross-validations of each learner",
        datasets=accuracies.checksums,
    )
