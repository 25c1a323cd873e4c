"""Where jobs are done: here, in other processes, or on a Dask cluster. One streaming map each."""

from __future__ import annotations

import itertools
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from twofold.errors import InputError, TwofoldError
from twofold.running.work import one_thread

RESTARTS = 3
"""How often a pool that lost a worker is started again."""

WORTH_A_POOL = 3.0
"""Seconds of work from which other processes, which need a second to start, are worth it."""


class Bench(Protocol):
    """What all jobs share, sent to each worker once; it knows how to do any of them."""

    def do(self, job: Any) -> Any:
        """Return what came of a job."""
        ...

    def words(self, job: Any) -> str:
        """Return the job in words, for errors."""
        ...


class Backend(Protocol):
    """Does jobs in any order and gives each with what came of it."""

    workers: int

    def imap(self, bench: Bench, jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield jobs as they are done."""
        ...

    def close(self) -> None:
        """Let the workers go."""
        ...


class Serial:
    """One job after the other, in this process."""

    workers = 1

    def imap(self, bench: Bench, jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield jobs as they are done."""
        with one_thread():
            for job in jobs:
                yield job, bench.do(job)

    def close(self) -> None:
        """Nothing is held."""


class Processes:
    """Several processes on this machine, through joblib."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def imap(self, bench: Bench, jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield jobs as they are done; a worker that dies is replaced and its jobs done again.

        Work begins here, and moves to other processes once it is clear that it is worth it.
        """
        left = list(jobs)
        started = before = time.perf_counter()
        took: list[float] = []
        for job, done in Serial().imap(bench, jobs):
            left.pop(0)
            took.append(time.perf_counter() - before)
            yield job, done
            # The median: the first job of a learner may have compiled or loaded what it needs.
            before = time.perf_counter()
            if before - started > 0.2 and median(took) * len(left) > WORTH_A_POOL:
                break
        if left:
            yield from self._in_pool(bench, left)

    def _in_pool(self, bench: Bench, left: list[Any]) -> Iterator[tuple[Any, Any]]:
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import BrokenProcessPool

        with _parcel(bench) as path:
            for attempt in itertools.count():
                pool = Parallel(
                    n_jobs=self.workers,
                    return_as="generator_unordered",
                    pre_dispatch="3 * n_jobs",
                )
                done: set[Any] = set()
                results = pool(delayed(_do)(path, job) for job in left)
                try:
                    for job, result in results:
                        done.add(job)
                        yield job, result
                    return
                except BrokenProcessPool:
                    left = [job for job in left if job not in done]
                    if attempt >= RESTARTS and not done:
                        raise _lost(bench, left[0]) from None
                finally:
                    if hasattr(results, "close"):
                        results.close()

    def close(self) -> None:
        """Let the workers go."""
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor(max_workers=self.workers).shutdown(wait=False, kill_workers=True)


class Dask:
    """Workers of a Dask cluster: a local one, or one at an address."""

    def __init__(self, where: str, workers: int) -> None:
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise InputError(
                "Working on Dask needs the extra `dask`.",
                "Install it with: pip install 'twofold[dask]'",
            ) from None
        self._cluster = None
        if where == "dask":
            self._cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
            )
        try:
            self._client = Client(self._cluster or where, timeout="10s")
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(
                f"There is no Dask scheduler at {where!r}: {error}.",
                "Start one with `dask scheduler`, or use --on dask for a local cluster.",
            ) from None
        self.workers = max(1, sum(self._client.ncores().values()))

    def imap(self, bench: Bench, jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield jobs as they are done; Dask itself does the jobs of a dead worker again."""
        from distributed import KilledWorker, as_completed

        shared = self._client.scatter(bench, broadcast=True, hash=False)
        waiting = iter(jobs)

        def submit(job: Any) -> Any:
            return self._client.submit(_do_scattered, shared, job, pure=False, retries=RESTARTS)

        first = list(itertools.islice(waiting, 4 * self.workers))
        stream = as_completed([submit(job) for job in first])
        try:
            for future in stream:
                try:
                    job, done = future.result()
                except KilledWorker:
                    raise _lost(bench, None) from None
                future.release()
                following = next(waiting, None)
                if following is not None:
                    stream.add(submit(following))
                yield job, done
        finally:
            stream.clear()

    def close(self) -> None:
        """Let go of the scheduler, and of the cluster where it is ours."""
        self._client.close()
        if self._cluster is not None:
            self._cluster.close()


def open_backend(on: str | None, workers: int | None) -> Backend:
    """Return where to work: None or "local" for this machine, "dask", or an address."""
    count = available() if workers is None else workers
    if count < 1:
        raise InputError(f"`workers` must be 1 or larger, got {workers!r}.", "Leave it out.")
    if on in (None, "local"):
        return Serial() if count == 1 else Processes(count)
    assert on is not None
    if on != "dask" and "://" not in on:
        raise InputError(
            f"{on!r} is not a place to work.", "Use local, dask, or an address such as tcp://…"
        )
    return Dask(on, count)


def available() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _lost(bench: Bench, job: Any) -> TwofoldError:
    which = "" if job is None else f" The next one was {bench.words(job)}."
    return TwofoldError(
        f"Workers died again and again, perhaps for want of memory.{which}",
        "What was finished is kept. Use fewer workers, or leave that learner out.",
    )


class _parcel:
    """A file with what all jobs share, so that each worker reads it once and not with each job."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def __enter__(self) -> str:
        try:
            import cloudpickle
        except ImportError:  # older joblibs bring their own
            from joblib.externals import cloudpickle
        self._folder = tempfile.TemporaryDirectory(prefix="twofold-")
        path = Path(self._folder.name) / "bench.pickle"
        path.write_bytes(cloudpickle.dumps(self._bench))
        return str(path)

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()


@lru_cache(maxsize=1)
def _bench(path: str) -> Bench:
    import pickle

    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1)  # for the rest of this worker's life
    bench: Bench = pickle.loads(Path(path).read_bytes())
    return bench


def _do(path: str, job: Any) -> tuple[Any, Any]:
    return job, _bench(path).do(job)


def _do_scattered(bench: Bench, job: Any) -> tuple[Any, Any]:
    with one_thread():
        return job, bench.do(job)
