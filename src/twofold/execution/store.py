"""Where finished work is kept, so that it is never done twice.

A store has two kinds of records: outcomes of tasks, and arrays that are parts of studies and
reproductions (`Store.arrays`). There is no way to write a failure into one.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeVar, runtime_checkable

from twofold.errors import InputError
from twofold.execution.packing import Arrays
from twofold.execution.task import Outcome, Task

if TYPE_CHECKING:
    from twofold.execution.claims import Claims


@dataclass(frozen=True, slots=True)
class Record:
    """A finished task, when it was saved (seconds since 1970) and how many bytes it takes."""

    task: Task
    saved: float
    size: int


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a study or a reproduction.

    Attributes
    ----------
    key : str
        A digest (`twofold.execution.task.digest`) of everything that decides the arrays.
    kind : str
        "study" or "reproduction"; "findings" or "result" for whole answers (`kept_answers`).
    name : str
        What people call the whole; not part of the key.
    """

    key: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class PartRecord:
    """A finished part, when it was saved (seconds since 1970) and how many bytes it takes."""

    part: Part
    saved: float
    size: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a store; ``key`` is that of the record, where one is concerned."""

    words: str
    key: str | None = None


Label = TypeVar("Label", contravariant=True)
Value = TypeVar("Value")
Item = TypeVar("Item")


class Records(Protocol[Label, Value]):
    """Records by key: a store holds outcomes of tasks, `Store.arrays` arrays of parts."""

    def get(self, keys: Sequence[str]) -> Mapping[str, Value]:
        """Return the values that are here. Damaged ones count as not here."""

    def put(self, items: Sequence[tuple[Label, Value]]) -> None:
        """Save values, all or none. Twice is no harm."""

    def open_claims(self) -> Claims | None:
        """Return what processes share their work by; None where there is nobody to share with."""


class ArrayRecords(Records[Part, Arrays], Protocol):
    """Arrays by key."""

    def parts(self) -> list[PartRecord]:
        """List what is here, by kind and name."""


@runtime_checkable
class Store(Protocol):
    """What every store can do."""

    @property
    def arrays(self) -> ArrayRecords:
        """Parts of studies and reproductions."""

    def get(self, keys: Sequence[str]) -> Mapping[str, Outcome]:
        """Return the outcomes that are here. Damaged ones count as not here."""

    def put(self, items: Sequence[tuple[Task, Outcome]]) -> None:
        """Save outcomes, all or none. Twice is no harm; more responses are added."""

    def open_claims(self) -> Claims | None:
        """Return what processes share their work by; None where there is nobody to share with."""

    def tasks(self) -> list[Record]:
        """List what is here, by data set, learner, design, seed and run."""

    def forget(self, keys: Iterable[str]) -> int:
        """Remove tasks and parts; return how many were here."""

    def check(self) -> list[Problem]:
        """Look at every record, and return what is wrong."""

    def close(self) -> None:
        """Let go of files and connections."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class MemoryArrays:
    """Arrays by key, as long as the process lives."""

    def __init__(self) -> None:
        self.items: dict[str, tuple[PartRecord, Arrays]] = {}

    def get(self, keys: Sequence[str]) -> dict[str, Arrays]:
        """Return the arrays that are here."""
        return {key: self.items[key][1] for key in keys if key in self.items}

    def put(self, items: Sequence[tuple[Part, Arrays]]) -> None:
        """Save arrays."""
        for part, arrays in items:
            size = sum(array.nbytes for array in arrays.values())
            self.items[part.key] = (PartRecord(part, time.time(), size), arrays)

    def open_claims(self) -> None:
        """There is nobody to share with."""

    def parts(self) -> list[PartRecord]:
        """List what is here."""
        return sort_parts(record for record, _ in list(self.items.values()))


class MemoryStore:
    """A store that lives as long as the process."""

    def __init__(self) -> None:
        self.arrays = MemoryArrays()
        self._outcomes: dict[str, tuple[Task, Outcome, float]] = {}
        self._lock = threading.Lock()

    def get(self, keys: Sequence[str]) -> dict[str, Outcome]:
        """Return the outcomes that are here."""
        return {key: self._outcomes[key][1] for key in keys if key in self._outcomes}

    def put(self, items: Sequence[tuple[Task, Outcome]]) -> None:
        """Save outcomes, all or none."""
        with self._lock:
            new: dict[str, tuple[Task, Outcome, float]] = {}
            now = time.time()
            for task, outcome in items:
                if task.key in new:
                    outcome = new[task.key][1].merge(outcome)
                elif task.key in self._outcomes:
                    outcome = self._outcomes[task.key][1].replace(outcome)
                new[task.key] = (task, outcome, now)
            self._outcomes.update(new)

    def open_claims(self) -> None:
        """There is nobody to share with."""

    def tasks(self) -> list[Record]:
        """List what is here."""
        return sort_records(
            Record(task, saved, sum(values.nbytes for values in outcome.responses.values()))
            for task, outcome, saved in list(self._outcomes.values())
        )

    def forget(self, keys: Iterable[str]) -> int:
        """Remove tasks and parts; return how many were here."""
        with self._lock:
            return sum(
                self._outcomes.pop(key, None) is not None
                or self.arrays.items.pop(key, None) is not None
                for key in set(keys)
            )

    def check(self) -> list[Problem]:
        """Return what is wrong: nothing, in memory."""
        return []

    def close(self) -> None:
        """Forget everything."""
        self._outcomes.clear()
        self.arrays.items.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> Any:
        raise InputError(
            "A store in memory cannot be shared with another process.",
            "Use a file: `store='runs.sqlite'`.",
        )


