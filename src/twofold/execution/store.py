"""Where finished work is kept, so that it is never done twice.

A store has records of finished tasks only: there is no way to write a failure into one.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, runtime_checkable

from twofold.errors import InputError
from twofold.execution.task import Outcome, Task


@dataclass(frozen=True, slots=True)
class Record:
    """A finished task, when it was saved (seconds since 1970) and how many bytes it takes."""

    task: Task
    saved: float
    size: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a store; ``key`` is the task's, where one task is concerned."""

    words: str
    key: str | None = None


@runtime_checkable
class Store(Protocol):
    """What every store can do."""

    def get(self, keys: Sequence[str]) -> dict[str, Outcome]:
        """Return the outcomes that are here. Damaged ones count as not here."""

    def put(self, items: Sequence[tuple[Task, Outcome]]) -> None:
        """Save outcomes, all or none. Twice is no harm; more responses are added."""

    def tasks(
        self,
        *,
        dataset: str | None = None,
        learner: str | None = None,
        design: str | None = None,
        before: float | None = None,
    ) -> list[Record]:
        """List what is here: of one data set, learner or design, saved before a time."""

    def forget(self, keys: Iterable[str]) -> int:
        """Remove tasks; return how many were here."""

    def check(self) -> list[Problem]:
        """Look at every record, and return what is wrong."""

    def close(self) -> None:
        """Let go of files and connections."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class MemoryStore:
    """A store that lives as long as the process."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Task, Outcome, float]] = {}
        self._lock = threading.Lock()

    def get(self, keys: Sequence[str]) -> dict[str, Outcome]:
        """Return the outcomes that are here."""
        return {key: self._kept[key][1] for key in keys if key in self._kept}

    def put(self, items: Sequence[tuple[Task, Outcome]]) -> None:
        """Save outcomes, all or none."""
        with self._lock:
            new: dict[str, tuple[Task, Outcome, float]] = {}
            now = time.time()
            for task, outcome in items:
                there = new.get(task.key) or self._kept.get(task.key)
                new[task.key] = (task, there[1].merged(outcome) if there else outcome, now)
            self._kept.update(new)

    def tasks(
        self,
        *,
        dataset: str | None = None,
        learner: str | None = None,
        design: str | None = None,
        before: float | None = None,
    ) -> list[Record]:
        """List what is here."""
        return in_order(
            Record(task, saved, sum(values.nbytes for values in outcome.responses.values()))
            for task, outcome, saved in list(self._kept.values())
            if dataset in (None, task.dataset)
            and learner in (None, task.learner)
            and design in (None, task.design)
            and (before is None or saved < before)
        )

    def forget(self, keys: Iterable[str]) -> int:
        """Remove tasks; return how many were here."""
        with self._lock:
            return sum(self._kept.pop(key, None) is not None for key in set(keys))

    def check(self) -> list[Problem]:
        """Return what is wrong: nothing, in memory."""
        return []

    def close(self) -> None:
        """Forget everything."""
        self._kept.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> Any:
        raise InputError(
            "A store in memory cannot be shared with another process.",
            "Use a file: store='runs.sqlite'.",
        )


def in_order(records: Iterable[Record]) -> list[Record]:
    """Sort records the way people look for them."""

    def place(one: Record) -> tuple[str, str, str, int, int, str]:
        task = one.task
        return task.dataset, task.learner, task.design, task.seed, task.run, task.key

    return sorted(records, key=place)


def open_store(where: str | Path | Store | None = None, *, create: bool = True) -> Store:
    """Open a store.

    Parameters
    ----------
    where : str, path, Store or None
        A file, the URL of a database, ":memory:", or a store that is already open. None means
        what the variable TWOFOLD_STORE says, else a file in the user's folder for caches.
    create : bool
        Whether a file that is not there yet is made.
    """
    if where is not None and not isinstance(where, str | Path):
        if isinstance(where, Store):
            return where
        raise InputError(
            f"A store cannot be opened from {type(where).__name__}.",
            "Pass a file, the URL of a database, or ':memory:'.",
        )
    place = str(where if where is not None else os.environ.get("TWOFOLD_STORE") or default_file())
    if not place.strip():
        raise InputError("The name of the store is empty.", "Name a file, such as runs.sqlite.")
    if place == ":memory:":
        return MemoryStore()

    from twofold.execution.store_sql import SqlStore, file_url

    if "://" in place:
        return SqlStore(place)
    file = Path(place).expanduser()
    if file.is_dir():
        raise InputError(f"{place!r} is a folder.", f"Name a file in it: {file / 'runs.sqlite'}.")
    if not create and not file.exists():
        raise InputError(
            f"There is no store at {place!r}.", "Stores are made by the first run; check the name."
        )
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The folder {str(file.parent)!r} cannot be made: {error.strerror}.",
            "Name another file: --store FILE, or set TWOFOLD_STORE.",
        ) from None
    return SqlStore(file_url(file))


def default_file() -> Path:
    """Return the file that is used where none is named."""
    home = Path.home()
    if os.environ.get("XDG_CACHE_HOME"):
        folder = Path(os.environ["XDG_CACHE_HOME"])
    elif sys.platform == "darwin":
        folder = home / "Library" / "Caches"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        folder = home / ".cache"
    return folder / "twofold" / "store.sqlite"


def in_batches(keys: Collection[str], size: int) -> Iterable[list[str]]:
    """Cut keys into batches that one statement can name."""
    listed = list(keys)
    return (listed[i : i + size] for i in range(0, len(listed), size))
