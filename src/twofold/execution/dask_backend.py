"""Workers of a Dask cluster, which may come and go.

Dask itself does the tasks of a dead worker again. For that it must be able to get at what they
need: the work is the result of a task of its own, which the scheduler can have made again, not
data that one worker holds. What Dask gives up, and what a scheduler forgot that was started
again, is sent again from here.

A task of Dask costs some milliseconds here, in the scheduler and in the worker. Short jobs are
therefore sent in batches, as many as a worker does in a tenth of a second.
"""

from __future__ import annotations

import contextlib
import itertools
import logging
import pickle
import queue
import time
import uuid
import warnings
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from twofold.errors import InputError, TwofoldError
from twofold.execution.backends import Results, Work
from twofold.execution.dask_worker import LONGEST_BATCH, Answer, close_pools, do_batch
from twofold.execution.early_reader import Early
from twofold.execution.parcel import make_order, pack_work
from twofold.execution.progress import LINE_EVERY, PATIENCE, format_time, write_line
from twofold.execution.worker import UNLIMITED, Limits

AHEAD = 2
"""Batches that are sent for each thread of the cluster, so that none need wait for us."""

LARGEST_BATCH = 64
"""Jobs that are sent together at most; a worker gives back what would take it too long."""

RETRIES = 3
"""How often a job is sent again whose worker was lost."""

WORKERS_WAIT = 600.0
"""Seconds without any worker after which the run ends."""

SCHEDULER_WAIT = 20.0
"""Seconds without the scheduler after which the run ends."""

LOOK_EVERY = 1.0
"""Seconds between looks at how many workers there are."""

QUIET = ("distributed", "asyncio", "tornado")
"""Loggers that print tracebacks about connections, which we put into words."""


@dataclass(eq=False, slots=True)
class _Sent:
    """A job on its way, and how often it was lost."""

    job: Any
    losses: int = 0


@dataclass(eq=False, slots=True)
class _Batch:
    """Jobs that were sent together, and the future of their answers."""

    orders: list[_Sent]
    future: Any


class SchedulerLost(Exception):
    """The scheduler does not answer, or has forgotten us."""


class Dask:
    """Workers of a Dask cluster: a local one, or one at an address."""

    def __init__(self, where: str, workers: int, limits: Limits = UNLIMITED) -> None:
        try:
            from distributed import LocalCluster
        except ImportError:
            raise InputError(
                "Working on Dask needs the extra `dask`.",
                "Install it with: pip install 'twofold[dask]'",
            ) from None
        self._logs = contextlib.ExitStack()
        self._logs.enter_context(_silence_logs())
        self._where, self._limits = where, limits
        self._cluster: Any = None
        self._work: Any = None
        self._sent: Any = None
        if where == "dask":
            # In threads of this process: what they do they give to processes of their own.
            self._cluster = LocalCluster(
                n_workers=1,
                threads_per_worker=workers,
                processes=False,
                memory_limit=0,
                dashboard_address="127.0.0.1:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs=False,
            )
        try:
            self._client = self._connect(10.0)
        except (OSError, TimeoutError, ValueError) as error:
            self._logs.close()
            raise InputError(
                f"There is no Dask scheduler at {where!r}: {error}.",
                "Start one with `dask scheduler`, or use `on='dask'` for a local cluster.",
            ) from None
        self.workers = max(1, self._count_threads())

    def _connect(self, seconds: float) -> Any:
        from distributed import Client

        return Client(self._cluster or self._where, timeout=seconds, set_as_default=False)

    def imap(
        self,
        work: Work,
        jobs: Iterable[Any],
        until: float | None = None,
        early: Early = lambda answers: None,
    ) -> Results:
        """Yield jobs as they are done, on whatever workers there are at the time."""
        stream = _Stream(self, work, iter(jobs))
        try:
            while stream.fill() and (until is None or time.monotonic() < until):
                answered = False
                try:
                    for result in stream.receive(until):
                        answered = True
                        yield result
                except SchedulerLost:
                    self._reconnect()
                    stream.send_again()
                    continue
                if not answered:
                    early(())
        finally:
            stream.close()

    def send_work(self, work: Work) -> tuple[Any, Any]:
        """Return the parcel of a work, and the future of it on the cluster."""
        if self._work is not work:
            self._work, self._parcel, self._sent = work, pack_work(work, self._limits), None
        if self._sent is None or self._sent.status not in ("pending", "finished"):
            name = f"twofold-work-{uuid.uuid4().hex}"
            content = pickle.dumps(self._parcel)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it is large for a task, and must be one
                self._sent = self._client.submit(_hold, content, key=name, pure=False)
        return self._parcel, self._sent

    def submit(self, work: Work, content: bytes, answers: Any) -> Any:
        """Send a batch; its future, which is returned, comes to ``answers`` when it is decided."""
        _, sent = self.send_work(work)
        future = self._client.submit(do_batch, sent, sent.key, content, pure=False)
        future.add_done_callback(answers.put)
        return future

    def look(self) -> int:
        """Return how many threads the cluster has now."""
        try:
            return self._count_threads()
        except Exception:
            raise SchedulerLost from None

    def _count_threads(self) -> int:
        if self._client.status != "running":
            raise SchedulerLost
        counts = self._client.sync(self._client.scheduler.ncores, callback_timeout=10.0)
        return sum(counts.values())

    def _reconnect(self) -> None:
        """Connect to the scheduler again, or to one that has taken its place."""
        self._sent = None
        self._close_client()
        deadline = time.monotonic() + SCHEDULER_WAIT
        write_line(f"waiting for the Dask scheduler at {self._where}")
        while True:
            left = deadline - time.monotonic()
            try:
                self._client = self._connect(max(0.1, left))
                return
            except (OSError, TimeoutError, ValueError):
                if left <= 0:
                    raise TwofoldError(
                        f"The Dask scheduler at {self._where} does not answer any more.",
                        "What was finished is kept; with a scheduler there, the same command goes "
                        "on.",
                    ) from None
                time.sleep(0.1)

    def _close_client(self) -> None:
        # A scheduler that is gone cannot say goodbye.
        with contextlib.suppress(Exception):
            self._client.close(timeout=2.0)

    def close(self) -> None:
        """Let go of the scheduler, and of the cluster where it is ours."""
        self._work = self._sent = None
        self._close_client()
        if self._cluster is not None:
            close_pools()
            with contextlib.suppress(Exception):
                self._cluster.close(timeout=5.0)
        self._logs.close()


