"""Experiments repeated on real data sets: several learners, several designs, all pairs at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.datasets import entry, find_dataset
from twofold.designs import Design, parse_design
from twofold.execution import Arrays, Part, compute_arrays, digest
from twofold.learners import Learner, read_learners
from twofold.seeds import rng
from twofold.studies import (
    ErrorCounts,
    choose_df,
    concatenate_counts,
    count_errors,
    decide,
    many_runs,
    plan_experiments,
    predict_runs,
)
from twofold_papers.item import ItemOptions

Pair = tuple[str, str]
RULES = 1
"""Part of every key: work done under other rules is never taken for this."""


@dataclass(frozen=True, slots=True)
class Splitting:
    """A design, and whether its folds are stratified."""

    design: Design
    stratify: bool = True

    def __str__(self) -> str:
        return f"{self.design}{'' if self.stratify else ' plain'}"

    @classmethod
    def parse(cls, text: str, *, stratify: bool = True) -> Splitting:
        """Return a splitting by the name of its design."""
        return cls(parse_design(text), stratify)


@dataclass(frozen=True, slots=True)
class Repetition:
    """One repetition of one design on one data set, by number."""

    dataset: int
    splitting: int
    number: int


@dataclass(eq=False)
class RepetitionWork:
    """What all repetitions share. Sent to each worker once."""

    datasets: Sequence[Dataset]
    learners: Sequence[Learner]
    splittings: Sequence[Splitting]
    seed: int

    def describe(self, job: Repetition) -> str:
        """Return a repetition in words, for errors."""
        design, dataset = self.splittings[job.splitting].design, self.datasets[job.dataset]
        return f"repetition {job.number + 1} of {design} on {dataset.name}"

    def do(self, job: Repetition) -> Arrays:
        """Return the counts of each pair, (pairs, 4, runs, folds)."""
        dataset, splitting = self.datasets[job.dataset], self.splittings[job.splitting]
        design = splitting.design
        names = ("papers", dataset.fingerprint, str(splitting), job.number)
        folds = many_runs(
            design,
            dataset,
            design.runs,
            rng(self.seed, *names),
            stratify=None if splitting.stratify else False,
        )
        predictions = [
            predict_runs(learner, dataset, folds, seed=self.seed, labels=names)
            for learner in self.learners
        ]
        pairs = combinations(predictions, 2)
        counts = [count_errors(folds, dataset.y, a, b, design.parts) for a, b in pairs]
        return {"counts": np.stack(counts).astype(np.int32)}

    def build_part(self, job: Repetition) -> Part:
        """Return what the counts of a repetition are kept under."""
        key = digest(
            RULES,
            self.datasets[job.dataset].fingerprint,
            [learner.key for learner in self.learners],
            str(self.splittings[job.splitting]),
            job.number,
            self.seed,
        )
        return Part(key, "reproduction", "tests repeated on real data sets")


@dataclass(frozen=True, eq=False)
class RepeatedCounts:
    """Counts of all pairs of learners on real data sets.

    Attributes
    ----------
    datasets : tuple of str
    rows : tuple of int
    counts : mapping
        By pair and splitting; a data set's, each (1, repetitions, runs, folds).
    checksums : mapping
        Of the content of each data set.
    """

    datasets: tuple[str, ...]
    rows: tuple[int, ...]
    counts: Mapping[tuple[Pair, str], tuple[ErrorCounts, ...]]
    checksums: dict[str, str]

    def count_rejections(
        self, pair: Pair, splitting: Splitting, experiment: str, *, alpha: float = 0.05
    ) -> NDArray[np.intp]:
        """Return how many repetitions rejected on each data set.

        ``experiment`` is a test with its design, such as "corrected-cv-t@2x10"; it uses the first
        runs of the splitting.
        """
        (plan,) = plan_experiments(experiment, None)
        rejections = []
        for counts, rows in zip(self.counts[pair, str(splitting)], self.rows, strict=True):
            pvalues = decide(plan, counts, rows, choose_df(plan, alpha)).pvalue
            rejections.append(int((pvalues <= alpha).sum()))
        return np.array(rejections)


def repeat_experiments(
    options: ItemOptions,
    names: Sequence[str],
    learners: Sequence[str],
    splittings: Sequence[Splitting],
    repetitions: int,
) -> RepeatedCounts:
    """Run all learners on all data sets; what is finished is kept in the store."""
    datasets = [find_dataset(name, options.data) for name in names]
    work = RepetitionWork(datasets, read_learners(list(learners)), splittings, options.seed)
    jobs = [
        Repetition(dataset, splitting, number)
        for splitting in range(len(splittings))
        for dataset in range(len(datasets))
        for number in range(repetitions)
    ]
    done = compute_arrays(work, {job: work.build_part(job) for job in jobs}, **options.engine)
    counts = {
        (pair, str(splitting)): tuple(
            _join([done[Repetition(dataset, i, n)]["counts"][p] for n in range(repetitions)])
            for dataset in range(len(datasets))
        )
        for p, pair in enumerate(combinations(learners, 2))
        for i, splitting in enumerate(splittings)
    }
    checksums = {name: " ".join(entry(name).sha256) for name in names}
    return RepeatedCounts(tuple(names), tuple(each.rows for each in datasets), counts, checksums)


def _join(parts: Sequence[NDArray[Any]]) -> ErrorCounts:
    stacked = concatenate_counts([ErrorCounts(*part[:, None]) for part in parts])
    return ErrorCounts(*(array[None] for array in stacked.arrays().values()))
