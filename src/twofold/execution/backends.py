"""Where jobs are done: here, in other processes, or on a Dask cluster. One streaming map each."""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from statistics import median
from typing import Any, Protocol

from twofold.errors import InputError, TwofoldError
from twofold.execution.early_reader import Early, EarlyReader
from twofold.execution.fit_task import limit_threads
from twofold.execution.fork_client import start_server
from twofold.execution.pool import Pool, WorkersLost
from twofold.execution.worker import UNLIMITED, Limits
from twofold.stats.arguments import whole

FIRST_HERE = 1.0
"""Seconds of work of our own in this process before workers help; negative: none is done here."""

LONGEST_WAIT = 1.0
"""Seconds: a wait without a limit cannot be interrupted everywhere."""

AHEAD_HERE = 4
"""Jobs of our own that are taken while others' are looked for, which go to workers."""


Results = Generator[tuple[Any, Any], None, None]
"""Jobs with their results, as they are done; closing it ends what was begun."""


class Work(Protocol):
    """What all jobs share, sent to each worker once; it knows how to do any of them.

    Work that runs others' code also has ``owner(job)``, which returns whose code a job runs, None
    for our own; ``load_code(job)``, which imports it and does not count as time of the job;
    ``fail(job, reason, details="")``, the result of a job that cost its worker; and
    ``shares_fate(failed, job)``, whether a job need not be tried after another has failed.
    """

    def do(self, job: Any) -> Any:
        """Return the result of a job."""

    def describe(self, job: Any) -> str:
        """Return the job in words, for errors."""


class Backend(Protocol):
    """Does jobs in any order and gives each with what came of it."""

    workers: int

    def imap(
        self,
        work: Work,
        jobs: Iterable[Any],
        until: float | None = None,
        early: Early = lambda answers: None,
    ) -> Results:
        """Yield jobs as they are done, taken from ``jobs`` when they are soon to be done.

        ``until`` is a time (of ``time.monotonic``) at which to stop, in the middle of a job.
        ``early`` may be given finished jobs, in any thread, before they are yielded; about every
        second it is called with none while nothing is finished, and may raise.
        """

    def close(self) -> None:
        """Let the workers go."""


class Serial:
    """One job after the other, in this process."""

    workers = 1

    def imap(
        self,
        work: Work,
        jobs: Iterable[Any],
        until: float | None = None,
        early: Early = lambda answers: None,
    ) -> Results:
        """Yield jobs as they are done."""
        with limit_threads():
            for job in jobs:
                with print_to_stderr():
                    done = work.do(job)
                yield job, done
                if until is not None and time.monotonic() > until:
                    return

    def close(self) -> None:
        """Nothing is held."""


class Processes:
    """Processes on this machine: others' code in workers, our own here until it takes long."""

    def __init__(self, workers: int, limits: Limits = UNLIMITED) -> None:
        self.workers = workers
        self._pool = Pool(workers, limits)

    def warm(self, modules: Sequence[str]) -> None:
        """Begin to load what workers need, and do not wait for it."""
        self._pool.warm(modules)

    def imap(
        self,
        work: Work,
        jobs: Iterable[Any],
        until: float | None = None,
        early: Early = lambda answers: None,
    ) -> Results:
        """Yield jobs as they are done; a job whose worker dies is tried once more.

        Work of our own begins here, and moves to workers once it is clear that it is worth it.
        """
        finished = False
        try:
            yield from _Stream(self._pool, work, jobs).run(until, early)
            finished = not self._pool.busy
        except WorkersLost as lost:
            which = "" if lost.job is None else f" ({work.describe(lost.job)})"
            raise TwofoldError(
                f"A worker was lost{which}: {lost.reason}.",
                "What was finished is kept. Use fewer workers, or leave that learner out.",
            ) from None
        finally:
            if not finished:
                self._pool.stop()

    def close(self) -> None:
        """Let the workers go."""
        self._pool.close()


