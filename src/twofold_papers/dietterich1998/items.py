"""Dietterich (1998), Approximate statistical tests for comparing supervised learning algorithms.

Figures 5 and 6: simulated learners that err on a point with a chance ε(x), 300 points, 1000 trials.
The experiments with C4.5 and nearest neighbour are in `dietterich1998_real`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from twofold import stats
from twofold.seeds import rng
from twofold.simulation import (
    Counts,
    EpsilonSource,
    epsilon_fold_counts,
    epsilon_resample_counts,
)
from twofold.studies import Estimate, share
from twofold_papers.dietterich1998.real_learners import ITEMS
from twofold_papers.figure import Figure, FigurePanel, Series
from twofold_papers.item import Claim, Item, ItemOptions, ItemResult, ReproducedPaper

ROWS = 300
TRIALS = 1000
LEVEL = 0.05
EPSILONS = (0.1, 0.2, 0.3, 0.4)
RESAMPLES = (2, 5, 10, 20, 30, 50, 75, 100)
FOLDS = (2, 3, 5, 10, 15, 20, 30, 50)

PValues = NDArray[np.float64]
Simulated = Callable[[EpsilonSource, int, np.random.Generator], PValues]


def _mcnemar(source: EpsilonSource, trials: int, random: np.random.Generator) -> PValues:
    found = epsilon_resample_counts(source, ROWS, 1, 1 / 3, trials, random)
    a, b = found.b_only[:, 0, 0], found.a_only[:, 0, 0]
    return np.asarray(stats.mcnemar(a, b, confidence=None).pvalue)


def _proportions(source: EpsilonSource, trials: int, random: np.random.Generator) -> PValues:
    found = epsilon_resample_counts(source, ROWS, 1, 1 / 3, trials, random)
    assert found.both is not None
    n = int(found.sizes[0])
    wrong_a = n - found.both[:, 0, 0] - found.a_only[:, 0, 0]
    wrong_b = n - found.both[:, 0, 0] - found.b_only[:, 0, 0]
    return np.asarray(stats.proportions(wrong_a, wrong_b, n, confidence=None).pvalue)


def _resampled(
    source: EpsilonSource, trials: int, random: np.random.Generator, *, splits: int = 30
) -> PValues:
    found = epsilon_resample_counts(source, ROWS, splits, 1 / 3, trials, random)
    return np.asarray(stats.resampled_t(found.differences[:, :, 0], confidence=None).pvalue)


def _folds(
    source: EpsilonSource, trials: int, random: np.random.Generator, *, folds: int = 10
) -> PValues:
    found: Counts = epsilon_fold_counts(source, ROWS, 1, folds, trials, random)
    return np.asarray(stats.cv_t(found.differences[:, 0], confidence=None).pvalue)


def _five_by_two(source: EpsilonSource, trials: int, random: np.random.Generator) -> PValues:
    found = epsilon_fold_counts(source, ROWS, 5, 2, trials, random)
    return np.asarray(stats.five_by_two_cv_t(found.differences, confidence=None).pvalue)


TESTS: dict[str, Simulated] = {
    "McNemar": _mcnemar,
    "Prop. test": _proportions,
    "Resampled t": _resampled,
    "10-fold cv t": _folds,
    "5x2cv t": _five_by_two,
}


def rate(pvalues: PValues) -> Estimate:
    """Return the share of trials that reject."""
    return share((pvalues <= LEVEL).astype(float), 0.95)


def figure5(setting: ItemOptions) -> ItemResult:
    """Type I error of five tests, simulated learners."""
    trials = setting.pick(toy=200, quick=20_000, full=100_000)
    found = {
        (name, epsilon): rate(
            run(
                EpsilonSource(epsilon),
                trials,
                rng(setting.seed, "dietterich", 5, name, str(epsilon)),
            )
        )
        for name, run in TESTS.items()
        for epsilon in EPSILONS
    }
    bars = tuple(
        Series(
            f"ε = {epsilon:g}",
            list(range(len(TESTS))),
            [found[name, epsilon].value for name in TESTS],
            [found[name, epsilon].low for name in TESTS],
            [found[name, epsilon].high for name in TESTS],
            kind="bars",
        )
        for epsilon in EPSILONS
    )
    highest = {name: max(found[name, e].value for e in EPSILONS) for name in TESTS}
    # What 1000 trials, as the paper had, would not tell from .05.
    allowed = LEVEL + 1.96 * float(np.sqrt(LEVEL * (1 - LEVEL) / TRIALS))
    over = {name for name, value in highest.items() if value > allowed}
    return ItemResult(
        claims=(
            Claim(
                "The Type I error of two tests exceeds .05: proportions and resampled t.",
                over == {"Prop. test", "Resampled t"},
                ", ".join(f"{name} {value:.3f}" for name, value in highest.items())
                + f" at most; above {allowed:.3f} 1000 trials tell it from .05",
            ),
            Claim(
                "The resampled t test is much worse than all others.",
                highest["Resampled t"]
                > 2 * max(v for n, v in highest.items() if n != "Resampled t"),
            ),
            Claim(
                "The difference of proportions is worst where ε is near ½.",
                found["Prop. test", 0.4].value > found["Prop. test", 0.1].value,
                f"{found['Prop. test', 0.1].value:.3f} at ε = .1, "
                f"{found['Prop. test', 0.4].value:.3f} at .4",
            ),
            Claim(
                "McNemar's test never exceeds the level.",
                highest["McNemar"] <= LEVEL + 0.002,
                f"{highest['McNemar']:.3f}",
            ),
        ),
        figures=(
            Figure(
                "bars",
                "Type I error of five tests, 300 points, four error rates; 95 % intervals.",
                (
                    FigurePanel(
                        "simulated learners",
                        "",
                        "probability of Type I error",
                        bars,
                        ticks=tuple(TESTS),
                        level=LEVEL,
                    ),
                ),
            ),
        ),
        trials=f"{trials} trials for each bar; the paper had {TRIALS}",
        remarks=(
            "β is added in the cross-validated tests only, one for each fold and the same for both "
            "learners; for 5x2cv the paper leaves it open.",
        ),
    )


def figure6(setting: ItemOptions) -> ItemResult:
    """Type I error against the number of resamples, and of folds; ε = .1."""
    trials = setting.pick(toy=200, quick=10_000, full=100_000)
    source = EpsilonSource(0.1)
    resampled = [
        rate(_resampled(source, trials, rng(setting.seed, "dietterich", 6, "r", one), splits=one))
        for one in RESAMPLES
    ]
    folded = [
        rate(_folds(source, trials, rng(setting.seed, "dietterich", 6, "f", one), folds=one))
        for one in FOLDS
    ]
    values = [one.value for one in resampled]
    many = max(one.value for one in folded)
    return ItemResult(
        claims=(
            Claim(
                "The error of the resampled t test grows with the number of resamples.",
                all(b.high > a.low for a, b in pairwise(resampled)) and values[-1] > 2 * values[0],
                ", ".join(
                    f"{value:.3f} at {one}" for one, value in zip(RESAMPLES, values, strict=True)
                ),
            ),
            Claim(
                "The cross-validated t test does not exhibit this problem.",
                many < 0.07,
                f"at most {many:.3f} with {FOLDS[0]} to {FOLDS[-1]} folds",
            ),
        ),
        figures=(
            Figure(
                "curves",
                "Type I error of the resampled and the cross-validated t test; ε = .1.",
                (
                    FigurePanel(
                        "simulated learners, ε = .1",
                        "resamples or folds",
                        "probability of Type I error",
                        (
                            _curve("resampled t", RESAMPLES, resampled),
                            _curve("k-fold cv t", FOLDS, folded),
                        ),
                        level=LEVEL,
                    ),
                ),
            ),
        ),
        trials=f"{trials} trials at each point; the paper had {TRIALS}",
    )


def _curve(name: str, x: tuple[int, ...], found: list[Estimate]) -> Series:
    return Series(
        name,
        x,
        [one.value for one in found],
        [one.low for one in found],
        [one.high for one in found],
    )


PAPER = ReproducedPaper(
    "dietterich1998",
    "Dietterich (1998), Approximate statistical tests for comparing supervised classification "
    "learning algorithms",
    (
        Item("figure5", "Type I error of five tests, simulated learners", figure5, minutes=1),
        Item("figure6", "Type I error by number of resamples and folds", figure6, minutes=1),
        *ITEMS,
    ),
)