class _Stream:
    """Jobs on their way to the cluster and back."""

    def __init__(self, backend: Dask, work: Work, jobs: Iterator[Any]) -> None:
        self._backend, self._work, self._jobs = backend, work, jobs
        parcel, _ = backend.send_work(work)
        # Read here as it is read there: keys are compared of the same thing.
        self._copy = pickle.loads(parcel.content)
        self._again: deque[_Sent] = deque()
        self._running: dict[str, _Batch] = {}
        self._size = 1
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads = backend.workers
        self._looked = time.monotonic()
        self._alone_since = self._last_line = 0.0

    def fill(self) -> bool:
        """Send as many jobs as the cluster has room for; False where none are left."""
        while len(self._running) < AHEAD * max(1, self._threads):
            orders = self._take_batch()
            if not orders:
                break
            content = pickle.dumps([make_order(self._copy, order.job) for order in orders])
            future = self._backend.submit(self._work, content, self._answers)
            self._running[future.key] = _Batch(orders, future)
        return bool(self._running)

    def _take_batch(self) -> list[_Sent]:
        """Return the jobs to send next; one that was lost is sent alone, lest it harm others."""
        if self._again and self._again[0].losses:
            return [self._again.popleft()]
        orders: list[_Sent] = []
        while len(orders) < self._size and self._again and not self._again[0].losses:
            orders.append(self._again.popleft())
        orders.extend(map(_Sent, itertools.islice(self._jobs, self._size - len(orders))))
        return orders

    def send_again(self) -> None:
        """Forget what was sent: nobody knows of it any more."""
        for batch in self._running.values():
            self._again.extend(batch.orders)
        self._running.clear()
        self._answers = queue.SimpleQueue()

    def receive(self, until: float | None) -> Results:
        """Yield jobs and their results; none where all are sent again, or the time is up."""
        future = self._wait(until)
        batch = None if future is None else self._running.get(future.key)
        if batch is None:
            return
        if future.status in ("cancelled", "lost"):
            raise SchedulerLost
        try:
            content = future.result(timeout=5.0)
        except Exception as error:
            yield from self._handle(batch, error)
            return
        del self._running[future.key]
        future.release()
        answers, seconds = pickle.loads(content)
        self._adapt_size(answers, seconds)
        again = [o for o, a in zip(batch.orders, answers, strict=True) if a.kind == "dropped"]
        self._again.extend(again)
        for order, answer in zip(batch.orders, answers, strict=True):
            if answer.kind == "done":
                yield order.job, answer.value
            elif answer.kind == "lost":  # in a process of its own, and it was tried again there
                yield self._fail(order, answer.value)
            elif answer.kind == "raised":
                raise answer.value
            elif answer.kind != "dropped":
                raise _refuse(answer)

    def _adapt_size(self, answers: list[Answer], seconds: float) -> None:
        """Send more jobs together where they are short, fewer where some were given back."""
        done = sum(answer.kind == "done" for answer in answers)
        if done < len(answers):
            self._size = max(1, done)
        elif done >= self._size and seconds < LONGEST_BATCH / 2:
            self._size = min(2 * self._size, LARGEST_BATCH)

    def _handle(self, batch: _Batch, error: Exception) -> Results:
        """Decide on jobs that Dask has no result of."""
        from distributed import KilledWorker

        future = batch.future
        if future.status in ("pending", "finished", "lost"):
            # Its worker was lost with the result; it is done again.
            future.add_done_callback(self._answers.put)
            return
        if future.status == "cancelled":
            raise SchedulerLost
        del self._running[future.key]
        if isinstance(error, KilledWorker):
            future.release()
            for order in batch.orders:
                order.losses += error.task == future.key  # else the work was lost, not the job
            self._again.extend(order for order in batch.orders if order.losses <= RETRIES)
            for order in batch.orders:
                if order.losses > RETRIES:
                    yield self._fail(order, f"its Dask workers died, {order.losses} times")
            return
        if isinstance(error, TwofoldError):
            raise error
        raise TwofoldError(
            f"Dask cannot do this work: {type(error).__name__}: {error}",
            "Install the same twofold, and what it needs, for scheduler, workers and here.",
        ) from None

    def _fail(self, order: _Sent, reason: str) -> tuple[Any, Any]:
        fail = getattr(self._work, "fail", None)
        if fail is not None:
            return order.job, fail(order.job, reason)
        raise TwofoldError(
            f"A worker was lost ({self._work.describe(order.job)}): {reason}.",
            "What was finished is kept. Use workers with more memory, or leave that out.",
        )

    def _wait(self, until: float | None) -> Any:
        """Return the next future that something came of; end where there is nobody to wait for."""
        while until is None or time.monotonic() < until:
            try:
                future = self._answers.get(timeout=LOOK_EVERY)
            except queue.Empty:
                future = None
            if future is None or time.monotonic() - self._looked > LOOK_EVERY:
                self._look()
            if future is not None:
                return future
        return None

    def _look(self) -> None:
        """See how many workers there are; say so where there are none, and end after a while."""
        self._threads = self._backend.look()
        self._looked = now = time.monotonic()
        if self._threads:
            self._alone_since = self._last_line = 0.0
            return
        self._alone_since = self._alone_since or now
        if now - self._alone_since > WORKERS_WAIT:
            raise TwofoldError(
                f"The Dask cluster has had no workers for {format_time(WORKERS_WAIT)}.",
                "What was finished is kept; start workers and give the same command again.",
            )
        if now - self._alone_since > PATIENCE and now - self._last_line > LINE_EVERY:
            self._last_line = now
            left = format_time(self._alone_since + WORKERS_WAIT - now)
            write_line(f"waiting for Dask workers, for {left} at most")

    def close(self) -> None:
        """Tell the cluster that nothing more is needed."""
        batches, self._running = self._running, {}
        for batch in batches.values():
            with contextlib.suppress(Exception):
                batch.future.release()


@contextlib.contextmanager
def _silence_logs() -> Iterator[None]:
    """Let Dask print nothing; it gives each of its modules a level of its own."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in QUIET]
    levels = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in levels.items():
            logging.getLogger(name).setLevel(level)


def _refuse(answer: Answer) -> TwofoldError:
    """Return the error of a worker of another build."""
    remedy = "Give all workers the same versions and files as here. Nothing of that worker is kept."
    verb = "cannot read the work" if answer.kind == "unreadable" else "differs"
    rule = f"The Dask worker {answer.address} {verb}: {answer.value}."
    return TwofoldError(rule, remedy)


def _hold(content: bytes) -> bytes:
    """Return what all jobs need: as the result of a task, it can be had again from any worker."""
    return content
