"""Running learners on random halves of a data set, to see how much a cross-validation varies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from twofold.comparison.half_samples import HalfSamples
from twofold.dataset import Dataset, take_rows
from twofold.errors import InputError
from twofold.running.experiment import Experiment
from twofold.seeds import rng


def halves_of(dataset: Dataset, run: int, seed: int) -> tuple[Dataset, Dataset]:
    """Return two random halves of a data set that share no row, and no group."""
    stream = rng(seed, "halves", dataset.fingerprint, run)
    groups = np.arange(dataset.rows) if dataset.groups is None else dataset.groups
    order = stream.permutation(int(groups.max()) + 1)
    first = np.isin(groups, order[: len(order) // 2])
    words = f"{dataset.name}, halving {run + 1}"
    one, other = (
        replace(take_rows(dataset, np.flatnonzero(rows)), name=f"{words}{letter}")
        for letter, rows in (("a", first), ("b", ~first))
    )
    return one, other


def run_on_halves(
    experiment: Experiment, runs: int, watch: Callable[[int, int], None] | None = None
) -> HalfSamples:
    """Cross-validate every learner once on either half of each of ``runs`` halvings."""
    (dataset,) = experiment.datasets
    halves = [one for run in range(runs) for one in halves_of(dataset, run, experiment.seed)]
    part = Experiment(
        halves,
        experiment.learners,
        experiment.design.with_runs(1),
        experiment.metrics[:1],
        experiment.store,
        experiment.backend,
        experiment.seed,
        experiment.stratify,
    )
    part.advance(1, watch=watch)
    experiment.warned.update(part.warned)
    values = _means(part, len(halves))
    return HalfSamples(values.reshape(len(experiment.learners), runs, 2))


def _means(part: Experiment, count: int) -> NDArray[np.float64]:
    """Return mean scores, (learners, halves)."""
    scores = part.scores()
    complete = (len(scores.datasets), len(scores.learners)) == (count, len(part.learners))
    values = scores.means().T if complete else np.full(1, np.nan)
    if np.isnan(values).any():
        reason = f" The first: {part.failures[0]}." if part.failures else ""
        raise InputError(
            f"Some halves of the rows have no score.{reason}",
            "Small data sets or rare classes cannot be halved; leave out `calibrate`.",
        )
    return np.asarray(values, dtype=np.float64)
