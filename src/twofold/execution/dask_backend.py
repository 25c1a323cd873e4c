"""Workers of a Dask cluster."""

from __future__ import annotations

import gc
import itertools
import logging
import signal
from collections.abc import Sequence
from typing import Any

from twofold.errors import InputError
from twofold.execution.backends import RESTARTS, Results, Work, describe_loss
from twofold.execution.fit_task import limit_threads


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
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
        try:
            self._client = Client(self._cluster or where, timeout="10s")
        except (OSError, TimeoutError, ValueError) as error:
            raise InputError(
                f"There is no Dask scheduler at {where!r}: {error}.",
                "Start one with `dask scheduler`, or use --on dask for a local cluster.",
            ) from None
        if self._cluster is not None:
            self._client.register_plugin(_deaf())
        self.workers = max(1, sum(self._client.ncores().values()))

    def imap(self, work: Work, jobs: Sequence[Any]) -> Results:
        """Yield jobs as they are done; Dask itself does the jobs of a dead worker again."""
        from distributed import KilledWorker, as_completed

        shared = self._client.scatter(work, broadcast=True, hash=False)
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
                    raise describe_loss(work, None) from None
                future.release()
                following = next(waiting, None)
                if following is not None:
                    stream.add(submit(following))
                yield job, done
        finally:
            stream.clear()

    def close(self) -> None:
        """Let go of the scheduler, and of the cluster where it is ours."""
        if self._cluster is None:
            self._client.close()
            return
        # A scheduler that is stopped in the middle of something complains about it.
        log = logging.getLogger("asyncio")
        level = log.level
        log.setLevel(logging.CRITICAL)
        try:
            self._client.close()
            self._cluster.close()
            gc.collect()
        finally:
            log.setLevel(level)


def _deaf() -> Any:
    """Return what makes workers of a cluster leave Ctrl-C to us, who will end them."""
    from distributed import WorkerPlugin

    class Deaf(WorkerPlugin):
        def setup(self, worker: Any) -> None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    return Deaf()


def _do_scattered(work: Work, job: Any) -> tuple[Any, Any]:
    with limit_threads():
        return job, work.do(job)
