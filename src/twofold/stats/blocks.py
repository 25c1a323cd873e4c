"""Work through large arrays in blocks that fit into the processor's cache, on all cores.

The result does not depend on the number of threads: each block is computed by itself and
written to its own place.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event

BLOCK_VALUES = 1 << 14
"""Values per block: 128 kB of floats. A test makes several arrays of that size, on every core; all
of them stay in the second-level cache."""

LOOK_EVERY = 0.25
"""Seconds between looks at how much is done."""

SMALLEST_SHARED = 1 << 20
"""Below this many values starting threads costs more than it saves."""


Tell = Callable[[int, int], None]
"""Hears how many rows are done, and of how many."""

_watcher: ContextVar[Tell | None] = ContextVar("_watcher", default=None)


@contextmanager
def watch_blocks(tell: Tell) -> Iterator[None]:
    """Tell how far work in blocks is that takes long, within this context."""
    token = _watcher.set(tell)
    try:
        yield
    finally:
        _watcher.reset(token)


def work_in_blocks(
    rows: int, row_size: int, work: Callable[[slice], None], *, watched: bool = False
) -> None:
    """Call ``work`` on slices that together cover ``rows`` rows of ``row_size`` values.

    ``watched`` says that rows are what people count, such as pairs of learners.
    """
    step = max(1, BLOCK_VALUES // max(1, row_size))
    slices = [slice(start, min(start + step, rows)) for start in range(0, rows, step)]
    threads = os.cpu_count() or 1
    if threads == 1 or rows * row_size < SMALLEST_SHARED:
        for part in slices:
            work(part)
        return
    stop = Event()  # after an error or a signal only the blocks at hand are finished
    done = [0] * threads

    def share(first: int) -> None:
        try:
            for part in slices[first::threads]:
                if stop.is_set():
                    return
                work(part)
                done[first] += part.stop - part.start
        except BaseException:
            stop.set()
            raise

    tell = _watcher.get() if watched else None
    with ThreadPoolExecutor(threads) as pool:
        try:
            shares = [pool.submit(share, first) for first in range(threads)]
            while wait(shares, LOOK_EVERY, FIRST_EXCEPTION).not_done and not stop.is_set():
                if tell is not None:
                    tell(sum(done), rows)
            for future in shares:
                future.result()
        finally:
            stop.set()
