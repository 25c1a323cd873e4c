"""Processes on this machine that do jobs, and that can be stopped at any moment.

The workers stand outside of the terminal's group of processes: a Ctrl-C reaches us alone, and we
end them. They hold no locks or shared memory, so nothing has to be tidied up after them. Each
belongs to one owner, as a rule a learner: what a learner does to its process harms no other.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import selectors
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from twofold.errors import describe_error, first_line
from twofold.execution.fork_client import ForkClient, take_server
from twofold.execution.messages import Inbox, send
from twofold.execution.work_folder import make_folder
from twofold.execution.worker import UNLIMITED, Limits, Surroundings, read_output
from twofold.learners.packing_learners import pickle_by_value

AHEAD = 2
"""Jobs that a worker has in hand, so that it need not wait for us."""

IDLE = 8
"""Workers that may wait for further jobs of their owners."""

ATTEMPTS = 2
"""How often a job is tried whose worker dies: it may have been killed for another's sake."""

ATTEMPTS_KILLED = 4
"""The same where it was killed from outside, by a person or for want of memory: more patience."""

RESTARTS = 3
"""How often all workers may be lost without a single result in between."""

LOADING = 60.0
"""Seconds that a learner's code may take to be imported, besides its limit."""

AGAIN_AND_AGAIN = "workers died again and again, perhaps for want of memory"

MOST_OUTPUT = 1 << 24
"""Bytes that a worker may have printed; what is more is thrown away."""


_numbers = itertools.count(1)
"""Names of workers, never used again: a server may tell of one when others are there already."""


class WorkersLost(Exception):
    """A job cost its worker again and again, or all workers are gone; ``job`` may be None."""

    def __init__(self, job: Any, reason: str) -> None:
        super().__init__(job, reason)
        self.job, self.reason = job, reason


@dataclass(eq=False)
class _Worker:
    """A worker, seen from here: ``begun`` is when it began the first of its jobs."""

    number: int
    owner: Hashable
    channel: socket.socket
    output: IO[bytes]
    inbox: Inbox
    jobs: deque[Any] = field(default_factory=deque)
    ready: bool = False
    begun: float = 0.0
    verdict: str = ""


