"""A study's work in blocks of data sets: drawing them, splitting them, counting errors.

Every random number comes from the seed and from names (source, rows, number of the data set, kind
of split), so that a block is the same wherever and whenever it is done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from twofold.dataset import Dataset
from twofold.designs import Design
from twofold.learners import Learner
from twofold.seeds import rng
from twofold.studies.fitting import predict_runs
from twofold.studies.splits import many_runs
from twofold.studies.tallies import Tallies, tally

RULES = 1
"""Part of every key: blocks made under other rules are never taken for these."""

RUNS_IN_A_BLOCK = 100
"""Repetitions on all data sets of a block together: about a second of work for kernels."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where data sets come from: a source, and how many rows each has."""

    source: Any
    rows: int

    def draw(self, number: int, seed: int) -> Dataset:
        """Return data set ``number``, from 0."""
        stream = rng(seed, "study", self.source.name, self.rows, number)
        found: Dataset = self.source.draw(self.rows, stream)
        return found

    def words(self) -> str:
        """The point in words."""
        return f"{self.rows} rows of {self.source.name}"


@dataclass(frozen=True, slots=True)
class Block:
    """Some data sets of a point, with some kinds of splits; all by number."""

    point: int
    first: int
    last: int
    splits: tuple[int, ...]


@dataclass(eq=False)
class Workshop:
    """What all blocks of a study share. Sent to each worker once."""

    points: Sequence[Point]
    learners: Sequence[Learner]
    splits: Sequence[Design]
    repetitions: int
    seed: int

    def words(self, block: Block) -> str:
        """Return a block in words, for errors."""
        where = self.points[block.point].words()
        return f"data sets {block.first + 1} to {block.last} of {where}"

    def block_size(self) -> int:
        """Return how many data sets make a block.

        Findings do not depend on it. It does not depend on the designs, so that a further design
        finds the blocks of the others.
        """
        return max(1, RUNS_IN_A_BLOCK // self.repetitions)

    def do(self, block: Block) -> dict[int, Tallies]:
        """Draw the data sets of a block, run both learners, and count, by kind of split."""
        counted: dict[int, list[Any]] = {place: [] for place in block.splits}
        for number in range(block.first, block.last):
            dataset = self.points[block.point].draw(number, self.seed)
            for place in block.splits:
                counted[place].append(self._count(dataset, block.point, number, place))
        return {place: Tallies(*np.stack(found, axis=1)) for place, found in counted.items()}

    def _count(self, dataset: Dataset, point: int, number: int, place: int) -> Any:
        """Return the counts on one data set, (4, repetitions, runs, folds)."""
        design, where = self.splits[place], self.points[point]
        names = ("splits", where.source.name, where.rows, number, design.family)
        folds = many_runs(design, dataset, self.repetitions * design.runs, rng(self.seed, *names))
        said = [
            predict_runs(one, dataset, folds, seed=self.seed, labels=("study", *names))
            for one in self.learners
        ]
        counts = tally(folds, dataset.y, said[0], said[1], design.parts)
        return counts.reshape(4, self.repetitions, design.runs, design.parts)

    def key(self, block: Block, place: int) -> str:
        """Return a digest of everything that decides the counts of one kind of split."""
        point, design = self.points[block.point], self.splits[place]
        parts = [
            RULES,
            point.source.name,
            point.rows,
            # A name may hide what a source does; the first data set of the block does not.
            point.draw(block.first, self.seed).fingerprint,
            [one.key for one in self.learners],
            str(design),
            self.repetitions,
            int(self.seed),
            block.first,
            block.last,
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
