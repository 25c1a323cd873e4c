"""Where jobs are done: here, in other processes, or on a Dask cluster. One streaming map each."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Generator, Iterable
from statistics import median
from typing import Any, Protocol

from twofold.errors import InputError, TwofoldError
from twofold.execution.fit_task import limit_threads
from twofold.execution.pool import Pool, WorkersLost
from twofold.stats.arguments import whole

RESTARTS = 3
"""How often a pool that lost a worker is started again."""

FIRST_HERE = 0.2
"""Seconds of work in this process before it is decided whether others are worth it."""

WORTH_A_POOL = 3.0
"""Seconds of work from which other processes, which need a second to start, are worth it."""


Results = Generator[tuple[Any, Any], None, None]
"""Jobs with their results, as they are done; closing it ends what was begun."""


class Work(Protocol):
    """What all jobs share, sent to each worker once; it knows how to do any of them."""

    def do(self, job: Any) -> Any:
        """Return the result of a job."""

    def describe(self, job: Any) -> str:
        """Return the job in words, for errors."""


class Backend(Protocol):
    """Does jobs in any order and gives each with what came of it."""

    workers: int

    def imap(self, work: Work, jobs: Iterable[Any]) -> Results:
        """Yield jobs as they are done; take from ``jobs`` only what is soon to be done."""

    def close(self) -> None:
        """Let the workers go."""


class Serial:
    """One job after the other, in this process."""

    workers = 1

    def imap(self, work: Work, jobs: Iterable[Any]) -> Results:
        """Yield jobs as they are done."""
        with limit_threads():
            for job in jobs:
                yield job, work.do(job)

    def close(self) -> None:
        """Nothing is held."""


class Processes:
    """Several processes on this machine."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool = Pool(workers)

    def imap(self, work: Work, jobs: Iterable[Any]) -> Results:
        """Yield jobs as they are done; a worker that dies is replaced and its jobs done again.

        Work begins here, and moves to other processes once it is clear that it is worth it.
        """
        left = list(jobs)
        started = before = time.perf_counter()
        took: list[float] = []
        for job, done in Serial().imap(work, list(left)):
            left.pop(0)
            took.append(time.perf_counter() - before)
            yield job, done
            # The median: the first job of a learner may have compiled or loaded what it needs.
            before = time.perf_counter()
            if before - started > FIRST_HERE and median(took) * len(left) > WORTH_A_POOL:
                break
        if left:
            yield from self._use_pool(work, left)

    def _use_pool(self, work: Work, left: list[Any]) -> Results:
        for attempt in itertools.count():
            try:
                yield from self._pool.imap(work, left)
                return
            except WorkersLost as lost:
                left = lost.left
                if attempt >= RESTARTS and not lost.done:
                    raise describe_loss(work, left[0]) from None

    def close(self) -> None:
        """Let the workers go."""
        self._pool.close()


def open_backend(on: str | None, workers: int | None) -> Backend:
    """Return where to work: None or "local" for this machine, "dask", or an address."""
    count = available() if workers is None else whole("workers", workers, 1)
    if on in (None, "local"):
        return Serial() if count == 1 else Processes(count)
    assert on is not None
    if on != "dask" and "://" not in on:
        raise InputError(
            f"{on!r} is not a place to work.", "Use local, dask, or an address such as tcp://…"
        )
    from twofold.execution.dask_backend import Dask

    return Dask(on, count)


def available() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def describe_loss(work: Work, job: Any) -> TwofoldError:
    """Return the error of workers that died again and again."""
    which = "" if job is None else f" The next one was {work.describe(job)}."
    return TwofoldError(
        f"Workers died again and again, perhaps for want of memory.{which}",
        "What was finished is kept. Use fewer workers, or leave that learner out.",
    )
