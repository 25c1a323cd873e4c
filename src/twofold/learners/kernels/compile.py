"""Compiling kernels: once per machine, kept on disk, and said out loud while it lasts.

Kernels release Python's lock and know nothing of threads; runs are shared out among Python threads
by `spread_runs`. That works inside any other pool and after a fork, where OpenMP would not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.learners.kernels.compiling_line import CompilingLine
from twofold.learners.kernels.kernel_cache import KernelCache
from twofold.learners.kernels.kernel_lock import KernelLock

try:
    from twofold.learners.kernels.inner_code import compile_inner
except ImportError:  # a numba that is built otherwise
    compile_inner = None  # type: ignore[assignment]

Function = TypeVar("Function", bound=Callable[..., Any])
_ENTRIES: dict[str, Any] = {}
_SECONDS: dict[str, int] = {}
_ANNOUNCED: set[str] = set()
_SAID: set[str] = set()
_LINES: dict[str, CompilingLine] = {}
_LOCKS: dict[str, KernelLock] = {}
_AWAITED: dict[str, Callable[[], None]] = {}
_POOLS: dict[tuple[int, int], Any] = {}
SMALLEST_SHARED = 5e5
"""Elementary steps, about half a millisecond; a second thread gains nothing for shorter work."""
_OPTIONS: dict[str, Any] = {
    "nogil": True,
    # Division by zero gives inf as in numpy, without a check at every division.
    "error_model": "numpy",
    # A call hands over seven numbers for every array; with many arrays that takes longer than the
    # work. Compiling takes no longer this way.
    "forceinline": True,
    # Nobody calls them from C.
    "no_cfunc_wrapper": True,
}


def _find_uncounted() -> dict[str, Any]:
    """The option that leaves out the counting, if this numba has it."""
    option: dict[str, Any] = {"_nrt": False}
    try:
        numba.njit(**option)(lambda: 0)
    except (TypeError, KeyError):
        return {}
    return option


_UNCOUNTED = _find_uncounted()


def kernel(function: Function) -> Function:
    """Compile a function that only kernels call and that makes no arrays, into those that call it.

    It does not count who uses its arrays: its caller does. Counting takes two locked additions for
    every array at every call, which would be most of the time of a short function.
    """
    if compile_inner is None:
        return shared_kernel(function)
    return cast(Function, compile_inner(function, **_OPTIONS, **_UNCOUNTED))


def shared_kernel(function: Function) -> Function:
    """Compile a function that makes no arrays, when it is first called; keep it on disk."""
    return _compile(function, **_UNCOUNTED)


def maker(function: Function) -> Function:
    """As `shared_kernel`, for a function that makes arrays or asks one for its maximum."""
    return _compile(function)


def _compile(function: Function, **options: Any) -> Function:
    compiled = numba.njit(**_OPTIONS, **options)(function)
    # Where nothing can be written, numba finds no folder and raises.
    with suppress(RuntimeError):
        compiled._cache = KernelCache(function)
    return cast(Function, compiled)


def entry(name: str, seconds: int) -> Callable[[Function], Function]:
    """Compile a function that Python calls, under a name that people know.

    ``seconds`` are what compiling takes about, for those who wait.
    """

    def mark(function: Function) -> Function:
        _ENTRIES[name] = compiled = maker(function)
        _SECONDS[name] = seconds
        # Also where a file was there and could not be used.
        cache = compiled._cache  # type: ignore[attr-defined]
        cache.when_missing = lambda: say(name)
        if isinstance(cache, KernelCache):
            _LOCKS[name] = cache.make_lock()
            cache.when_waiting = lambda: _say_waiting(name)
        return compiled

    return mark


def is_cold(name: str) -> bool:
    """Whether the kernel of that name is neither in memory nor, newer than its source, on disk."""
    compiled = _ENTRIES[name]
    return not compiled.signatures and not _is_on_disk(compiled)


def _is_on_disk(compiled: Any) -> bool:
    source = Path(compiled.py_func.__code__.co_filename)
    folder = Path(compiled.stats.cache_path or ".")
    index = folder.glob(f"{source.stem}.{compiled.py_func.__qualname__}-*.nbi")
    newest = max((file.stat().st_mtime for file in index), default=0.0)
    return newest >= source.stat().st_mtime


def is_kept(name: str) -> bool:
    """Whether there is a folder in which the kernel of that name is kept."""
    return _ENTRIES[name].stats.cache_path is not None


def wait_before(name: str, wait: Callable[[], None]) -> None:
    """Have `announce` wait for another process that compiles a kernel."""
    _AWAITED[name] = wait


@contextmanager
def announce(name: str) -> Iterator[None]:
    """Say on standard error that a kernel is being compiled, where that will take a while."""
    if name in _ANNOUNCED:
        yield
        return
    _AWAITED.pop(name, lambda: None)()
    cold = is_cold(name)
    if cold:
        say(name)
    _ANNOUNCED.add(name)
    try:
        yield
    finally:
        if name in _LOCKS:  # held still where compiling was broken off
            _LOCKS[name].release()
        _end_line(name)


def say(*names: str, processes: int = 1) -> None:
    """Say that kernels are being compiled, once for each, and how long that takes about."""
    fresh = [name for name in names if name not in _SAID]
    if fresh:
        _SAID.update(fresh)
        kept = all(map(is_kept, fresh))
        often = "once" if kept else "each time (set NUMBA_CACHE_DIR to a folder to keep it)"
        listed = " and ".join(", ".join(fresh).rsplit(", ", 1))
        parts = [_SECONDS[name] for name in fresh]
        seconds = max(*parts, sum(parts) // processes, 1)
        line = CompilingLine(f"Compiling {listed} for this machine, {often}", seconds)
        _LINES.update(dict.fromkeys(fresh, line))


def _end_line(name: str) -> None:
    """End the line of a kernel, once none of those that it names is left."""
    line = _LINES.pop(name, None)
    if line is not None and line not in _LINES.values():
        line.end()


def _say_waiting(name: str) -> None:
    """Say that another process compiles a kernel."""
    if name not in _SAID:
        _SAID.add(name)
        text = f"Waiting for another process that compiles {name}"
        _LINES[name] = CompilingLine(text, _SECONDS[name])


def spread_runs(
    job: Callable[[int, int], None], runs: int, *, threads: int, work: float = np.inf
) -> None:
    """Call ``job(first, last)`` on stretches of runs, on so many threads.

    ``work`` is a rough number of elementary steps; short jobs stay on this thread.
    """
    threads = min(threads, runs) if work > SMALLEST_SHARED else 1
    if threads <= 1:
        job(0, runs)
        return
    edges = np.linspace(0, runs, threads + 1).astype(int)
    first, *rest = [(int(a), int(b)) for a, b in pairwise(edges)]
    futures = [_pool(threads - 1).submit(job, *stretch) for stretch in rest]
    try:
        job(*first)
    finally:
        for future in futures:
            future.result()


def _pool(threads: int) -> Any:
    """So many threads that wait for work; starting them takes as long as a short job."""
    from concurrent.futures import ThreadPoolExecutor

    # A process that was forked has none of its parent's threads.
    key = (os.getpid(), threads)
    if key not in _POOLS:
        _POOLS[key] = ThreadPoolExecutor(threads, thread_name_prefix="twofold")
    return _POOLS[key]


def check_threads(threads: int | None) -> int:
    """Turn the option into a number of threads; None means as many as there are processors."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise InputError(
            f"`threads` must be a whole number, one or larger, got {threads!r}.",
            "Pass threads=1, or threads=None for all processors.",
        )
    return int(threads)


