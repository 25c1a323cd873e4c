"""Doing one task: fit and predict fold after fold. The same wherever and whenever it runs."""

from __future__ import annotations

import sys
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import Design, Run
from twofold.errors import describe_error, format_traceback
from twofold.execution.global_random import GlobalRandom
from twofold.execution.responses import read_responses
from twofold.execution.run_splits import RunSplits, Splits
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
    """What all jobs of an experiment share. Sent to each worker once."""

    datasets: Sequence[Dataset]
    learners: Sequence[Learner | PackedLearner]
    design: Design
    seed: int
    stratify: bool | None = None
    _prepared: dict[tuple[int, int], Preparation] = field(default_factory=dict, repr=False)
    _keys: dict[tuple[int, int], str] = field(default_factory=dict, repr=False)
    _own: dict[int, bool] = field(default_factory=dict, repr=False)
    _unkept: dict[int, str] = field(default_factory=dict, repr=False)
    _loaded: dict[int, Learner] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.splits = RunSplits(self.datasets, self.design, self.seed, self.stratify)

    def __getstate__(self) -> dict[str, Any]:
        learners = [pack_learner(learner) for learner in self.learners]
        empty: dict[str, Any] = {"_prepared": {}, "_keys": {}, "_unkept": {}, "_loaded": {}}
        return {**self.__dict__, **empty, "learners": learners}

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

    def describe(self, job: Job) -> str:
        """Return the job in words, for errors."""
        return f"{self.learners[job.learner].label!r} on {self.datasets[job.dataset].name!r}"

    def make_key(self, job: Job) -> str:
        """Return the key of the code that does a job, from what this process has imported."""
        pair = (job.dataset, job.learner)
        if pair not in self._keys:
            learner, data = self._unpack(job.learner), self.datasets[job.dataset]
            # A copy, since a learner remembers its key, on other machines too.
            self._keys[pair] = make_key(Learner(learner.label, learner.estimator), data)
        return self._keys[pair]

    def owner(self, job: Job) -> int | None:
        """Return the learner whose code a job runs, None for learners of our own."""
        if job.learner not in self._own:
            learner = self.learners[job.learner]
            own = learner.own if isinstance(learner, PackedLearner) else is_own(learner.estimator)
            self._own[job.learner] = own
        return None if self._own[job.learner] else job.learner

    def load_code(self, job: Job) -> None:
        """Import the code of a learner."""
        self._unpack(job.learner)

    def fail(self, job: Job, reason: str, details: str = "") -> Done:
        """Return the result of a job that cost its worker."""
        return Done(None, Failure(-1, reason, details))

    def shares_fate(self, failed: Job, job: Job) -> bool:
        """Tell whether a job is not tried since another, of the same or an earlier run, failed."""
        same = (failed.dataset, failed.learner) == (job.dataset, job.learner)
        return same and failed.run <= job.run

    def do(self, job: Job) -> Done:
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
                splits = self.splits.get(job.dataset, job.run)
                if _whole(ready.estimator, splits.run, job):
                    return Done(self._do_whole_run(ready.estimator, splits, job), unkept=unkept)
                with GlobalRandom() as shared:
                    for fold, (train, test) in enumerate(splits.run.splits()):
                        shared.seed(self._state("global", dataset, job, fold))
                        start = time.perf_counter()
                        fitted = self._fit(ready, dataset, train, job, fold)
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

    def _do_whole_run(self, estimator: Any, splits: Splits, job: Job) -> Outcome:
        """Do all folds of a run in one call."""
        dataset, run = self.datasets[job.dataset], splits.run
        assert run.fold_of_row is not None
        start = time.perf_counter()
        folds = run.fold_of_row[None, :]
        if hasattr(estimator, "predict_folds"):
            codes = np.asarray(estimator.predict_folds(dataset, folds))[0]
        else:
            states = [self._state("random_state", dataset, job, fold) for fold in range(run.count)]
            codes = np.asarray(estimator.predict_folds_seeded(dataset, folds, [states]))[0]
        seconds = (time.perf_counter() - start) / run.count
        seconds_of_folds = np.full(run.count, seconds)
        return Outcome({"predict": codes[splits.rows]}, splits.shape.n_test, seconds_of_folds)

    def _fit(self, ready: Preparation, dataset: Dataset, train: Any, job: Job, fold: int) -> Any:
        copy = set_states(ready.estimator, *_labels(dataset, job, fold), seed=self.seed)
        return copy.fit(take(ready.rows, train), dataset.y[train])

    def _state(self, name: str, dataset: Dataset, job: Job, fold: int) -> int:
        return draw_state(name, *_labels(dataset, job, fold), seed=self.seed)


def _labels(dataset: Dataset, job: Job, fold: int) -> tuple[str | int, ...]:
    """Return what the random state of a fit is drawn for."""
    return "learner", dataset.fingerprint, job.run, fold


def _whole(estimator: Any, run: Run, job: Job) -> bool:
    """Tell whether the learner can do a whole cross-validation at once, and that is all we need."""
    return (
        (hasattr(estimator, "predict_folds") or hasattr(estimator, "predict_folds_seeded"))
        and run.fold_of_row is not None
        and bool((run.fold_of_row >= 0).all())
        and all("predict" in names for names in job.responses)
    )


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
