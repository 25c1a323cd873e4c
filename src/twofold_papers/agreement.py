"""Intervals within which a published number should lie, given ours and how often both tried."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from twofold.rounding import written
from twofold.studies import Estimate
from twofold_papers.printed import Number

Floats = NDArray[np.float64]
Z = 1.959963984540054


def exact(label: str, printed: str, ours: float, *, why: str = "") -> Number:
    """Return a number that is not random: it agrees if it rounds to what is printed."""
    return Number(label, printed, float(ours), float(ours), float(ours), why)


def compare_share(
    label: str, printed: str, ours: Estimate, *, trials: int, scale: float = 1.0, why: str = ""
) -> Number:
    """Return a share that the paper measured on so many independent trials, and we on ours.

    ``scale`` is 100 for percentages, 1000 for counts of a thousand.
    """
    half = standard_error(ours)
    # Theirs is random as well; where theirs is 0 or 1, the number of trials still bounds it.
    p = min(max(float(printed) / scale, 0.5 / trials), 1 - 0.5 / trials)
    reach = Z * float(np.hypot(half, np.sqrt(p * (1 - p) / trials)))
    low, high = max(ours.value - reach, 0.0), min(ours.value + reach, 1.0)
    return Number(label, printed, scale * ours.value, scale * low, scale * high, why)


def compare_estimate(
    label: str,
    printed: str,
    ours: Estimate,
    *,
    datasets: int,
    trials: int,
    scale: float = 1.0,
    why: str = "",
) -> Number:
    """Return a share or a rate that rests on so many data sets of ours, on ``trials`` of theirs."""
    reach = ours.half_width * float(np.sqrt(1 + datasets / trials))
    low, high = max(ours.value - reach, 0.0), min(ours.value + reach, 1.0)
    return Number(label, printed, scale * ours.value, scale * low, scale * high, why)


def standard_error(estimate: Estimate) -> float:
    """Return the standard error of an estimate with a 95 % interval."""
    return estimate.half_width / Z


def format_interval(estimate: Estimate, *, digits: int = 3, scale: float = 1.0) -> str:
    """Return an estimate with its interval, written."""
    value, low, high = (
        written(scale * each, digits) for each in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} ({low}–{high})".replace("-", "−")


def format_values(values: Any) -> str:
    """Return numbers with three digits."""
    return ", ".join(written(value, 3) for value in values)


def draw_second_study(
    rejections: NDArray[Any], repetitions: int, rng: np.random.Generator, *, draws: int = 4000
) -> NDArray[np.intp]:
    """Draw what a second study of the same data sets would give: (draws, data sets) rejections.

    Each data set has its own probability that the test rejects. Our repetitions give it a beta
    distribution, whose prior is drawn as all data sets together make it likely; from it rejections
    of a new study with as many repetitions are drawn.
    """
    a, b = _draw_beta_priors(rejections, repetitions, rng, draws)
    probabilities = rng.beta(a + rejections, b + repetitions - rejections)
    again: NDArray[np.intp] = rng.binomial(repetitions, np.clip(probabilities, 0.0, 1.0))
    return again


def middle(values: Floats) -> tuple[float, float]:
    """Return the bounds of the middle 95 of 100."""
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def _draw_beta_priors(
    k: NDArray[Any], n: int, rng: np.random.Generator, draws: int
) -> tuple[Floats, Floats]:
    """Draw parameters of the beta prior, (draws, 1) each, as likely as the data make them."""
    grid = np.exp(np.linspace(np.log(0.02), np.log(5.0), 40))
    a, b = grid[:, None, None], grid[None, :, None]
    likelihood = (special.betaln(a + k, b + n - k) - special.betaln(a, b)).sum(axis=-1)
    weight = np.exp(likelihood - likelihood.max()).ravel()
    cells = rng.choice(weight.size, size=(draws, 1), p=weight / weight.sum())
    return grid[cells // len(grid)], grid[cells % len(grid)]


def rank_correlation(first: Floats, second: Floats) -> float:
    """Return Spearman's rank correlation; 0 where one of them does not vary."""
    from scipy.stats import rankdata

    a, b = rankdata(first), rankdata(second)
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])
