"""The tests of Dietterich (1998) on data sets where the learners were made equally good."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.designs import Design
from twofold.execution import open_backend
from twofold.learners import nearest_across_folds, read_learner
from twofold.seeds import rng
from twofold.stats import five_by_two_cv_t
from twofold.studies import (
    ErrorCounts,
    PlannedExperiment,
    count_errors,
    decide,
    many_runs,
    open_kept,
    plan_experiments,
)
from twofold_papers.dietterich1998.damage import Damage, weighted
from twofold_papers.dietterich1998.learning_tasks import ROWS, Floats, LearningTask
from twofold_papers.item import ItemOptions

TESTS = {
    "McNemar": ("mcnemar@holdout:1/3", 200),
    "Prop. test": ("proportions@holdout:1/3", 200),
    "10-fold cv t": ("cv-t@1x10", 270),
    "5x2cv t": ("5x2cv-t@5x2", 150),
}
AT_ONCE = 20  # trials of a job


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


def experiments() -> dict[str, tuple[PlannedExperiment, int]]:
    """Return the experiment of each test, and how many rows it trains on."""
    return {name: (plan_experiments(text, None)[0], size) for name, (text, size) in TESTS.items()}


@dataclass(eq=False)
class Trying:
    """Runs both learners at every fraction; a job is a stretch of trials."""

    task: LearningTask
    designs: tuple[tuple[Design, int], ...]
    fractions: tuple[float, ...]
    amounts: dict[tuple[float, int], float]
    seed: int

    def describe(self, job: tuple[int, int]) -> str:
        """Return a job in words, for errors."""
        return f"trials {job[0] + 1} to {job[1]} on {self.task.name}"

    def do(self, job: tuple[int, int]) -> list[Any]:
        """Return the counts for each design, (trials, fractions, 4, runs, folds)."""
        each = [self._trial(number) for number in range(*job)]
        return [np.stack(counts) for counts in zip(*each, strict=True)]

    def _trial(self, number: int) -> list[Any]:
        # Calibrated on the first data sets of one stream, tried on those of another.
        random = rng(self.seed, "trial", self.task.name, number)
        X, y = self.task.draw(random)[:2]
        dataset = self.task.dataset(X, y)
        estimator: Any = read_learner("c45").estimator
        found = []
        for design, size in self.designs:
            folds = many_runs(design, dataset, design.runs, random, stratify=False)
            tree = estimator.predict_folds(dataset, folds)
            plain = nearest_in_folds(X, y, folds, 1.0) if self.task.noise else None
            counts = []
            for part in self.fractions:
                amount = self.amounts[part, size]
                if plain is not None:
                    a, b = _spoilt(tree, amount, self.task.classes, random), plain
                else:
                    a, b = tree, nearest_in_folds(X, y, folds, amount)
                counts.append(count_errors(folds, dataset.y, a, b, design.parts))
            found.append(np.stack(counts))
        return found


def nearest_in_folds(X: Floats, y: Any, folds: Any, t: float) -> Any:
    """Return what nearest neighbour says in each run, (runs, rows)."""
    return nearest_across_folds(weighted(X, t), y, folds)


def _spoilt(said: Any, rate: float, classes: int, random: np.random.Generator) -> Any:
    wrong = random.random(said.shape) < rate
    other = (said + random.integers(1, classes, said.shape)) % classes
    return np.where(wrong & (said >= 0), other, said)


def run_trials(task: LearningTask, damage: Damage, trials: int, setting: ItemOptions) -> Trials:
    """Run all tests at all fractions on so many data sets; finished work is kept."""
    planned = experiments()
    designs = tuple(dict.fromkeys((one.design, size) for one, size in planned.values()))
    trying = Trying(task, designs, damage.fractions, dict(damage.amounts), setting.seed)
    counts = _counts(trying, trials, setting)
    pvalues = np.empty((len(damage.fractions), len(TESTS), trials))
    statistics, differences = np.zeros(trials), np.zeros((trials, 10))
    for row, part in enumerate(damage.fractions):
        for place, (experiment, size) in enumerate(planned.values()):
            one = counts[designs.index((experiment.design, size))][:, row]
            tallies = ErrorCounts(*np.moveaxis(one, 1, 0)[:, :, None])
            pvalues[row, place] = decide(experiment, tallies, ROWS, None).pvalue[:, 0]
            if part == 0 and experiment.design.parts == 2:
                answer: Any = five_by_two_cv_t(tallies.differences()[:, 0], confidence=None)
                statistics = np.asarray(answer.statistic)
            if part == 0 and experiment.design.parts == 10:
                differences = tallies.differences()[:, 0, 0]
    return Trials(pvalues, statistics, differences)


def _counts(trying: Trying, trials: int, setting: ItemOptions) -> list[Any]:
    kept = open_kept(setting.store)
    amounts = sorted((*place, value) for place, value in trying.amounts.items())
    learner = read_learner("c45").key
    text = json.dumps(["damaged", 3, trying.task.name, trials, trying.seed, amounts, learner])
    key = hashlib.sha256(text.encode()).hexdigest()
    known = kept.get(key)
    if known is None:
        jobs = [(first, min(first + AT_ONCE, trials)) for first in range(0, trials, AT_ONCE)]
        backend = open_backend(None, setting.workers)
        try:
            done = dict(backend.imap(trying, jobs))
        finally:
            backend.close()
        parts = zip(*(done[job] for job in jobs), strict=True)
        known = {f"design{i}": np.concatenate(one) for i, one in enumerate(parts)}
        kept.put(key, known)
    return [known[f"design{i}"].astype(np.int32) for i in range(len(trying.designs))]
