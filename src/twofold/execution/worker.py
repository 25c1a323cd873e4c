"""What a worker process does: take jobs from a socket, and send back what came of them.

A worker belongs to one learner that is not ours, or does work of our own. Whatever it does to
itself (its memory, its modules, its files) is gone with it, and touches nobody else's results.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import socket
import sys
import tempfile
import threading
from dataclasses import dataclass
from typing import Any

from twofold.errors import describe_error
from twofold.execution.messages import receive, send

ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
)

NAMES = "Extension modules: "

MOST_OUTPUT = 50_000
"""Bytes of what a learner printed that are shown."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker may use.

    Attributes
    ----------
    seconds : float, optional
        For one job.
    memory : int, optional
        Bytes.
    """

    seconds: float | None = None
    memory: int | None = None


UNLIMITED = Limits()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a worker is to find itself, as if the process that asks for it had become it."""

    cwd: str
    folder: str
    path: list[str]
    environment: dict[str, str]


_serving = threading.Event()
_limits = UNLIMITED
_output = -1


def is_worker() -> bool:
    """Tell whether this process is a worker."""
    return _serving.is_set()


def explain(error: BaseException) -> str:
    """Return an error of a learner in a line; where it lacked memory, which option says so."""
    if isinstance(error, MemoryError) and _limits.memory is not None:
        return f"it needed more memory than `memory` allows ({describe_error(error)})"
    return describe_error(error)


def read_output(file: int | None = None) -> str:
    """Return the end of what this worker, or the one that writes to ``file``, has printed."""
    source = _output if file is None else file
    if source < 0:
        return ""
    with contextlib.suppress(OSError, ValueError):
        for stream in (sys.stdout, sys.stderr) if file is None else ():
            stream.flush()
    with contextlib.suppress(OSError):
        size = os.fstat(source).st_size
        text = os.pread(source, MOST_OUTPUT, max(0, size - MOST_OUTPUT))
        lines = text.decode("utf-8", "replace").splitlines()
        # Python's own report of a crash ends with pages of names.
        return "\n".join(line for line in lines if not line.startswith(NAMES)).strip()
    return ""


def serve(
    work: Any, channel: socket.socket, output: int, surroundings: Surroundings, limits: Limits
) -> None:
    """Do jobs until there are no more. Never returns: this process is a copy of another one."""
    try:
        _prepare(output, surroundings, limits)
        loading, process = True, os.getpid()
        while True:
            job, _ = receive(channel)
            os.ftruncate(_output, 0)
            if loading:
                with contextlib.suppress(BaseException):  # doing the job will raise it again
                    work.load_code(job)
                _end_copy(process)
                send(channel, None)
                loading = False
            result, error = _do(work, job)
            _end_copy(process)
            _answer(channel, result, error)
    except (EOFError, OSError):
        os._exit(0)  # nobody waits for it any more
    except BaseException as error:
        with contextlib.suppress(BaseException):
            os.write(2, describe_error(error).encode())
        os._exit(1)


def _end_copy(process: int) -> None:
    """End a copy of the worker that a learner made by forking: one answer is enough."""
    if os.getpid() != process:
        os._exit(0)


def _do(work: Any, job: Any) -> tuple[Any, BaseException | None]:
    try:
        return work.do(job), None
    except BaseException as error:
        return None, error


def _answer(channel: socket.socket, result: Any, error: BaseException | None) -> None:
    try:
        if error is not None:
            pickle.loads(pickle.dumps(error))  # some errors can be sent but not received
        send(channel, (result, error))
    except OSError:
        raise
    except Exception as reason:
        send(channel, (None, RuntimeError(describe_error(error or reason))))


def _prepare(output: int, surroundings: Surroundings, limits: Limits) -> None:
    """Give the learner an empty input, a file to print to, a folder of its own, and limits."""
    global _limits, _output
    import resource

    for standard in (1, 2):
        os.dup2(output, standard)
    _limits, _output = limits, output
    faulthandler.enable(file=output)
    with contextlib.suppress(OSError):
        os.chdir(surroundings.cwd)
    sys.path[:] = surroundings.path
    one_thread = {name: os.environ[name] for name in ONE_THREAD}
    os.environ.clear()
    os.environ.update({**surroundings.environment, **one_thread, "TMPDIR": surroundings.folder})
    tempfile.tempdir = None
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a learner that crashes leaves no file
    if limits.memory is not None:
        resource.setrlimit(resource.RLIMIT_DATA, (limits.memory, limits.memory))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")  # where memory runs out, workers go before the process that saves
    _serving.set()
