"""Doing one task: fit and predict fold after fold. The same wherever and whenever it runs."""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import Design
from twofold.errors import describe_error, format_traceback
from twofold.execution.global_random import GlobalRandom
from twofold.execution.packing import shrink_integers
from twofold.execution.responses import read_responses
from twofold.execution.run_splits import RunSplits
from twofold.execution.task import Outcome
from twofold.execution.worker import explain, is_worker, read_output
from twofold.learners import Learner, draw_state, make_key, set_states
from twofold.learners.packing_learners import PackedLearner, is_own, pack_learner
from twofold.learners.preparing import Preparation, make_preparation


@dataclass(frozen=True, slots=True)
class Job:
    """A learner on a run of a data set, all by index, and the responses that are needed of it.

    ``responses`` holds one tuple for each metric: the first name in it that the learner has will
    do.
    """

    dataset: int
    learner: int
    run: int
    responses: tuple[tuple[str, ...], ...] = (("predict",),)

    @property
    def cell(self) -> tuple[int, int, int]:
        """Data set, learner and run."""
        return self.dataset, self.learner, self.run


Jobs = tuple[Job, ...]
"""Runs of one learner on one data set, which are done together."""

MOST_CELLS = 200_000
"""Values of data sets, counted in each run, up to which a thread does runs together: some
hundredths of a second."""

