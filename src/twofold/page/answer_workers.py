"""Processes that read tables and answer; one that takes too long is killed, and another started.

The process that talks to browsers never reads a table itself: whatever a hostile file does to its
reader, it does to a worker, and for half a minute at most.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import shutil
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from twofold.errors import InputError, TwofoldError
from twofold.page import page_limits
from twofold.page.page_jobs import PageJob
from twofold.page.page_worker import work
from twofold.processes import describe_machine, describe_process, is_alive
from twofold.provenance_record import digest_bytes

MEMORY_FOLDER = "/dev/shm"
"""A folder in memory, where the system has one."""


PREFIX = f"twofold-page-{describe_machine()}-"
"""How the names of our folders begin; the process that uses one follows."""


def remove_leftovers(root: str) -> None:
    """Remove the folders of processes that were killed before they could do so themselves."""
    for folder in Path(root).glob(f"{PREFIX}*_*"):
        process = folder.name.removeprefix(PREFIX).partition("_")[0]
        if not is_alive(process):
            shutil.rmtree(folder, ignore_errors=True)


OF_THE_STORE = ("runs", "running", "kept", "kept page", "kept file")
"""Jobs whose replies are not kept, since a store goes on."""


class TakesTooLong(TwofoldError):
    """An answer was not there in time."""


class AnswerFailed(TwofoldError):
    """A worker died, or something happened that should not."""


class _Worker:
    def __init__(self, context: Any, phrase: Any) -> None:
        self.connection, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, phrase), daemon=True)
        self.process.start()
        other.close()
        self._is_ready = False

    def wait(self) -> None:
        """Wait until it has loaded what it needs, which is no part of the time for an answer."""
        if not self._is_ready:
            if not self.connection.poll(page_limits.LOADING_SECONDS):
                raise EOFError
            self.connection.recv()
            self._is_ready = True

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


@dataclass(frozen=True)
class _Refusal:
    """An error that is kept like an answer: the same question is refused again."""

    rule: str
    remedy: str
    weight: int = 500


class AnswerWorkers:
    """Workers for jobs, and the answers they gave last.

    ``phrase`` puts the notes of an answer into the words of the command line; it is a function that
    can be imported by its name.
    """

    def __init__(
        self,
        phrase: Callable[[Any], Any] | None = None,
        count: int | None = None,
        seconds: float = page_limits.ANSWER_SECONDS,
    ) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._phrase = phrase
        self._seconds = seconds
        self._count = count or max(1, min(2, os.cpu_count() or 1))
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._kept: OrderedDict[Any, Any] = OrderedDict()
        self._running: dict[Any, asyncio.Future[Any]] = {}
        self._places: asyncio.Semaphore | None = None
        self._is_closed = False
        self._folder = ""

    def open(self) -> None:
        """Start the workers; they load what they need while the first page is looked at."""
        root = MEMORY_FOLDER if os.access(MEMORY_FOLDER, os.W_OK) else tempfile.gettempdir()
        remove_leftovers(root)
        self._folder = tempfile.mkdtemp(
            prefix=f"{PREFIX}{describe_process(os.getpid())}_", dir=root
        )
        self._places = asyncio.Semaphore(self._count)
        self._idle = [self._start() for _ in range(self._count)]

    @property
    def folder(self) -> str:
        """Where files are written on the way; removed at the end."""
        return self._folder

    def close(self) -> None:
        """End the workers, whatever they do, and remove what they wrote."""
        self._is_closed = True
        for worker in [*self._idle, *self._busy]:
            worker.end()
        self._idle.clear()
        self._busy.clear()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def ask(self, job: PageJob) -> Any:
        """Return the reply to a job; the same question is answered once, however many ask."""
        files = tuple((name, digest_bytes(content)) for name, content in job.files)
        key = (
            job.kind, files, repr(sorted(job.options.items())), job.highlight,
            job.command, job.target, job.picture, job.situation, job.store, job.key,
            job.sources, digest_bytes(job.answer),
        )  # fmt: skip
        if key in self._kept:
            self._kept.move_to_end(key)
            return _raise_refusal(self._kept[key])
        running = self._running.get(key)
        if running is None:
            running = asyncio.ensure_future(self._answer(job))
            self._running[key] = running
            running.add_done_callback(lambda _: self._running.pop(key, None))
        reply = await asyncio.shield(running)
        if job.files or job.kind not in OF_THE_STORE:
            self._keep(key, reply)
        return _raise_refusal(reply)

    def _keep(self, key: Any, reply: Any) -> None:
        self._kept[key] = reply
        weight = sum(each.weight for each in self._kept.values())
        while weight > page_limits.MOST_ANSWERS and len(self._kept) > 1:
            weight -= self._kept.popitem(last=False)[1].weight

    async def _answer(self, job: PageJob) -> Any:
        assert self._places is not None
        try:
            async with asyncio.timeout(page_limits.WAITING_SECONDS):
                await self._places.acquire()
        except TimeoutError:
            raise TakesTooLong(
                "Others are being answered, for longer than a minute.", "Reload the page."
            ) from None
        try:
            return await asyncio.to_thread(self._do, job)
        finally:
            self._places.release()

    def _do(self, job: PageJob) -> Any:
        """Have a worker do a job, in a thread that waits for it."""
        worker = self._idle.pop()
        self._busy.add(worker)
        folder = tempfile.mkdtemp(dir=self._folder)
        done = False
        try:
            worker.wait()
            worker.connection.send(replace(job, folder=folder))
            if not worker.connection.poll(self._seconds):
                raise TakesTooLong(
                    f"There was no answer within {self._seconds:g} seconds.",
                    "The command line takes as long as it needs: see the line below.",
                )
            kind, *facts = worker.connection.recv()
            done = True
        except (EOFError, OSError):
            raise AnswerFailed(
                "The process that was to answer died.",
                "The table may need more memory than there is; the command line may tell more.",
            ) from None
        finally:
            self._put_back(worker, is_well=done)
            shutil.rmtree(folder, ignore_errors=True)
        if kind == "refused":
            return _Refusal(*facts)
        if kind == "failed":
            raise AnswerFailed(
                f"This should not happen: {facts[0]}.", "Please report it, with the table."
            )
        return facts[0]

    def _put_back(self, worker: _Worker, *, is_well: bool) -> None:
        self._busy.discard(worker)
        if self._is_closed:
            return
        if not is_well:
            worker.end()
            worker = self._start()
        self._idle.append(worker)

    def _start(self) -> _Worker:
        return _Worker(self._context, self._phrase)


def _raise_refusal(reply: Any) -> Any:
    if isinstance(reply, _Refusal):
        raise InputError(reply.rule, reply.remedy)
    return reply
