"""An experiment: learners on runs of data sets, each task done once and kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import Design
from twofold.errors import InputError, LearnerError, TwofoldError, describe_error
from twofold.execution.backends import Backend
from twofold.execution.fit_task import Done, Job, TaskContext
from twofold.execution.map_missing import map_missing
from twofold.execution.progress import Watch
from twofold.execution.run_splits import Splits
from twofold.execution.score_rows import RunScores, make_scores
from twofold.execution.scoring import Metric
from twofold.execution.store import NoRecords, Store
from twofold.execution.stored_values import fits_task
from twofold.execution.task import Outcome, Task
from twofold.learners import Learner, make_key
from twofold.learners.packing_learners import is_own, list_modules
from twofold.result import join_first
from twofold.scores import Scores

TRUTH = "the true class"
"""Name of the column of true labels among predictions."""

Cell = tuple[int, int, int]
"""Data set, learner and run."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A learner that failed, and where; ``details`` is its traceback, or what it printed."""

    dataset: str
    learner: str
    run: int
    fold: int
    message: str
    details: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        where = f"run {self.run + 1}" + (f", fold {self.fold + 1}" if self.fold >= 0 else "")
        return f"{self.learner} on {self.dataset}, {where}: {self.message}"


@dataclass(eq=False)
class Experiment:
    """Learners, data sets and a design, and what is known of them so far.

    Attributes
    ----------
    metrics : sequences of Metric, one for each data set
    store : Store or None
        None where nothing is kept.
    least : int
        Learners that must be left on some data set for the work to go on.
    strict : bool
        Whether the first learner that fails ends the work with an error.
    fitted, reused : int
        Tasks done now, and tasks that the store had.
    failures : dict of Cell to Failed
    warned : dict of (learner, message) to how often
    drew : set of str
        Learners that drew from generators which the whole process shares.
    unkept : dict of learner to why its outcomes are not kept
    """

    datasets: Sequence[Dataset]
    learners: Sequence[Learner]
    design: Design
    metrics: Sequence[Sequence[Metric]]
    store: Store | None
    backend: Backend
    seed: int = 0
    stratify: bool | None = None
    keep_predictions: bool = False
    least: int = 1
    strict: bool = False
    fitted: int = 0
    reused: int = 0
    failures: dict[Cell, Failed] = field(default_factory=dict)
    warned: dict[tuple[str, str], int] = field(default_factory=dict)
    drew: set[str] = field(default_factory=set)
    unkept: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        parts = (self.datasets, self.learners, self.design, self.seed, self.stratify)
        self._context = TaskContext(*parts, threads=self.backend.workers)
        self._keys = [
            [self._make_key(d, i) for i in range(len(self.learners))]
            for d in range(len(self.datasets))
        ]
        self._together: dict[tuple[int, int], int] = {}
        self._scores: dict[Cell, NDArray[np.float64]] = {}
        self._predicted: dict[Cell, NDArray[Any]] = {}
        self._first_failed: dict[tuple[int, int], int] = {}
        self._failed_by_metric: dict[tuple[int, int, int], Failed] = {}
        self._constant: dict[Cell, Any] = {}

    def list_modules(self) -> set[str] | None:
        """Return modules of scikit-learn that workers need; None where all learners are ours."""
        foreign = [i for i, learner in enumerate(self.learners) if not is_own(learner.estimator)]
        pairs = [(d, i) for d in range(len(self.datasets)) for i in foreign]
        estimators = [self._context.prepare(*pair).estimator for pair in pairs]
        return set().union(*map(list_modules, estimators)) if foreign else None

    def list_prepared(self) -> list[dict[str, Any]]:
        """Return what was done to columns before which learner saw them, and on which data sets."""
        prepared: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for i, learner in enumerate(self.learners):
            for d, data in enumerate(self.datasets):
                done = self._context.prepare(d, i).done
                if done:
                    prepared.setdefault((learner.label, done), []).append(data.name)
        return [
            {"learner": label, "datasets": datasets, "done": list(done)}
            for (label, done), datasets in prepared.items()
        ]

    def advance(
        self,
        runs: int,
        *,
        until: float | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Do what is missing of the first ``runs`` runs, the first runs first.

        ``until`` is a time (of ``time.monotonic``) at which to stop.
        """
        remaining = [self.list_remaining(d) for d in range(len(self.datasets))]
        for d, learners in enumerate(remaining):
            if learners:
                self.splits(d, 0)  # a data set that cannot be split is refused before the first fit
        finished = sum(run < runs and i in remaining[d] for d, i, run in self._scores)
        map_missing(
            self._context,
            self._jobs(runs, remaining),
            self.store or NoRecords(),
            self.backend,
            total=runs * sum(map(len, remaining)) - finished,
            reuse=self._reuse,
            take=self._take,
            keep=lambda done: None if done.unkept else done.outcome,
            together=lambda job: (job.dataset, job.learner, job.run // self._count_together(job)),
            watch=watch,
            needless=lambda job: self._has_failed(*job.cell),
            until=until,
            stop=self._hopeless,
        )
        if self.strict and self.first_failures():
            failed = [self.failures[d, i, self._first_failed[d, i]] for d, i in self._settled()]
            raise LearnerError(
                f"A learner failed: {list_failures(failed or self.first_failures())}.",
                "Fix it, or use `on_error='leave-out'` to go on with the others.",
            )

    def _make_key(self, d: int, i: int) -> str:
        """Return the key of a learner on a data set; refuse one that cannot even be looked at."""
        learner, data = self.learners[i], self.datasets[d]
        try:
            key = make_key(learner, data, self._context.prepare(d, i))
            # A key that does not tell all is never looked up; another process must not wait for it.
            return f"{key} | {uuid4()}" if learner.fingerprint.unknown else key
        except TwofoldError:
            raise
        except Exception as error:
            raise InputError(
                f"{learner.label!r} cannot be made ready for {data.name!r}: "
                f"{describe_error(error)}.",
                "Mend it, or name another learner.",
            ) from None

    def _responses(self, d: int) -> tuple[tuple[str, ...], ...]:
        return tuple(metric.responses for metric in self.metrics[d])

    def _jobs(
        self, runs: int, remaining: Sequence[Sequence[int]]
    ) -> Iterator[tuple[Job, Task | None]]:
        """Yield what is to be done by these learners on each data set, and as which task.

        First runs come first, but for those that are done together.
        """
        responses = [self._responses(d) for d in range(len(self.datasets))]
        for first in range(runs):
            for d, learners in enumerate(remaining):
                for i in learners:
                    count = self._count_together(Job(d, i, 0, responses[d]))
                    if first % count:
                        continue
                    for run in range(first, min(first + count, runs)):
                        if (d, i, run) not in self._scores and not self._has_failed(d, i, run):
                            task = self._task(d, i, run) if self.store else None
                            yield Job(d, i, run, responses[d]), task

    def _count_together(self, job: Job) -> int:
        """Return how many runs of a learner on a data set are done together."""
        pair = job.dataset, job.learner
        if pair not in self._together:
            self._together[pair] = self._context.count_together(job)
        return self._together[pair]

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
        """Return the splits of a run on a data set."""
        return self._context.splits.get(d, run)

    def _reuse(self, job: Job, outcome: Outcome) -> bool:
        """Score what the store has of a job, if it fits and has all that the metrics need."""
        sizes = self.splits(job.dataset, job.run).shape.n_test
        if not fits_task(outcome, sizes, self.datasets[job.dataset]):
            return False
        if not all(metric.covers(outcome) for metric in self.metrics[job.dataset]):
            return False
        self._score(job.cell, outcome)
        self.reused += 1
        return True

    def _take(self, job: Job, done: Done) -> None:
        """Score what came of a job, or note how it failed."""
        label = self.learners[job.learner].label
        for message in done.warned:
            self.warned[label, message] = self.warned.get((label, message), 0) + 1
        if done.drew:
            self.drew.add(label)
        if done.unkept:
            self.unkept[label] = done.unkept
        if done.failure is not None:
            failure = done.failure
            self._fail(job.cell, failure.fold, failure.message, failure.details)
            return
        assert done.outcome is not None
        self.fitted += 1
        self._score(job.cell, done.outcome)

    def _score(self, cell: Cell, outcome: Outcome) -> None:
        d, _, run = cell
        rows = self.splits(d, run).rows
        data = self.datasets[d]
        scores, failed = [], {}
        for m, metric in enumerate(self.metrics[d]):
            try:
                scores.append(metric.score(data, rows, outcome))
            except TwofoldError:
                raise  # the metric does not fit the data, whichever learner predicted
            except Exception as error:
                failed[m] = f"the metric {metric.name}: {describe_error(error)}"
                scores.append(np.full(len(outcome.sizes), np.nan))
        if len(failed) == len(scores):
            self._fail(cell, -1, failed[0])
            return
        for m, message in failed.items():
            self._fail_by_metric(m, cell, message)
        self._scores[cell] = np.array(scores)
        predicted = outcome.responses["predict"]
        self._constant[cell] = predicted[0] if (predicted == predicted[0]).all() else None
        if self.keep_predictions:
            self._predicted[cell] = predicted

    def _fail(self, cell: Cell, fold: int, message: str, details: str = "") -> None:
        d, i, run = cell
        names = self.datasets[d].name, self.learners[i].label
        self.failures[cell] = Failed(*names, run, fold, message, details)
        self._first_failed[d, i] = min(run, self._first_failed.get((d, i), run))

    def _fail_by_metric(self, metric: int, cell: Cell, message: str) -> None:
        """Note that a learner has no score by one of several metrics; the others stand."""
        d, i, run = cell
        first = self._failed_by_metric.get((metric, d, i))
        if first is None or run < first.run:
            names = self.datasets[d].name, self.learners[i].label
            self._failed_by_metric[metric, d, i] = Failed(*names, run, -1, message)

    def give_up_unfinished(self, reason: str) -> None:
        """Count learners without any finished run as failed, if others have finished some."""
        finished = {i for _, i, _ in self._scores}
        for i in range(len(self.learners)):
            for d in range(len(self.datasets)):
                if finished and i not in finished and (d, i) not in self._first_failed:
                    self._fail((d, i, 0), -1, reason)

    def _has_failed(self, d: int, i: int, run: int) -> bool:
        """Whether a learner has failed on a data set, in that run or before."""
        return self._first_failed.get((d, i), run + 1) <= run

    def _hopeless(self) -> bool:
        """Whether on every data set too few learners are left, or none was to fail."""
        failed = [d for d, _ in self._settled()]
        if self.strict and failed:
            return True
        left = len(self.learners) - self.least
        return all(failed.count(d) > left for d in range(len(self.datasets)))

    def _settled(self) -> list[tuple[int, int]]:
        """Return data sets and learners that failed there, where the first failure is known.

        That is once all runs before it are there: one of them may fail as well, and the first
        failure is the one that is told, however many workers there are.
        """
        return [
            (d, i)
            for (d, i), first in sorted(self._first_failed.items())
            if all((d, i, run) in self._scores for run in range(first))
        ]

    def list_remaining(
        self, d: int, runs: int | None = None, metric: int | None = None
    ) -> list[int]:
        """Return the learners that have not failed on a data set, in its first so many runs.

        With a metric: nor by that metric alone.
        """
        most = float("inf") if runs is None else runs
        first = {i: run for (row, i), run in self._first_failed.items() if row == d}
        for (m, row, i), failure in self._failed_by_metric.items():
            if (m, row) == (metric, d):
                first[i] = min(failure.run, first.get(i, failure.run))
        return [i for i in range(len(self.learners)) if first.get(i, most) >= most]

    def first_failures(self, runs: int | None = None, metric: int | None = None) -> list[Failed]:
        """Return how each learner failed first on each data set, in the first so many runs.

        With a metric: those that failed by other metrics alone are left out.
        """
        failures = [self.failures[d, i, run] for (d, i), run in sorted(self._first_failed.items())]
        failures += [
            failure
            for (m, *_), failure in sorted(self._failed_by_metric.items())
            if metric in (None, m)
        ]
        return [failure for failure in failures if runs is None or failure.run < runs]

    def count_complete_runs(self) -> int:
        """Return how many runs all learners that have not failed have finished everywhere."""
        remaining = ((d, self.list_remaining(d)) for d in range(len(self.datasets)))
        return min((self._complete_runs(d, each) for d, each in remaining if each), default=0)

    def _complete_runs(self, d: int, learners: list[int]) -> int:
        """Return how many runs of a data set these learners have finished, from the first on."""
        run = 0
        while learners and all((d, i, run) in self._scores for i in learners):
            run += 1
        return run

    def constant(self, d: int, i: int, runs: int) -> Any:
        """Return what a learner predicted for every row in so many runs; None where it differs."""
        values = {self._constant.get((d, i, run)) for run in range(runs)}
        return values.pop() if len(values) == 1 else None

    def get_prediction(self, d: int, i: int, run: int) -> NDArray[Any]:
        """Return what a learner predicted for the test rows of a run, class codes or numbers."""
        return self._predicted[d, i, run]

    def predictions(self, d: int, run: int = 0) -> dict[str, NDArray[Any]]:
        """Return true labels and what each learner predicted for the test rows of one run."""
        data = self.datasets[d]
        rows = self.splits(d, run).rows
        columns: dict[str, NDArray[Any]] = {TRUTH: data.labels[rows]}
        names = np.asarray(data.classes, dtype=object)
        for i in self.list_remaining(d):
            if (d, i, run) in self._predicted:
                columns[self.learners[i].label] = names[self._predicted[d, i, run].astype(np.intp)]
        return columns

    def get_scores(self, d: int, i: int, runs: int, metric: int = 0) -> NDArray[np.float64]:
        """Return what a learner that did not fail scored on the splits of runs, (runs, splits)."""
        return np.stack([self._scores[d, i, run][metric] for run in range(runs)])

    def get_sizes(self, d: int, runs: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return how many rows the splits of runs train and test on, each (runs, splits)."""
        shapes = [self._context.splits.shapes[d, run] for run in range(runs)]
        n_train, n_test = zip(*((shape.n_train, shape.n_test) for shape in shapes), strict=True)
        return np.stack(n_train), np.stack(n_test)

    def scores(self, metric: int = 0, *, runs: int | None = None) -> Scores:
        """Return the table of all complete runs, or of the first so many of them."""
        rows: list[RunScores] = []
        for d in range(len(self.datasets)):
            learners = self.list_remaining(d, runs, metric)
            complete = self._complete_runs(d, learners)
            for run in range(complete if runs is None else min(complete, runs)):
                shape = self._context.splits.shapes[d, run]
                rows += [(d, i, run, shape, self._scores[d, i, run][metric]) for i in learners]
        if not rows:
            failed = self.first_failures(metric=metric)
            if failed:
                rule = f"A learner failed: {list_failures(failed)}."
                raise LearnerError(rule, "Fix it, or use another learner.")
            raise TwofoldError("Not one run was finished in time.", "Give it more time.")
        chosen = [row[metric] for row in self.metrics]
        return make_scores(self.datasets, self.learners, chosen, rows)


def list_failures(failed: Sequence[Failed]) -> str:
    """Return what failed, where and how; of several the first few."""
    return join_first([str(failure) for failure in failed], 3, "; ")
