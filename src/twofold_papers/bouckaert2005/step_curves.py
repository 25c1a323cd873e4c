"""Curves of power and replicability over the steps of Task I, and points measured more closely."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from twofold.plots import Panel, Series
from twofold_papers.bouckaert2005.task_one import (
    DATASETS,
    REPETITIONS,
    ROWS,
    STEPS,
    Outcomes,
    StepJob,
    group_tests,
    run_steps,
)
from twofold_papers.item import ItemOptions
from twofold_papers.measured import MeasuredNumber, average, measure

CLOSER = 5
"""How many times more data sets the points have that the claims are about."""

Point = tuple[str, int, int]
"""Label of an experiment, rows, step."""


def last_step(rows: int, *, mcnemar: bool) -> float:
    """Return the step beyond which nothing happens any more: two and a half that of half power."""
    half = (900 if mcnemar else 330) / np.sqrt(rows)
    return float(min(STEPS, 2.5 * half))


def choose_steps(options: ItemOptions, *, mcnemar: bool) -> list[int]:
    """Return all steps of the paper, or fewer where the power rises at one of the sizes."""
    if options.size == "full":
        return list(range(STEPS + 1))
    count = options.pick(toy=3, quick=12, full=0)
    ends = [last_step(rows, mcnemar=mcnemar) for rows in ROWS]
    return sorted({round(step) for end in ends for step in np.linspace(0, end, count)})


def shorten_tests(options: ItemOptions, tests: Iterable[str]) -> list[str]:
    """Return the experiments; at toy size with at most a dozen runs."""
    if options.size != "toy":
        return list(tests)
    few = {"1": "1", "10": "7", "50": "12", "100": "8", "500": "12"}
    return [
        re.sub(r"(@|@resample:)(\d+)(?=x|:)", lambda match: match[1] + few[match[2]], test)
        for test in tests
    ]


@dataclass(frozen=True, eq=False)
class Curves:
    """What experiments do at each step and size.

    Attributes
    ----------
    options : ItemOptions
    designs : mapping of label to experiment
        Those of the figure, and those that the text compares them with.
    steps : list of int
    outcomes : mapping from (label, rows, step)
    datasets : int
    """

    options: ItemOptions
    designs: dict[str, str]
    steps: list[int]
    outcomes: dict[Point, Outcomes]
    datasets: int

    def find_worst_step(self, label: str, rows: int) -> int:
        """Return the step at which the replicability is lowest."""
        means = [self.outcomes[label, rows, step].replicability.mean() for step in self.steps]
        return self.steps[int(np.argmin(means))]

    def find_power_step(self, label: str, rows: int, power: float) -> int:
        """Return the step at which the power is nearest to a number."""
        means = [self.outcomes[label, rows, step].power.mean() for step in self.steps]
        return self.steps[int(np.argmin(np.abs(np.array(means) - power)))]

    def combine(self, name: str, weights: dict[str, float], rows: int) -> MeasuredNumber:
        """Return a weighted sum of powers or replicabilities, on average over all steps.

        At each step the experiments had the same data sets; other steps have others.
        """
        sums = [
            combine_outcomes(name, [(self.outcomes[x, rows, step], w) for x, w in weights.items()])
            for step in self.steps
        ]
        return average(sums)

    def measure_closer(self, points: Iterable[tuple[int, int]]) -> Points:
        """Return what the experiments do at some (rows, step), on more and on other data sets."""
        count = CLOSER * self.datasets
        jobs = [(rows, step, count) for rows, step in dict.fromkeys(points)]
        return Points(run_points(self.options, self.designs, jobs, stream="closer"))

    def draw_panel(self, label: str) -> Panel:
        """Return the curves of an experiment."""
        x = [0.5 * step for step in self.steps]
        series = []
        for name, dashed in (("power", False), ("replicability", True)):
            for rows in ROWS:
                each = [self.outcomes[label, rows, step] for step in self.steps]
                y = [100 * float(getattr(outcome, name).mean()) for outcome in each]
                series.append(Series(f"{name}, {rows:,}", x, y, dashed=dashed))
        labels = label, "difference in accuracy (points)", "%"
        return Panel(*labels, tuple(series), y_range=(0, 102))

    def describe(self) -> str:
        """Return how much was run, in words."""
        return (
            f"{self.datasets} data sets at each of {len(self.steps)} steps and each size "
            f"({count_beyond(self.datasets)} beyond the steps where all tests always reject), and "
            f"{CLOSER * self.datasets} others at the points that the claims are about; each "
            f"experiment {REPETITIONS} times"
        )


@dataclass(frozen=True, eq=False)
class Points:
    """What experiments do at some steps."""

    outcomes: dict[Point, Outcomes]

    def measure(self, name: str, point: Point) -> MeasuredNumber:
        """Return the mean power or replicability there."""
        return measure(getattr(self.outcomes[point], name))

    def combine(self, name: str, weights: dict[Point, float]) -> MeasuredNumber:
        """Return a weighted sum of powers or replicabilities.

        It is taken data set by data set where the data sets are the same.
        """
        if len({point[1:] for point in weights}) == 1:
            pairs = [(self.outcomes[point], weight) for point, weight in weights.items()]
            return combine_outcomes(name, pairs)
        parts = [self.measure(name, point) * weight for point, weight in weights.items()]
        return average(parts) * len(parts)


def combine_outcomes(name: str, pairs: Sequence[tuple[Outcomes, float]]) -> MeasuredNumber:
    """Return a weighted sum over experiments on the same data sets, the first of each."""
    count = min(len(outcome.rejections) for outcome, _ in pairs)
    total = sum(weight * getattr(outcome, name)[:count] for outcome, weight in pairs)
    return measure(np.asarray(total))


def run_points(
    options: ItemOptions,
    designs: dict[str, str],
    points: Sequence[tuple[int, int, int]],
    *,
    stream: str = "curve",
) -> dict[Point, Outcomes]:
    """Run experiments at (rows, step, data sets), on fewer data sets where all always reject."""
    tests = dict(zip(designs, shorten_tests(options, designs.values()), strict=True))
    jobs = []
    for group in group_tests(tests.values()):
        mcnemar = "mcnemar" in group[0]
        for rows, step, datasets in points:
            beyond = step > last_step(rows, mcnemar=mcnemar) + 1
            count = count_beyond(datasets) if beyond else datasets
            jobs.append(StepJob(rows, step, count, group, stream=stream))
    labels = {test: label for label, test in tests.items()}
    done = run_steps(options, jobs).items()
    return {(labels[test], job.rows, job.step): each for (job, test), each in done}


def run_curves(options: ItemOptions, designs: dict[str, str]) -> Curves:
    """Run experiments at every step and size."""
    mcnemar = any("mcnemar" in test for test in designs.values())
    datasets = options.pick(toy=6, quick=60, full=DATASETS)
    steps = choose_steps(options, mcnemar=mcnemar)
    points = [(rows, step, datasets) for rows in ROWS for step in steps]
    return Curves(options, designs, steps, run_points(options, designs, points), datasets)


def count_beyond(datasets: int) -> int:
    """Return how many data sets are drawn where all tests always reject."""
    return max(2, datasets // 20)
