"""The process that all workers are copies of.

It has loaded what workers need and runs nobody else's code, so that a new worker is there in
hundredths of a second and begins like every other. It starts workers, ends them with everything
they started, and says how they ended; it ends itself, and all of them, when the process that
started it does, in whatever way.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import pickle
import select
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

from twofold.execution.messages import receive, send
from twofold.execution.worker import serve

PARENT_DEATH, SUBREAPER = 1, 36
"""Numbers of Linux's prctl: a signal when the parent dies, and adopting orphans."""

ALWAYS = ("twofold.execution.fit_task", "joblib", "threadpoolctl")
"""What every worker needs."""

LOOK_EVERY = 5.0
"""Seconds between looks whether the process that started us is still there."""

PATIENCE = 5.0
"""Seconds in which processes that were killed must be gone."""


def main(control: int) -> NoReturn:
    """Start and end workers as told, until nobody is there to tell."""
    ForkServer(socket.socket(fileno=control)).run()


class ForkServer:
    """Starts workers and watches them."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._numbers: dict[int, int] = {}
        self._work: Any = None
        self._process, self._parent = os.getpid(), os.getppid()
        self._alarm, self._bell = os.pipe()
        for end in (self._alarm, self._bell):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(self._bell)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, _leave)
        _prctl(SUBREAPER, 1)

    def run(self) -> NoReturn:
        """Do what is asked until the other end is closed."""
        with contextlib.suppress(EOFError, OSError, SystemExit):
            self._import([])
            send(self._control, ("ready", 0, 0))
            while os.getppid() == self._parent:
                sources: list[Any] = [self._control, self._alarm]
                ready, _, _ = select.select(sources, [], [], LOOK_EVERY)
                if self._alarm in ready:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self._alarm, 4096)
                    self._report()
                if self._control in ready:
                    (verb, *arguments), files = receive(self._control)
                    getattr(self, f"_{verb}")(*arguments, *files)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self._end_all()
        os._exit(0)

    def _import(self, modules: list[str]) -> None:
        """Load what workers will need; what is there once need not be loaded by each of them."""
        for module in (*ALWAYS, *modules):
            with contextlib.suppress(Exception):  # whoever needs it will say what is missing
                importlib.import_module(module)
        _limit_to_one_thread()
        gc.freeze()

    def _clear(self) -> None:
        """Forget the work, and end those who do it."""
        self._work = None
        self._end_all()
        self._numbers.clear()
        send(self._control, ("cleared", 0, 0))

    def _load(self, file: int) -> None:
        """Load what all jobs share; workers that are started from now on have it."""
        with open(file, "rb") as stream:
            try:
                self._work = pickle.load(stream)
            except Exception as error:
                self._work = _Broken(error)

    def _start(
        self, number: int, surroundings: Any, limits: Any, channel: int, output: int
    ) -> None:
        process = os.fork()
        if process == 0:
            try:
                self._become_worker(surroundings, limits, channel, output)
            finally:
                os._exit(1)
        self._numbers[process] = number
        os.close(channel)
        os.close(output)

    def _become_worker(self, surroundings: Any, limits: Any, channel: int, output: int) -> None:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for name in (signal.SIGCHLD, signal.SIGINT, signal.SIGTERM):
            signal.signal(name, signal.SIG_DFL)
        _prctl(PARENT_DEATH, signal.SIGKILL)
        if os.getppid() != self._process:
            os._exit(0)
        self._control.close()
        os.close(self._alarm)
        os.close(self._bell)
        serve(self._work, socket.socket(fileno=channel), output, surroundings, limits)

    def _kill(self, number: int) -> None:
        for process, other in self._numbers.items():
            if other == number:
                _kill_worker(process)

    def _report(self) -> None:
        """Say which workers have ended and how, and end what they started."""
        for process, status in _collect():
            number = self._numbers.pop(process, None)
            if number is not None:
                with contextlib.suppress(OSError):
                    os.killpg(process, signal.SIGKILL)
                send(self._control, ("ended", number, status))

    def _end_all(self) -> None:
        """End the workers and all that they started, also what has left their groups."""
        deadline = time.monotonic() + PATIENCE
        for process in self._numbers:
            _kill_worker(process)
        while time.monotonic() < deadline:
            for _ in _collect():
                pass
            left = _list_children()
            if not left:
                return
            for process in left:
                with contextlib.suppress(OSError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.002)


class _Broken:
    """Work that could not be loaded: every job fails with the reason."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def do(self, job: Any) -> NoReturn:
        raise self._error


def _leave(*_: object) -> NoReturn:
    raise SystemExit


def _collect() -> list[tuple[int, int]]:
    """Return the children that have ended, and how."""
    ended: list[tuple[int, int]] = []
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if process == 0:
            return ended
        ended.append((process, status))


def _kill_worker(process: int) -> None:
    """End a worker and its group; one that has only just begun has no group yet."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(process, signal.SIGKILL)


def _list_children() -> list[int]:
    try:
        text = Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in text.split()]


def _prctl(option: int, value: int) -> None:
    """Ask Linux for something that other systems do not have."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _limit_to_one_thread() -> None:
    """Keep to one thread and one process, in every worker and for all its life."""
    from joblib import parallel_config
    from threadpoolctl import threadpool_limits

    threadpool_limits(limits=1)
    parallel_config(backend="sequential")