class Pool:
    """So many worker processes, started when there is a job for them."""

    def __init__(self, workers: int, limits: Limits = UNLIMITED) -> None:
        self.count = workers
        self.limits = limits
        self._server: ForkClient | None = None
        self._selector = selectors.DefaultSelector()
        self._workers: dict[int, _Worker] = {}
        self._folder: Path | None = None
        self._work: Any = None
        self._again: deque[Any] = deque()
        self._alone: set[Any] = set()
        self._deaths: dict[Any, int] = {}
        self._losses = 0
        self._killed = False

    def warm(self, modules: Sequence[str] = ()) -> ForkClient:
        """Begin to load what workers need, and do not wait for it."""
        if self._server is None:
            self._server = take_server()
            self._selector.register(self._server.control, selectors.EVENT_READ, None)
        if modules:
            self._server.tell("import", list(modules))
        return self._server

    @property
    def ready(self) -> bool:
        """Whether a worker would be there at once."""
        return self._server is not None and self._server.ready

    def load(self, work: Any) -> None:
        """Take what the jobs that follow share. Each process loads it once, not with each job."""
        self._again.clear()
        self._alone.clear()
        self._deaths.clear()
        if self._work is work and self._server is not None:
            return
        server = self.warm()
        for worker in list(self._workers.values()):
            self._retire(worker)
        self._work = work
        with tempfile.TemporaryFile() as file:
            file.write(pickle_by_value(work))
            file.seek(0)
            server.tell("load", files=[file.fileno()])

    def imap(self, work: Any, jobs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """Yield jobs as they are done; `WorkersLost` where one costs its worker again and again."""
        finished = False
        try:
            self.load(work)
            waiting = deque(jobs)
            while waiting or self.busy:
                while waiting and self.accepts(self._get_owner(waiting[0])):
                    job = waiting.popleft()
                    self.submit(job, self._get_owner(job))
                yield from self.wait(1.0)
            finished = True
        finally:
            if not finished:
                self.stop()

    def accepts(self, owner: Hashable) -> bool:
        """Tell whether a job of this owner could be begun now, or is next for its worker."""
        if self._again or self._alone:
            return False
        return self._has_room() or self._find_worker(owner, AHEAD) is not None

    def submit(self, job: Any, owner: Hashable) -> None:
        """Give a job to a worker; only after `accepts`."""
        worker = self._find_worker(owner, 1 if self._has_room() else AHEAD)
        self._give(worker or self._start(owner), job)

    def _has_room(self) -> bool:
        return sum(bool(worker.jobs) for worker in self._workers.values()) < self.count

    def _find_worker(self, owner: Hashable, most: int) -> _Worker | None:
        """Return a worker of this owner that has fewer jobs than that, if there is one."""
        workers = self._workers.values()
        return next((w for w in workers if w.owner == owner and len(w.jobs) < most), None)

    def _give(self, worker: _Worker, job: Any) -> None:
        if not worker.jobs:
            worker.begun = time.monotonic()
        worker.jobs.append(job)
        # A worker that has died is noticed where its answers are read.
        with contextlib.suppress(OSError):
            send(worker.channel, job)

    @property
    def busy(self) -> int:
        """How many jobs are in hand, or to be tried again."""
        return len(self._again) + sum(len(worker.jobs) for worker in self._workers.values())

    def wait(self, seconds: float) -> list[tuple[Any, Any]]:
        """Return the jobs that are done by now; wait for one if there is none."""
        self._try_again()
        answers: list[tuple[Any, Any]] = []
        for key, _ in self._selector.select(self._shorten(seconds)):
            worker: _Worker | None = key.data
            if worker is None:
                answers += self._hear()
            elif worker.number in self._workers:
                answers += self._read(worker)
        self._stop_late()
        self._try_again()
        return answers

    def _read(self, worker: _Worker) -> Iterator[tuple[Any, Any]]:
        """Yield what a worker has answered."""
        more = worker.inbox.read()
        try:
            messages = list(worker.inbox.messages())
        except Exception:
            worker.verdict = "its process sent what cannot be read"
            self._tell("kill", worker.number)
            messages, more = [], False
        if not more:
            with contextlib.suppress(KeyError, ValueError):
                self._selector.unregister(worker.channel)
        for message in messages:
            worker.begun = time.monotonic()
            if message is None:
                worker.ready = True
                continue
            job = worker.jobs.popleft()
            self._losses = 0
            self._deaths.pop(job, None)
            self._alone.discard(job)
            yield job, self._unpack(job, *message)

    def _unpack(self, job: Any, result: Any, error: BaseException | None) -> Any:
        if error is None:
            return result
        if hasattr(self._work, "fail"):
            return self._work.fail(job, describe_error(error))
        raise error

    def _get_owner(self, job: Any) -> Hashable:
        return self._work.owner(job) if hasattr(self._work, "owner") else None

    def _hear(self) -> Iterator[tuple[Any, Any]]:
        """Take what the server says of workers that have ended."""
        assert self._server is not None
        try:
            for number, status in self._server.hear():
                if number in self._workers:
                    yield from self._bury(self._workers[number], status)
        except EOFError:
            self._recover()

    def _bury(self, worker: _Worker, status: int) -> Iterator[tuple[Any, Any]]:
        """Take what a dead worker has still answered; blame the job that it was doing."""
        yield from self._read(worker)
        output = read_output(worker.output.fileno())
        self._forget(worker)
        if not worker.jobs:
            return
        job, *rest = worker.jobs
        deaths = self._deaths[job] = self._deaths.get(job, 0) + 1
        self._alone.discard(job)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        if not worker.verdict and deaths < (ATTEMPTS_KILLED if killed else ATTEMPTS):
            self._again.extendleft([*reversed(rest), job])
            if killed:
                self._alone.add(job)
            return
        reason = worker.verdict or self._describe(status, output)
        if not hasattr(self._work, "fail"):
            raise WorkersLost(job, reason)
        for other in (job, *rest):
            if other is job or self._work.shares_fate(job, other):
                yield other, self._work.fail(other, reason, output)
            else:
                self._again.append(other)

    def _describe(self, status: int, output: str) -> str:
        """Return in words how a process ended."""
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            words = f"signal {number}, {(signal.strsignal(number) or 'unknown').lower()}"
            if number == signal.SIGKILL:
                reason = "its process was killed (signal 9), perhaps for want of memory"
            else:
                reason = f"its process died ({words})"
        else:
            reason = f"its process ended by itself (exit code {os.waitstatus_to_exitcode(status)})"
        if self.limits.memory is not None and "want of memory" not in reason:
            reason += ", perhaps for want of memory (`memory`)"
        lines = output.partition("Fatal Python error")[0].splitlines()
        last = first_line(lines[-1]) if lines else ""
        return f"{reason}; it last wrote: {last}" if last else reason

    def _try_again(self) -> None:
        """Give jobs whose worker died to new workers; a job that was killed has all for itself."""
        while self._again:
            job = self._again[0]
            alone = job in self._alone
            working = any(worker.jobs for worker in self._workers.values())
            if working and (alone or self._alone):
                return
            if not alone and not self._has_room():
                return
            self._again.popleft()
            self._give(self._start(self._get_owner(job)), job)
            if alone:
                return

    def _start(self, owner: Hashable) -> _Worker:
        idle = [worker for worker in self._workers.values() if not worker.jobs]
        if len(idle) >= IDLE:
            self._retire(idle[0])
        if self._folder is None:
            self._folder = make_folder()
        number = next(_numbers)
        folder = self._folder / str(number)
        folder.mkdir(parents=True, mode=0o700)
        ours, theirs = socket.socketpair()
        output = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115
        with theirs:
            files = [theirs.fileno(), output.fileno()]
            surroundings = Surroundings(os.getcwd(), str(folder), sys.path, dict(os.environ))
            self._tell("start", number, surroundings, self.limits, files=files)
        worker = _Worker(number, owner, ours, output, Inbox(ours))
        self._workers[worker.number] = worker
        self._selector.register(ours, selectors.EVENT_READ, worker)
        return worker

    def _tell(self, verb: str, *arguments: Any, files: Sequence[int] = ()) -> None:
        assert self._server is not None
        self._server.tell(verb, *arguments, files=files)

    def _retire(self, worker: _Worker) -> None:
        """End a worker that has nothing to do."""
        self._tell("kill", worker.number)
        self._forget(worker)

    def _forget(self, worker: _Worker) -> None:
        del self._workers[worker.number]
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(worker.channel)
        worker.channel.close()
        worker.output.close()
        assert self._folder is not None
        shutil.rmtree(self._folder / str(worker.number), ignore_errors=True)

    def _shorten(self, seconds: float) -> float:
        """Return how long to wait at most, so that no limit is missed."""
        if self.limits.seconds is None:
            return seconds
        now = time.monotonic()
        ends = [worker.begun + self.limits.seconds for worker in self._workers.values()]
        return min([seconds, *(end - now for end in ends if end > now)])

    def _stop_late(self) -> None:
        """End workers whose job takes too long; throw away what is too much to keep."""
        limit, now = self.limits.seconds, time.monotonic()
        for worker in self._workers.values():
            if os.fstat(worker.output.fileno()).st_size > MOST_OUTPUT:
                os.ftruncate(worker.output.fileno(), 0)
            if limit is None or not worker.jobs or worker.verdict:
                continue
            if now - worker.begun > limit + (0 if worker.ready else LOADING):
                worker.verdict = f"it did not finish in {limit:g} seconds (`task_timeout`)"
                self._tell("kill", worker.number)

    def _recover(self) -> None:
        """Begin anew when the server is gone, and all workers with it."""
        assert self._server is not None
        self._losses += 1
        complaint, work = self._server.read_complaint(), self._work
        again = [job for worker in self._workers.values() for job in worker.jobs]
        again += self._again
        self.stop()
        if self._losses > RESTARTS or self._killed:
            raise WorkersLost(again[0] if again else None, complaint or AGAIN_AND_AGAIN)
        self.load(work)
        self._again.extend(again)

    def stop(self) -> None:
        """End the workers, whatever they are doing, and all that they started."""
        if self._server is not None:
            self._selector.unregister(self._server.control)
            if self._killed:
                self._server.end()
            else:
                self._server.put_aside()
            for worker in list(self._workers.values()):
                self._forget(worker)
            self._server = self._work = None

    def kill(self) -> None:
        """End the workers, from another thread: who waits for them hears that they are lost."""
        self._killed = True
        server = self._server
        if server is not None:
            server.terminate()

    def close(self) -> None:
        """End the workers and remove what they wrote."""
        self.stop()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
