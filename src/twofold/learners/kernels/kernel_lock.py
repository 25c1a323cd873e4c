"""One process at a time compiles a kernel; others wait, and take what it has compiled.

The system gives a lock back when its owner ends, however it ends. Where there are no such locks,
or no file can be written, each process compiles by itself.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PATIENCE = 120.0
"""Seconds after which a process no longer waits for another one."""

LOOK_EVERY = 0.05
"""Seconds between looks whether the other one is done."""


class KernelLock:
    """A lock in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._handle: int | None = None

    def acquire(self, tell: Callable[[], None]) -> None:
        """Wait for the lock; ``tell`` is called where another process has it."""
        if fcntl is None or self._handle is not None:
            return
        with contextlib.suppress(OSError):
            self._handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o666)
            if self._try():
                return
            tell()
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and not self._try():
                time.sleep(LOOK_EVERY)

    def _try(self) -> bool:
        assert self._handle is not None
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        """Give the lock to others."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