def check_folds(fold_of_row: Any, rows: int) -> NDArray[np.int32]:
    """Check the folds: (runs, rows) whole numbers, −1 for rows that are never tested."""
    folds = np.asarray(fold_of_row)
    if folds.ndim == 1:
        folds = folds[None, :]
    if folds.ndim != 2 or folds.shape[1] != rows or folds.dtype.kind not in "iu":
        raise InputError(
            f"`fold_of_row` must be whole numbers of shape (runs, {rows}), got "
            f"{folds.dtype} of shape {folds.shape}.",
            "Give the fold of every row, counted from 0, a line for each run.",
        )
    folds = np.ascontiguousarray(folds)
    least, most, single = fold_limits(folds)
    if least < -1 or most >= rows:
        raise InputError(
            f"Folds must lie between −1 and {rows - 1}, got {least} to {most}.",
            "Count folds from 0; −1 marks rows that are never tested.",
        )
    if single:
        raise InputError(
            "A run puts all rows into one fold, so that none are left to learn from.",
            "Use two folds or more in every run.",
        )
    return np.ascontiguousarray(folds, dtype=np.int32)


@shared_kernel
def fold_limits(folds: Any) -> tuple[int, int, bool]:
    """The least and the largest fold, and whether any run has only one."""
    least, most, single = 0, 0, False
    for run in range(folds.shape[0]):
        low = high = int(folds[run, 0]) if folds.shape[1] > 0 else 0
        for i in range(folds.shape[1]):
            low = min(low, int(folds[run, i]))
            high = max(high, int(folds[run, i]))
        least, most = min(least, low), max(most, high)
        single |= low == high and folds.shape[1] > 0
    return least, most, single


@kernel
def copy_into(target: Any, source: Any) -> None:
    """Copy numbers. An assignment of arrays would have the words of its error compiled too."""
    for i in range(target.size):
        target[i] = source[i]


@kernel
def order_by_fold(fold: Any, starts: Any, order: Any) -> int:
    """Sort rows by fold, keeping their order; return the number of folds.

    ``order[starts[f]:starts[f + 1]]`` are the rows of fold f. Rows of fold −1 are left out.
    ``starts`` has room for one more than there are rows.
    """
    folds = 0
    for i in range(fold.size):
        folds = max(folds, fold[i] + 1)
    starts[: folds + 1] = 0
    for i in range(fold.size):
        if fold[i] >= 0:
            starts[fold[i] + 1] += 1
    for f in range(folds):
        starts[f + 1] += starts[f]
    for i in range(fold.size):
        if fold[i] >= 0:
            order[starts[fold[i]]] = i
            starts[fold[i]] += 1
    for f in range(folds, 0, -1):
        starts[f] = starts[f - 1]
    starts[0] = 0
    return folds
