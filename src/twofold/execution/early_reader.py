"""Reading what workers have finished while the main thread is busy with something else.

The main thread may do a job of its own, or compare what there is so far. What workers finish in
the meantime is saved by then: a thread reads it when the main thread has been away for a moment.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

from twofold.execution.pool import Pool

AWAY = 0.04
"""Seconds that the main thread may be away before another one looks after the pool."""

Answers = Sequence[tuple[Any, Any]]
"""Jobs with their results."""

Early = Callable[[Answers], object]
"""Takes finished jobs, in any thread, before they are yielded; now and then none, and may raise."""


class EarlyReader:
    """Holds a pool for the main thread, and looks after it while that is `away`."""

    def __init__(self, pool: Pool, early: Early) -> None:
        self._pool, self._early = pool, early
        self._lock = threading.Lock()
        self._held = False
        self._left = 0.0
        self._answers: deque[tuple[Any, Any]] = deque()
        self._error: BaseException | None = None
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._hold()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._let_go()
        if self._thread is not None:
            self._thread.join()

    @contextmanager
    def away(self) -> Iterator[None]:
        """Leave the pool alone for as long as it takes."""
        if self._thread is None and self._pool.busy:
            self._thread = threading.Thread(target=self._run, name="reader", daemon=True)
            self._thread.start()
        self._let_go()
        try:
            yield
        finally:
            self._hold()

    @property
    def pending(self) -> bool:
        """Whether there is something that was read and not returned."""
        return bool(self._answers or self._error)

    def wait(self, seconds: float) -> list[tuple[Any, Any]]:
        """Return the jobs that are done by now; wait for one if there is none."""
        if self._error is not None:
            raise self._error
        answers = [self._answers.popleft() for _ in range(len(self._answers))]
        if not answers:
            answers = self._pool.wait(seconds)
            self._early(answers)
        return answers

    def _hold(self) -> None:
        self._lock.acquire()
        self._held = True

    def _let_go(self) -> None:
        if self._held:  # not where a key press came just before
            self._left = time.monotonic()
            self._held = False
            self._lock.release()

    def _run(self) -> None:
        while self._error is None and not self._closing.wait(AWAY):
            if time.monotonic() - self._left < AWAY or not self._lock.acquire(blocking=False):
                continue
            try:
                answers = self._pool.wait(0.0)
                self._early(answers)
                self._answers += answers
            except BaseException as error:
                self._error = error
            finally:
                self._lock.release()
