"""Learners damaged until they are equally good, after Dietterich (1998), section 6.

C4.5 and nearest neighbour differ on every task. On EXP6 and Letter nearest neighbour is better and
gets bad weights: the first of p columns counts t, the last 1, those between in even steps of the
logarithm, and t grows until the error is that of C4.5. (On Letter the first columns tell least;
more weight on the last ones would even help.) On Pima C4.5 is better, and gets random errors. Both
are done for training sets of 270, 200 and 150 rows apart, as each test trains on another size, and
for all 300, at which the paper states the difference between the learners.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.execution import Arrays, Part, compute_arrays, digest
from twofold.learners import nearest_by_size, read_learner
from twofold.seeds import rng
from twofold_papers.dietterich1998.learning_tasks import ROWS, Floats, LearningTask
from twofold_papers.item import ItemOptions

SIZES = (300, 270, 200, 150)
AT_ONCE = 20  # data sets of a job
LOGARITHMS = np.linspace(0.0, 12.0, 33)
"""Of the weights t at which errors are measured; between them they are interpolated."""

CLOSE = 0.001
"""How far an error may be from its target: as Dietterich has it."""


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
    gaps : array (data sets,)
        Error of C4.5 less that of nearest neighbour, undamaged and trained on all rows.
    """

    fractions: tuple[float, ...]
    tree: Mapping[int, float]
    nearest: Mapping[int, float]
    amounts: Mapping[tuple[float, int], float]
    errors: Mapping[tuple[float, int], float]
    gaps: Floats


def scale_columns(X: Floats, t: float) -> Floats:
    """Return rows whose columns are stretched, so that distances weigh the first by t."""
    count = X.shape[1]
    scaled: Floats = X * t ** (np.arange(count)[::-1] / (2 * max(1, count - 1)))
    return scaled


def predict_nearest(train: Floats, y: Any, test: Floats, t: float) -> Any:
    """Return predictions of nearest neighbour trained on the first rows, (sizes, test rows)."""
    return nearest_by_size(scale_columns(train, t), y, scale_columns(test, t), SIZES)


def predict_tree(
    task: LearningTask, train: Floats, y: Any, test: Floats, sizes: Sequence[int]
) -> Any:
    """Return predictions of C4.5 trained on the first rows, (sizes, test rows)."""
    estimator: Any = read_learner("c45").estimator
    # Test rows stand behind the training rows; training rows beyond the size are tested on as well.
    both = task.build_dataset(np.r_[train, test], np.r_[y, np.zeros(len(test), dtype=np.intp)])
    beyond = np.arange(len(train) + len(test)) >= np.asarray(sizes)[:, None]
    folds = np.where(beyond, 0, -1).astype(np.int32)
    return estimator.predict_folds(both, folds)[:, len(train) :]


@dataclass(eq=False)
class ErrorWork:
    """Measures errors of both learners; a job is a stretch of data sets.

    ``weights`` holds a t for each step and size.
    """

    task: LearningTask
    weights: Floats
    tree: bool
    seed: int

    def describe(self, job: tuple[int, int]) -> str:
        """Return a job in words, for errors."""
        return f"data sets {job[0] + 1} to {job[1]} of {self.task.name}"

    def do(self, job: tuple[int, int]) -> Arrays:
        """Return errors on each data set: of C4.5 (sizes,), of nearest neighbour as weights are."""
        count = job[1] - job[0]
        tree, near = np.zeros((count, len(SIZES))), np.zeros((count, *self.weights.shape))
        for row, number in enumerate(range(*job)):
            X, y, test, truth = self.task.draw(rng(self.seed, "damage", self.task.name, number))
            if self.tree:
                tree[row] = (predict_tree(self.task, X, y, test, SIZES) != truth).mean(axis=1)
            for t in np.unique(self.weights):
                wrong = (predict_nearest(X, y, test, float(t)) != truth).mean(axis=1)
                near[row] += np.where(self.weights == t, wrong, 0.0)
        return {"tree": tree, "near": near}


def measure_errors(
    task: LearningTask, weights: Floats, sets: int, options: ItemOptions, *, tree: bool
) -> tuple[Floats, Floats]:
    """Return errors of C4.5 and of nearest neighbour with each weight, by data set; it is kept."""
    learner = read_learner("c45").key if tree else ""
    jobs = {}
    for first in range(0, sets, AT_ONCE):
        job = (first, min(first + AT_ONCE, sets))
        key = digest("errors", 3, task.name, job, options.seed, weights.tolist(), learner)
        jobs[job] = Part(key, "reproduction", f"dietterich1998: errors on {task.name}")
    work = ErrorWork(task, weights, tree, options.seed)
    parts = compute_arrays(work, jobs, **options.engine).values()
    trees, nearest = (np.concatenate([each[name] for each in parts]) for name in ("tree", "near"))
    return trees, nearest


def calibrate_damage(
    task: LearningTask, fractions: tuple[float, ...], sets: int, options: ItemOptions
) -> Damage:
    """Measure both learners, and find the damage for each fraction and size."""
    steps = LOGARITHMS[:1] if task.noise else LOGARITHMS
    grid = np.repeat(np.exp(steps)[:, None], len(SIZES), axis=1)
    trees, nears = measure_errors(task, grid, sets, options, tree=True)
    tree, near = trees.mean(axis=0), nears.mean(axis=0)
    part = np.array(fractions)[:, None]
    worse, better = (near[0], tree) if task.noise else (tree, near[0])
    targets = worse - part * (worse - better)
    if task.noise:
        # A wrong prediction turns right as often as a right one turns wrong.
        amounts, errors = np.maximum((targets - tree) / (1 - 2 * tree), 0.0), targets
    else:
        amounts, errors = _find_weights(task, targets, near, sets, options)
    keys = [(part, size) for part in fractions for size in SIZES]
    return Damage(
        fractions,
        dict(zip(SIZES, tree.tolist(), strict=True)),
        dict(zip(SIZES, near[0].tolist(), strict=True)),
        dict(zip(keys, amounts.ravel().tolist(), strict=True)),
        dict(zip(keys, errors.ravel().tolist(), strict=True)),
        trees[:, SIZES.index(ROWS)] - nears[:, 0, SIZES.index(ROWS)],
    )


def _find_weights(
    task: LearningTask, targets: Floats, curve: Floats, sets: int, options: ItemOptions
) -> tuple[Floats, Floats]:
    """Return the t at which nearest neighbour has each error, and the error measured there."""
    rising = np.maximum.accumulate(curve, axis=0)
    logs = np.empty(targets.shape)
    for size in range(len(SIZES)):
        logs[:, size] = np.interp(targets[:, size], rising[:, size], LOGARITHMS)
    errors = measure_errors(task, np.exp(logs), sets, options, tree=False)[1].mean(axis=0)
    if np.abs(errors - targets).max() <= CLOSE:
        return np.exp(logs), errors
    # Once more, from where the line between two steps was off.
    for size in range(len(SIZES)):
        x = np.r_[LOGARITHMS, logs[:, size]]
        order = np.argsort(x, kind="stable")
        y = np.maximum.accumulate(np.r_[rising[:, size], errors[:, size]][order])
        logs[:, size] = np.interp(targets[:, size], y, x[order])
    errors = measure_errors(task, np.exp(logs), sets, options, tree=False)[1].mean(axis=0)
    return np.exp(logs), errors
