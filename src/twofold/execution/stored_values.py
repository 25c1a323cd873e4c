"""What a store has, unpacked when it is wanted, and checked before it is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import InputError
from twofold.execution.responses import MOST_OFF
from twofold.execution.task import Outcome

Value = TypeVar("Value")


class StoredValues(Mapping[str, Value]):
    """Values by key; damaged ones count as not here.

    Each is unpacked when it is wanted and not kept, because records that take few bytes may become
    many.
    """

    def __init__(self, packed: Mapping[str, Any], unpack: Callable[[Any, str], Value]) -> None:
        self._packed = packed
        self._unpack = unpack
        self._last: tuple[str, Value | None] = ("", None)

    def _read(self, key: str) -> Value | None:
        if key not in self._packed:
            return None
        if self._last[0] != key:
            self._last = (key, unpack_or_none(self._unpack, self._packed[key], key))
        return self._last[1]

    def __getitem__(self, key: str) -> Value:
        value = self._read(key)
        if value is None:
            raise KeyError(key)
        return value

    def __iter__(self) -> Iterator[str]:
        return (key for key in self._packed if self._read(key) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return next(iter(self), None) is not None


def unpack_or_none(unpack: Callable[[Any, str], Value], data: Any, key: str) -> Value | None:
    """Return what was packed, None where it is damaged."""
    try:
        return unpack(data, key)
    except InputError:
        return None


def fits_task(outcome: Outcome, sizes: NDArray[np.intp], dataset: Dataset) -> bool:
    """Tell whether an outcome can be of a task: its folds, its classes, finite numbers."""
    if not np.array_equal(outcome.sizes, sizes):
        return False
    classes = len(dataset.classes or ())
    return all(
        np.isfinite(values).all() and _fits_response(name, values, classes)
        for name, values in outcome.responses.items()
    )


def _fits_response(name: str, values: NDArray[Any], classes: int) -> bool:
    if name == "predict":
        codes = values.dtype.kind == "i" and ((values >= 0) & (values < classes)).all()
        return values.ndim == 1 and bool(codes or not classes)
    if name == "predict_proba":
        return (
            values.shape == (len(values), classes)
            and bool((values >= 0).all())
            and bool((abs(values.sum(axis=1) - 1) <= MOST_OFF).all())
        )
    columns = (classes, classes * (classes - 1) // 2) if classes else (1,)
    return values.ndim == 1 or (values.ndim == 2 and values.shape[1] in columns)
