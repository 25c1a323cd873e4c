"""How often a test agrees with itself on real data sets, in the words of Bouckaert and Frank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.seeds import rng
from twofold.stats import replicability
from twofold.studies import choose_df, decide, plan_experiments
from twofold_papers.agreement import draw_second_study, middle
from twofold_papers.item import ItemOptions
from twofold_papers.printed import Number
from twofold_papers.repeated_experiments import Pair, RepeatedCounts, Splitting, repeat_experiments

REPETITIONS = 10
MEASURES = ("consistent", "almost consistent", "R")
Columns = dict[str, tuple[str, float]]
"""Columns of a table: the experiment and the level of each."""


@dataclass(frozen=True)
class Suite:
    """Data sets, learners and pairs of a paper; slow data sets wait for a full run."""

    datasets: tuple[str, ...]
    slow: tuple[str, ...]
    toys: tuple[str, ...]
    pairs: dict[str, Pair]
    learners: tuple[str, ...]

    def run(self, options: ItemOptions, *splittings: Splitting) -> ConsistencyRuns:
        """Run the learners on the data sets, as often as the options have it."""
        quick = tuple(name for name in self.datasets if name not in self.slow)
        names = options.pick(toy=self.toys, quick=quick, full=self.datasets)
        repetitions = options.pick(toy=4, quick=REPETITIONS, full=REPETITIONS)
        counts = repeat_experiments(options, names, self.learners, splittings, repetitions)
        return ConsistencyRuns(self, options, repetitions, counts)


@dataclass(frozen=True, eq=False)
class ConsistencyRuns:
    """Learners that were run on data sets, and what any experiment decides on them."""

    suite: Suite
    options: ItemOptions
    repetitions: int
    counts: RepeatedCounts

    @property
    def names(self) -> tuple[str, ...]:
        """The data sets."""
        return self.counts.datasets

    @property
    def trials(self) -> str:
        """What was run, in words."""
        left_out = len(self.suite.datasets) - len(self.names)
        without = f" (without {', '.join(self.suite.slow)})" if left_out == 1 else ""
        return f"{len(self.names)} data sets{without}, each test {self.repetitions} times"

    def count_rejections(
        self, pair: str, splitting: Splitting, experiment: str, alpha: float
    ) -> NDArray[Any]:
        """Return how many repetitions rejected on each data set."""
        learners = self.suite.pairs[pair]
        return self.counts.count_rejections(learners, splitting, experiment, alpha=alpha)

    def find_outcomes(
        self, pair: str, splitting: Splitting, experiment: str, alpha: float
    ) -> dict[str, NDArray[Any]]:
        """Return what each repetition found: 1 for A better, −1 for B better, 0 for neither."""
        decisions = self._decide(pair, splitting, experiment, alpha)
        return {name: each.outcomes(alpha)[0] for name, each in decisions.items()}

    def find_pvalues(
        self, pair: str, splitting: Splitting, experiment: str
    ) -> dict[str, NDArray[Any]]:
        """Return the p value of each repetition on each data set."""
        decisions = self._decide(pair, splitting, experiment, 0.05)
        return {name: each.pvalue[0] for name, each in decisions.items()}

    def _decide(
        self, pair: str, splitting: Splitting, experiment: str, alpha: float
    ) -> dict[str, Any]:
        (plan,) = plan_experiments(experiment, None)
        counts = self.counts.counts[self.suite.pairs[pair], str(splitting)]
        return {
            name: decide(plan, each, rows, choose_df(plan, alpha))
            for name, each, rows in zip(self.names, counts, self.counts.rows, strict=True)
        }

    def measure(self, rejections: NDArray[Any]) -> tuple[Any, Any, Any]:
        """Return consistent and almost consistent data sets and R, over the last axis."""
        r = replicability(rejections, self.repetitions)
        return r.consistent, r.almost_consistent, r.replicability

    def measure_columns(self, splitting: Splitting, columns: Columns) -> NDArray[np.float64]:
        """Return the measures of experiments, (pairs, columns, measures)."""
        return np.array(
            [
                [
                    self.measure(self.count_rejections(pair, splitting, experiment, alpha))
                    for experiment, alpha in columns.values()
                ]
                for pair in self.suite.pairs
            ]
        )

    def compare(
        self, label: str, printed: tuple[str, ...], rejections: NDArray[Any], *, why: str = ""
    ) -> list[Number]:
        """Return consistent, almost consistent and R beside the printed ones."""
        random = rng(self.options.seed, "papers", label)
        again = draw_second_study(rejections, self.repetitions, random)
        total, size = len(self.suite.datasets), len(self.names)
        out = total - size
        numbers = []
        for measure, text, value, redrawn in zip(
            MEASURES, printed, self.measure(rejections), self.measure(again), strict=False
        ):
            low, high = middle(redrawn)
            # What the data sets left out would add is anything from nothing to all.
            if out and measure == "R":
                low, high = (size * low + 4 / 9 * out) / total, (size * high + out) / total
                value = (size * value + 0.8 * out) / total
            elif out:
                high += out
            numbers.append(Number(f"{label}: {measure}", text, value, low, high, why))
        return numbers

    def compare_columns(
        self, splitting: Splitting, columns: Columns, cells: dict[str, list[str]], causes: Any
    ) -> tuple[Number, ...]:
        """Return the numbers of a table, whose cells are printed in rows for each pair."""
        numbers: list[Number] = []
        for pair, rows in cells.items():
            for index, (column, (experiment, alpha)) in enumerate(columns.items()):
                rejections = self.count_rejections(pair, splitting, experiment, alpha)
                label, printed = f"{pair}, {column}", tuple(row.split()[index] for row in rows)
                numbers += self.compare(label, printed, rejections, why=causes.get(label, ""))
        return tuple(numbers)