class NoRecords:
    """What keeps nothing, and has nothing: labels need no keys, and may be None."""

    def get(self, keys: Sequence[str]) -> dict[str, Any]:
        """Return nothing."""
        return {}

    def put(self, items: Sequence[tuple[Any, Any]]) -> None:
        """Keep nothing."""

    def open_claims(self) -> None:
        """There is nobody to share with."""


def sort_records(records: Iterable[Record]) -> list[Record]:
    """Sort records the way people look for them."""

    def key(record: Record) -> tuple[str, str, str, int, int, str]:
        task = record.task
        return task.dataset, task.learner, task.design, task.seed, task.run, task.key

    return sorted(records, key=key)


def sort_parts(records: Iterable[PartRecord]) -> list[PartRecord]:
    """Sort parts by kind, name and key."""
    return sorted(records, key=lambda record: (record.part.kind, record.part.name, record.part.key))


def open_store(
    where: str | Path | Store | None = None,
    *,
    create: bool = True,
    patience: float | None = None,
) -> Store:
    """Open a store.

    Parameters
    ----------
    where : str, path, Store or None
        A file, the URL of a database, ":memory:", or a store that is already open. None means
        what the variable TWOFOLD_STORE says, else a file in the user's folder for caches.
    create : bool
        Whether a file that is not there yet is made.
    patience : float, optional
        Seconds to wait for a store that is locked or whose server is starting; by default what
        the variable TWOFOLD_STORE_WAIT says, else ten minutes.

    Examples
    --------
    >>> store = open_store(":memory:")  # nothing is written
    >>> scores = twofold.run(["nb", "c45"], "iris", store=store)  # doctest: +SKIP
    """
    if where is not None and not isinstance(where, str | Path):
        if isinstance(where, Store):
            return where
        raise InputError(
            f"A store cannot be opened from {type(where).__name__}.",
            "Pass a file, the URL of a database, or ':memory:'.",
        )
    path = str(where if where is not None else os.environ.get("TWOFOLD_STORE") or default_file())
    if not path.strip() or "\0" in path:
        raise InputError(f"{path!r} is no name of a store.", "Name a file, such as runs.sqlite.")
    if path == ":memory:":
        return MemoryStore()

    from twofold.execution.store_sql import SqlStore, file_url

    if "://" in path:
        return SqlStore(path, patience=patience)
    file = Path(os.path.expanduser(path))
    if os.path.isdir(file):
        raise InputError(
            f"{path!r} is a folder; a store is a file or the URL of a database.",
            f"Name a file in it: {file / 'runs.sqlite'}. Files of studies (.npz), kept there by "
            "older versions, are not used any more.",
        )
    if not create and not os.path.exists(file):
        raise InputError(
            f"There is no store at {path!r}.", "Stores are made by the first run; check the name."
        )
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"The folder {str(file.parent)!r} cannot be made: {error.strerror}.",
            "Name another file: `store=FILE`, or TWOFOLD_STORE=FILE; :memory: keeps nothing.",
        ) from None
    return SqlStore(file_url(file), patience=patience)


def default_file() -> Path:
    """Return the file that is used where none is named."""
    home = Path(os.path.expanduser("~"))
    if os.environ.get("XDG_CACHE_HOME"):
        folder = Path(os.environ["XDG_CACHE_HOME"])
    elif sys.platform == "darwin":
        folder = home / "Library" / "Caches"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    else:
        folder = home / ".cache"
    if str(folder).startswith("~"):
        raise InputError(
            "There is no folder for the store: nobody says where home is.",
            "Set HOME, or name a file: `store=FILE`, or TWOFOLD_STORE=FILE.",
        )
    return folder / "twofold" / "store.sqlite"


def split_batches(items: Sequence[Item], size: int) -> Iterable[Sequence[Item]]:
    """Cut items into batches that are handled together."""
    return (items[i : i + size] for i in range(0, len(items), size))
