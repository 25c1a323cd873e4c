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

from twofold.dataset import Dataset, take_rows
from twofold.designs import Design, parse_design
from twofold.learners import Learner
from twofold.seeds import rng
from twofold.studies.error_counts import ErrorCounts, joined, tally
from twofold.studies.fitting import predict_runs
from twofold.studies.shared_splits import many_runs

Names = tuple[str | int, ...]

RULES = 1
"""Part of every key: blocks made under other rules are never taken for these."""

DRAWN_AT_ONCE = 250
"""Data sets whose counts are drawn together where no learner needs to be run."""

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
    learners: Sequence[Learner]  # none where the source itself tells what two learners get right
    splits: Sequence[Design]
    repetitions: int
    seed: int
    stratify: bool | None = None

    def words(self, block: Block) -> str:
        """Return a block in words, for errors."""
        where = self.points[block.point].words()
        return f"data sets {block.first + 1} to {block.last} of {where}"

    def block_size(self) -> int:
        """Return how many data sets make a block.

        Findings do not depend on it. It does not depend on the designs, so that a further design
        finds the blocks of the others.
        """
        return max(1, RUNS_IN_A_BLOCK // self.repetitions) if self.learners else DRAWN_AT_ONCE

    def do(self, block: Block) -> dict[int, ErrorCounts]:
        """Draw the data sets of a block, run both learners, and count, by kind of split."""
        if not self.learners:
            return {place: self._drawn(block, place) for place in block.splits}
        counted: dict[int, list[Any]] = {place: [] for place in block.splits}
        for number in range(block.first, block.last):
            dataset = self.points[block.point].draw(number, self.seed)
            for place in block.splits:
                counted[place].append(self._count(dataset, block.point, number, place))
        return {place: ErrorCounts(*np.stack(found, axis=1)) for place, found in counted.items()}

    def _count(self, dataset: Dataset, point: int, number: int, place: int) -> Any:
        """Return the counts on one data set, (4, repetitions, runs, folds)."""
        design, where = self.splits[place], self.points[point]
        runs = self.repetitions * design.runs
        names = (where.source.name, where.rows, number)
        # On all rows, runs with halves are those without them.
        plain = parse_design(f"{runs}x{design.parts}") if design.kind == "halves" else design
        counts = self._count_runs(dataset, plain, runs, ("splits", *names, plain.family))
        if design.kind == "halves":
            halves = self._count_halves(dataset, plain, runs, ("splits", *names, design.family))
            counts = np.concatenate([counts, halves], axis=-1)
        return counts.reshape(4, self.repetitions, design.runs, -1)

    def _count_runs(self, dataset: Dataset, design: Design, runs: int, names: Names) -> Any:
        """Return the counts of some runs, (4, runs, folds)."""
        folds = many_runs(design, dataset, runs, rng(self.seed, *names), stratify=self.stratify)
        a, b = (
            predict_runs(learner, dataset, folds, seed=self.seed, labels=("study", *names))
            for learner in self.learners
        )
        return tally(folds, dataset.y, a, b, design.parts)

    def _count_halves(self, dataset: Dataset, design: Design, runs: int, names: Names) -> Any:
        """Return the counts on either half of the rows, (4, runs, folds of one and of the other).

        The rows are halved anew for every run.
        """
        stream = rng(self.seed, *names)
        counted = []
        for run in range(runs):
            order = stream.permutation(dataset.rows)
            halves = (np.sort(part) for part in np.array_split(order, 2))
            counts = [
                self._count_runs(take_rows(dataset, rows), design, 1, (*names, run, part))
                for part, rows in enumerate(halves)
            ]
            counted.append(np.concatenate(counts, axis=-1))
        return np.concatenate(counted, axis=1)

    def _drawn(self, block: Block, place: int) -> ErrorCounts:
        """Draw the counts of learners that ignore their training rows, without any rows at all.

        They are drawn for a certain number of data sets at a time, wherever a block begins.
        """
        point = self.points[block.point]
        chunks = range(block.first // DRAWN_AT_ONCE, -(-block.last // DRAWN_AT_ONCE))
        found = joined([self._chunk(point, place, chunk) for chunk in chunks])
        start = block.first - chunks[0] * DRAWN_AT_ONCE
        return found.part(slice(start, start + block.last - block.first))

    def _chunk(self, point: Point, place: int, chunk: int) -> ErrorCounts:
        from twofold.simulation.fold_counts import fold_counts, resample_counts

        design = self.splits[place]
        stream = rng(self.seed, "counts", point.source.name, point.rows, chunk, design.family)
        runs, pair = self.repetitions * design.runs, point.source
        size, parts = DRAWN_AT_ONCE, design.parts
        if design.kind == "halves":
            # Twice as many folds: the first ones make one half, the others the other.
            counts = fold_counts(pair, point.rows, runs, 2 * parts, size, stream, both=True)
        elif design.kind == "folds":
            counts = fold_counts(pair, point.rows, runs, parts, size, stream, both=True)
        else:
            counts = resample_counts(pair, point.rows, runs, design.share, size, stream, both=True)
        assert counts.both is not None
        sizes = np.broadcast_to(counts.sizes.astype(np.int32), counts.both.shape)
        wrong = sizes - counts.both - counts.a_only - counts.b_only
        each = [counts.b_only, counts.a_only, wrong, sizes]
        if design.kind == "halves":
            each = [np.concatenate([x[..., :parts] + x[..., parts:], x], axis=-1) for x in each]
            parts *= 3
        shape = (size, self.repetitions, design.runs, parts)
        return ErrorCounts(*(array.astype(np.int32).reshape(shape) for array in each))

    def key(self, block: Block, place: int) -> str:
        """Return a digest of everything that decides the counts of one kind of split."""
        point, design = self.points[block.point], self.splits[place]
        parts = [
            RULES,
            point.source.name,
            point.rows,
            self._content(point, block.first),
            [one.key for one in self.learners],
            str(design),
            self.stratify,
            self.repetitions,
            int(self.seed),
            block.first,
            block.last,
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _content(self, point: Point, number: int) -> Any:
        """Return what a source gives: its name may hide that, the first data set does not."""
        if self.learners:
            return point.draw(number, self.seed).fingerprint
        return np.asarray(point.source.outcomes).tolist()
