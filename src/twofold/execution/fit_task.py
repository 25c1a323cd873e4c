"""Doing one task: fit and predict fold after fold. The same wherever and whenever it runs."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.designs import Design, Run
from twofold.errors import describe_error, first_line
from twofold.execution.global_random import GlobalRandom
from twofold.execution.task import Outcome
from twofold.learners import Learner, draw_state, prepare, select_rows, set_states


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
    """A learner that raised: the fold, and the message."""

    fold: int
    message: str


@dataclass(frozen=True, slots=True)
class Done:
    """The result of a job: an outcome or a failure, and what was noticed on the way.

    ``drew`` tells whether the learner drew from generators that the whole process shares.
    """

    outcome: Outcome | None
    failure: Failure | None = None
    warned: tuple[str, ...] = ()
    drew: bool = False


@dataclass(eq=False)
class TaskContext:
    """What all jobs of an experiment share. Sent to each worker once."""

    datasets: Sequence[Dataset]
    learners: Sequence[Learner]
    design: Design
    seed: int
    stratify: bool | None = None
    _prepared: dict[tuple[int, int], tuple[Any, Any]] = field(default_factory=dict, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_prepared": {}}

    def prepare(self, dataset: int, learner: int) -> tuple[Any, Any]:
        """Return the estimator, made ready for the data set, and the rows it takes."""
        pair = (dataset, learner)
        if pair not in self._prepared:
            spec, data = self.learners[learner], self.datasets[dataset]
            self._prepared[pair] = prepare(spec, data), select_rows(spec, data)
        return self._prepared[pair]

    def describe(self, job: Job) -> str:
        """Return the job in words, for errors."""
        return f"{self.learners[job.learner].label!r} on {self.datasets[job.dataset].name!r}"

    def do(self, job: Job) -> Done:
        """Fit and predict every fold of one run."""
        dataset = self.datasets[job.dataset]
        fold = -1
        parts: list[dict[str, Any]] = []
        seconds = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                estimator, rows = self.prepare(job.dataset, job.learner)
                run = self.design.split(dataset, job.run, seed=self.seed, stratify=self.stratify)
                if _whole(estimator, run, job):
                    states = [
                        self._state("random_state", dataset, job, fold) for fold in range(run.count)
                    ]
                    return Done(_all_folds_at_once(estimator, dataset, run, states), None, ())
                with GlobalRandom() as shared:
                    for fold, (train, test) in enumerate(run.splits()):
                        shared.seed(self._state("global", dataset, job, fold))
                        start = time.perf_counter()
                        fitted = self._fit(estimator, rows, dataset, train, job, fold)
                        parts.append(_responses(fitted, take(rows, test), dataset, job.responses))
                        seconds.append(time.perf_counter() - start)
                responses = {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}
                sizes = np.array([len(part["predict"]) for part in parts])
                outcome = Outcome(responses, sizes, np.array(seconds))
            except (Exception, SystemExit) as error:  # a learner that leaves has failed, too
                return Done(None, Failure(fold, describe_error(error)), _messages(caught))
        return Done(outcome, None, _messages(caught), shared.drawn)

    def _fit(
        self, estimator: Any, rows: Any, dataset: Dataset, train: Any, job: Job, fold: int
    ) -> Any:
        copy = set_states(estimator, *_labels(dataset, job, fold), seed=self.seed)
        return copy.fit(take(rows, train), dataset.y[train])

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


def _all_folds_at_once(
    estimator: Any, dataset: Dataset, run: Run, states: Sequence[int]
) -> Outcome:
    assert run.fold_of_row is not None
    start = time.perf_counter()
    folds = run.fold_of_row[None, :]
    if hasattr(estimator, "predict_folds"):
        codes = np.asarray(estimator.predict_folds(dataset, folds))[0]
    else:
        codes = np.asarray(estimator.predict_folds_seeded(dataset, folds, [states]))[0]
    seconds = (time.perf_counter() - start) / run.count
    order = np.argsort(run.fold_of_row, kind="stable")  # fold after fold, rows ascending
    sizes = np.bincount(run.fold_of_row, minlength=run.count).astype(np.int32)
    return Outcome({"predict": codes[order]}, sizes, np.full(run.count, seconds))


def take(rows: Any, which: NDArray[np.intp]) -> Any:
    """Return some of the rows, of an array, a frame or a list."""
    if isinstance(rows, np.ndarray):
        return rows[which]
    from sklearn.utils import _safe_indexing

    return _safe_indexing(rows, which)


def _responses(
    fitted: Any, rows: Any, dataset: Dataset, requested: Sequence[tuple[str, ...]]
) -> dict[str, Any]:
    """Return the requested responses of a fitted learner, and always its predictions."""
    predicted = _check_rows(np.asarray(fitted.predict(rows)), rows)
    responses = {"predict": _codes(predicted, dataset) if dataset.classification else predicted}
    for names in requested:
        if any(name in responses for name in names):
            continue
        name = next((name for name in names if hasattr(fitted, name)), None)
        if name is None:
            raise AttributeError(f"the metric needs {' or '.join(names)}, which it does not have")
        values = _check_rows(np.asarray(getattr(fitted, name)(rows)), rows)
        responses[name] = _fill_classes(values, fitted, dataset, name)
    return responses


def _check_rows(values: NDArray[Any], rows: Any) -> NDArray[Any]:
    count = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    if len(values) != count:
        raise ValueError(f"it gave {len(values)} answers for {count} rows")
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        raise ValueError("it predicted values that are not finite")
    return values.reshape(count) if values.ndim == 2 and values.shape[1] == 1 else values


def _codes(values: NDArray[Any], dataset: Dataset) -> NDArray[Any]:
    """Return predicted classes as whole numbers; refuse what is not the code of a class."""
    count = len(dataset.classes or ())
    if values.ndim != 1:
        raise ValueError(f"it predicted an array of {values.ndim} dimensions")
    if values.dtype.kind in "biuf":
        bad = values[~np.isin(values, np.arange(count))].tolist()
    else:  # words, or objects that may still be numbers
        bad = [value for value in values.tolist() if value not in range(count)]
    if bad:
        wrong = first_line(repr(bad[0]))
        raise ValueError(f"it predicted {wrong}, where classes are 0 to {count - 1}")
    return values.astype(np.intp)


def _fill_classes(values: Any, fitted: Any, dataset: Dataset, name: str) -> Any:
    """Return columns for all classes, also those that the training rows did not have."""
    count = len(dataset.classes or ())
    present = np.asarray(getattr(fitted, "classes_", np.arange(count))).astype(int)
    if not dataset.classification or len(present) == count:
        return values
    if name != "predict_proba":
        raise ValueError("a class is missing from its training rows")
    wide = np.zeros((len(values), count))
    wide[:, present] = values.reshape(len(values), -1)
    return wide


def _messages(caught: Sequence[warnings.WarningMessage]) -> tuple[str, ...]:
    messages = [warning.message for warning in caught]
    return tuple(sorted({describe_error(m) for m in messages if isinstance(m, Warning)}))


@contextmanager
def limit_threads() -> Iterator[None]:
    """Let linear algebra work on one thread.

    Processes do the work side by side; and the number of threads, which changes the order of
    sums, must not change a result.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield
