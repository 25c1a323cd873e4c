"""What tests decide on each data set, so that two of them are compared on the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.studies import ErrorCounts, Estimate, choose_df, decide, fold_counts, plan_experiments
from twofold.studies import share as estimate_share
from twofold_papers.bouckaert2003.calibrated_tests import pick_rows
from twofold_papers.claim_verdicts import Verdict, judge_difference
from twofold_papers.item import ItemOptions

Floats = NDArray[np.float64]
PerDataset = NDArray[Any]


@dataclass(eq=False)
class SourceOutcomes:
    """Decisions of experiments on data sets drawn from sources.

    Attributes
    ----------
    options : ItemOptions
    datasets, repetitions, seed : int
    designs : tuple of str
        The largest design of each kind; experiments use the first runs of the one of their kind.
    learners : pair of str
    """

    options: ItemOptions
    datasets: int
    repetitions: int
    seed: int
    designs: tuple[str, ...]
    learners: tuple[str, str] = ("nb", "c45")
    _counts: dict[tuple[str, str], ErrorCounts] = field(default_factory=dict)
    _pvalues: dict[tuple[str, str, float | None], Floats] = field(default_factory=dict)

    def reject(self, source: Any, experiment: str, alpha: float) -> NDArray[np.bool_]:
        """Return whether each repetition rejects, (data sets, repetitions)."""
        (plan,) = plan_experiments(experiment, None)
        df = choose_df(plan, alpha)
        key = source.name, experiment, df
        if key not in self._pvalues:
            counts = self._count(source, str(plan.design))
            self._pvalues[key] = decide(plan, counts, pick_rows(self.options), df).pvalue
        return np.asarray(self._pvalues[key] <= alpha)

    def measure_power(self, source: Any, experiment: str, alpha: float) -> PerDataset:
        """Return the share of repetitions that reject on each data set."""
        return self.reject(source, experiment, alpha).mean(axis=1)

    def measure_agreement(self, source: Any, experiment: str, alpha: float) -> PerDataset:
        """Return 1 for each data set on which all repetitions reject or none does."""
        rejected = self.reject(source, experiment, alpha)
        return (rejected.all(axis=1) | ~rejected.any(axis=1)).astype(float)

    def _count(self, source: Any, design: str) -> ErrorCounts:
        largest = next(each for each in self.designs if _kind(each) == _kind(design))
        key = source.name, largest
        if key not in self._counts:
            self._counts[key] = fold_counts(
                source,
                list(self.learners),
                rows=pick_rows(self.options),
                datasets=self.datasets,
                repetitions=self.repetitions,
                design=largest,
                seed=self.seed,
                **self.options.engine,
            )
        return self._counts[key]


def _kind(design: str) -> str:
    """Return "10" for "3x10", and "resample" for random splits."""
    return "resample" if design.startswith("resample") else design.partition("x")[2]


def estimate(per_dataset: PerDataset) -> Estimate:
    """Return the mean over data sets with its 95 % interval."""
    return estimate_share(per_dataset, 0.95)


def average(samples: Sequence[PerDataset]) -> tuple[float, float]:
    """Return the mean of the means of independent samples, and its standard error."""
    means = [float(sample.mean()) for sample in samples]
    variances = [float(sample.var(ddof=1)) / len(sample) for sample in samples]
    return float(np.mean(means)), float(np.sqrt(np.sum(variances))) / len(samples)


def judge_higher(
    first: Sequence[PerDataset],
    second: Sequence[PerDataset],
    detail: str = "",
    *,
    margin: float = 0.0,
) -> Verdict:
    """Return the verdict that the first is higher by more than ``margin``, on average over sources.

    Both are measured on the same data sets, so the standard error is that of paired differences.
    """
    gaps = [np.asarray(a) - np.asarray(b) for a, b in zip(first, second, strict=True)]
    mean, error = average(gaps)
    return judge_difference(mean - margin, error, detail)
