"""A study's blocks with damaged learners: every step of a difference on the same data sets.

With random errors the learners are fitted once for all steps; only what they predict is spoilt.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import Design
from twofold.execution.packing import Arrays
from twofold.execution.store import Part
from twofold.execution.task import digest
from twofold.learners import Learner
from twofold.seeds import rng
from twofold.studies.damage_search import DamageSearch
from twofold.studies.damaged_learners import DamageStep, spoil_predictions
from twofold.studies.error_counts import ErrorCounts, count_errors
from twofold.studies.fitting import predict_runs
from twofold.studies.learning_curves import count_training_rows
from twofold.studies.shared_splits import Folds, many_runs
from twofold.studies.study_blocks import Block, Names, Point, StudyContext


@dataclass(frozen=True, slots=True)
class DamagedPoint(Point):
    """A source and a size, where learners are damaged."""

    step: DamageStep

    @property
    def name(self) -> str:
        """The source, and how far the learners are apart."""
        return self.step.source

    @property
    def null(self) -> bool | None:
        """Whether they were made equally good."""
        return self.step.null


@dataclass(eq=False)
class DamagedContext(StudyContext):
    """What all blocks of a study with damaged learners share; all points have a step."""

    def steps(self, point: int) -> list[int]:
        """Return the points with the same data sets as this one, itself included."""
        here = self.points[point]
        return [
            index
            for index, other in enumerate(self.points)
            if (other.source, other.rows) == (here.source, here.rows)
        ]

    def group_of(self, block: Block) -> Hashable:
        """Return what blocks share that are done together: data sets."""
        return self.steps(block.point)[0], block.first

    def do(self, blocks: Sequence[Block]) -> list[Arrays]:
        """Draw the data sets that blocks share, run both learners, and count errors."""
        point = blocks[0].point
        index = {other: i for i, other in enumerate(self.steps(point))}
        splits = dict.fromkeys(block.split for block in blocks)
        counts: dict[int, list[Any]] = {split: [] for split in splits}
        for number in range(blocks[0].first, blocks[0].last):
            dataset = self.points[point].draw(number, self.seed)
            for split, parts in counts.items():
                parts.append(self._count(dataset, point, number, split))
        # (4, steps, data sets, repetitions, runs, folds)
        stacked = {split: np.stack(parts, axis=2) for split, parts in counts.items()}
        return [
            ErrorCounts(*stacked[block.split][:, index[block.point]]).arrays() for block in blocks
        ]

    def _count_runs(
        self, dataset: Dataset, point: int, design: Design, runs: int, names: Names
    ) -> Any:
        """Return the counts of some runs at every step, (4, steps, runs, folds)."""
        folds = many_runs(design, dataset, runs, rng(self.seed, *names), stratify=self.stratify)
        size = count_training_rows(design, dataset.rows)
        classes = max(len(self.points[point].source.classes), len(dataset.classes or ()))
        pair = [
            _DamagedPredictions(learner, dataset, folds, classes, self.seed, (*names, letter))
            for learner, letter in zip(self.learners, "AB", strict=True)
        ]
        counts = []
        for step in (self._step(other) for other in self.steps(point)):
            a, b = (
                predictions.at(step.kind, amount)
                for predictions, amount in zip(pair, step.amounts(size), strict=True)
            )
            counts.append(count_errors(folds, dataset.y, a, b, design.parts))
        return np.stack(counts, axis=1)

    def _step(self, point: int) -> DamageStep:
        where = self.points[point]
        assert isinstance(where, DamagedPoint)
        return where.step

    def blocks(self, start: int, stop: int) -> Iterator[tuple[Block, Part]]:
        """Yield all blocks, those with the same data sets one after the other."""
        order = sorted(
            super().blocks(start, stop), key=lambda pair: (*self._place(pair[0]), pair[0].split)
        )
        yield from order

    def _place(self, block: Block) -> tuple[int, int, int]:
        return self.steps(block.point)[0], block.first, block.point

    def _key(self, block: Block, content: Any) -> str:
        """Return a digest of everything that decides the counts."""
        step = self._step(block.point)
        amounts = [(size.rows, size.amount_a, size.amount_b) for size in step.sizes]
        return digest(super()._key(block, content), "damage", 1, step.kind, amounts)


@dataclass(eq=False)
class _DamagedPredictions:
    """What one learner predicts in some runs, with any damage."""

    learner: Learner
    dataset: Dataset
    folds: Folds
    classes: int
    seed: int
    names: Names
    _undamaged: NDArray[Any] | None = None

    def at(self, kind: str, amount: float) -> NDArray[Any]:
        """Return predictions of the damaged learner, (runs, rows)."""
        if amount and kind == "weights":
            return self._predict(amount)
        if self._undamaged is None:
            self._undamaged = self._predict(0.0)
        if not amount:
            return self._undamaged
        random = rng(self.seed, "damage", *self.names)
        return spoil_predictions(self._undamaged, amount, self.classes, random)

    def _predict(self, weight: float) -> NDArray[Any]:
        # The letter of the learner is left out: both have the same random states, as undamaged.
        return predict_runs(
            self.learner,
            self.dataset,
            self.folds,
            seed=self.seed,
            labels=("study", *self.names[:-1]),
            weight=weight,
        )


def damage_points(context: StudyContext, search: DamageSearch) -> DamagedContext:
    """Return a study's context with damaged learners, at every step of each of its points."""
    points = [
        DamagedPoint(point.source, point.rows, step)
        for point in context.points
        for step in search.find_steps(point)
    ]
    return DamagedContext(
        points,
        context.learners,
        context.splits,
        context.repetitions,
        context.seed,
        context.stratify,
    )


def list_steps(points: Iterable[Point]) -> tuple[DamageStep, ...]:
    """Return the damage of all points that have some."""
    return tuple(point.step for point in points if isinstance(point, DamagedPoint))
