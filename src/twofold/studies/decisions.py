"""From counts of errors to decisions: p values and directions, for all experiments at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.result import Result, is_significant
from twofold.stats import entry, predict_replicability
from twofold.stats.calibration_table import calibrated_df
from twofold.studies.error_counts import ErrorCounts
from twofold.studies.fold_scores import FoldScores
from twofold.studies.plan import PlannedExperiment

Floats = NDArray[np.float64]
Sample = ErrorCounts | FoldScores

BY_ROWS = ("counts", "error-counts")
"""What tests take, in the words of the catalog, that compare predictions row by row."""

VALUES_AT_ONCE = 4_000_000
"""Differences worked on at once, so that a large study does not fill the memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """What a test decided, each (data sets, repetitions).

    Attributes
    ----------
    pvalue : array
        Of the Bayesian test, the posterior probability that the better-looking learner is not
        better.
    direction : array of −1, 0, 1
        Which learner looks better: B, neither, A.
    df : float or None
        Degrees of freedom of the reference distribution, where there is one number.
    """

    pvalue: Floats
    direction: Floats
    df: float | None

    def outcomes(self, alpha: float) -> Floats:
        """Return −1, 0, 1: B better, no difference found, A better."""
        return self.direction * is_significant(self.pvalue, alpha)


def choose_df(experiment: PlannedExperiment, alpha: float) -> float | None:
    """Return the df to use: the user's, else the calibrated one, else None for the textbook's."""
    if experiment.df is not None:
        return experiment.df
    design = experiment.design
    if not entry(experiment.test).calibrated or design.kind != "folds":
        return None
    return calibrated_df(experiment.test, design.runs, design.parts, alpha)


def decide(experiment: PlannedExperiment, counts: Sample, rows: int, df: float | None) -> Decisions:
    """Apply the test of an experiment to every repetition on every data set.

    Tests that compare predictions row by row need counts of errors; others take scores as well.
    """
    parts = [_decide(experiment, part, rows, df) for part in _parts(experiment, counts)]
    return Decisions(
        np.concatenate([part.pvalue for part in parts]),
        np.concatenate([part.direction for part in parts]),
        parts[0].df,
    )


def _decide(
    experiment: PlannedExperiment, counts: Sample, rows: int, df: float | None
) -> Decisions:
    answer = _answer(experiment, counts, rows, df)
    if answer.posterior is not None:
        a, b = np.asarray(answer.posterior.a_better), np.asarray(answer.posterior.b_better)
        return Decisions(1 - np.maximum(a, b), np.sign(a - b), None)
    number = answer.df if isinstance(answer.df, float) else None
    direction = np.sign(np.asarray(answer.estimate))
    return Decisions(np.asarray(answer.pvalue), direction, number)


def _answer(experiment: PlannedExperiment, counts: Sample, rows: int, df: float | None) -> Result:
    function = entry(experiment.test).load()
    takes = experiment.takes
    if takes in BY_ROWS:
        assert isinstance(counts, ErrorCounts)
        only_a, only_b, both, n = (array[:, :, 0, 0] for array in counts.arrays().values())
        if takes == "counts":
            return _apply(function, only_a, only_b, n=n, confidence=None)
        return _apply(function, only_a + both, only_b + both, n=n, confidence=None)
    x = sample_of(experiment, counts)
    options = _options(experiment, counts, rows, df)
    test = entry(experiment.test)
    if test.takes("confidence") and not test.bayesian:
        options["confidence"] = None
    return _apply(function, x, **options)


def _apply(function: Callable[..., Any], *args: Any, **options: Any) -> Result:
    answer: Result = function(*args, **options)
    return answer


def sample_of(experiment: PlannedExperiment, counts: Sample) -> Floats:
    """Return the differences that the test uses, experiments on the first two axes."""
    x = counts.differences(experiment.design.runs)
    if experiment.takes == "whole-and-halves":
        return x.reshape(*x.shape[:-1], 3, -1).mean(axis=-1)
    if experiment.takes == "splits":
        return x[..., 0]
    return x[:, :, 0] if experiment.takes == "folds-of-one-run" else x


def _options(
    experiment: PlannedExperiment, scores: Sample, rows: int, df: float | None
) -> dict[str, Any]:
    options: dict[str, Any] = {} if df is None else {"df": df}
    if not entry(experiment.test).takes("n_train"):
        return options
    splits = experiment.takes == "splits"
    if isinstance(scores, FoldScores):
        return options | scores.list_sizes(experiment.design.runs, splits=splits)
    return options | scores.list_sizes(rows, splits=splits)


def predict_agreement(
    experiment: PlannedExperiment, counts: Sample, rows: int, alpha: float, df: float | None
) -> Floats | None:
    """Return the probability that a repetition agrees, as each experiment predicts it, or None."""
    design, test = experiment.design, experiment.test
    if not entry(test).predicts(design.runs, design.parts):
        return None
    call = partial(predict_replicability, test=test, alpha=alpha, confidence=None)
    probabilities = []
    for part in _parts(experiment, counts):
        options = _options(experiment, part, rows, df)
        probabilities.append(np.asarray(call(sample_of(experiment, part), **options).agreement))
    return np.concatenate(probabilities)


def _parts(experiment: PlannedExperiment, counts: Sample) -> Iterator[Sample]:
    each = max(1, counts.size[0].size)
    step = max(1, VALUES_AT_ONCE // each)
    for start in range(0, counts.datasets, step):
        yield counts.part(slice(start, start + step))
