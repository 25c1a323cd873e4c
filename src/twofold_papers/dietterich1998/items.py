"""Dietterich (1998), Approximate statistical tests for comparing supervised learning algorithms.

Figures 5 and 6: simulated learners that err on a point with probability ε(x), 300 points, 1000
trials. The experiments with C4.5 and nearest neighbour are in `real_learners`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from twofold import stats
from twofold.plots import Panel
from twofold.seeds import rng
from twofold.simulation import EpsilonSource, epsilon_fold_counts, epsilon_resample_counts
from twofold.studies import Estimate, share
from twofold_papers.collection import build_paper
from twofold_papers.dietterich1998.real_learners import (
    chart_errors,
    draw_power,
    figure2,
    figure3,
    figure7,
    figure8,
)
from twofold_papers.figure import build_series
from twofold_papers.item import ItemOptions, ItemResult
from twofold_papers.printed import PrintedItem

ROWS = 300
TRIALS = 1000
LEVEL = 0.05
EPSILONS = (0.1, 0.2, 0.3, 0.4)
RESAMPLES = (2, 5, 10, 20, 30, 50, 75, 100)
FOLDS = (2, 3, 5, 10, 15, 20, 30, 50)

PValues = NDArray[np.float64]
Simulated = Callable[[EpsilonSource, int, np.random.Generator], PValues]


def _mcnemar(source: EpsilonSource, trials: int, random: np.random.Generator) -> PValues:
    counts = epsilon_resample_counts(source, ROWS, 1, 1 / 3, trials, random)
    a, b = counts.b_only[:, 0, 0], counts.a_only[:, 0, 0]
    return np.asarray(stats.mcnemar(a, b, confidence=None).pvalue)


def _proportions(source: EpsilonSource, trials: int, random: np.random.Generator) -> PValues:
    counts = epsilon_resample_counts(source, ROWS, 1, 1 / 3, trials, random)
    assert counts.both is not None
    n = int(counts.sizes[0])
    wrong_a = n - counts.both[:, 0, 0] - counts.a_only[:, 0, 0]
    wrong_b = n - counts.both[:, 0, 0] - counts.b_only[:, 0, 0]
    return np.asarray(stats.proportions(wrong_a, wrong_b, n, confidence=None).pvalue)


def _test_resampled(
    source: EpsilonSource, trials: int, random: np.random.Generator, *, splits: int = 30
) -> PValues:
    counts = epsilon_resample_counts(source, ROWS, splits, 1 / 3, trials, random)
    return np.asarray(stats.resampled_t(counts.differences[:, :, 0], confidence=None).pvalue)


def _cv_t(
    source: EpsilonSource, trials: int, random: np.random.Generator, *, folds: int = 10
) -> PValues:
    counts = epsilon_fold_counts(source, ROWS, 1, folds, trials, random)
    return np.asarray(stats.cv_t(counts.differences[:, 0], confidence=None).pvalue)


def _five_by_two(source: EpsilonSource, trials: int, random: np.random.Generator) -> PValues:
    counts = epsilon_fold_counts(source, ROWS, 5, 2, trials, random)
    return np.asarray(stats.five_by_two_cv_t(counts.differences, confidence=None).pvalue)


TESTS: dict[str, Simulated] = {
    "McNemar": _mcnemar,
    "Prop. test": _proportions,
    "Resampled t": _test_resampled,
    "10-fold cv t": _cv_t,
    "5x2cv t": _five_by_two,
}


def _measure_rate(pvalues: PValues) -> Estimate:
    """Return the share of trials that reject."""
    return share((pvalues <= LEVEL).astype(float), 0.95)


def figure5(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error of five tests, simulated learners."""
    trials = options.pick(toy=200, quick=20_000, full=100_000)

    def measure(name: str, epsilon: float) -> Estimate:
        random = rng(options.seed, "dietterich", 5, name, str(epsilon))
        return _measure_rate(TESTS[name](EpsilonSource(epsilon), trials, random))

    rates = {epsilon: {name: measure(name, epsilon) for name in TESTS} for epsilon in EPSILONS}
    highest = {name: max(rates[e][name].value for e in EPSILONS) for name in TESTS}
    # What 1000 trials, as the paper had, would not tell from .05.
    allowed = LEVEL + 1.96 * float(np.sqrt(LEVEL * (1 - LEVEL) / TRIALS))
    over = {name for name, value in highest.items() if value > allowed}
    rest = max(value for name, value in highest.items() if name != "Resampled t")
    low, high = (rates[e]["Prop. test"].value for e in (0.1, 0.4))
    panel = chart_errors("simulated learners", {f"ε = {e:g}": rates[e] for e in EPSILONS})
    return ItemResult(
        claims=printed.judge(
            exceed=(
                over == {"Prop. test", "Resampled t"},
                ", ".join(f"{name} {value:.3f}" for name, value in highest.items())
                + f" at most; above {allowed:.3f} 1000 trials tell it from .05",
            ),
            resampled=highest["Resampled t"] > 2 * rest,
            proportions=(high > low, f"{low:.3f} at ε = .1, {high:.3f} at .4"),
            mcnemar=(highest["McNemar"] <= LEVEL + 0.002, f"{highest['McNemar']:.3f}"),
        ),
        figures=(printed.figure("bars", panel),),
        trials=f"{trials} trials for each bar; the paper had {TRIALS}",
    )


def figure6(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error against the number of resamples, and of folds; ε = .1."""
    trials = options.pick(toy=200, quick=10_000, full=100_000)
    source = EpsilonSource(0.1)

    def stream(kind: str, count: int) -> np.random.Generator:
        return rng(options.seed, "dietterich", 6, kind, count)

    resampled = [
        _measure_rate(_test_resampled(source, trials, stream("r", count), splits=count))
        for count in RESAMPLES
    ]
    folded = [
        _measure_rate(_cv_t(source, trials, stream("f", count), folds=count)) for count in FOLDS
    ]
    values = [rate.value for rate in resampled]
    most = max(rate.value for rate in folded)
    panel = Panel(
        "simulated learners, ε = .1",
        "resamples or folds",
        "probability of Type I error",
        (
            build_series("resampled t", RESAMPLES, resampled),
            build_series("k-fold cv t", FOLDS, folded),
        ),
        level=LEVEL,
    )
    return ItemResult(
        claims=printed.judge(
            grows=(
                all(b.high > a.low for a, b in pairwise(resampled)) and values[-1] > 2 * values[0],
                ", ".join(f"{v:.3f} at {n}" for n, v in zip(RESAMPLES, values, strict=True)),
            ),
            folds=(most < 0.07, f"at most {most:.3f} with {FOLDS[0]} to {FOLDS[-1]} folds"),
        ),
        figures=(printed.figure("curves", panel),),
        trials=f"{trials} trials at each point; the paper had {TRIALS}",
    )


PAPER = build_paper(
    "dietterich1998",
    *(figure5, figure6, figure2, figure3, figure7, figure8),
    figure9=draw_power,
    figure10=draw_power,
    figure11=draw_power,
)
