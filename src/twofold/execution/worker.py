"""What a worker process does: take jobs from one pipe, send what came of them down another.

A worker ends when its pipe does, in the middle of a job if need be: however the process that
started it dies, it leaves no workers behind.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO

from twofold.errors import describe_error

SIZE = 8
"""Bytes that say how long a message is."""


_serving = threading.Event()


def is_worker() -> bool:
    """Tell whether this process is a worker."""
    return _serving.is_set()


def send(stream: BinaryIO, message: Any) -> None:
    """Write one message."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(len(body).to_bytes(SIZE, "little") + body)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one message; EOFError where there will be no more."""
    size = int.from_bytes(_read_exactly(stream, SIZE), "little")
    return pickle.loads(_read_exactly(stream, size))


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    body = stream.read(size)
    if len(body) < size:
        raise EOFError
    return body


def serve() -> None:
    """Do jobs until there are no more."""
    _serving.set()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a learner prints must not get among the answers
    orders: queue.SimpleQueue[Any] = queue.SimpleQueue()
    source = sys.stdin.buffer
    threading.Thread(target=_listen, args=(source, orders), daemon=True).start()
    _limit_to_one_thread()
    here, work = "", None
    while True:
        path, job = orders.get()
        try:
            if path != here:
                here, work = path, pickle.loads(Path(path).read_bytes())
            assert work is not None
            answer: Any = (job, work.do(job), None)
        except BaseException as error:
            answer = (job, None, error)
        try:
            _answer(answers, answer)
        except OSError:
            os._exit(0)  # nobody waits for it any more


def _listen(source: BinaryIO, orders: queue.SimpleQueue[Any]) -> None:
    try:
        while True:
            orders.put(receive(source))
    except (EOFError, OSError):
        os._exit(0)


def _answer(answers: BinaryIO, answer: tuple[Any, Any, BaseException | None]) -> None:
    try:
        if answer[2] is not None:
            pickle.loads(pickle.dumps(answer[2]))  # some errors can be sent but not received
        send(answers, answer)
    except OSError:
        raise
    except Exception:
        reason = describe_error(answer[2]) if answer[2] else "it cannot be sent"
        send(answers, (answer[0], None, RuntimeError(reason)))


def _limit_to_one_thread() -> None:
    """Keep to one thread and one process, for the rest of this worker's life."""
    from joblib import parallel_config
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1)
    parallel_config(backend="sequential")
