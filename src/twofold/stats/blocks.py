"""Work through large arrays in blocks that fit into the processor's cache, on all cores.

The result does not depend on the number of threads: each block is computed by itself and
written to its own place.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

BLOCK_VALUES = 1 << 16
"""Values per block: half a megabyte of floats, which stays in the second-level cache."""

SMALLEST_SHARED = 1 << 20
"""Below this many values starting threads costs more than it saves."""


def work_in_blocks(rows: int, row_size: int, work: Callable[[slice], None]) -> None:
    """Call ``work`` on slices that together cover ``rows`` rows of ``row_size`` values."""
    step = max(1, BLOCK_VALUES // max(1, row_size))
    slices = [slice(start, min(start + step, rows)) for start in range(0, rows, step)]
    threads = os.cpu_count() or 1
    if threads == 1 or rows * row_size < SMALLEST_SHARED:
        for part in slices:
            work(part)
        return

    stop = Event()  # after an error or a signal only the blocks at hand are finished

    def share(first: int) -> None:
        try:
            for part in slices[first::threads]:
                if stop.is_set():
                    return
                work(part)
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(threads) as pool:
        try:
            for _ in pool.map(share, range(threads)):
                pass
        finally:
            stop.set()