MOST_KEPT = 10_000_000
"""Values of data sets that are kept in the form that learners of our own take, some 200 MB."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A learner that failed: the fold, the message, and for those who want it the traceback."""

    fold: int
    message: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a job: an outcome or a failure, and what was noticed on the way.

    ``drew`` tells whether the learner drew from generators that the whole process shares,
    ``unkept`` why the outcome is not to be kept.
    """

    outcome: Outcome | None
    failure: Failure | None = None
    warned: tuple[str, ...] = ()
    drew: bool = False
    unkept: str = ""


@dataclass(eq=False)
class TaskContext:
    """What all jobs of an experiment share. Sent to each worker once.

    ``threads`` is for runs that are done together in this process; a worker has one.
    """

    datasets: Sequence[Dataset]
    learners: Sequence[Learner | PackedLearner]
    design: Design
    seed: int
    stratify: bool | None = None
    threads: int = 1
    _prepared: dict[tuple[int, int], Preparation] = field(default_factory=dict, repr=False)
    _runners: dict[tuple[int, int], Any] = field(default_factory=dict, repr=False)
    _keys: dict[tuple[int, int], str] = field(default_factory=dict, repr=False)
    _own: dict[int, bool] = field(default_factory=dict, repr=False)
    _unkept: dict[int, str] = field(default_factory=dict, repr=False)
    _loaded: dict[int, Learner] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.splits = RunSplits(self.datasets, self.design, self.seed, self.stratify)

    def __getstate__(self) -> dict[str, Any]:
        learners = [pack_learner(learner) for learner in self.learners]
        made_here = ("_prepared", "_runners", "_keys", "_unkept", "_loaded")
        emptied: dict[str, Any] = {name: {} for name in made_here}
        return {**self.__dict__, **emptied, "learners": learners, "threads": 1}

    def prepare(self, dataset: int, learner: int) -> Preparation:
        """Return the estimator, made ready for the data set, and the rows it takes."""
        pair = (dataset, learner)
        if pair not in self._prepared:
            self._prepared[pair] = make_preparation(self._unpack(learner), self.datasets[dataset])
        return self._prepared[pair]

    def _unpack(self, learner: int) -> Learner:
        """Return a learner; in a worker its code is imported here, for its own jobs alone."""
        if learner not in self._loaded:
            spec = self.learners[learner]
            self._loaded[learner] = spec.load() if isinstance(spec, PackedLearner) else spec
        return self._loaded[learner]

    def describe(self, jobs: Jobs) -> str:
        """Return what is done in words, for errors."""
        d, i = jobs[0].dataset, jobs[0].learner
        return f"{self.learners[i].label!r} on {self.datasets[d].name!r}"

    def make_key(self, jobs: Jobs) -> str:
        """Return the key of the code that does jobs, from what this process has imported."""
        d, i = pair = jobs[0].dataset, jobs[0].learner
        if pair not in self._keys:
            learner = self._unpack(i)
            # A copy, since a learner remembers its key, on other machines too.
            self._keys[pair] = make_key(replace(learner), self.datasets[d])
        return self._keys[pair]

    def owner(self, jobs: Jobs) -> int | None:
        """Return the learner whose code jobs run, None for learners of our own."""
        number = jobs[0].learner
        if number not in self._own:
            learner = self.learners[number]
            own = learner.own if isinstance(learner, PackedLearner) else is_own(learner.estimator)
            self._own[number] = own
        return None if self._own[number] else number

    def load_code(self, jobs: Jobs) -> None:
        """Import the code of a learner."""
        self._unpack(jobs[0].learner)

    def fail(self, jobs: Jobs, reason: str, details: str = "") -> list[Done]:
        """Return the results of jobs that cost their worker."""
        return [Done(None, Failure(-1, reason, details))] * len(jobs)

    def shares_fate(self, failed: Jobs, jobs: Jobs) -> bool:
        """Tell whether jobs are not tried since others, of the same or earlier runs, failed."""
        before, after = failed[0], jobs[0]
        same = (before.dataset, before.learner) == (after.dataset, after.learner)
        return same and before.run <= after.run

    def count_together(self, job: Job) -> int:
        """Return how many runs of a learner on a data set are done together.

        Learners of our own do several in one call, which costs little more than one of them.
        """
        X = self.datasets[job.dataset].X
        if self.owner((job,)) is not None or not self._does_whole_runs(job):
            return 1
        return max(1, self.threads * MOST_CELLS // max(1, X.size))

    def do(self, jobs: Jobs) -> list[Done]:
        """Do runs of one learner on one data set; those after one that failed fail with it."""
        if len(jobs) > 1:
            with suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return self._do_whole_runs(jobs)
        results: list[Done] = []
        for job in jobs:
            failed = bool(results) and results[-1].failure is not None
            results.append(results[-1] if failed else self._do_run(job))
        return results

    def _do_run(self, job: Job) -> Done:
        """Fit and predict every fold of one run."""
        dataset = self.datasets[job.dataset]
        fold = -1
        parts: list[dict[str, Any]] = []
        seconds = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                unkept = self._explain_unkept(job.learner)
                ready = self.prepare(job.dataset, job.learner)
                run = self.splits.get(job.dataset, job.run).run
                if self._does_whole_runs(job):
                    return self._do_whole_runs((job,))[0]
                with GlobalRandom() as shared:
                    for fold, (train, test) in enumerate(run.splits()):
                        shared.seed(self._state("global", job, fold))
                        start = time.perf_counter()
                        fitted = self._fit(ready, train, job, fold)
                        tested = take(ready.rows, test)
                        parts.append(read_responses(fitted, tested, dataset, job.responses))
                        seconds.append(time.perf_counter() - start)
                responses = {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}
                sizes = np.array([len(part["predict"]) for part in parts])
                outcome = Outcome(responses, sizes, np.array(seconds))
            except BaseException as error:  # a learner that leaves has failed, too
                if isinstance(error, KeyboardInterrupt) and _hears_signals():
                    raise
                failure = Failure(fold, explain(error), _describe_details(error))
                return Done(None, failure, _messages(caught))
        return Done(outcome, None, _messages(caught), shared.drawn, unkept)

    def _does_whole_runs(self, job: Job) -> bool:
        """Tell whether the learner can do whole runs at once, and that is all we need."""
        estimator = self.prepare(job.dataset, job.learner).estimator
        if not (hasattr(estimator, "predict_folds") or hasattr(estimator, "predict_folds_seeded")):
            return False
        folds = self.splits.get(job.dataset, job.run).run.fold_of_row
        if folds is None or not all("predict" in names for names in job.responses):
            return False
        # Learners of our own know rows that are never tested, as most of a random split are.
        return hasattr(estimator, "make_runner") or bool((folds >= 0).all())

    def _do_whole_runs(self, jobs: Jobs) -> list[Done]:
        """Do all folds of some runs in one call."""
        d, i = jobs[0].dataset, jobs[0].learner
        unkept = self._explain_unkept(i)
        estimator, dataset = self.prepare(d, i).estimator, self.datasets[d]
        splits = [self.splits.get(d, job.run) for job in jobs]
        folds = np.array([each.run.fold_of_row for each in splits])
        start = time.process_time()  # of all threads
        if hasattr(estimator, "make_runner"):
            codes = self._get_runner(d, i)(folds, threads=self.threads)
        elif hasattr(estimator, "predict_folds"):
            codes = np.asarray(estimator.predict_folds(dataset, folds))
        else:
            states = [
                [self._state("random_state", job, fold) for fold in range(each.run.count)]
                for job, each in zip(jobs, splits, strict=True)
            ]
            codes = np.asarray(estimator.predict_folds_seeded(dataset, folds, states))
        counts = [each.run.count for each in splits]
        seconds = (time.process_time() - start) / sum(counts)
        times = {count: np.full(count, seconds) for count in set(counts)}
        codes = shrink_integers(codes)  # all at once; an outcome does it for its own
        return [
            Done(
                Outcome({"predict": predicted[each.rows]}, each.shape.n_test, times[count]),
                unkept=unkept,
            )
            for predicted, each, count in zip(codes, splits, counts, strict=True)
        ]

    def _get_runner(self, d: int, i: int) -> Any:
        """Return what does runs of a learner of our own, for which the data set is made ready."""
        if (d, i) not in self._runners:
            if not self._runners and not is_worker():
                self._compile_ahead(d, i)
            if sum(self.datasets[d].X.size for d, _ in self._runners) > MOST_KEPT:
                self._runners.clear()
            self._runners[d, i] = self.prepare(d, i).estimator.make_runner(self.datasets[d])
        return self._runners[d, i]

    def _compile_ahead(self, d: int, i: int) -> None:
        """Have what other learners of our own need compiled beside this one."""
        from twofold.learners.kernels.compile_ahead import compile_ahead

        numbers = [i, *(j for j in range(len(self.learners)) if j != i)]
        own = [j for j in numbers if self.owner((Job(d, j, 0),)) is None]
        compile_ahead([self.prepare(d, j).estimator for j in own], self.datasets[d])

    def _explain_unkept(self, learner: int) -> str:
        """Return why outcomes of a learner are not kept; refuse one whose files have changed."""
        if learner not in self._unkept:
            spec = self._unpack(learner)
            changes = spec.find_changes() if is_worker() else []
            for change in changes:
                if change.kind == "file":
                    raise ImportError(f"{change.name} has changed since it was read")
            reasons = [f"not as in the main process: {change}" for change in changes]
            self._unkept[learner] = next(iter([*spec.fingerprint.unknown, *reasons]), "")
        return self._unkept[learner]

    def _fit(self, ready: Preparation, train: Any, job: Job, fold: int) -> Any:
        copy = set_states(ready.estimator, *self._labels(job, fold), seed=self.seed)
        return copy.fit(take(ready.rows, train), self.datasets[job.dataset].y[train])

    def _state(self, name: str, job: Job, fold: int) -> int:
        return draw_state(name, *self._labels(job, fold), seed=self.seed)

    def _labels(self, job: Job, fold: int) -> tuple[str | int, ...]:
        """Return what the random state of a fit is drawn for."""
        return "learner", self.datasets[job.dataset].fingerprint, job.run, fold


def take(rows: Any, which: NDArray[np.intp]) -> Any:
    """Return some of the rows, of an array, a frame or a list."""
    if isinstance(rows, np.ndarray):
        return rows[which]
    from sklearn.utils import _safe_indexing

    return _safe_indexing(rows, which)


def _messages(caught: Sequence[warnings.WarningMessage]) -> tuple[str, ...]:
    messages = [warning.message for warning in caught]
    return tuple(sorted({describe_error(m) for m in messages if isinstance(m, Warning)}))


def _describe_details(error: BaseException) -> str:
    """Return the traceback, and the end of what was printed before."""
    return "\n".join(text for text in (read_output(), format_traceback(error)) if text)


def _hears_signals() -> bool:
    """Whether a KeyboardInterrupt may be a person's, and not the learner's."""
    return threading.current_thread() is threading.main_thread() and not is_worker()


@contextmanager
def limit_threads() -> Iterator[None]:
    """Let linear algebra work on one thread.

    Processes do the work side by side; and the number of threads, which changes the order of
    sums, must not change a result.
    """
    with _find_thread_pools(len(sys.modules)).limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _find_thread_pools(modules: int) -> Any:
    """Return the libraries with threads of their own, looked for anew after further imports."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
