"""An experiment: learners on runs of data sets, each task done once and kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import Design
from twofold.errors import TwofoldError
from twofold.learners import Learner, key_on
from twofold.running.backends import Backend
from twofold.running.scoring import Metric
from twofold.running.store import Store
from twofold.running.task import Outcome, Task, splits_digest
from twofold.running.work import Bench, Done, Job
from twofold.scores import Scores

SAVE_EVERY = 0.25
"""Seconds after which finished work is saved: what a sudden death can cost at most."""

ENOUGH_FAILURES = 3
"""A learner that failed on so many runs of a data set is not tried on its further ones."""

TRUTH = "the true class"
"""Name of the column of true labels among predictions."""

Place = tuple[int, int, int]
"""Data set, learner and run."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A learner that raised, and where."""

    dataset: str
    learner: str
    run: int
    fold: int
    message: str

    def __str__(self) -> str:
        where = f"run {self.run + 1}" + (f", fold {self.fold + 1}" if self.fold >= 0 else "")
        return f"{self.learner} on {self.dataset}, {where}: {self.message}"


@dataclass(frozen=True, slots=True)
class Splits:
    """What one run of a design does to a data set."""

    digest: str
    tests: list[NDArray[np.intp]]
    n_train: NDArray[np.intp]
    n_test: NDArray[np.intp]


