"""Demšar (2006), section 4: a thousand draws of ten data sets, biased towards one learner."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold import stats

Floats = NDArray[np.float64]
DRAWN = 10
LEVEL = 0.05
PAIR_TESTS: dict[str, Callable[..., Any]] = {
    "paired t": stats.paired_t,
    "relative t": stats.relative_t,
    "Wilcoxon": stats.wilcoxon,
    "sign": stats.sign,
}
OMNIBUS: dict[str, Callable[..., Any]] = {
    "ANOVA": stats.rm_anova,
    "Friedman": partial(stats.iman_davenport, ties="plain"),  # the paper's formula
}
ADJUSTMENTS = {
    "Bonferroni–Dunn": "bonferroni",
    "Holm": "holm",
    "Hochberg": "hochberg",
    "Hommel": "hommel",
}


def draw(difference: Floats, bias: float, draws: int, random: np.random.Generator) -> Any:
    """Draw ten data sets without replacement, (draws, 10), each with weight 1/(1 + exp(−k d)).

    Drawn in turn, each with its share of the weight that is left; that is the same as taking the
    smallest of exponential numbers with these rates.
    """
    with np.errstate(over="ignore"):
        rate = 1 / (1 + np.exp(-bias * difference))
    waits = random.exponential(size=(draws, len(difference))) / np.maximum(rate, 1e-300)
    count = min(DRAWN, len(difference) - 1)
    return np.argpartition(waits, count, axis=1)[:, :count]


def compute_pair_pvalues(a: Floats, b: Floats) -> dict[str, Floats]:
    """Return the p values of the four tests of two learners, each (draws,)."""
    return {
        name: np.asarray(test(a, b, confidence=None).pvalue) for name, test in PAIR_TESTS.items()
    }


def compute_omnibus_pvalues(scores: Floats) -> dict[str, Floats]:
    """Return the p values of both tests of all learners; scores are (draws, sets, learners)."""
    return {name: np.asarray(test(scores).pvalue) for name, test in OMNIBUS.items()}


def reject_pairwise(scores: Floats, first: int, second: int) -> dict[str, NDArray[Any]]:
    """Return whether Tukey's and Nemenyi's test tell two of all learners apart, each (draws,)."""
    n, k = scores.shape[-2:]
    gap, residual = _compute_gap(scores, first, second)
    ranks = stats.ranks(scores).mean(axis=-2)
    rank_gap = np.abs(ranks[..., first] - ranks[..., second])
    critical = stats.range_quantile(LEVEL, k, (n - 1) * (k - 1))
    return {
        "Tukey": gap / np.sqrt(residual / n) >= critical,
        "Nemenyi": rank_gap >= stats.critical_difference(k, n, alpha=LEVEL),
    }


def reject_against_control(scores: Floats, first: int, second: int) -> dict[str, NDArray[Any]]:
    """Return whether tests against the first as a control tell it from the second."""
    n, k = scores.shape[-2:]
    gap, residual = _compute_gap(scores, first, second)
    result: Any = stats.mean_rank_z(scores, control=first)
    index = [pair[1] if pair[0] == first else pair[0] for pair in result.pairs].index(second)
    critical = stats.dunnett_quantile(LEVEL, k - 1, (n - 1) * (k - 1))
    rejected = {"Dunnett": gap / np.sqrt(2 * residual / n) >= critical}
    for name, method in ADJUSTMENTS.items():
        rejected[name] = np.asarray(stats.adjust(result.pvalue, method))[..., index] <= LEVEL
    return rejected


def _compute_gap(scores: Floats, first: int, second: int) -> tuple[Floats, Floats]:
    """Return the difference of two means, and the mean square of the residuals."""
    n, k = scores.shape[-2:]
    centred = scores - scores.mean(axis=-1, keepdims=True)
    means = centred.mean(axis=-2, keepdims=True)
    residual = ((centred - means) ** 2).sum(axis=(-1, -2)) / ((n - 1) * (k - 1))
    gap = np.abs(means[..., 0, first] - means[..., 0, second])
    return gap, np.maximum(residual, 1e-300)


def replicability_e(rejected: Any) -> float:
    """Return R(e): the probability that two draws both reject or both do not."""
    return float(stats.agreement(int(np.sum(rejected)), len(rejected)))


def replicability_p(pvalues: Floats) -> float:
    """Return R(p) = 1 − 2 var(p)."""
    return float(1 - 2 * np.var(pvalues, ddof=1))
