"""What a Dask worker does with a job: it hands it to a process of its own.

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

from twofold.errors import describe_error
from twofold.execution.parcel import Difference, Parcel, Unreadable
from twofold.execution.pool import Pool, WorkersLost

LOOK_EVERY = 1.0
"""Seconds between looks whether anyone still waits for what is being done."""

_LOCK = threading.Lock()
_IDLE: list[tuple[str, Parcel, Pool]] = []
_BUSY: dict[str, tuple[Any, Pool]] = {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a job on a Dask worker.

    ``kind`` is done, raised (by the work; the value is the error), lost (the process died; the
    value says how), differs or unreadable (the worker is of another build).
    """

    kind: str
    value: Any
    address: str = ""


def do_job(parcel: bytes, name: str, order: bytes) -> bytes:
    """Do one job of the parcel of that name, in a process of our own; called by Dask."""
    from distributed import get_worker

    worker = get_worker()
    key = str(worker.get_current_task())
    pool, work = _take_pool(name, parcel)
    with _LOCK:
        _BUSY[key] = worker, pool
    _watch()
    answer = _do(pool, work, pickle.loads(order))
    with _LOCK:
        del _BUSY[key]
        if answer.kind == "done":
            _IDLE.append((name, work, pool))
    if answer.kind != "done":
        _end(pool)
    return pickle.dumps(Answer(answer.kind, answer.value, worker.address))


def _do(pool: Pool, work: Parcel, order: Any) -> Answer:
    try:
        [(_, result)] = pool.imap(work, [order])
        return _seal(Answer("done", result))
    except WorkersLost as error:
        return Answer("lost", error.reason)
    except Difference as error:
        return Answer("differs", str(error))
    except Unreadable as error:
        return Answer("unreadable", str(error))
    except BaseException as error:
        return _seal(Answer("raised", error))


def _seal(answer: Answer) -> Answer:
    """Return an answer that can be sent and received."""
    try:
        pickle.loads(pickle.dumps(answer))
    except Exception:
        return Answer("raised", RuntimeError(describe_error(answer.value)))
    return answer


def _take_pool(name: str, parcel: bytes) -> tuple[Pool, Parcel]:
    """Return an idle pool that does this work, and end those of other works."""
    with _LOCK:
        for item in _IDLE:
            if item[0] == name:
                _IDLE.remove(item)
                return item[2], item[1]
        others = _IDLE.copy()
        _IDLE.clear()
    for _, _, pool in others:
        _end(pool)
    work = pickle.loads(parcel)
    return Pool(1, work.limits), work


def _end(pool: Pool) -> None:
    pool.stop()  # else its server would wait for the next work, with code that may be old by then
    pool.close()


def _watch() -> None:
    """Start to look for jobs that nobody waits for any more, unless someone does already."""
    if not any(thread.name == __name__ for thread in threading.enumerate()):
        threading.Thread(target=_look, name=__name__, daemon=True).start()


def _look() -> None:
    while True:
        time.sleep(LOOK_EVERY)
        with _LOCK:
            busy = _BUSY.copy()
        for key, (worker, pool) in busy.items():
            task = worker.state.tasks.get(key)
            if task is None or task.state == "cancelled":
                pool.kill()


def close_pools() -> None:
    """End all processes that jobs were given to in this process."""
    with _LOCK:
        idle, busy = _IDLE.copy(), list(_BUSY.values())
        _IDLE.clear()
    for _, pool in busy:
        pool.kill()
    for *_, pool in idle:
        _end(pool)
