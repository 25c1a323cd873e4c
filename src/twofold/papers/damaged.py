"""Learners damaged until they are equally good, after Dietterich (1998), section 6.

C4.5 and nearest neighbour differ on every task. On EXP6 and Letter nearest neighbour is better and
gets bad weights: the first of p columns counts t, the last 1, those between in even steps of the
logarithm, and t grows until the error is that of C4.5. (On Letter the first columns tell least;
more weight on the last ones would even help.) On Pima C4.5 is better, and gets random errors. Both
are done for training sets of 270, 200 and 150 rows apart, as each test trains on another size.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute, Dataset
from twofold.learners import read_learner
from twofold.papers.item import Setting
from twofold.seeds import rng
from twofold.studies.decisions import decide
from twofold.studies.keeping import open_kept
from twofold.studies.plan import plan_experiments
from twofold.studies.splits import many_runs
from twofold.studies.tallies import Tallies, tally

Floats = NDArray[np.float64]
ROWS = 300
SIZES = (270, 200, 150)
TESTS = {
    "McNemar": ("mcnemar@holdout:1/3", 200),
    "Prop. test": ("proportions@holdout:1/3", 200),
    "10-fold cv t": ("cv-t@1x10", 270),
    "5x2cv t": ("5x2cv-t@5x2", 150),
}
STEPS = 14  # of each search for a weight


@dataclass(frozen=True, eq=False)
class Task:
    """Where data sets come from, and rows to measure errors on.

    Attributes
    ----------
    name : str
    draw : function of a generator
        Returns X and y of 300 rows, and X and y to measure errors on.
    classes : int
    noise : bool
        Whether C4.5 gets random errors, instead of nearest neighbour bad weights.
    """

    name: str
    draw: Callable[[np.random.Generator], tuple[Floats, Any, Floats, Any]]
    classes: int
    noise: bool = False


@dataclass(frozen=True, eq=False)
class Damage:
    """Errors by training size, and what brings learners to each fraction λ of the way.

    Attributes
    ----------
    fractions : tuple of float
        0 where both are equally good, 1 where neither is damaged.
    tree, nearest : mapping from size to float
        Errors of the learners undamaged.
    amounts : mapping from (λ, size) to float
        The weight t, or the rate of random errors.
    errors : mapping from (λ, size) to float
        The error of the damaged learner.
    """

    fractions: tuple[float, ...]
    tree: Mapping[int, float]
    nearest: Mapping[int, float]
    amounts: Mapping[tuple[float, int], float]
    errors: Mapping[tuple[float, int], float]


def weights(columns: int, t: float) -> Floats:
    """Return bad weights for columns; t = 1 leaves them alone."""
    return np.asarray(t ** (np.arange(columns)[::-1] / max(columns - 1, 1)))


def nearest(train: Floats, y: Any, test: Floats, t: float) -> Any:
    """Return the class of the nearest training row, by weighted Euclidean distance."""
    scale = np.sqrt(weights(train.shape[1], t))
    a, b = test * scale, train * scale
    distance = -2 * a @ b.T + (b**2).sum(axis=1)
    return y[distance.argmin(axis=1)]


def nearest_in_folds(X: Floats, y: Any, folds: Any, t: float) -> Any:
    """Return what nearest neighbour says in each run, (runs, rows)."""
    scaled = X * np.sqrt(weights(X.shape[1], t))
    square = (scaled**2).sum(axis=1)
    distance = square[:, None] + square[None] - 2 * scaled @ scaled.T
    return np.stack(
        [y[np.where(run[:, None] == run[None], np.inf, distance).argmin(axis=1)] for run in folds]
    )


def dataset_of(task: Task, X: Floats, y: Any) -> Dataset:
    """Return rows as a data set; all classes count as present."""
    names = tuple(map(str, range(task.classes)))
    attributes = tuple(Attribute(f"x{j}") for j in range(X.shape[1]))
    return Dataset(task.name, attributes, X, np.asarray(y, dtype=np.intp), names)


def tree_says(task: Task, train: Floats, y: Any, test: Floats) -> Any:
    """Return what C4.5 says to rows after training on others."""
    estimator: Any = read_learner("c45").estimator
    # The rows to say stand behind the training rows, as the one fold that is tested on.
    both = dataset_of(task, np.r_[train, test], np.r_[y, np.zeros(len(test), dtype=np.intp)])
    folds = np.r_[np.full(len(train), -1), np.zeros(len(test))].astype(np.int32)[None]
    return estimator.predict_folds(both, folds)[0, len(train) :]


def calibrate(task: Task, fractions: tuple[float, ...], sets: int, seed: int) -> Damage:
    """Measure both learners, and find the damage for each fraction and size."""
    drawn = [task.draw(rng(seed, "damage", task.name, number)) for number in range(sets)]
    tree = {m: _error(drawn, m, partial(tree_says, task)) for m in SIZES}
    near = {m: _error(drawn, m, partial(nearest, t=1.0)) for m in SIZES}
    amounts, errors = {}, {}
    for m in SIZES:
        for part in fractions:
            worse, better = (near, tree) if task.noise else (tree, near)
            target = worse[m] - part * (worse[m] - better[m])
            if task.noise:
                rate = (target - tree[m]) / (1 - 2 * tree[m])
                amounts[part, m], errors[part, m] = max(rate, 0.0), target
            else:
                found = _weight_for(drawn, m, target)
                amounts[part, m], errors[part, m] = found
    return Damage(fractions, tree, near, amounts, errors)


def _error(drawn: list[Any], m: int, says: Callable[..., Any]) -> float:
    return float(
        np.mean([(says(X[:m], y[:m], test) != truth).mean() for X, y, test, truth in drawn])
    )


def _weight_for(drawn: list[Any], m: int, target: float) -> tuple[float, float]:
    """Return the t at which nearest neighbour has the error, by halving its logarithm."""
    low, high = 0.0, 12.0
    here = _error(drawn, m, partial(nearest, t=1.0))
    if here >= target:
        return 1.0, here
    middle = low
    for _ in range(STEPS):
        middle = (low + high) / 2
        here = _error(drawn, m, partial(nearest, t=float(np.exp(middle))))
        low, high = (middle, high) if here < target else (low, middle)
        if abs(here - target) < 0.001:  # as close as Dietterich went
            break
    return float(np.exp(middle)), here


@dataclass(frozen=True, eq=False)
class Trials:
    """What the tests said: p values (fractions, tests, trials), and more where λ = 0.

    Attributes
    ----------
    pvalues : array
    statistics : array (trials,)
        Of the 5x2cv t test.
    folds : array (trials, 10)
        Differences in error of the 10-fold test.
    """

    pvalues: Floats
    statistics: Floats
    folds: Floats


def run_trials(task: Task, damage: Damage, trials: int, setting: Setting) -> Trials:
    """Run all tests at all fractions on so many data sets; finished work is kept."""
    kept = open_kept(setting.store)
    amounts = sorted((*place, value) for place, value in damage.amounts.items())
    text = json.dumps(["damaged", 2, task.name, trials, setting.seed, amounts])
    key = hashlib.sha256(text.encode()).hexdigest()
    known = kept.get(key)
    if known is None:
        each = [_trial(task, damage, number, setting.seed) for number in range(trials)]
        pvalues, statistics, folds = zip(*each, strict=True)
        known = {
            "pvalues": np.stack(pvalues, axis=-1),
            "statistics": np.array(statistics),
            "folds": np.array(folds),
        }
        kept.put(key, known)
    return Trials(known["pvalues"], known["statistics"], known["folds"])


def _trial(task: Task, damage: Damage, number: int, seed: int) -> tuple[Floats, float, Floats]:
    from twofold.stats import five_by_two_cv_t

    # Calibrated on the first data sets of one stream, tried on those of another.
    random = rng(seed, "trial", task.name, number)
    X, y = task.draw(random)[:2]
    dataset = dataset_of(task, X, y)
    estimator: Any = read_learner("c45").estimator
    pvalues = np.empty((len(damage.fractions), len(TESTS)))
    statistic, differences = 0.0, np.zeros(10)
    splits: dict[str, tuple[Any, Any]] = {}
    for place, (written, size) in enumerate(TESTS.values()):
        (experiment,) = plan_experiments(written, None)
        design = experiment.design
        if design.family not in splits:
            runs = many_runs(design, dataset, design.runs, random, stratify=False)
            splits[design.family] = runs, estimator.predict_folds(dataset, runs)
        folds, tree = splits[design.family]
        for row, part in enumerate(damage.fractions):
            amount = damage.amounts[part, size]
            if task.noise:
                a, b = _spoilt(tree, amount, task.classes, random), nearest_in_folds(X, y, folds, 1)
            else:
                a, b = tree, nearest_in_folds(X, y, folds, amount)
            counts = tally(folds, dataset.y, a, b, design.parts)
            tallies = Tallies(*counts[:, None, None])
            pvalues[row, place] = float(decide(experiment, tallies, ROWS, None).pvalue[0, 0])
            if part == 0 and design.parts == 2:
                answer: Any = five_by_two_cv_t(tallies.differences()[0, 0], confidence=None)
                statistic = float(answer.statistic)
            if part == 0 and design.parts == 10:
                differences = tallies.differences()[0, 0, 0]
    return pvalues, statistic, differences


def _spoilt(said: Any, rate: float, classes: int, random: np.random.Generator) -> Any:
    wrong = random.random(said.shape) < rate
    other = (said + random.integers(1, classes, said.shape)) % classes
    return np.where(wrong & (said >= 0), other, said)


def letter(folder: Any) -> Task:
    """Return Letter: 300 rows to try on out of one half, errors measured on the other."""
    from twofold.sources.catalog import find_dataset

    whole = find_dataset("letter", folder)
    order = rng(1, "letter", "halves").permutation(whole.rows)
    half = whole.rows // 2
    mine, others = order[:half], order[half:]

    def draw(random: np.random.Generator) -> tuple[Floats, Any, Floats, Any]:
        rows = random.choice(mine, ROWS, replace=False)
        some = random.choice(others, 1000, replace=False)
        return whole.X[rows], whole.y[rows], whole.X[some], whole.y[some]

    return Task("letter", draw, len(whole.classes or ()))


def pima(folder: Any) -> Task:
    """Return Pima: 300 rows, errors measured on the other 468."""
    from twofold.sources.catalog import find_dataset

    whole = find_dataset("pima", folder)
    ranges = np.ptp(whole.X, axis=0)

    def draw(random: np.random.Generator) -> tuple[Floats, Any, Floats, Any]:
        order = random.permutation(whole.rows)
        rows, rest = order[:ROWS], order[ROWS:]
        X = whole.X / ranges
        return X[rows], whole.y[rows], X[rest], whole.y[rest]

    return Task("pima", draw, 2, noise=True)


def exp6() -> Task:
    """Return the stand-in for EXP6; errors are measured on points of its grid."""
    from twofold.sources.simulated import CurvedSource

    source = CurvedSource()
    grid, truth = source.grid()

    def draw(random: np.random.Generator) -> tuple[Floats, Any, Floats, Any]:
        X, y = source.draw_many(1, ROWS, random)
        some = random.choice(len(grid), 1000, replace=False)
        return X[0], y[0].astype(np.intp), grid[some], truth[some].astype(np.intp)

    return Task("exp6", draw, 6)
