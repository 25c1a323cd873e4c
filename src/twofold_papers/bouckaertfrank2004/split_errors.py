"""How much measures of consistency owe to the random splits of our own repetitions.

The data sets are the paper's and fixed; what is random is how they were split. Experiments on other
splits of the same data sets are independent given the data, so their errors add.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.seeds import rng
from twofold_papers.agreement import draw_second_study
from twofold_papers.claim_verdicts import Verdict, judge_difference
from twofold_papers.consistency import Columns, ConsistencyRuns
from twofold_papers.repeated_experiments import Splitting

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MeasuredTable:
    """Measures with standard errors: (pairs, columns, 3), consistent, almost consistent, R."""

    values: Floats
    errors: Floats

    def select(self, measure: int) -> tuple[Floats, Floats]:
        """Return one measure and its errors, (pairs, columns) each."""
        return self.values[:, :, measure], self.errors[:, :, measure]


def find_errors(runs: ConsistencyRuns, rejections: NDArray[Any], *names: str) -> Floats:
    """Return the standard errors of consistent, almost consistent and R.

    A second study differs from ours by the errors of both, which are alike.
    """
    random = rng(runs.options.seed, "papers", "errors", *names)
    again = draw_second_study(rejections, runs.repetitions, random)
    return np.array([np.std(each) / np.sqrt(2) for each in runs.measure(again)])


def measure_with_errors(
    runs: ConsistencyRuns, splitting: Splitting, columns: Columns
) -> MeasuredTable:
    """Return the measures of experiments for each pair of learners, with errors."""
    errors = [
        [
            find_errors(
                runs, runs.count_rejections(pair, splitting, test, alpha), pair, test, f"{alpha}"
            )
            for test, alpha in columns.values()
        ]
        for pair in runs.suite.pairs
    ]
    return MeasuredTable(runs.measure_columns(splitting, columns), np.array(errors))


def judge_mean_gap(
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    detail: str = "",
    *,
    margin: float = 0.0,
) -> Verdict:
    """Return the verdict that the first is higher by more than a margin, on average over cells."""
    gap = float(np.mean(first[0] - second[0]))
    error = float(np.sqrt(np.sum(first[1] ** 2 + second[1] ** 2))) / first[0].size
    return judge_difference(gap - margin, error, detail)
