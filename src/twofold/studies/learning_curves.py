"""How often two learners err on other rows of a source, by how many rows they are trained on.

They are the data sets of the study; from each, training sets are taken as the designs of a study
take them, and errors are counted on rows outside of the data set: on the rest of a file (Dietterich
1998, section 6), or on rows drawn for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset, take_rows
from twofold.designs import Design, parse_design
from twofold.designs.assign import count_share
from twofold.execution.backends import Backend
from twofold.execution.map_missing import map_missing
from twofold.execution.packing import Arrays
from twofold.execution.progress import Progress
from twofold.execution.store import Part, Store
from twofold.execution.task import digest
from twofold.learners import Learner
from twofold.learners.keys import make_fingerprint
from twofold.learners.packing_learners import is_own
from twofold.seeds import rng
from twofold.studies.damaged_learners import Floats
from twofold.studies.fitting import predict_runs
from twofold.studies.shared_splits import many_runs
from twofold.studies.study_blocks import Point

RULES = 1
"""Part of every key: errors measured under other rules are never taken for these."""

POOL = 2000
"""Rows outside of a data set that errors are counted on, at most."""

AT_ONCE = 10
"""Data sets of a job."""


@dataclass(frozen=True, slots=True)
class TrainingSets:
    """How training sets of one size come out of a data set.

    Attributes
    ----------
    size : int
        Rows trained on.
    design : Design or None
        The design whose training sets they are; None for all rows.
    of_rows : int
        Rows that are split by it: all of the data set, or one half.
    """

    size: int
    design: Design | None
    of_rows: int

    def choose(
        self, dataset: Dataset, random: np.random.Generator, stratify: bool | None
    ) -> NDArray[np.intp]:
        """Return the rows of one training set."""
        rows = np.arange(dataset.rows)
        if self.design is None:
            return rows
        if self.of_rows < dataset.rows:
            rows = np.sort(random.permutation(dataset.rows)[: self.of_rows])
            dataset = take_rows(dataset, rows)
        folds = many_runs(self.design, dataset, 1, random, stratify=stratify)
        return rows[folds[0] != 0]


def count_training_rows(design: Design, rows: int) -> int:
    """Return how many of the rows a design trains on; where folds differ by one, the usual size."""
    if design.kind == "random":
        return rows - count_share(rows, design.share)
    return rows - (rows + design.parts // 2) // design.parts


def list_training_sets(designs: Iterable[Design], rows: int) -> tuple[TrainingSets, ...]:
    """Return all training sizes of designs, and all rows, the largest first."""
    sizes = {rows: TrainingSets(rows, None, rows)}
    for design in designs:
        plain, parts = design, [rows]
        if design.kind == "halves":
            plain = parse_design(f"1x{design.parts}")
            parts += [rows - rows // 2, rows // 2]
        for part in parts:
            size = count_training_rows(plain, part)
            sizes.setdefault(size, TrainingSets(size, plain, part))
    return tuple(sizes[size] for size in sorted(sizes, reverse=True))


@dataclass(frozen=True, slots=True)
class ErrorJob:
    """Some data sets of a point, by their numbers."""

    first: int
    last: int


@dataclass(eq=False)
class ErrorMeasurement:
    """Measures the errors of learners; sent to each worker once.

    ``weights`` has for each learner the logarithms of weights to try, (steps, sizes); steps of
    zeros leave it as it is.
    """

    point: Point
    learners: Sequence[Learner]
    weights: Sequence[Floats]
    training_sets: Sequence[TrainingSets]
    stratify: bool | None
    seed: int
    _content: list[Any] = field(default_factory=list, repr=False)

    def describe(self, job: ErrorJob) -> str:
        """Return a job in words, for errors."""
        where = self.point.describe()
        return f"errors on data sets {job.first + 1} to {job.last} of {where}"

    def make_key(self, job: ErrorJob) -> str:
        """Return the key of the learners' code, from what this process has imported."""
        return " | ".join(make_fingerprint(learner.estimator).text for learner in self.learners)

    def owner(self, job: ErrorJob) -> str | None:
        """Return whose code a job runs, None where it is all ours."""
        return None if all(is_own(learner.estimator) for learner in self.learners) else "learners"

    def do(self, job: ErrorJob) -> Arrays:
        """Return the error rates of each learner, (data sets, steps, sizes)."""
        measured = [self._measure(number) for number in range(job.first, job.last)]
        by_learner = zip(*measured, strict=True)
        return {f"learner{i}": np.stack(errors) for i, errors in enumerate(by_learner)}

    def _measure(self, number: int) -> list[Floats]:
        names = ("damage", self.point.source.name, self.point.rows, number)
        random = rng(self.seed, *names)
        dataset, pool = draw_with_pool(self.point, number, self.seed)
        joint = join_rows(dataset, pool)
        folds = np.zeros((len(self.training_sets), joint.rows), dtype=np.int32)
        for row, training in zip(folds, self.training_sets, strict=True):
            row[training.choose(dataset, random, self.stratify)] = -1
        tested = folds == 0
        return [
            np.stack([self._count(learner, joint, step, folds, tested, names) for step in steps])
            for learner, steps in zip(self.learners, self.weights, strict=True)
        ]

    def _count(
        self,
        learner: Learner,
        joint: Dataset,
        weights: Floats,
        folds: NDArray[np.int32],
        tested: NDArray[np.bool_],
        names: tuple[str | int, ...],
    ) -> Floats:
        """Return the error rates at one step, (sizes,)."""
        errors = np.empty(len(folds))
        for weight in np.unique(weights):
            sizes = np.flatnonzero(weights == weight)
            predicted = predict_runs(
                learner,
                joint,
                folds[sizes],
                seed=self.seed,
                labels=names,
                weight=float(weight),
            )
            wrong = (predicted != joint.y) & tested[sizes]
            errors[sizes] = wrong.sum(axis=1) / tested[sizes].sum(axis=1)
        return errors

    def fits(self, job: ErrorJob, arrays: Arrays) -> bool:
        """Tell whether arrays that a store has can be those of a job."""
        shapes = {
            f"learner{i}": (job.last - job.first, *steps.shape)
            for i, steps in enumerate(self.weights)
        }
        return arrays.keys() == shapes.keys() and all(
            array.shape == shapes[name] and bool(((array >= 0) & (array <= 1)).all())
            for name, array in arrays.items()
        )

    def make_part(self, job: ErrorJob) -> Part:
        """Return what a job is kept under."""
        if not self._content:
            self._content.append(self.point.draw(0, self.seed).fingerprint)
        key = digest(
            "learning curves",
            RULES,
            self.point.source.name,
            self.point.rows,
            self._content[0],
            [learner.key for learner in self.learners],
            [steps.tolist() for steps in self.weights],
            [(each.size, str(each.design), each.of_rows) for each in self.training_sets],
            self.stratify,
            int(self.seed),
            job.first,
            job.last,
        )
        labels = " and ".join(learner.label for learner in self.learners)
        return Part(key, "study", f"errors on {self.point.describe()}: {labels}")


