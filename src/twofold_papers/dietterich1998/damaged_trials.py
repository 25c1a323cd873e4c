"""The tests of Dietterich (1998) on data sets where the learners were made equally good."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.designs import Design, parse_design
from twofold.execution import Arrays, Part, compute_arrays, digest
from twofold.learners import nearest_across_folds, read_learner
from twofold.seeds import rng
from twofold.stats import five_by_two_cv_t
from twofold.studies import ErrorCounts, count_errors, decide, many_runs, plan_experiments
from twofold_papers.dietterich1998.damage import Damage, scale_columns
from twofold_papers.dietterich1998.learning_tasks import ROWS, Floats, LearningTask
from twofold_papers.item import ItemOptions

TESTS = {
    "McNemar": ("mcnemar@holdout:1/3", 200),
    "Prop. test": ("proportions@holdout:1/3", 200),
    "10-fold cv t": ("cv-t@1x10", 270),
    "5x2cv t": ("5x2cv-t@5x2", 150),
}
"""The experiment of each test, and how many rows it trains on."""
AT_ONCE = 20  # trials of a job
LEVEL = 0.05


@dataclass(frozen=True, eq=False)
class Trials:
    """What the tests give: p values (fractions, tests, trials), and more where λ = 0.

    Attributes
    ----------
    pvalues : array
    halves : array (trials, 5, 2)
        Differences in accuracy of the 5x2cv test.
    folds : array (trials, 10)
        Differences in accuracy of the 10-fold test.
    """

    pvalues: Floats
    halves: Floats
    folds: Floats

    @property
    def statistics(self) -> Floats:
        """Of the 5x2cv t test."""
        result: Any = five_by_two_cv_t(self.halves, confidence=None)
        return np.asarray(result.statistic)

    @property
    def rejections(self) -> Floats:
        """1 where a test rejects, (fractions, tests, trials)."""
        return (self.pvalues <= LEVEL).astype(float)


@dataclass(eq=False)
class TrialWork:
    """Runs both learners at every fraction; a job is a stretch of trials."""

    task: LearningTask
    designs: tuple[tuple[Design, int], ...]
    fractions: tuple[float, ...]
    amounts: dict[tuple[float, int], float]
    seed: int

    def describe(self, job: tuple[int, int]) -> str:
        """Return a job in words, for errors."""
        return f"trials {job[0] + 1} to {job[1]} on {self.task.name}"

    def do(self, job: tuple[int, int]) -> Arrays:
        """Return the counts for each design, (trials, fractions, 4, runs, folds)."""
        trials = [self._run_trial(number) for number in range(*job)]
        by_design = enumerate(zip(*trials, strict=True))
        return {f"design{i}": np.stack(counts).astype(np.int32) for i, counts in by_design}

    def _run_trial(self, number: int) -> list[Any]:
        # Calibrated on the first data sets of one stream, tried on those of another.
        random = rng(self.seed, "trial", self.task.name, number)
        X, y = self.task.draw(random)[:2]
        dataset = self.task.build_dataset(X, y)
        estimator: Any = read_learner("c45").estimator
        by_design = []
        for design, size in self.designs:
            folds = many_runs(design, dataset, design.runs, random, stratify=False)
            tree = estimator.predict_folds(dataset, folds)
            plain = predict_nearest_in_folds(X, y, folds, 1.0) if self.task.noise else None
            counts = []
            for part in self.fractions:
                amount = self.amounts[part, size]
                if plain is not None:
                    a, b = _spoil(tree, amount, self.task.classes, random), plain
                else:
                    a, b = tree, predict_nearest_in_folds(X, y, folds, amount)
                counts.append(count_errors(folds, dataset.y, a, b, design.parts))
            by_design.append(np.stack(counts))
        return by_design


def predict_nearest_in_folds(X: Floats, y: Any, folds: Any, t: float) -> Any:
    """Return predictions of nearest neighbour in each run, (runs, rows)."""
    return nearest_across_folds(scale_columns(X, t), y, folds)


def _spoil(predictions: Any, rate: float, classes: int, random: np.random.Generator) -> Any:
    wrong = random.random(predictions.shape) < rate
    other = (predictions + random.integers(1, classes, predictions.shape)) % classes
    return np.where(wrong & (predictions >= 0), other, predictions)


def run_trials(task: LearningTask, damage: Damage, trials: int, options: ItemOptions) -> Trials:
    """Run all tests at all fractions on so many data sets; finished work is kept."""
    plans = [(plan_experiments(text, None)[0], size) for text, size in TESTS.values()]
    designs = tuple(dict.fromkeys((plan.design, size) for plan, size in plans))
    work = TrialWork(task, designs, damage.fractions, dict(damage.amounts), options.seed)
    arrays = _count_errors(work, trials, options)
    pvalues = np.empty((len(damage.fractions), len(TESTS), trials))
    halves, folds = np.zeros((trials, 5, 2)), np.zeros((trials, 10))
    for row, part in enumerate(damage.fractions):
        for column, (plan, size) in enumerate(plans):
            array = arrays[designs.index((plan.design, size))][:, row]
            counts = ErrorCounts(*np.moveaxis(array, 1, 0)[:, :, None])
            pvalues[row, column] = decide(plan, counts, ROWS, None).pvalue[:, 0]
            if part == 0 and plan.design.parts == 2:
                halves = counts.differences()[:, 0]
            if part == 0 and plan.design.parts == 10:
                folds = counts.differences()[:, 0, 0]
    return Trials(pvalues, halves, folds)


def run_more_halves(
    task: LearningTask, damage: Damage, runs: int, trials: int, options: ItemOptions
) -> Floats:
    """Return differences in accuracy of 2-fold cross-validations, (trials, runs, 2), where λ = 0.

    The data sets are those of `run_trials`.
    """
    designs = ((parse_design(f"{runs}x2"), 150),)
    work = TrialWork(task, designs, (0.0,), {(0.0, 150): damage.amounts[0.0, 150]}, options.seed)
    (array,) = _count_errors(work, trials, options)
    return ErrorCounts(*np.moveaxis(array[:, 0], 1, 0)[:, :, None]).differences()[:, 0]


def _count_errors(work: TrialWork, trials: int, options: ItemOptions) -> list[Any]:
    amounts = sorted((*key, value) for key, value in work.amounts.items())
    learner = read_learner("c45").key
    jobs = {}
    for first in range(0, trials, AT_ONCE):
        job = (first, min(first + AT_ONCE, trials))
        designs = [(str(design), size) for design, size in work.designs]
        key = digest("damaged", 5, work.task.name, job, work.seed, designs, amounts, learner)
        jobs[job] = Part(key, "reproduction", f"dietterich1998: trials on {work.task.name}")
    stretches = compute_arrays(work, jobs, **options.engine).values()
    return [
        np.concatenate([counts[f"design{i}"] for counts in stretches])
        for i in range(len(work.designs))
    ]
