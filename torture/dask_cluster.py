"""A Dask cluster of bare processes, which can be killed and replaced."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

SCHEDULER = """
import asyncio, sys
from distributed import Scheduler
async def main():
    options = dict(dashboard=False, dashboard_address="127.0.0.1:0")
    async with Scheduler(host="127.0.0.1", port=int(sys.argv[1]), **options) as scheduler:
        print(scheduler.address, flush=True)
        await scheduler.finished()
asyncio.run(main())
"""

WORKER = """
import asyncio, sys
from distributed import Worker
async def main():
    async with Worker(sys.argv[1], nthreads=int(sys.argv[2]), host="127.0.0.1") as worker:
        print(worker.address, flush=True)
        await worker.finished()
asyncio.run(main())
"""


class Cluster:
    """A scheduler and workers, ended with the block.

    Attributes
    ----------
    address : str
        Of the scheduler, which stays the same when it is started again.
    workers : list of processes
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._scheduler: subprocess.Popen[str] | None = None
        self.address = ""
        self.workers: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Cluster:
        self.start_scheduler()
        return self

    def __exit__(self, *_: object) -> None:
        while self.workers:
            self.kill_worker(0)
        self.kill_scheduler()

    def start_scheduler(self) -> None:
        """Start the scheduler, where it was if there was one."""
        port = self.address.rpartition(":")[2] or "0"
        self._scheduler = self._start(SCHEDULER, port)
        self.address = _read_line(self._scheduler)

    def start_workers(
        self, count: int = 1, *, threads: int = 1, path: Path | None = None
    ) -> list[str]:
        """Start workers, with a folder in front of their path; return their addresses."""
        started = [self._start(WORKER, self.address, str(threads), path=path) for _ in range(count)]
        self.workers += started
        return [_read_line(worker) for worker in started]

    def kill_worker(self, index: int, number: int = signal.SIGKILL) -> None:
        """End a worker."""
        _kill(self.workers.pop(index), number)

    def kill_scheduler(self, number: int = signal.SIGKILL) -> None:
        """End the scheduler."""
        if self._scheduler is not None:
            _kill(self._scheduler, number)
            self._scheduler = None

    def _start(
        self, script: str, *arguments: str, path: Path | None = None
    ) -> subprocess.Popen[str]:
        environment = {**extend_path(path), "TMPDIR": str(self._folder)}
        return subprocess.Popen(
            [sys.executable, "-c", script, *arguments],
            env=environment,
            cwd="/",  # what it imports comes from its path alone
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )


def extend_path(path: Path | None) -> dict[str, str]:
    """Return this environment, with a folder in front of those that modules come from."""
    paths = [str(path)] if path else []
    paths += filter(None, [os.environ.get("PYTHONPATH")])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _read_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _kill(process: subprocess.Popen[str], number: int) -> None:
    process.send_signal(number)
    process.wait()
    assert process.stdout is not None
    process.stdout.close()
