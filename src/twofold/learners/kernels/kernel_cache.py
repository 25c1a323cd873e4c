"""Compiled kernels on disk, which mend themselves.

numba trusts what it finds in its cache. It raises where a file is damaged, runs machine code in
which a bit has changed, and takes old code for new where a process was killed between writing the
index and the code, or where a kernel stayed the same and one that it calls did not. So each file of
code ends with a seal, which numba does not see: a digest of the code, of what it was compiled for,
and of the sources it was compiled from. Whatever is wrong, it is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import re
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

from twofold.learners.kernels.kernel_lock import KernelLock

SEAL = b"sealed by twofold"

ABANDONED = 3600.0
"""Seconds after which a file that is still being written belongs to a process that was killed."""

_IMPORT = re.compile(r"^from twofold\.learners\.kernels\.(\w+) import", re.MULTILINE)


class KernelCache(FunctionCache):
    """The cache of one kernel; tells when the kernel has to be compiled."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = SealedFiles(
            self._cache_path,
            self._impl.filename_base,
            self._impl.locator.get_source_stamp(),
            function.__code__.co_filename,
        )
        self.lock: KernelLock | None = None
        self.when_missing: Callable[[], None] = lambda: None
        self.when_waiting: Callable[[], None] = lambda: None

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return compiled code; None where there is none that can be used.

        Then this process is to compile it; others that want a lock wait until it is saved.
        """
        code = self._load(signature, target)
        if code is None and self.lock is not None:
            self.lock.acquire(self.when_waiting)
            # Another process may have compiled it since.
            code = self._load(signature, target)
            if code is not None:
                self.lock.release()
        if code is None:
            self.when_missing()
        return code

    def _load(self, signature: Any, target: Any) -> Any:
        try:
            return super().load_overload(signature, target)
        except Exception:  # files without a seal, written by numba alone
            return None

    def save_overload(self, signature: Any, code: Any) -> None:
        """Save compiled code; where that is not possible the next process compiles it again."""
        with contextlib.suppress(OSError):
            super().save_overload(signature, code)
        if self.lock is not None:
            self.lock.release()

    def make_lock(self) -> KernelLock:
        """Have one process at a time compile this kernel; return the lock."""
        self.lock = KernelLock(Path(self._cache_path) / f"{self._impl.filename_base}.lock")
        return self.lock


class SealedFiles(IndexDataCacheFile):
    """The files of one kernel: an index, and code for each combination of types."""

    def __init__(self, folder: str, name: str, stamp: Any, source: str) -> None:
        super().__init__(folder, name, stamp)
        self._source = source

    def load(self, key: Any) -> Any:
        """Return what is kept under a key, if it is all there."""
        name = self._load_index().get(key)
        if name is None:
            return None
        content = Path(self._data_path(name)).read_bytes()
        code, seal, digest = content.rpartition(SEAL)
        if seal and digest != self._digest(key, code):
            return None
        return pickle.loads(code or content)

    def save(self, key: Any, data: Any) -> None:
        """Keep something under a key."""
        self._remove_abandoned()
        names = self._load_index()
        numbers = (self._data_name(number) for number in range(1, len(names) + 2))
        name = names.get(key) or next(name for name in numbers if name not in names.values())
        code = self._dump(data)
        with self._open_for_write(self._data_path(name)) as stream:
            stream.write(code + SEAL + self._digest(key, code))
        self._save_index({**names, key: name})

    def _load_index(self) -> dict[Any, str]:
        try:
            return dict(super()._load_index())
        except Exception:  # damaged, or not ours to read
            return {}

    def _digest(self, key: Any, code: bytes) -> bytes:
        context = repr((key, self._source_stamp, digest_sources(self._source)))
        return hashlib.sha256(context.encode() + code).digest()

    def _remove_abandoned(self) -> None:
        """Remove what processes that were killed had begun to write."""
        before = time.time() - ABANDONED
        for file in Path(self._cache_path).glob("*.tmp.*"):
            with contextlib.suppress(OSError):
                if file.stat().st_mtime < before:
                    file.unlink()


@cache
def digest_sources(source: str) -> str:
    """Return a digest of a file of kernels, and of all such files that it imports."""
    digest = hashlib.sha256()
    files, waiting = set(), {Path(source)}
    while waiting:
        file = waiting.pop()
        files.add(file)
        names = _IMPORT.findall(file.read_text(encoding="utf-8"))
        waiting |= {Path(__file__).with_name(f"{name}.py") for name in names} - files
    for file in sorted(files):
        digest.update(file.read_bytes())
    return digest.hexdigest()
