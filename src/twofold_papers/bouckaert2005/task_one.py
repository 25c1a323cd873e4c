"""Task I of Bouckaert (2005): experiments at steps of the difference between two fixed learners.

All experiments at a step are done on the same data sets, so that their rates can be compared data
set by data set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from twofold.execution import Arrays, Part, compute_arrays, digest
from twofold.seeds import rng
from twofold.simulation import Task1, fold_counts, resample_counts
from twofold.stats import mcnemar
from twofold.studies import (
    ErrorCounts,
    Estimate,
    PlannedExperiment,
    choose_df,
    decide,
    plan_experiments,
    share,
)
from twofold_papers.item import ItemOptions

ROWS = (1000, 2000, 10_000)
STEPS = 100
REPETITIONS = 10
DATASETS = 1000  # theirs
DRAWN_AT_ONCE = 250
MCNEMAR = "mcnemar@holdout:0.1"
WITHOUT_CORRECTION = "mcnemar-without-correction@holdout:0.1"
"""McNemar's test as section 3 analyses it."""


class StepJob(NamedTuple):
    """Experiments at one step.

    Attributes
    ----------
    rows, step, datasets : int
    tests : tuple of str
        Experiments whose splits are alike but for their number.
    steps : int
        How many steps lead to a difference of one half.
    alpha : float
    stream : str
        Jobs of another stream have other data sets.
    """

    rows: int
    step: int
    datasets: int
    tests: tuple[str, ...]
    steps: int = STEPS
    alpha: float = 0.05
    stream: str = "curve"


@dataclass(frozen=True, eq=False)
class Outcomes:
    """How many of its repetitions an experiment rejected on each data set."""

    rejections: NDArray[np.int64]

    @property
    def power(self) -> NDArray[np.float64]:
        """The share of rejections on each data set."""
        return self.rejections / REPETITIONS

    @property
    def agreement(self) -> NDArray[np.float64]:
        """The probability R that two repetitions agree, on each data set."""
        k, n = self.rejections, REPETITIONS
        return np.asarray((k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1)))

    @property
    def replicability(self) -> NDArray[np.float64]:
        """What the paper calls replicability, 2R − 1, on each data set."""
        return 2 * self.agreement - 1

    def estimate_power(self) -> Estimate:
        """Return the power with its interval."""
        return share(self.power, 0.95)

    def estimate_replicability(self) -> Estimate:
        """Return 2R − 1 with its interval."""
        r = share(self.agreement, 0.95)
        return Estimate(2 * r.value - 1, 2 * r.low - 1, 2 * r.high - 1)


@dataclass(eq=False)
class StepWork:
    """Runs experiments at one step; sent to each worker once."""

    seed: int

    def describe(self, job: StepJob) -> str:
        """Return a job in words, for errors."""
        return f"step {job.step} at {job.rows} rows"

    def do(self, job: StepJob) -> Arrays:
        """Return how many repetitions reject, (tests, data sets)."""
        starts = range(0, job.datasets, DRAWN_AT_ONCE)
        counts = [min(DRAWN_AT_ONCE, job.datasets - start) for start in starts]
        rejections = [self._reject(job, chunk, count) for chunk, count in enumerate(counts)]
        return {"rejections": np.concatenate(rejections, axis=1).astype(np.int8)}

    def _reject(self, job: StepJob, chunk: int, count: int) -> Any:
        plans = [plan_test(test) for test in job.tests]
        longest = max((plan.design for plan in plans), key=lambda design: design.runs)
        # The data sets are drawn first: they are the same for every kind of splits.
        random = rng(self.seed, "task one", job.stream, job.rows, job.steps, job.step, chunk)
        source = Task1.from_step(job.step, steps=job.steps)
        counts = draw_errors(source, longest, job.rows, random, count)
        rejected = []
        for test, plan in zip(job.tests, plans, strict=True):
            if test == WITHOUT_CORRECTION:
                only_a, only_b = counts.only_a[:, :, 0, 0], counts.only_b[:, :, 0, 0]
                result: Any = mcnemar(only_a, only_b, continuity=False, confidence=None)
                pvalue = np.asarray(result.pvalue)
            else:
                df = choose_df(plan, job.alpha)
                pvalue = decide(plan, counts, job.rows, df).pvalue
            rejected.append((pvalue <= job.alpha).sum(axis=1))
        return np.stack(rejected)


def plan_test(test: str) -> PlannedExperiment:
    """Return an experiment as studies know it."""
    return plan_experiments([test.replace("-without-correction", "")], None)[0]


def draw_errors(
    source: Task1, design: Any, rows: int, random: np.random.Generator, count: int
) -> ErrorCounts:
    """Draw data sets, and count errors in every repetition of an experiment on each."""
    runs = REPETITIONS * design.runs
    if design.kind == "folds":
        counts = fold_counts(source, rows, runs, design.parts, count, random, both=True)
    else:
        counts = resample_counts(source, rows, runs, design.share, count, random, both=True)
    assert counts.both is not None
    sizes = np.broadcast_to(counts.sizes.astype(np.int32), counts.both.shape)
    wrong = sizes - counts.both - counts.a_only - counts.b_only
    shape = (count, REPETITIONS, design.runs, design.parts)
    arrays = (counts.b_only, counts.a_only, wrong, sizes)
    return ErrorCounts(*(array.astype(np.int32).reshape(shape) for array in arrays))


def group_tests(tests: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return experiments that share their splits together, so that others find them done."""
    groups: dict[Any, list[str]] = {}
    for test in dict.fromkeys(tests):
        plan = plan_test(test)
        groups.setdefault((plan.test, plan.design.family), []).append(test)
    return tuple(map(tuple, groups.values()))


def run_steps(options: ItemOptions, jobs: Sequence[StepJob]) -> dict[tuple[StepJob, str], Outcomes]:
    """Return what each experiment of each job does; finished work is kept."""
    parts = {
        job: Part(
            digest("rejections", 1, tuple(job), REPETITIONS, options.seed),
            "reproduction",
            f"bouckaert2005: {', '.join(job.tests)}",
        )
        for job in jobs
    }
    done = compute_arrays(StepWork(options.seed), parts, unit="steps", **options.engine)
    return {
        (job, test): Outcomes(counts.astype(np.int64))
        for job, arrays in done.items()
        for test, counts in zip(job.tests, arrays["rejections"], strict=True)
    }


def run_step(options: ItemOptions, test: str, rows: int, step: int, **more: Any) -> Outcomes:
    """Return what one experiment does at one step."""
    job = StepJob(rows, step, tests=(test,), **more)
    return run_steps(options, [job])[job, test]
