"""What a Dask worker does with jobs: it hands them to a process of its own.

A process of ours does the jobs of one work and no other. So a learner that crashes takes no Dask
worker with it, and what a Dask worker once imported, perhaps before a file was changed, is never
used. A worker with several threads has as many processes.
"""

from __future__ import annotations

import pickle
import threading
import time
from dataclasses import dataclass
from typing import Any

from twofold.execution.parcel import Difference, Parcel, Unreadable
from twofold.execution.pool import Pool, WorkersLost

LOOK_EVERY = 1.0
"""Seconds between looks whether anyone still waits for what is being done."""

LONGEST_BATCH = 0.1
"""Seconds after which no further job of a batch is begun: results are to be saved soon."""

LONGEST_IDLE = 60.0
"""Seconds after which a process that has nothing to do is ended."""


@dataclass(eq=False, slots=True)
class _Idle:
    """A pool that waits for jobs of its work, and since when."""

    name: str
    work: Parcel
    pool: Pool
    since: float


@dataclass(eq=False, slots=True)
class _Busy:
    """A pool that does jobs for a Dask worker, and whether we ended it before they were done."""

    worker: Any
    pool: Pool
    dropped: bool = False

    def drop(self) -> None:
        self.dropped = True
        self.pool.kill()


_LOCK = threading.Lock()
_IDLE: list[_Idle] = []
_BUSY: dict[str, _Busy] = {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a job on a Dask worker.

    ``kind`` is done, raised (by the work; the value is the error), lost (the process died; the
    value says how), dropped (we ended it, since nobody waited for it, or never began it), differs
    or unreadable (the worker is of another build).
    """

    kind: str
    value: Any
    address: str = ""


def do_batch(parcel: bytes, name: str, orders: bytes) -> bytes:
    """Do jobs of the parcel of that name, in a process of our own; called by Dask.

    Returns an answer for each job, and the seconds that they took. Jobs after one that was not
    done, and those for which there was no time, are dropped.
    """
    from distributed import get_worker

    worker = get_worker()
    key = str(worker.get_current_task())
    pool, work = _take_pool(name, parcel)
    busy = _Busy(worker, pool)
    with _LOCK:
        _BUSY[key] = busy
    _watch()
    answers: list[Answer] = []
    usable, start = True, time.monotonic()
    for order in pickle.loads(orders):
        if answers and not (usable and time.monotonic() - start < LONGEST_BATCH):
            answers.append(Answer("dropped", None))
            continue
        answer = _do(pool, work, order)
        usable = answer.kind == "done"
        # Dask may want a job again that it had recalled: what we did to it is no fault of its own.
        if answer.kind == "lost" and busy.dropped:
            answer = Answer("dropped", None)
        answers.append(Answer(answer.kind, answer.value, worker.address))
    with _LOCK:
        del _BUSY[key]
        if usable:
            _IDLE.append(_Idle(name, work, pool, time.monotonic()))
    if not usable:
        _end(pool)
    return pickle.dumps((answers, time.monotonic() - start))


def _do(pool: Pool, work: Parcel, order: Any) -> Answer:
    try:
        [(_, result)] = pool.imap(work, [order])
        return Answer("done", result)
    except WorkersLost as error:
        return Answer("lost", error.reason)
    except Difference as error:
        return Answer("differs", str(error))
    except Unreadable as error:
        return Answer("unreadable", str(error))
    except BaseException as error:
        return Answer("raised", error)


def _take_pool(name: str, parcel: bytes) -> tuple[Pool, Parcel]:
    """Return an idle pool that does this work, and end those of other works."""
    with _LOCK:
        fitting = [idle for idle in _IDLE if idle.name == name]
        if fitting:
            _IDLE.remove(fitting[-1])
            return fitting[-1].pool, fitting[-1].work
    _end_idle(0.0)
    work = pickle.loads(parcel)
    return Pool(1, work.limits), work


def _end(pool: Pool) -> None:
    pool.stop()  # else its server would wait for the next work, with code that may be old by then
    pool.close()


def _watch() -> None:
    """Start to look for processes that nobody needs, unless someone does already."""
    if not any(thread.name == __name__ for thread in threading.enumerate()):
        threading.Thread(target=_look, name=__name__, daemon=True).start()


def _look() -> None:
    """End processes whose job nobody waits for any more, and those without one."""
    while True:
        time.sleep(LOOK_EVERY)
        with _LOCK:
            jobs = _BUSY.copy()
        for key, busy in jobs.items():
            task = busy.worker.state.tasks.get(key)
            if task is None or task.state == "cancelled":
                busy.drop()
        _end_idle(LONGEST_IDLE)


def _end_idle(seconds: float) -> None:
    """End the processes that have waited for so long."""
    before = time.monotonic() - seconds
    with _LOCK:
        ended = [idle for idle in _IDLE if idle.since <= before]
        _IDLE[:] = [idle for idle in _IDLE if idle.since > before]
    for idle in ended:
        _end(idle.pool)


def close_pools() -> None:
    """End all processes that jobs were given to in this process."""
    with _LOCK:
        jobs = list(_BUSY.values())
    for busy in jobs:
        busy.drop()
    _end_idle(0.0)
