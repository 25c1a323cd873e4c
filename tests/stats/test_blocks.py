"""Work in blocks covers everything once, and ends soon where it is told to."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from twofold.stats.blocks import watch_blocks, work_in_blocks


@pytest.mark.parametrize("rows", [0, 1, 70_000, 2_000_000])
def test_every_row_is_worked_on_once(rows):
    times = np.zeros(rows, dtype=int)

    def work(part: slice) -> None:
        times[part] += 1

    work_in_blocks(rows, 1, work)
    assert (times == 1).all()


def test_after_an_error_no_further_block_is_begun():
    count, failed = 0, threading.Event()

    def work(part: slice) -> None:
        nonlocal count
        count += 1
        if part.start == 1:
            failed.set()
            raise KeyboardInterrupt
        failed.wait()

    with pytest.raises(KeyboardInterrupt):
        work_in_blocks(100_000, 1 << 16, work)
    assert count < 50_000


def test_watched_work_tells_how_far_it_is():
    heard = threading.Event()
    counts: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        counts.append((done, total))
        heard.set()

    def work(part: slice) -> None:
        heard.wait()

    with watch_blocks(tell):
        work_in_blocks(100, 1 << 16, work, watched=True)
        count = len(counts)
        work_in_blocks(100, 1 << 16, work)
    assert len(counts) == count > 0
    assert all(0 <= done <= total == 100 for done, total in counts)
