"""Dietterich (1998), sections 4 and 5: learners that err on a point with probability ε(x)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from twofold import stats
from twofold.plots import Panel, Series
from twofold.rounding import written
from twofold.seeds import rng
from twofold.simulation import EpsilonSource, epsilon_fold_counts, epsilon_resample_counts
from twofold.studies import Estimate, share
from twofold_papers.claim_verdicts import judge_all, judge_exact
from twofold_papers.dietterich1998.error_bars import ACCEPTABLE, LEVEL, TRIALS, chart_errors
from twofold_papers.figure import build_series
from twofold_papers.item import ItemOptions, ItemResult, ResultTable
from twofold_papers.measured import MeasuredNumber, average, judge_positive, measure
from twofold_papers.printed import PrintedItem

ROWS = 300
EPSILONS = (0.1, 0.2, 0.3, 0.4)
FEWER = (2, 5)
RESAMPLES = tuple(range(10, 101, 10))
FOLDS = (10, 15, 20, 30, 50, 60, 75, 100)

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


def resample_balanced(
    source: EpsilonSource, trials: int, random: np.random.Generator, *, splits: int = 30
) -> PValues:
    """Return p values of the resampled t test where both halves have as many points in each S."""
    tested = ROWS // 3
    first = random.hypergeometric(ROWS // 2, ROWS // 2, tested, (trials, splits))
    differences = np.zeros((trials, splits))
    for rows, (error_a, error_b) in zip((first, tested - first), source.errors, strict=True):
        differences += random.binomial(rows, error_b) - random.binomial(rows, error_a)
    return np.asarray(stats.resampled_t(differences / tested, confidence=None).pvalue)


def _reject(pvalues: PValues) -> PValues:
    return (pvalues <= LEVEL).astype(float)


def _estimate(rejected: PValues) -> Estimate:
    """Return the share of trials that reject."""
    return share(rejected, 0.95)


def figure4(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """The two kinds of points, and how often each learner errs on them."""
    source = EpsilonSource(0.1)
    errors = source.errors  # (halves, learners)
    curves = tuple(
        Series(name, (0.0, 0.5, 0.5, 1.0), np.repeat(errors[:, column], 2).tolist())
        for column, name in enumerate(("ε of A", "ε of B"))
    )
    panel = Panel("ε = .1", "share of the population", "ε(x)", curves, y_range=(0, 0.2))
    rates, variances = errors.mean(axis=0), (errors * (1 - errors)).mean(axis=0)
    return ItemResult(
        claims=printed.judge(
            overall=judge_exact(
                np.allclose(rates, 0.1) and np.isclose(*variances),
                f"error rates {rates[0]:g} and {rates[1]:g}, variances of an error "
                f"{variances[0]:g} and {variances[1]:g}",
            ),
        ),
        figures=(printed.figure("designed", panel),),
        trials="the source as it is, nothing drawn",
    )


def figure5(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error of five tests, simulated learners."""
    trials = options.pick(toy=200, quick=20_000, full=100_000)

    def run(name: str, test: Simulated, epsilon: float) -> PValues:
        random = rng(options.seed, "dietterich", 5, name, str(epsilon))
        return _reject(test(EpsilonSource(epsilon), trials, random))

    rejected = {e: {name: run(name, test, e) for name, test in TESTS.items()} for e in EPSILONS}
    rates = {name: [measure(rejected[e][name]) for e in EPSILONS] for name in TESTS}
    high = {name: max(each, key=lambda rate: rate.value) for name, each in rates.items()}
    balanced = [measure(run("balanced", resample_balanced, e)) for e in EPSILONS]
    remaining = ("McNemar", "10-fold cv t", "5x2cv t")
    means = {name: average(each) for name, each in rates.items()}
    resampled = means.pop("Resampled t")
    bars = {
        f"ε = {e:g}": {name: _estimate(each) for name, each in rejected[e].items()}
        for e in EPSILONS
    }
    return ItemResult(
        claims=printed.judge(
            exceed=judge_all(
                [judge_positive(high[name] - LEVEL) for name in ("Prop. test", "Resampled t")],
                ", ".join(f"{name} {high[name]}" for name in ("Prop. test", "Resampled t")),
            ),
            remaining=judge_all(
                [judge_positive(ACCEPTABLE - rate) for name in remaining for rate in rates[name]],
                ", ".join(f"{name} {high[name]}" for name in remaining) + " at most",
            ),
            resampled=judge_all(
                [judge_positive(resampled - mean * 2) for mean in means.values()],
                f"on average {resampled}; "
                + ", ".join(f"{name} {mean}" for name, mean in means.items()),
            ),
            imbalance=judge_all(
                [judge_positive(ACCEPTABLE - rate) for rate in balanced],
                f"with 150 points of either half in every S: {_list(balanced)}; as drawn "
                f"{_list(rates['Resampled t'])}",
            ),
            proportions=judge_positive(
                rates["Prop. test"][-1] - rates["Prop. test"][0], _list(rates["Prop. test"])
            ),
            mcnemar=judge_all(
                [judge_positive(LEVEL - rate) for rate in rates["McNemar"]],
                _list(rates["McNemar"]),
            ),
        ),
        figures=(printed.figure("bars", chart_errors("simulated learners", bars)),),
        trials=f"{trials} trials for each bar; the paper had {TRIALS}",
    )


def _list(rates: list[MeasuredNumber]) -> str:
    return ", ".join(written(rate.value, 3) for rate in rates)


def figure6(options: ItemOptions, printed: PrintedItem) -> ItemResult:
    """Type I error against the number of resamples, and of folds; ε = .1."""
    trials = options.pick(toy=200, quick=10_000, full=100_000)
    source = EpsilonSource(0.1)

    def stream(kind: str, count: int) -> np.random.Generator:
        return rng(options.seed, "dietterich", 6, kind, count)

    resampled = {
        count: _reject(_test_resampled(source, trials, stream("r", count), splits=count))
        for count in (*FEWER, *RESAMPLES)
    }
    folded = {
        count: _reject(_cv_t(source, trials, stream("f", count), folds=count))
        for count in (*FEWER, *FOLDS)
    }
    rates = [measure(resampled[count]) for count in RESAMPLES]
    folds = [measure(folded[count]) for count in FOLDS]
    panel = Panel(
        "simulated learners, ε = .1",
        "resamples or folds",
        "probability of Type I error",
        (
            build_series("resampled t", RESAMPLES, [_estimate(resampled[n]) for n in RESAMPLES]),
            build_series("k-fold cv t", FOLDS, [_estimate(folded[n]) for n in FOLDS]),
        ),
        level=LEVEL,
    )
    few = ResultTable(
        "Type I error with fewer than ten",
        ("", *map(str, FEWER)),
        (
            ("resampled t", *(str(measure(resampled[n])) for n in FEWER)),
            ("k-fold cv t", *(str(measure(folded[n])) for n in FEWER)),
        ),
    )
    return ItemResult(
        claims=printed.judge(
            grows=judge_all(
                [judge_positive(more - less) for less, more in pairwise(rates)],
                ", ".join(
                    f"{written(r.value, 3)} at {n}" for n, r in zip(RESAMPLES, rates, strict=True)
                ),
            ),
            folds=judge_all(
                [judge_positive(0.01 - (rate - folds[0])) for rate in folds[1:]],
                ", ".join(
                    f"{written(r.value, 3)} at {n}" for n, r in zip(FOLDS, folds, strict=True)
                ),
            ),
        ),
        figures=(printed.figure("curves", panel),),
        tables=(few,),
        trials=f"{trials} trials at each point; the paper had {TRIALS}",
    )
