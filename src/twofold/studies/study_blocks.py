"""A study's work in blocks of data sets: drawing them, splitting them, counting errors.

Every random number comes from the seed and from names (source, rows, number of the data set, kind
of split), so that a block is the same wherever and whenever it is done.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from twofold.dataset import Dataset, take_rows
from twofold.designs import Design, parse_design
from twofold.errors import InputError
from twofold.execution.packing import Arrays
from twofold.execution.store import Part
from twofold.execution.task import digest
from twofold.learners import Learner
from twofold.learners.keys import make_fingerprint
from twofold.learners.packing_learners import is_own
from twofold.seeds import rng
from twofold.studies.error_counts import ErrorCounts, concatenate_counts, count_errors
from twofold.studies.fitting import predict_runs
from twofold.studies.shared_splits import many_runs

Names = tuple[str | int, ...]

RULES = 1
"""Part of every key: blocks made under other rules are never taken for these."""

DRAWN_AT_ONCE = 250
"""Data sets whose counts are drawn together where no learner needs to be run."""

RUNS_IN_A_BLOCK = 100
"""Repetitions on all data sets of a block together: about a second of work for kernels."""


MOST_NUMBERS = 100_000_000
"""Numbers that the splits of one data set, or the counts of a block, may take: some GB."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where data sets come from: a source, and how many rows each has."""

    source: Any
    rows: int

    def draw(self, number: int, seed: int) -> Dataset:
        """Return data set ``number``, from 0."""
        dataset: Dataset = self.source.draw(self.rows, self.open_stream(number, seed))
        return dataset

    def open_stream(self, number: int, seed: int) -> np.random.Generator:
        """Return the generator that a data set is drawn with."""
        return rng(seed, "study", self.source.name, self.rows, number)

    @property
    def name(self) -> str:
        """What findings call the source."""
        return str(self.source.name)

    @property
    def null(self) -> bool | None:
        """Whether the learners are known to be equally good here; None where that is not known."""
        return None

    def describe(self) -> str:
        """Return the point in words."""
        return f"{self.rows} rows of {self.name}"


@dataclass(frozen=True, slots=True)
class Block:
    """Some data sets of a point with one kind of splits; all by index."""

    point: int
    first: int
    last: int
    split: int