class _Stream:
    """The jobs of one work, some of them done here and some in the pool."""

    def __init__(self, pool: Pool, work: Work, jobs: Iterable[Any]) -> None:
        self._pool, self._work = pool, work
        self._source = iter(jobs)
        self._next: list[Any] = []
        self._own: deque[Any] = deque()
        self._owner = getattr(work, "owner", lambda job: None)
        self._loaded = False
        self._took: list[float] = []
        self._one_thread = ExitStack()

    def run(self, until: float | None, early: Early) -> Results:
        """Yield jobs with their results until there are no more, or the time is up."""
        with self._one_thread, EarlyReader(self._pool, early) as reader:
            while True:
                self._fill()
                if self._own:
                    with reader.away():
                        yield self._do_here()
                elif not reader.pending and not (self._loaded and self._pool.busy):
                    return
                left = LONGEST_WAIT if until is None else until - time.monotonic()
                if left <= 0:
                    return
                if self._loaded:
                    answers = reader.wait(0.0 if self._own else min(left, LONGEST_WAIT))
                    with reader.away():
                        yield from answers

    def _fill(self) -> None:
        """Give the pool all that it can take; keep a few jobs of our own in hand."""
        while len(self._own) < AHEAD_HERE:
            if not self._next:
                self._next = list(itertools.islice(self._source, 1))
                if not self._next:
                    break
            owner = self._owner(self._next[0])
            if owner is None and not self._use_pool():
                self._own.append(self._next.pop())
                continue
            self._load()
            if not self._pool.accepts(owner):
                break
            self._pool.submit(self._next.pop(), owner)
        while self._own and self._use_pool() and self._pool.accepts(None):
            self._load()
            self._pool.submit(self._own.popleft(), None)

    def _use_pool(self) -> bool:
        """Whether our own work goes to the pool: it takes long, and others could help."""
        # The median: the first job of a learner may have compiled or loaded what it needs.
        if self._pool.count == 1 or median(self._took or [0]) * len(self._took) < FIRST_HERE:
            return False
        self._load()
        return self._pool.ready or FIRST_HERE < 0

    def _load(self) -> None:
        if not self._loaded:
            self._pool.load(self._work)
            self._loaded = True

    def _do_here(self) -> tuple[Any, Any]:
        if not self._took:
            self._one_thread.enter_context(limit_threads())
        job = self._own.popleft()
        # Of the processor: on a busy machine workers would not help, and take long to start.
        start = time.process_time()
        done = self._work.do(job)
        self._took.append(time.process_time() - start)
        return job, done


def expect_workers(on: str | None, workers: int | None, modules: Iterable[str]) -> None:
    """Begin to load what workers will need, where there are going to be any on this machine."""
    if on in (None, "local") and workers != 0 and hasattr(os, "fork"):
        start_server(modules)


def open_backend(on: str | None, workers: int | None, limits: Limits = UNLIMITED) -> Backend:
    """Return where to work: None or "local" for this machine, "dask", or an address."""
    count = available() if workers is None else whole("workers", workers, 0)
    if on in (None, "local"):
        # Where processes cannot be copied there are no workers.
        return Processes(count, limits) if count and hasattr(os, "fork") else Serial()
    assert on is not None
    if on != "dask" and "://" not in str(on):
        raise InputError(
            f"{on!r} is not a place to work.", "Use local, dask, or an address such as tcp://…"
        )
    from twofold.execution.dask_backend import Dask

    return Dask(on, max(1, count), limits)


@contextmanager
def print_to_stderr() -> Iterator[None]:
    """Keep what others' code prints away from our answers."""
    try:
        sys.stdout.flush()
        saved = os.dup(1)
        os.dup2(2, 1)
    except (OSError, AttributeError, ValueError):  # there is no standard output or error
        yield
        return
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(saved, 1)
        os.close(saved)


def available() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
