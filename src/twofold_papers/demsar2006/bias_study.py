"""Demšar (2006), section 4: what Table 7 and figures 3 to 7 share.

Ten data sets are drawn a thousand times, with weights that favour one of two learners the more, the
larger the bias k. Everything is done for several cross-validations; the intervals are where another
one would end up, and the standard errors are those of their means. All tests see the same draws.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from twofold.seeds import rng
from twofold_papers.claim_verdicts import Verdict, Z, judge_difference
from twofold_papers.demsar2006.biased_draws import compute_pair_pvalues, draw
from twofold_papers.demsar2006.seven_learners import NAMES, Accuracies, Floats
from twofold_papers.item import ItemOptions

DRAWS = 1000
INDEX = {name: index for index, name in enumerate(NAMES)}

Difference = Callable[[Any], Any]
"""The difference that biases the draws, of accuracies (data sets, learners)."""

Sweep = dict[str, Floats]
"""What each test gives, (biases, cross-validations, draws)."""


def biases(options: ItemOptions) -> list[float]:
    """Return the values of k."""
    return list(options.pick(toy=(0.0, 15.0), quick=range(0, 21, 4), full=range(21)))


@dataclass(frozen=True, eq=False)
class BiasStudy:
    """Draws of data sets from all cross-validations.

    ``values`` are accuracies by another reading of the paper, where they are given; with
    ``replace`` a data set may be drawn more than once.
    """

    accuracies: Accuracies
    options: ItemOptions
    values: Floats | None = None
    replace: bool = False

    @property
    def draws(self) -> int:
        """How many draws are made at each bias."""
        return self.options.pick(toy=60, quick=DRAWS, full=DRAWS)

    @property
    def trials(self) -> str:
        """What was run, in words."""
        return (
            f"{len(self.accuracies.datasets)} data sets, {len(self.accuracies.values)} ten-fold "
            f"cross-validations of each learner; {self.draws} draws of ten data sets at each k"
        )

    def measure(
        self, bias: float, towards: Difference, test: Callable[[Any], dict[str, Any]], label: str
    ) -> dict[str, Floats]:
        """Return what tests give in each cross-validation, (cross-validations, draws) by test."""
        results: dict[str, list[Any]] = {}
        tables = self.accuracies.values if self.values is None else self.values
        for number, table in enumerate(tables):
            random = rng(self.options.seed, "demsar", label, str(bias), number)
            chosen = draw(towards(table), bias, self.draws, random, replace=self.replace)
            for name, values in test(table[chosen]).items():
                results.setdefault(name, []).append(values)
        return {name: np.array(values) for name, values in results.items()}

    def measure_pair(self, bias: float, first: int, second: int, label: str) -> dict[str, Floats]:
        """Return the p values of tests of two learners, with a bias towards the second."""

        def test(scores: Any) -> dict[str, Any]:
            return compute_pair_pvalues(scores[..., first], scores[..., second])

        return self.measure(bias, subtract(first, second), test, label)

    def sweep(self, measure: Callable[[float], dict[str, Floats]]) -> Sweep:
        """Return for each test what it gives at each bias."""
        results: dict[str, list[Floats]] = {}
        for bias in biases(self.options):
            for test, values in measure(bias).items():
                results.setdefault(test, []).append(values)
        return {test: np.array(values) for test, values in results.items()}


def subtract(first: int, second: int) -> Difference:
    """Return the bias of two learners, towards the second."""
    return lambda table: table[:, second] - table[:, first]


def predict_another(
    values: Any, least: float = 0.0, most: float = 1.0
) -> tuple[float, float, float]:
    """Return the mean over cross-validations, and where that of another one would lie.

    No bound lies below the least or above the largest value that is possible.
    """
    values = np.asarray(values, dtype=float)
    n = len(values)
    mean, spread = float(values.mean()), float(values.std(ddof=1))
    reach = float(special.stdtrit(n - 1, 0.975)) * spread * float(np.sqrt(1 + 1 / n))
    return mean, max(least, mean - reach), min(most, mean + reach)


def judge_mean(differences: Any, detail: str = "") -> Verdict:
    """Return the verdict on the claim that a difference is above zero, by its cross-validations.

    ``differences`` has one number for each of them; with few, the standard error is as much larger
    as the quantile of t is than that of the normal distribution.
    """
    values = np.asarray(differences, dtype=float)
    n = len(values)
    error = float(values.std(ddof=1)) / np.sqrt(n) * float(special.stdtrit(n - 1, 0.975)) / Z
    return judge_difference(float(values.mean()), error, detail)
