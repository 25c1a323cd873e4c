"""Running learners on random halves of a data set, to see how much a cross-validation varies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from twofold.comparison import Comparison
from twofold.comparison.defaults import HALF_SAMPLES, choose_for_folds
from twofold.comparison.half_sample_levels import (
    HalfSamples,
    compare_by_half_samples,
    with_level,
)
from twofold.dataset import Dataset, take_rows
from twofold.designs import Design
from twofold.errors import InputError
from twofold.execution.experiment import Experiment
from twofold.execution.progress import Watch
from twofold.experiments.adaptive import StoppingRule
from twofold.options import Question
from twofold.seeds import rng
from twofold.stats import catalog

MOST_HALVINGS = 10_000
"""Halvings of a data set: each makes two data sets that are held in memory."""


def draw_halves(dataset: Dataset, run: int, seed: int) -> tuple[Dataset, Dataset]:
    """Return two random halves of a data set that share no row, and no group."""
    stream = rng(seed, "halves", dataset.fingerprint, run)
    groups = np.arange(dataset.rows) if dataset.groups is None else dataset.groups
    order = stream.permutation(int(groups.max()) + 1)
    first = np.isin(groups, order[: len(order) // 2])
    words = f"{dataset.name}, halving {run + 1}"
    first_half, second_half = (
        replace(take_rows(dataset, np.flatnonzero(rows)), name=f"{words}{letter}")
        for letter, rows in (("a", first), ("b", ~first))
    )
    return first_half, second_half


def check_halves(
    datasets: Sequence[Dataset],
    design: Design,
    stopping: StoppingRule,
    question: Question,
    metrics: Sequence[str],
) -> None:
    """Refuse half samples where there is nothing to halve, before anything is run."""
    if len(metrics) > 1:
        raise InputError(
            f"Half samples are for one metric, and there are {len(metrics)}.",
            f"Ask for one at a time, for instance {metrics[0]}.",
        )
    if len(datasets) > 1 or design.kind != "folds" or design.runs < 2:
        raise InputError(
            "Half samples are for one data set and several runs of cross-validation.",
            "Use one data set and a design such as 10x10.",
        )
    if design.runs > MOST_HALVINGS:
        raise InputError(
            f"Half samples are for {MOST_HALVINGS:,} runs at most, and `{design}` has "
            f"{design.runs:,}.",
            "Ask for fewer: ten tell enough.",
        )
    if stopping.until is not None or stopping.budget is not None:
        raise InputError(
            "Half samples need a fixed number of runs.", "Leave out `until` and `budget`."
        )
    test = question.test or choose_for_folds(design.runs)
    fitting = (HALF_SAMPLES, *(test.name for test in catalog() if test.level_by_halves))
    if test not in fitting:
        raise InputError(
            f"`calibrate` does not know `{test}`.", f"Use one of {', '.join(fitting)}."
        )


def compare_on_halves(
    experiment: Experiment, runs: int, answer: Comparison, question: Question, watch: Watch | None
) -> Comparison:
    """Run the learners on halves of the rows; let them decide, or say what level there is."""
    left = [learner for learner in experiment.learners if learner.label in answer.learners]
    if len(left) < len(experiment.learners):  # the others have failed
        experiment = replace(experiment, learners=left, failures={})
    halves = run_on_halves(experiment, runs, watch)
    if question.test == HALF_SAMPLES:
        return compare_by_half_samples(answer, halves, question)
    return with_level(answer, halves, question)


def run_on_halves(experiment: Experiment, runs: int, watch: Watch | None = None) -> HalfSamples:
    """Cross-validate every learner once on either half of each of ``runs`` halvings."""
    (dataset,) = experiment.datasets
    halves = [half for run in range(runs) for half in draw_halves(dataset, run, experiment.seed)]
    part = Experiment(
        halves,
        experiment.learners,
        experiment.design.with_runs(1),
        [experiment.metrics[0][:1]] * len(halves),
        experiment.store,
        experiment.backend,
        experiment.seed,
        experiment.stratify,
    )
    part.advance(1, watch=watch)
    for message, count in part.warned.items():
        experiment.warned[message] = experiment.warned.get(message, 0) + count
    values = _compute_means(part, len(halves))
    return HalfSamples(values.reshape(len(experiment.learners), runs, 2))


def _compute_means(part: Experiment, count: int) -> NDArray[np.float64]:
    """Return mean scores, (learners, halves)."""
    scores = part.scores()
    complete = (len(scores.datasets), len(scores.learners)) == (count, len(part.learners))
    values = scores.means().T if complete else np.full(1, np.nan)
    if np.isnan(values).any():
        failed = part.first_failures()
        reason = f" The first: {failed[0]}." if failed else ""
        raise InputError(
            f"Some halves of the rows have no score.{reason}",
            "Small data sets or rare classes cannot be halved; leave out `calibrate`.",
        )
    return np.asarray(values, dtype=np.float64)