@dataclass(eq=False)
class Experiment:
    """Learners, data sets and a design, and what is known of them so far.

    Attributes
    ----------
    fitted, reused : int
        Tasks done now, and tasks that the store had.
    failures : list of Failed
    warned : dict of (learner, message) to how often
    """

    datasets: Sequence[Dataset]
    learners: Sequence[Learner]
    design: Design
    metrics: Sequence[Metric]
    store: Store
    backend: Backend
    seed: int = 0
    stratify: bool | None = None
    keep_predictions: bool = False
    fitted: int = 0
    reused: int = 0
    seconds: float = 0.0
    failures: list[Failed] = field(default_factory=list)
    warned: dict[tuple[str, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parts = (self.datasets, self.learners, self.design, self.seed, self.stratify)
        self._bench = Bench(*parts)
        self._keys = [
            [key_on(learner, data) for learner in self.learners] for data in self.datasets
        ]
        self._splits: dict[tuple[int, int], Splits] = {}
        self._scores: dict[Place, NDArray[np.float64]] = {}
        self._failed: dict[tuple[int, int], int] = {}
        self._predicted: dict[Place, NDArray[Any]] = {}

    def advance(
        self,
        runs: int,
        *,
        until: float | None = None,
        watch: Callable[[int, int], None] | None = None,
    ) -> None:
        """Do what is missing of the first ``runs`` runs, the first runs first.

        ``until`` is a time (of ``time.monotonic``) at which to stop; ``watch`` is called with
        how many tasks are done and how many there are.
        """
        places = [place for place in self._places(runs) if place not in self._scores]
        total = len(places)
        tasks = {place: self._task(*place) for place in places}
        missing = self._from_store(tasks)
        done = total - len(missing)
        if watch is not None:
            watch(done, total)
        wanted = tuple(metric.responses for metric in self.metrics)
        jobs = [Job(*place, wanted) for place in missing]
        waiting: list[tuple[Task, Outcome]] = []
        saved = time.monotonic()
        stream = self.backend.imap(self._bench, jobs)
        try:
            for job, result in stream:
                place = (job.dataset, job.learner, job.run)
                done += 1
                if self._take(place, result):
                    assert result.outcome is not None
                    waiting.append((tasks[place], result.outcome))
                now = time.monotonic()
                if waiting and now - saved > SAVE_EVERY:
                    self.store.put(waiting)
                    waiting, saved = [], now
                if watch is not None:
                    watch(done, total)
                if (until is not None and now > until) or self._hopeless():
                    break
        finally:
            # Finished work is kept whatever ends the loop, a key press included.
            if waiting:
                self.store.put(waiting)
            close = getattr(stream, "close", None)
            if close is not None:
                close()

    def _places(self, runs: int) -> Iterator[Place]:
        for run in range(runs):
            for d in range(len(self.datasets)):
                for i in range(len(self.learners)):
                    if self._failed.get((d, i), 0) == 0:
                        yield d, i, run

    def _task(self, d: int, i: int, run: int) -> Task:
        data, learner = self.datasets[d], self.learners[i]
        return Task(
            dataset=data.name,
            fingerprint=data.fingerprint,
            learner=learner.label,
            learner_key=self._keys[d][i],
            design=self.design.family,
            seed=self.seed,
            run=run,
            splits=self.splits(d, run).digest,
        )

    def splits(self, d: int, run: int) -> Splits:
        """Return the splits of a run on a data set, made once."""
        if (d, run) not in self._splits:
            made = self.design.split(self.datasets[d], run, seed=self.seed, stratify=self.stratify)
            folds = list(made.folds())
            trained, tested = made.sizes()
            tests = [test for _, test in folds]
            self._splits[d, run] = Splits(splits_digest(folds), tests, trained, tested)
        return self._splits[d, run]

    def _from_store(self, tasks: dict[Place, Task]) -> list[Place]:
        """Take what the store has, and return the places of what it has not."""
        missing = []
        places = list(tasks)
        for start in range(0, len(places), 500):
            some = places[start : start + 500]
            found = self.store.get([tasks[place].key for place in some])
            for place in some:
                outcome = found.get(tasks[place].key)
                if outcome is None or not all(m.answered(outcome) for m in self.metrics):
                    missing.append(place)
                else:
                    self._score(place, outcome)
                    self.reused += 1
        return missing

    def _take(self, place: Place, done: Done) -> bool:
        """Score what came of a job; tell whether it may be kept."""
        d, i, run = place
        label, name = self.learners[i].label, self.datasets[d].name
        for message in done.warned:
            self.warned[label, message] = self.warned.get((label, message), 0) + 1
        if done.failure is not None:
            self._failed[d, i] = self._failed.get((d, i), 0) + 1
            failed = Failed(name, label, run, done.failure.fold, done.failure.message)
            self.failures.append(failed)
            return False
        assert done.outcome is not None
        self._score(place, done.outcome)
        self.fitted += 1
        self.seconds += float(done.outcome.seconds.sum())
        return True

    def _score(self, place: Place, outcome: Outcome) -> None:
        d, _, run = place
        tests = self.splits(d, run).tests
        data = self.datasets[d]
        self._scores[place] = np.stack([m.score(data, tests, outcome) for m in self.metrics])
        if self.keep_predictions:
            self._predicted[place] = outcome.responses["predict"]

    def _hopeless(self) -> bool:
        """Whether every learner has failed often enough on every data set."""
        every = len(self.datasets) * len(self.learners)
        return sum(n >= ENOUGH_FAILURES for n in self._failed.values()) == every

    def complete_runs(self, d: int) -> int:
        """Return how many runs of a data set all its learners have finished, from the first on."""
        learners = self.standing(d)
        run = 0
        while learners and all((d, i, run) in self._scores for i in learners):
            run += 1
        return run

    def standing(self, d: int) -> list[int]:
        """Return the learners that have not failed on a data set."""
        return [i for i in range(len(self.learners)) if not self._failed.get((d, i))]

    def predictions(self, d: int, run: int = 0) -> dict[str, NDArray[Any]]:
        """Return true labels and what each learner predicted for the test rows of one run."""
        data = self.datasets[d]
        rows = np.concatenate(self.splits(d, run).tests)
        columns: dict[str, NDArray[Any]] = {TRUTH: data.labels[rows]}
        names = np.asarray(data.classes, dtype=object)
        for i in self.standing(d):
            if (d, i, run) in self._predicted:
                columns[self.learners[i].label] = names[self._predicted[d, i, run]]
        return columns

    def scores(self, metric: int = 0, *, runs: int | None = None) -> Scores:
        """Return the table of all complete runs, or of the first so many of them."""
        rows: list[tuple[int, int, int, Splits, NDArray[np.float64]]] = []
        for d in range(len(self.datasets)):
            complete = self.complete_runs(d)
            for run in range(complete if runs is None else min(complete, runs)):
                splits = self.splits(d, run)
                rows += [
                    (d, i, run, splits, self._scores[d, i, run][metric]) for i in self.standing(d)
                ]
        if not rows:
            said = f" The first: {self.failures[0]}." if self.failures else ""
            raise TwofoldError(
                f"No run of any data set was finished by a learner.{said}",
                "Mend the learners, or give it more time.",
            )
        counts = [len(values) for *_, values in rows]
        folds = np.concatenate([np.arange(n) for n in counts])
        single = self.design.kind == "random"
        chosen = self.metrics[metric]
        # Only what has scores is in the table; a learner that failed everywhere is not.
        return _compact(
            Scores(
                datasets=tuple(data.name for data in self.datasets),
                learners=tuple(learner.label for learner in self.learners),
                dataset=np.repeat([d for d, *_ in rows], counts),
                learner=np.repeat([i for _, i, *_ in rows], counts),
                run=np.repeat([run for _, _, run, *_ in rows], counts),
                fold=np.full(len(folds), -1) if single else folds,
                n_train=np.concatenate([s.n_train for *_, s, _ in rows]).astype(float),
                n_test=np.concatenate([s.n_test for *_, s, _ in rows]).astype(float),
                value=np.concatenate([values for *_, values in rows]),
                metric=chosen.name,
                higher_is_better=chosen.higher_is_better,
                form="long",
            )
        )


def _compact(scores: Scores) -> Scores:
    """Leave out names without any score."""
    from dataclasses import replace

    kept_sets, dataset = np.unique(scores.dataset, return_inverse=True)
    kept_learners, learner = np.unique(scores.learner, return_inverse=True)
    return replace(
        scores,
        datasets=tuple(scores.datasets[i] for i in kept_sets),
        learners=tuple(scores.learners[i] for i in kept_learners),
        dataset=dataset,
        learner=learner,
    )
