"""Finding a network on which the accuracies of two learners differ by a given amount."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.rounding import written
from twofold.seeds import rng as seeded
from twofold.simulation.network import NetworkSource
from twofold.simulation.source import check_number, check_whole

# Trains on each of X (count, rows, attributes), y (count, rows); predicts a class (count, cells)
# for each of the rows (cells, attributes).
Predictor = Callable[[NDArray[Any], NDArray[Any], NDArray[Any]], NDArray[Any]]

PILOT = 24  # data sets for a first look at a network
STRENGTHS = (1.0, 2.0, 4.0)
NETWORKS = 100
TRIED = 60
STEPS = 12

MOST_KEPT = 64
_NETWORKS: dict[tuple[Any, ...], FoundNetwork] = {}
"""What was searched for in this process: a search takes seconds to minutes, and ends the same."""


@dataclass(frozen=True)
class FoundNetwork:
    """A network, and what is known of the difference between the learners on it.

    Attributes
    ----------
    source : NetworkSource
    difference : float
        Accuracy of the second learner less that of the first, averaged over training sets.
    low, high : float
        95 % interval for it.
    accuracies : tuple of two floats
    datasets : int
        Training sets that the interval rests on.
    target : float
    tried : int
        Networks that were looked at.
    """

    source: NetworkSource
    difference: float
    low: float
    high: float
    accuracies: tuple[float, float]
    datasets: int
    target: float
    tried: int


def search_network(
    structure: str,
    delta: float,
    learners: Sequence[Predictor],
    *,
    rows: int = 300,
    seed: int = 1,
    precision: float = 0.002,
    width: int = 10,
    most: int = 20_000,
) -> FoundNetwork:
    """Draw networks until the second learner beats the first by ``delta``.

    The first network that goes beyond that difference is kept, and its strength is lowered
    until the difference is met. True accuracies are sums over the joint table; what is estimated,
    over drawn training sets, is their average. The same training sets, in their random
    numbers, are used throughout the search; the interval at the end is from fresh ones. The same
    search is done once in a process.

    Parameters
    ----------
    structure : str
        As in `NetworkSource`.
    delta : float
        Negative where the first learner is to be better.
    learners : two Predictors
        `make_predictor` makes them of scikit-learn's. Those with the same ``key``, where they have
        one, are taken for the same learner.
    rows : int
        Rows in a training set.
    seed : int
    precision : float
        The difference is met to within this, and the interval reaches no further to either side.
    width : int
        The number of attributes.
    most : int
        Training sets to draw at most for the interval.
    """
    target = check_number("delta", delta, lowest=-0.5, highest=0.5)
    precision = check_number("precision", precision, lowest=1e-5, highest=0.1)
    size = check_whole("rows", rows, lowest=2)
    start = NetworkSource(structure=structure, seed=seed, width=width)
    names = [getattr(learner, "key", learner) for learner in learners]
    if not all(isinstance(name, Hashable) for name in names):
        return _search(start, target, learners, size, precision, most)
    key = (start, target, size, precision, most, *names)
    if key not in _NETWORKS:
        if len(_NETWORKS) >= MOST_KEPT:
            _NETWORKS.pop(next(iter(_NETWORKS)))
        _NETWORKS[key] = _search(start, target, learners, size, precision, most)
    return _NETWORKS[key]


def _search(
    start: NetworkSource,
    target: float,
    learners: Sequence[Predictor],
    rows: int,
    precision: float,
    most: int,
) -> FoundNetwork:
    first, second = learners
    trial = _Trial(first, second, rows, start.seed)
    candidates = _candidates(start, target)
    best = -np.inf
    for tried, candidate in enumerate(candidates, 1):
        reached = _bound_difference(trial.measure(candidate, PILOT, "training sets"), target)
        best = max(best, reached)
        if target and reached <= abs(target):
            continue
        network = _refine(candidate, target, precision, trial, most)
        if network is not None:
            return replace(network, tried=tried)
    raise InputError(
        f"None of {len(candidates)} networks of structure {start.structure!r} surely reaches a "
        f"difference of {target:g}; the best had {written(np.copysign(best, target), 4)}.",
        "Ask for a smaller difference, another structure or another seed.",
    )


def _refine(
    candidate: NetworkSource, target: float, precision: float, trial: _Trial, most: int
) -> FoundNetwork | None:
    """Weaken a network until the difference is met; None where more data sets show too little."""
    count = PILOT
    while True:
        source = _weaken(candidate, target, precision, trial, count)
        if source is None:
            return None
        accuracies = trial.measure(source, count, f"fresh {count}")
        need = _count_datasets(accuracies, precision)
        if need <= count:
            first, second = map(float, accuracies.mean(axis=1))
            if abs(second - first - target) <= precision:
                ends = _interval(accuracies)
                return FoundNetwork(
                    source, second - first, *ends, (first, second), count, target, tried=0
                )
            need = 2 * count
        if need > most:
            raise InputError(
                f"A difference of {target:g} cannot be met to within {precision:g} "
                f"with {most} training sets.",
                "Allow a larger precision, or more training sets.",
            )
        count = need


def make_predictor(make: Callable[[], Any]) -> Predictor:
    """Return a predictor that fits a fresh estimator to each training set."""

    def predict(X: NDArray[Any], y: NDArray[Any], cells: NDArray[Any]) -> NDArray[Any]:
        return np.stack(
            [make().fit(rows, labels).predict(cells) for rows, labels in zip(X, y, strict=True)]
        )

    return predict


@dataclass(frozen=True)
class _Trial:
    """The true accuracies of both learners after training on the same drawn sets."""

    first: Predictor
    second: Predictor
    rows: int
    seed: int

    def measure(self, source: NetworkSource, count: int, label: str) -> NDArray[np.float64]:
        X, y = source.draw_many(count, self.rows, seeded(self.seed, "search", label))
        both = [learner(X, y, source.cells) for learner in (self.first, self.second)]
        return np.stack([source.accuracy(predicted) for predicted in both])

    def difference(self, source: NetworkSource, count: int) -> float:
        first, second = self.measure(source, count, "training sets").mean(axis=1)
        return float(second - first)


def _bound_difference(accuracies: NDArray[np.float64], target: float) -> float:
    """Return the difference in the direction of the target, less two standard errors."""
    difference = np.copysign(1.0, target) * (accuracies[1] - accuracies[0])
    return float(difference.mean() - 2 * difference.std(ddof=1) / np.sqrt(len(difference)))


def _candidates(start: NetworkSource, target: float) -> list[NetworkSource]:
    """Return random networks, the most promising first.

    What naive Bayes would lose with endless data is a sum over the joint table, and costs nothing
    compared with training. It only decides which networks are tried first.
    """
    if target == 0:
        return [replace(start, strength=0.0)]
    random = seeded(start.seed, "search", "networks")
    drawn = [
        replace(start, seed=int(seed), strength=strength)
        for seed in random.integers(2**31, size=NETWORKS)
        for strength in STRENGTHS
    ]
    aim = max(2 * target, 0.0)
    return sorted(
        drawn, key=lambda network: abs(network.bayes_accuracy - network.naive_accuracy - aim)
    )[:TRIED]


def _weaken(
    source: NetworkSource, target: float, precision: float, trial: _Trial, count: int
) -> NetworkSource | None:
    """Return the network at the strength at which the difference is met on these data sets.

    None where even the network as it is falls short. Between no strength, where neither learner
    is better, and that one, the difference is met somewhere; no step leaves these ends.
    """
    if target == 0:
        return source
    sign = np.sign(target)

    def excess(strength: float) -> float:
        there = trial.difference(replace(source, strength=strength), count)
        return float(sign * there - abs(target))

    low, high = 0.0, source.strength
    below, above = -abs(target), excess(high)
    if above < 0:
        return None
    strength = high
    for step in range(STEPS):
        if abs(above) <= precision / 3:
            break
        # The secant through both ends, and the middle now and then, lest one end stay for good.
        part = 0.5 if step % 3 == 2 else below / (below - above)
        strength = min(max(low + part * (high - low), low), high)
        here = excess(strength)
        if abs(here) <= precision / 3:
            break
        if here < 0:
            low, below = strength, here
        else:
            high, above = strength, here
    return replace(source, strength=strength)


def _spread(accuracies: NDArray[np.float64]) -> float:
    return float(np.std(accuracies[1] - accuracies[0], ddof=1))


def _reach(count: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(count - 1, 0.975))


def _interval(accuracies: NDArray[np.float64]) -> tuple[float, float]:
    count = accuracies.shape[1]
    centre = float(accuracies[1].mean() - accuracies[0].mean())
    half = float(_reach(count) * _spread(accuracies) / np.sqrt(count))
    return centre - half, centre + half


def _count_datasets(accuracies: NDArray[np.float64], precision: float) -> int:
    """Return how many training sets an interval of half this width needs."""
    count = accuracies.shape[1]
    return int(np.ceil(1.25 * (_reach(count) * _spread(accuracies) / precision) ** 2)) + 2
