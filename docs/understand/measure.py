"""What the pages of this folder say in numbers, measured by twofold itself from named random streams.

Each function is one experiment and takes a second or a few. `draw.py` makes pictures and tables of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np

import twofold
from twofold.stats import corrected_cv_t, mcnemar, paired_t, wilcoxon, wilson
from twofold.stats.cards import format_rate

LEVEL = 0.05


@dataclass(frozen=True)
class Share:
    """How often something happened, with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        value, low, high = map(format_rate, (self.value, self.low, self.high))
        return f"{value} ({low}–{high})"


def share(happened: np.ndarray) -> Share:
    """Return the share of true values."""
    interval = wilson(int(np.sum(happened)), happened.size)
    return Share(float(np.mean(happened)), float(interval.low), float(interval.high))


# Overlapping training sets --------------------------------------------------------------------

RUNS = (1, 2, 3, 5, 10, 20)


@cache
def cross_validate_coins(datasets: int = 500, rows: int = 200) -> np.ndarray:
    """Return differences of naive Bayes and C4.5 where the class is a coin: (data sets, 20 runs, 10 folds)."""
    source = twofold.read_source("binary:p=0.5")
    drawn = [
        replace(source.draw(rows, twofold.rng(1, "understand", "coins", i)), name=f"{i:03}")
        for i in range(datasets)
    ]
    scores = twofold.run(["nb", "c45"], drawn, design=f"{RUNS[-1]}x10", store=":memory:")
    order = np.lexsort((scores.fold, scores.run, scores.dataset, scores.learner))
    nb, c45 = np.reshape(scores.value[order], (2, datasets, RUNS[-1], 10))
    return nb - c45


def measure_type_one() -> dict[str, list[Share]]:
    """Return how often the t test on all folds and the corrected one find a difference, by runs."""
    differences = cross_validate_coins()
    found: dict[str, list[Share]] = {"t test on all folds": [], "corrected t test": []}
    for runs in RUNS:
        part = differences[:, :runs]
        plain = paired_t(part.reshape(len(part), -1), confidence=None).pvalue
        corrected = corrected_cv_t(part, confidence=None).pvalue
        for name, pvalues in zip(found, (plain, corrected), strict=True):
            found[name].append(share(np.asarray(pvalues) < LEVEL))
    return found


def measure_intervals(
    runs: int = 10, count: int = 25
) -> dict[str, list[tuple[float, float, float]]]:
    """Return the mean difference on some data sets, with the interval of each of the two tests."""
    part = cross_validate_coins()[:count, :runs]
    results = {
        "t test on all folds": paired_t(part.reshape(count, -1)),
        "corrected t test": corrected_cv_t(part),
    }
    means = part.mean(axis=(1, 2))
    return {
        name: list(zip(means, result.interval.low, result.interval.high, strict=True))
        for name, result in results.items()
    }


# p values ------------------------------------------------------------------------------------

DATA_SETS = 20
EFFECT = 0.66
"""In standard deviations of a difference: found by Wilcoxon's test on 20 data sets with power .8."""
EDGES = (0, 0.001, 0.005, 0.01, 0.03, 0.05, 0.1, 0.3, 1)


def draw_pvalues(name: str, effects: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return p of Wilcoxon's test for experiments with these effects, and the direction found."""
    draw = twofold.rng(1, "understand", name)
    differences = draw.normal(0, 1, (len(effects), DATA_SETS)) + effects[:, None]
    result = wilcoxon(differences, confidence=None)
    return np.asarray(result.pvalue), np.sign(np.median(differences, axis=-1))


def repeat_one_experiment(times: int = 40) -> np.ndarray:
    """Return the p values of the same experiment, done again and again."""
    return draw_pvalues("again", np.full(times, EFFECT))[0]


@cache
def draw_twice(experiments: int = 60_000) -> tuple[np.ndarray, ...]:
    """Return true effects, p and direction of an experiment, and the same of its repetition.

    In half of the experiments there is no difference; in the others effects are normal around
    zero, with the standard deviation that twofold itself supposes (docs/replicability.md).
    """
    draw = twofold.rng(1, "understand", "effects")
    effects = np.where(draw.random(experiments) < 0.5, 0, draw.normal(0, 0.9, experiments))
    first, second = (draw_pvalues(name, effects) for name in ("first", "second"))
    return effects, *first, *second


def measure_by_p() -> list[tuple[str, Share, Share, Share]]:
    """Return for each range of p: whether no difference was true, and what a repetition says.

    Of the repetition: how often it finds the same direction at .05, where there is a difference in
    half of all experiments; the last number is the same where there is one in all of them.
    """
    effects, p, side, p_again, side_again = draw_twice()
    again = (p_again < LEVEL) & (side == side_again)
    rows = []
    for low, high in pairwise(EDGES):
        here = (p >= low) & (p < high)
        name = (
            f"{low:g}–{high:g}".replace("0.", ".") if low else f"below {high:g}".replace("0.", ".")
        )
        real = here & (effects != 0)
        rows.append((name, share(effects[here] == 0), share(again[here]), share(again[real])))
    return rows


def intervals_at_one_p(p: float = 0.03, sizes: tuple[int, ...] = (10, 100, 1000, 10_000)) -> list:
    """Return the difference and its interval for experiments of several sizes with the same p.

    Differences have a standard deviation of .1 and the mean at which the t test has this p.
    """
    rows = []
    for n in sizes:
        shape = np.linspace(-1, 1, n)
        shape = shape / shape.std(ddof=1) * 0.1
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if paired_t(shape + middle).pvalue > p else (low, middle)
        result = paired_t(shape + high)
        rows.append((n, high, float(result.interval.low), float(result.interval.high)))
    return rows


# Which null ----------------------------------------------------------------------------------


@cache
def compare_fitted_models(datasets: int = 100, rows: int = 100, new: int = 4000) -> np.ndarray:
    """Return, for each data set, items that just A or just B gets right, of so many new ones.

    A and B are the nearest neighbour, trained on either half of exchangeable attributes: over
    data sets neither is better. Shape (data sets, 2).
    """
    from sklearn.neighbors import KNeighborsClassifier

    source = twofold.read_source("halves:signal=0.5:attributes=10")
    X, y = source.draw_many(datasets, rows + new, twofold.rng(1, "understand", "halves"))
    counts = []
    for rows_of, classes in zip(np.asarray(X), np.asarray(y), strict=True):
        right = []
        for half in (slice(0, 5), slice(5, 10)):
            model = KNeighborsClassifier(1).fit(rows_of[:rows, half], classes[:rows])
            right.append(model.predict(rows_of[rows:, half]) == classes[rows:])
        counts.append((np.sum(right[0] & ~right[1]), np.sum(right[1] & ~right[0])))
    return np.array(counts)


def measure_fitted_models(new: int = 4000) -> tuple[list[tuple[float, float, float]], Share, tuple]:
    """Return differences on new items with intervals, how often a test finds one, and their mean."""
    counts = compare_fitted_models(new=new)
    a, b = counts.T
    differences = (a - b) / new
    errors = 1.96 * np.sqrt((a + b) / new - differences**2) / np.sqrt(new)
    spots = [
        (float(d), float(d - e), float(d + e)) for d, e in zip(differences, errors, strict=True)
    ]
    found = np.array([float(mcnemar(*pair, method="midp").pvalue) for pair in counts]) < LEVEL
    mean = paired_t(differences)
    return spots, share(found), (float(differences.mean()), mean.interval.low, mean.interval.high)
