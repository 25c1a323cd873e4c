"""Demšar (2006), section 4: a thousand draws of ten data sets, biased towards one learner."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold import stats
from twofold_papers.demsar2006.orange_wilcoxon import compute_orange_wilcoxon

Floats = NDArray[np.float64]
DRAWN = 10
LEVEL = 0.05
PAIR_TESTS: dict[str, Callable[..., Any]] = {
    "paired t": stats.paired_t,
    "relative t": stats.relative_t,
    "Wilcoxon": stats.wilcoxon,
    "sign": stats.sign,
}
ORANGE = "Orange's Wilcoxon"
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


def draw(
    difference: Floats,
    bias: float,
    draws: int,
    random: np.random.Generator,
    *,
    replace: bool = False,
) -> Any:
    """Draw ten data sets, (draws, 10), each with weight 1/(1 + exp(−k d)).

    Drawn in turn, each with its share of the weight that is left; that is the same as taking the
    smallest of exponential numbers with these rates. With ``replace`` one may be drawn again.
    """
    with np.errstate(over="ignore"):
        rate = 1 / (1 + np.exp(-bias * difference))
    if replace:
        return random.choice(len(rate), size=(draws, DRAWN), p=rate / rate.sum())
    waits = random.exponential(size=(draws, len(difference))) / np.maximum(rate, 1e-300)
    count = min(DRAWN, len(difference) - 1)
    return np.sort(np.argpartition(waits, count, axis=1)[:, :count], axis=1)


def compute_pair_pvalues(a: Floats, b: Floats) -> dict[str, Floats]:
    """Return p values of the four tests of two learners and of Orange's Wilcoxon, each (draws,)."""
    pvalues = {
        name: np.asarray(test(a, b, confidence=None).pvalue) for name, test in PAIR_TESTS.items()
    }
    return {**pvalues, ORANGE: compute_orange_wilcoxon(a, b)}


def compute_omnibus_pvalues(scores: Floats) -> dict[str, Floats]:
    """Return the p values of both tests of all learners; scores are (draws, sets, learners)."""
    return {name: np.asarray(test(scores).pvalue) for name, test in OMNIBUS.items()}


def find_unexplained(scores: Floats) -> dict[str, Floats]:
    """Return where Friedman's test rejects and Nemenyi's finds no pair of learners, (draws,)."""
    n, k = scores.shape[-2:]
    ranks = stats.ranks(scores).mean(axis=-2)
    widest = ranks.max(axis=-1) - ranks.min(axis=-1)
    rejects = np.asarray(OMNIBUS["Friedman"](scores).pvalue) <= LEVEL
    alone = rejects & (widest < stats.critical_difference(k, n, alpha=LEVEL))
    return {"Friedman alone": alone.astype(float)}


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


def count_rejections(pvalues: Floats) -> Floats:
    """Return how many of 1000 draws, on the last axis, have a p value up to .05."""
    return 1000.0 * (pvalues <= LEVEL).mean(axis=-1)


def replicability_e(rejected: Any) -> Floats:
    """Return R(e): the probability that two draws both reject or both do not."""
    rejected = np.asarray(rejected)
    agreement: Any = stats.agreement(rejected.sum(axis=-1).astype(int), rejected.shape[-1])
    return np.asarray(agreement, dtype=float)


def replicability_p(pvalues: Floats) -> Floats:
    """Return R(p) = 1 − 2 var(p)."""
    return np.asarray(1 - 2 * np.var(pvalues, axis=-1, ddof=1))
