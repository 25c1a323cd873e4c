"""Experiments repeated on real data sets: several learners, several designs, all pairs at once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.datasets import entry, find_dataset
from twofold.designs import Design, parse_design
from twofold.errors import InputError
from twofold.execution import open_backend
from twofold.learners import Learner, read_learners
from twofold.seeds import rng
from twofold.studies import (
    ErrorCounts,
    choose_df,
    concatenate_counts,
    count_errors,
    decide,
    many_runs,
    open_kept,
    plan_experiments,
    predict_runs,
)
from twofold_papers.item import ItemOptions

Pair = tuple[str, str]
FIELDS = ("only_a", "only_b", "both", "size")
RULES = 1
"""Part of every key: work done under other rules is never taken for this."""


@dataclass(frozen=True, slots=True)
class Splitting:
    """A design, and whether its folds are stratified."""

    design: Design
    stratify: bool = True

    def __str__(self) -> str:
        return f"{self.design}{'' if self.stratify else ' plain'}"


@dataclass(frozen=True, slots=True)
class Repetition:
    """One repetition of one design on one data set, by number."""

    dataset: int
    splitting: int
    repetition: int


@dataclass(eq=False)
class RepetitionWork:
    """What all units share. Sent to each worker once."""

    datasets: Sequence[Dataset]
    learners: Sequence[Learner]
    splittings: Sequence[Splitting]
    seed: int

    def describe(self, unit: Repetition) -> str:
        """Return a unit in words, for errors."""
        where = self.datasets[unit.dataset].name
        what = self.splittings[unit.splitting].design
        return f"repetition {unit.repetition + 1} of {what} on {where}"

    def do(self, unit: Repetition) -> NDArray[np.int32]:
        """Return the counts of each pair, (pairs, 4, runs, folds)."""
        dataset, how = self.datasets[unit.dataset], self.splittings[unit.splitting]
        names = ("papers", dataset.fingerprint, str(how), unit.repetition)
        folds = many_runs(
            how.design,
            dataset,
            how.design.runs,
            rng(self.seed, *names),
            stratify=None if how.stratify else False,
        )
        said = [
            predict_runs(one, dataset, folds, seed=self.seed, labels=names) for one in self.learners
        ]
        return np.stack(
            [
                count_errors(folds, dataset.y, a, b, how.design.parts)
                for a, b in combinations(said, 2)
            ]
        )

    def key(self, unit: Repetition) -> str:
        """Return a digest of everything that decides the counts of a unit."""
        parts = [
            RULES,
            self.datasets[unit.dataset].fingerprint,
            [one.key for one in self.learners],
            str(self.splittings[unit.splitting]),
            unit.repetition,
            self.seed,
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


@dataclass(frozen=True, eq=False)
class Repeated:
    """Counts of all pairs of learners on real data sets.

    Attributes
    ----------
    datasets : tuple of str
    rows : tuple of int
    tallies : mapping
        By pair and splitting; a data set's, each (1, repetitions, runs, folds).
    checksums : mapping
        Of the content of each data set.
    """

    datasets: tuple[str, ...]
    rows: tuple[int, ...]
    tallies: Mapping[tuple[Pair, str], tuple[ErrorCounts, ...]]
    checksums: dict[str, str]

    def rejections(
        self, pair: Pair, splitting: str, experiment: str, *, alpha: float = 0.05
    ) -> NDArray[np.intp]:
        """Return how many repetitions rejected on each data set.

        ``experiment`` is a test with its design, such as "corrected-cv-t@2x10"; it uses the first
        runs of the splitting.
        """
        (one,) = plan_experiments(experiment, None)
        found = []
        for tallies, rows in zip(self.tallies[pair, splitting], self.rows, strict=True):
            said = decide(one, tallies, rows, choose_df(one, alpha))
            found.append(int((said.pvalue <= alpha).sum()))
        return np.array(found)


def repeat_on(
    setting: ItemOptions,
    datasets: Sequence[str],
    learners: Sequence[str],
    splittings: Sequence[Splitting],
    repetitions: int,
) -> Repeated:
    """Run all learners on all data sets; what is finished is kept in the store of the setting."""
    if setting.data is None:
        raise InputError("No folder of data is known.", "Pass --data, or set TWOFOLD_DATA.")
    read = [find_dataset(name, setting.data) for name in datasets]
    bench = RepetitionWork(read, read_learners(list(learners)), splittings, setting.seed)
    units = [
        Repetition(place, how, repetition)
        for how in range(len(splittings))
        for place in range(len(read))
        for repetition in range(repetitions)
    ]
    counts = _done(setting, bench, units)
    tallies: dict[tuple[Pair, str], tuple[ErrorCounts, ...]] = {}
    for number, pair in enumerate(combinations(learners, 2)):
        for how, splitting in enumerate(splittings):
            tallies[pair, str(splitting)] = tuple(
                _joined([counts[Repetition(place, how, one)][number] for one in range(repetitions)])
                for place in range(len(read))
            )
    return Repeated(
        tuple(datasets),
        tuple(one.rows for one in read),
        tallies,
        {name: " ".join(entry(name).sha256) for name in datasets},
    )


def _joined(parts: Sequence[NDArray[Any]]) -> ErrorCounts:
    stacked = concatenate_counts([ErrorCounts(*part[:, None]) for part in parts])
    return ErrorCounts(*(array[None] for array in stacked.arrays().values()))


def _done(
    setting: ItemOptions, bench: RepetitionWork, units: Sequence[Repetition]
) -> dict[Repetition, NDArray[Any]]:
    kept = open_kept(setting.store)
    keys = {unit: bench.key(unit) for unit in units}
    done: dict[Repetition, NDArray[Any]] = {}
    for unit, key in keys.items():
        known = kept.get(key)
        if known is not None:
            done[unit] = known["counts"].astype(np.int32)
    backend = open_backend(None, setting.workers)
    try:
        for unit, counts in backend.imap(bench, [one for one in units if one not in done]):
            kept.put(keys[unit], {"counts": counts})
            done[unit] = counts
    finally:
        backend.close()
    return done


def splitting(text: str, *, stratify: bool = True) -> Splitting:
    """Return a splitting by the name of its design."""
    return Splitting(parse_design(text), stratify)