@dataclass(eq=False)
class StudyContext:
    """What all blocks of a study share. Sent to each worker once."""

    points: Sequence[Point]
    learners: Sequence[Learner]  # none where the source itself tells what two learners get right
    splits: Sequence[Design]
    repetitions: int
    seed: int
    stratify: bool | None = None
    _learner_text: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for point, design in product(self.points, self.splits):
            runs = self.repetitions * design.runs
            numbers = runs * (point.rows if self.learners else DRAWN_AT_ONCE * design.parts)
            if numbers > MOST_NUMBERS:
                raise InputError(
                    f"{self.repetitions:,} repetitions of `{design}` on {point.rows:,} rows need "
                    f"{numbers:,} numbers at once; {MOST_NUMBERS:,} is the limit.",
                    "Ask for fewer runs, repetitions or rows, and for more data sets.",
                )

    def describe(self, blocks: Sequence[Block]) -> str:
        """Return blocks in words, for errors."""
        where = self.points[blocks[0].point].describe()
        return f"data sets {blocks[0].first + 1} to {blocks[0].last} of {where}"

    def make_key(self, blocks: Sequence[Block]) -> str:
        """Return the key of the learners' code, from what this process has imported."""
        if self._learner_text is None:
            texts = [make_fingerprint(learner.estimator).text for learner in self.learners]
            self._learner_text = " | ".join(texts)
        return self._learner_text

    def owner(self, blocks: Sequence[Block]) -> str | None:
        """Return whose code a job runs, None where it is all ours."""
        own = all(is_own(learner.estimator) for learner in self.learners)
        return None if own else "learners"

    def block_size(self) -> int:
        """Return how many data sets make a block.

        Findings do not depend on it. It does not depend on the designs, so that a further design
        finds the blocks of the others.
        """
        return max(1, RUNS_IN_A_BLOCK // self.repetitions) if self.learners else DRAWN_AT_ONCE

    def group_of(self, block: Block) -> Hashable:
        """Return what blocks share that are done together: data sets."""
        return block.point, block.first

    def do(self, blocks: Sequence[Block]) -> list[Arrays]:
        """Draw the data sets that blocks share, run both learners, and count errors."""
        if not self.learners:
            return [self._draw_counts(block).arrays() for block in blocks]
        counts: list[list[Any]] = [[] for _ in blocks]
        point = blocks[0].point
        for number in range(blocks[0].first, blocks[0].last):
            dataset = self.points[point].draw(number, self.seed)
            for block, parts in zip(blocks, counts, strict=True):
                parts.append(self._count(dataset, point, number, block.split))
        return [ErrorCounts(*np.stack(parts, axis=1)).arrays() for parts in counts]

    def _count(self, dataset: Dataset, point: int, number: int, split: int) -> Any:
        """Return the counts on one data set, (4, repetitions, runs, folds)."""
        design, where = self.splits[split], self.points[point]
        runs = self.repetitions * design.runs
        names = (where.source.name, where.rows, number)
        # On all rows, runs with halves are those without them.
        plain = parse_design(f"{runs}x{design.parts}") if design.kind == "halves" else design
        counts = self._count_runs(dataset, point, plain, runs, ("splits", *names, plain.family))
        if design.kind == "halves":
            labels = ("splits", *names, design.family)
            halves = self._count_halves(dataset, point, plain, runs, labels)
            counts = np.concatenate([counts, halves], axis=-1)
        return counts.reshape(*counts.shape[:-2], self.repetitions, design.runs, -1)

    def _count_runs(
        self, dataset: Dataset, point: int, design: Design, runs: int, names: Names
    ) -> Any:
        """Return the counts of some runs, (4, runs, folds)."""
        folds = many_runs(design, dataset, runs, rng(self.seed, *names), stratify=self.stratify)
        a, b = (
            predict_runs(learner, dataset, folds, seed=self.seed, labels=("study", *names))
            for learner in self.learners
        )
        return count_errors(folds, dataset.y, a, b, design.parts)

    def _count_halves(
        self, dataset: Dataset, point: int, design: Design, runs: int, names: Names
    ) -> Any:
        """Return the counts on either half of the rows, (4, runs, folds of one and of the other).

        The rows are halved anew for every run.
        """
        stream = rng(self.seed, *names)
        counted = []
        for run in range(runs):
            order = stream.permutation(dataset.rows)
            halves = (np.sort(part) for part in np.array_split(order, 2))
            counts = [
                self._count_runs(take_rows(dataset, rows), point, design, 1, (*names, run, part))
                for part, rows in enumerate(halves)
            ]
            counted.append(np.concatenate(counts, axis=-1))
        return np.concatenate(counted, axis=-2)

    def _draw_counts(self, block: Block) -> ErrorCounts:
        """Draw the counts of learners that ignore their training rows, without any rows at all.

        They are drawn for a certain number of data sets at a time, wherever a block begins.
        """
        point = self.points[block.point]
        chunks = range(block.first // DRAWN_AT_ONCE, -(-block.last // DRAWN_AT_ONCE))
        counts = concatenate_counts([self._chunk(point, block.split, chunk) for chunk in chunks])
        start = block.first - chunks[0] * DRAWN_AT_ONCE
        return counts.part(slice(start, start + block.last - block.first))

    def _chunk(self, point: Point, split: int, chunk: int) -> ErrorCounts:
        draw_folds, draw_resamples = _find_drawing(point.source)
        design = self.splits[split]
        stream = rng(self.seed, "counts", point.source.name, point.rows, chunk, design.family)
        runs, pair = self.repetitions * design.runs, point.source
        size, parts = DRAWN_AT_ONCE, design.parts
        if design.kind == "halves":
            # Twice as many folds: the first ones make one half, the others the other.
            counts = draw_folds(pair, point.rows, runs, 2 * parts, size, stream)
        elif design.kind == "folds":
            counts = draw_folds(pair, point.rows, runs, parts, size, stream)
        else:
            counts = draw_resamples(pair, point.rows, runs, design.share, size, stream)
        assert counts.both is not None
        sizes = np.broadcast_to(counts.sizes.astype(np.int32), counts.both.shape)
        wrong = sizes - counts.both - counts.a_only - counts.b_only
        each = [counts.b_only, counts.a_only, wrong, sizes]
        if design.kind == "halves":
            each = [np.concatenate([x[..., :parts] + x[..., parts:], x], axis=-1) for x in each]
            parts *= 3
        shape = (size, self.repetitions, design.runs, parts)
        return ErrorCounts(*(array.astype(np.int32).reshape(shape) for array in each))

    def fits(self, block: Block, counts: Arrays) -> bool:
        """Tell whether counts that a store has can be those of a block."""
        design = self.splits[block.split]
        folds = 3 * design.parts if design.kind == "halves" else design.parts
        shape = (block.last - block.first, self.repetitions, design.runs, folds)
        names = ("only_a", "only_b", "both", "size")
        if tuple(counts) != names or any(
            array.shape != shape or array.dtype != np.int32 or (array < 0).any()
            for array in counts.values()
        ):
            return False
        errors = sum(counts[name].astype(np.int64) for name in names[:3])
        return bool((counts["size"] > 0).all() and (errors <= counts["size"]).all())

    def count_blocks(self, start: int, stop: int) -> int:
        """Return how many blocks there are of the data sets from ``start`` on."""
        firsts = len(range(start, stop, self.block_size()))
        return len(self.points) * firsts * len(self.splits)

    def blocks(self, start: int, stop: int) -> Iterator[tuple[Block, Part]]:
        """Yield all blocks of the data sets from ``start`` on, and what each is kept under."""
        size = self.block_size()
        for index, point in enumerate(self.points):
            labels = " and ".join(learner.label for learner in self.learners)
            name = f"{point.describe()}{': ' if labels else ''}{labels}"
            for first in range(start, stop, size):
                content = self._content(point, first)
                for split in range(len(self.splits)):
                    block = Block(index, first, min(first + size, stop), split)
                    yield block, Part(self._key(block, content), "study", name)

    def _key(self, block: Block, content: Any) -> str:
        """Return a digest of everything that decides the counts."""
        point = self.points[block.point]
        return digest(
            RULES,
            point.source.name,
            point.rows,
            content,
            [learner.key for learner in self.learners],
            str(self.splits[block.split]),
            self.stratify,
            self.repetitions,
            int(self.seed),
            block.first,
            block.last,
        )

    def _content(self, point: Point, number: int) -> Any:
        """Return what a source gives: its name may hide that, the first data set does not."""
        if self.learners:
            return point.draw(number, self.seed).fingerprint
        return np.asarray(find_own_learners(point.source)).tolist()


def find_own_learners(source: Any) -> Any:
    """Return the probabilities by which a source's own learners err, None where it has none."""
    return getattr(source, "outcomes", getattr(source, "errors", None))


def _find_drawing(source: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return how the counts of a source's own learners are drawn, on folds and on resamples."""
    from twofold import simulation as sim

    if isinstance(source, sim.EpsilonSource):
        return sim.epsilon_fold_counts, sim.epsilon_resample_counts
    return partial(sim.fold_counts, both=True), partial(sim.resample_counts, both=True)
