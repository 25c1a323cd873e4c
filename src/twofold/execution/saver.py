"""Saving finished work in a thread of its own, so that it waits for nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Self

from twofold.errors import InputError, StoreUnavailable
from twofold.execution.store import MemoryArrays, MemoryStore, Records
from twofold.execution.store_waiting import keep_trying

GATHER = 0.05
"""Seconds for which finished work is gathered: short jobs share a transaction."""

MOST_UNSAVED = 256 * 2**20
"""Bytes of finished work held while the store cannot be written to; then the work waits for it."""


class Saver:
    """Writes what is finished to a store, a moment later if the store is free.

    Errors of the store are raised in the thread that adds, checks or closes, once.

    Parameters
    ----------
    records : Records
        Where to save.
    tell : function, optional
        Takes a line that says what is being waited for.
    saved : function, optional
        Takes the keys of what was saved.
    """

    def __init__(
        self,
        records: Records[Any, Any],
        tell: Callable[[str], object] | None = None,
        saved: Callable[[list[str]], object] | None = None,
    ) -> None:
        self._records = records
        self._tell = tell
        self._saved = saved
        self._at_once = isinstance(records, MemoryStore | MemoryArrays)
        self._changed = threading.Condition()
        self._unsaved: list[tuple[Any, Any]] = []
        self._size = 0  # bytes, also of what is being written
        self._closing = self._hurried = False
        self._error: BaseException | None = None
        self._thread: threading.Thread | None = None

    def add(self, label: Any, value: Any) -> None:
        """Save a value soon; wait where too much is unsaved already."""
        if self._at_once:
            self._records.put([(label, value)])
            return
        with self._changed:
            self._unsaved.append((label, value))
            self._size += _measure(value)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="saver", daemon=True)
                self._thread.start()
            elif len(self._unsaved) == 1:
                self._changed.notify_all()
            while self._size > MOST_UNSAVED and self._error is None:
                self._changed.wait(0.5)  # with a limit, so that Ctrl-C is heard everywhere
        self.check()

    def check(self) -> None:
        """Raise the error of the store, if there was one."""
        with self._changed:
            error, self._error = self._error, None
        if error is not None:
            raise error

    def close(self) -> None:
        """Save what is left, and wait for it."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(0.5)
        self.check()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._hurried = kind is not None
        self.close()

    def _run(self) -> None:
        while batch := self._gather():
            try:
                keep_trying(lambda: self._write(batch), tell=self._tell, pause=self._pause)
            except BaseException as error:
                with self._changed:
                    self._error = error
                    self._changed.notify_all()
                return
            with self._changed:
                self._size -= sum(_measure(value) for _, value in batch)
                self._changed.notify_all()

    def _write(self, batch: Sequence[tuple[Any, Any]]) -> None:
        try:
            self._records.put(batch)
        except StoreUnavailable as error:
            if not self._hurried:
                raise
            lost = len(batch) + len(self._unsaved)
            rule = f"{error.rule} Results that are not saved: {lost}."
            raise InputError(rule, error.remedy) from None
        if self._saved is not None:
            self._saved([label.key for label, _ in batch])

    def _pause(self, seconds: float) -> None:
        """Wait; not at all once someone wants the work to end."""
        with self._changed:
            self._changed.wait_for(lambda: self._hurried, seconds)

    def _gather(self) -> Sequence[tuple[Any, Any]]:
        """Return what to write next; nothing at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._unsaved or self._closing)
            self._changed.wait_for(lambda: self._closing, GATHER)
            batch, self._unsaved = self._unsaved, []
            return batch


def _measure(value: Any) -> int:
    """Return the bytes of an outcome, or of arrays by name."""
    arrays = getattr(value, "responses", value)
    return sum(array.nbytes for array in arrays.values())
