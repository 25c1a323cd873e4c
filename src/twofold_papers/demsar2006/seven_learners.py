"""Demšar (2006), section 4.1: seven learners on the forty data sets, by ten-fold cross-validation.

C4.5 has m = 0, which for ours is m = 1; m or cf is fitted by 5-fold cross-validation within each
training set. Orange's own tree is stood in for by C4.5 without pruning, the defaults of Orange's
at the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.datasets import entries_of_paper, entry, find_dataset
from twofold.designs import parse_design
from twofold.execution import Arrays, Part, compute_arrays, digest
from twofold.learners import Learner, read_learner
from twofold.seeds import rng
from twofold.studies import many_runs, predict_runs
from twofold_papers.demsar2006.relative_frequencies import predict_relative
from twofold_papers.item import ItemOptions

Floats = NDArray[np.float64]
# Several in a row are tried on the training set, and the best is taken.
LEARNERS: dict[str, tuple[str, ...]] = {
    "c45": ("c45(m=1)",),
    "c45-m": tuple(f"c45(m={m})" for m in (1, 2, 3, 5, 10, 15, 20, 50)),
    "c45-cf": tuple(f"c45(m=1, cf={cf})" for cf in (0.001, 0.1, 0.25, 0.5)),
    "tree": ("c45(m=1, prune=False)",),
    "bayes": ("nb-loess",),
    "disc-bayes": ("nb-discrete",),
    "knn": ("knn-gauss",),
}
NAMES = tuple(LEARNERS)
# Readings of two of them: P(c | value) as counted, without any smoothing.
RELATIVE: dict[str, tuple[str, ...]] = {
    "bayes": ("nb-loess(m=1e-9)",),
    "disc-bayes": ("nb-discrete",),
}
# Where two copies may be meant, the one that his Tables 2 and 6 name.
DATASETS = tuple(
    "adult-sample" if each.name == "adult" else each.name for each in entries_of_paper("demsar2006")
)
TOYS = ("iris", "hayes-roth", "lymph", "tae", "post-operative", "lung-cancer")


@dataclass(frozen=True, slots=True)
class AccuracyJob:
    """One learner on one data set in one cross-validation, by number."""

    dataset: int
    learner: str
    again: int
    relative: bool = False

    @property
    def candidates(self) -> tuple[str, ...]:
        """The learners that are tried on the training set."""
        return (RELATIVE if self.relative else LEARNERS)[self.learner]


@dataclass(eq=False)
class AccuracyWork:
    """What all jobs share. Sent to each worker once."""

    datasets: Sequence[Dataset]
    seed: int

    def describe(self, job: AccuracyJob) -> str:
        """Return a job in words, for errors."""
        return f"{job.learner} on {self.datasets[job.dataset].name}"

    def do(self, job: AccuracyJob) -> Arrays:
        """Return the accuracy over ten folds, and that of the best candidate in hindsight."""
        return dict(zip(("accuracy", "best"), map(np.array, self.measure(job)), strict=True))

    def measure(self, job: AccuracyJob) -> tuple[float, float]:
        """Return the accuracy over ten folds, and that of the best candidate in hindsight."""
        dataset = self.datasets[job.dataset]
        labels = ("demsar", dataset.fingerprint, job.again)
        outer = many_runs(parse_design("1x10"), dataset, 1, rng(self.seed, *labels, "outer"))
        candidates = [read_learner(text) for text in job.candidates]
        if job.relative and job.learner == "disc-bayes":
            predictions = [predict_relative(candidates[0], dataset, outer[0])]
        else:
            predictions = [
                predict_runs(learner, dataset, outer, seed=self.seed, labels=labels)[0]
                for learner in candidates
            ]
        right = np.array(predictions) == dataset.y
        best = float(right.mean(axis=1).max())
        if len(candidates) == 1:
            return best, best
        inner = many_runs(parse_design("1x5"), dataset, 1, rng(self.seed, *labels, "inner"))[0]
        chosen = select_within(candidates, dataset, outer[0], inner, self.seed)
        return float(right[chosen[outer[0]], np.arange(dataset.rows)].mean()), best

    def build_part(self, job: AccuracyJob) -> Part:
        """Return what the accuracy is kept under."""
        learners = [read_learner(text).key for text in job.candidates]
        fingerprint = self.datasets[job.dataset].fingerprint
        key = digest("demsar", 2, fingerprint, learners, job.again, job.relative, self.seed)
        return Part(key, "reproduction", "demsar2006: seven learners")


def select_within(
    candidates: list[Learner], dataset: Dataset, outer: Any, inner: Any, seed: int
) -> NDArray[np.intp]:
    """Return for each outer fold the candidate with the best accuracy on its training rows.

    One run for each outer and inner fold: tested are the rows of either, learnt from the others.
    """
    folds, parts = int(outer.max()) + 1, int(inner.max()) + 1
    pairs = [(f, g) for f in range(folds) for g in range(parts)]
    runs = np.stack([np.where((outer == f) | (inner == g), 0, -1) for f, g in pairs])
    right = np.zeros((len(candidates), folds))
    for index, learner in enumerate(candidates):
        predictions = predict_runs(
            learner, dataset, runs.astype(np.int32), seed=seed, labels=("inner",)
        )
        for run, (f, g) in enumerate(pairs):
            rows = (outer != f) & (inner == g)
            right[index, f] += (predictions[run, rows] == dataset.y[rows]).sum()
    return right.argmax(axis=0)


@dataclass(frozen=True, eq=False)
class Accuracies:
    """Accuracies, (cross-validations, data sets, learners), and by other readings of the paper.

    ``in_hindsight`` has m and cf chosen by the very accuracy that is reported; ``relative`` has
    naive Bayes with relative frequencies.
    """

    datasets: tuple[str, ...]
    values: Floats
    in_hindsight: Floats
    relative: Floats
    checksums: dict[str, str]


def measure_accuracies(options: ItemOptions) -> Accuracies:
    """Return the accuracy of every learner on every data set; what is finished is kept."""
    names = options.pick(toy=TOYS, quick=DATASETS, full=DATASETS)
    again = options.pick(toy=2, quick=3, full=8)
    datasets = [_cut_at_median(find_dataset(name, options.data)) for name in names]
    jobs = [
        AccuracyJob(index, learner, number, relative)
        for number in range(again)
        for index in range(len(names))
        for relative in (False, True)
        for learner in (RELATIVE if relative else LEARNERS)
    ]
    work = AccuracyWork(datasets, options.seed)
    arrays = compute_arrays(work, {job: work.build_part(job) for job in jobs}, **options.engine)
    values = np.empty((again, len(names), len(NAMES)))
    best, relative = values.copy(), values.copy()
    for job, each in arrays.items():
        cell = job.again, job.dataset, NAMES.index(job.learner)
        if job.relative:
            relative[cell] = each["accuracy"]
        else:
            values[cell], best[cell] = each["accuracy"], each["best"]
    plain = [index for index, name in enumerate(NAMES) if name not in RELATIVE]
    relative[..., plain] = values[..., plain]
    checksums = {name: " ".join(entry(name).sha256) for name in names}
    return Accuracies(tuple(names), values, best, relative, checksums)


def _cut_at_median(dataset: Dataset) -> Dataset:
    """Return a data set with classes; a number is cut at its median."""
    if dataset.classes is not None:
        return dataset
    above = (dataset.y > np.median(dataset.y)).astype(np.intp)
    return replace(dataset, y=above, classes=("low", "high"), declared_classes=None)
