"""Processes on this machine that do jobs, and that can be stopped at any moment.

The workers stand outside of the terminal's group of processes: a Ctrl-C reaches us alone, and we
end them. They hold no locks or shared memory, so nothing has to be tidied up after them.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twofold.execution.worker import receive, send

AHEAD = 2
"""Jobs that a worker has in hand, so that it need not wait for us."""

START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from twofold.execution.worker import serve; serve()"
)

ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)


class WorkersLost(Exception):
    """Workers died; ``left`` are the jobs that were not done, ``done`` how many were."""

    def __init__(self, left: list[Any], done: int) -> None:
        super().__init__(left, done)
        self.left = left
        self.done = done


@dataclass(eq=False)
class _Worker:
    process: subprocess.Popen[bytes]
    jobs: deque[Any] = field(default_factory=deque)


class Pool:
    """So many worker processes, started when the first job is there."""

    def __init__(self, workers: int) -> None:
        self._count = workers
        self._workers: list[_Worker] = []
        self._answers: queue.SimpleQueue[tuple[_Worker, Any]] = queue.SimpleQueue()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._work: Any = None
        self._path = ""

    def imap(self, work: Any, jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield jobs as they are done. What was begun and is not wanted any more is stopped."""
        finished = False
        try:
            yield from self._map(self._parcel(work), jobs)
            finished = True
        finally:
            if not finished:
                self.stop()

    def _map(self, path: str, jobs: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        waiting = deque(jobs)
        done = 0
        self._start(min(self._count, len(waiting)))
        for worker in self._workers * AHEAD:
            self._order(worker, path, waiting)
        while any(worker.jobs for worker in self._workers):
            worker, answer = self._next()
            if answer is None:
                left = [job for lost in self._workers for job in lost.jobs]
                raise WorkersLost([*left, *waiting], done)
            job, result, error = answer
            worker.jobs.remove(job)
            if error is not None:
                raise error
            done += 1
            self._order(worker, path, waiting)
            yield job, result

    def _order(self, worker: _Worker, path: str, waiting: deque[Any]) -> None:
        if not waiting:
            return
        job = waiting.popleft()
        worker.jobs.append(job)
        assert worker.process.stdin is not None
        # A worker that has died is noticed where its answers are read.
        with contextlib.suppress(OSError):
            send(worker.process.stdin, (path, job))  # type: ignore[arg-type]

    def _next(self) -> tuple[_Worker, Any]:
        while True:
            # With a limit, since a wait without one cannot be interrupted everywhere.
            with contextlib.suppress(queue.Empty):
                return self._answers.get(timeout=1.0)

    def _start(self, count: int) -> None:
        for _ in range(len(self._workers), count):
            process = subprocess.Popen(
                [sys.executable, "-c", START, json.dumps(sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, **dict.fromkeys(ONE_THREAD, "1")},
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
            worker = _Worker(process)
            self._workers.append(worker)
            threading.Thread(target=_read, args=(worker, self._answers), daemon=True).start()

    def _parcel(self, work: Any) -> str:
        """Return a file with what all jobs share: each worker reads it once, not with each job."""
        if self._work is not work:
            try:
                import cloudpickle
            except ImportError:  # older joblibs bring their own
                from joblib.externals import cloudpickle
            if self._folder is None:
                self._folder = tempfile.TemporaryDirectory(prefix="twofold-")
            for number in itertools.count():
                path = Path(self._folder.name) / f"work-{number}.pickle"
                if not path.exists():
                    break
            path.write_bytes(cloudpickle.dumps(work))
            self._work, self._path = work, str(path)
        return self._path

    def stop(self) -> None:
        """End the workers, whatever they are doing."""
        workers, self._workers = self._workers, []
        self._answers = queue.SimpleQueue()
        for worker in workers:
            worker.process.kill()
        for worker in workers:
            worker.process.wait()
            assert worker.process.stdin is not None
            with contextlib.suppress(OSError):
                worker.process.stdin.close()

    def kill(self) -> None:
        """End the workers from another thread: the one that waits for a job sees them die."""
        for worker in self._workers:
            worker.process.kill()

    def close(self) -> None:
        """End the workers and remove what was written for them."""
        self.stop()
        self._work, self._path = None, ""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _read(worker: _Worker, answers: queue.SimpleQueue[tuple[_Worker, Any]]) -> None:
    """Pass on what a worker answers; None when it is gone."""
    stream = worker.process.stdout
    assert stream is not None
    with stream:
        while True:
            try:
                answers.put((worker, receive(stream)))  # type: ignore[arg-type]
            except Exception:
                answers.put((worker, None))
                return
