"""Compiling is said once, and only where nothing is kept on disk."""

import numpy as np
import pytest

from twofold.errors import InputError
from twofold.learners.kernels import compile as compiled


def test_a_cold_kernel_is_announced_once(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))

    @compiled.entry("something slow")
    def double(x):
        return 2 * x

    assert compiled.is_cold("something slow")
    for _ in range(2):
        with compiled.announce("something slow"):
            pass
    said = capsys.readouterr().err
    assert said == "Compiling something slow for this machine, once …\n"
    assert double(4) == 8
    assert not compiled.is_cold("something slow")


def test_runs_are_shared_out_completely():
    for threads in (1, 2, 3, 7):
        done = np.zeros(5, dtype=int)

        def job(first, last, done=done):
            done[first:last] += 1

        compiled.spread_runs(job, 5, threads=threads)
        assert (done == 1).all()


def test_rows_by_fold():
    fold = np.array([1, 0, -1, 1, 2, 0], dtype=np.int32)
    starts, order = np.zeros(8, dtype=np.int64), np.zeros(6, dtype=np.uint32)
    assert compiled.order_by_fold(fold, starts, order) == 3
    assert starts[:4].tolist() == [0, 2, 4, 5]
    assert order[:5].tolist() == [1, 5, 0, 3, 4]


@pytest.mark.parametrize("threads", [0, -1, 1.5, True, "two"])
def test_threads_are_checked(threads):
    with pytest.raises(InputError, match="threads"):
        compiled.check_threads(threads)


def test_all_processors():
    assert compiled.check_threads(None) >= 1