def draw_with_pool(point: Point, number: int, seed: int) -> tuple[Dataset, Dataset]:
    """Return a data set of a study, and rows outside of it."""
    if hasattr(point.source, "draw_and_rest"):
        dataset, rest = point.source.draw_and_rest(point.rows, point.open_stream(number, seed))
        return dataset, take_rows(rest, np.arange(min(POOL, rest.rows)))
    names = ("damage", point.source.name, "pool", number)
    return point.draw(number, seed), point.source.draw(POOL, rng(seed, *names))


def join_rows(first: Dataset, second: Dataset) -> Dataset:
    """Return the rows of two data sets of one source, with the classes of both."""
    names = dict.fromkeys((*(first.classes or ()), *(second.classes or ())))
    order = first.declared_classes or second.declared_classes or tuple(names)
    classes = tuple(name for name in dict.fromkeys((*order, *names)) if name in names)
    codes = {name: code for code, name in enumerate(classes)}
    y = [codes[label] for label in (*first.labels, *second.labels)]
    return replace(
        first,
        X=np.concatenate([first.X, second.X]),
        y=np.array(y, dtype=np.intp),
        classes=classes,
        groups=None,
        given_folds=None,
        original=None,
    )


def measure_errors(
    measurement: ErrorMeasurement,
    datasets: int,
    store: Store,
    backend: Backend,
    watch: Progress | None = None,
) -> list[Floats]:
    """Return the error rates of each learner, (data sets, steps, sizes); finished work is kept."""
    jobs = [
        ErrorJob(first, min(first + AT_ONCE, datasets)) for first in range(0, datasets, AT_ONCE)
    ]
    arrays: dict[ErrorJob, Arrays] = {}

    def reuse(job: ErrorJob, stored: Arrays) -> bool:
        if not measurement.fits(job, stored):
            return False
        arrays[job] = stored
        return True

    map_missing(
        measurement,
        ((job, measurement.make_part(job)) for job in jobs),
        store.arrays,
        backend,
        total=len(jobs),
        reuse=reuse,
        take=arrays.__setitem__,
        watch=watch,
    )
    return [
        np.concatenate([arrays[job][f"learner{i}"] for job in jobs])
        for i in range(len(measurement.learners))
    ]
