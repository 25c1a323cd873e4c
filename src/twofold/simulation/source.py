"""The protocol of sources, from which data sets are drawn."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute, Dataset
from twofold.errors import InputError

Drawn = tuple[NDArray[Any], NDArray[Any]]


@runtime_checkable
class Source(Protocol):
    """Something that data sets are drawn from.

    A subclass defines its name, its columns and `draw_many`.
    """

    @property
    def name(self) -> str:
        """The text that `read_source` turns into this source again."""
        ...

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The columns that learners may use."""
        ...

    @property
    def classes(self) -> tuple[str, ...]:
        """All classes there are, whether a data set holds them or not."""
        ...

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return ``count`` data sets at once: X (count, rows, attributes) and y (count, rows).

        Classes and nominal values are indices into ``classes`` and the attribute's values.
        """
        ...

    @property
    def bayes_accuracy(self) -> float | None:
        """The accuracy that no classifier can exceed; None where it is not known."""
        return None

    def draw(self, rows: int, rng: np.random.Generator) -> Dataset:
        """Return one data set of so many rows."""
        X, y = self.draw_many(1, rows, rng)
        return as_dataset(self, X[0], y[0])


class TwoClasses(Source, Protocol):
    """A source whose classes are zero and one."""

    @property
    def classes(self) -> tuple[str, ...]:
        """Zero and one."""
        return ("0", "1")


def as_dataset(source: Source, X: NDArray[Any], y: NDArray[Any]) -> Dataset:
    """Make a data set of drawn rows; its classes are those that occur, as in one read from a file.

    `declared_classes` holds all of them. Where two data sets of one source are used together, as
    for training and for testing, compare ``labels``, or use `draw_many`, whose codes stay.
    """
    classes = source.classes
    there = np.bincount(y, minlength=len(classes)) > 0
    if not there.all():
        y = (np.cumsum(there) - 1)[y]
        classes = tuple(name for name, occurs in zip(classes, there, strict=True) if occurs)
    return Dataset(
        name=source.name,
        attributes=source.attributes,
        X=X.astype(np.float64, copy=False),
        y=y.astype(np.intp, copy=False),
        classes=classes,
        target="class",
        declared_classes=source.classes,
    )


def check_size(count: int, rows: int) -> None:
    """Refuse numbers of data sets and rows that cannot be drawn."""
    for word, value in (("data sets", count), ("rows", rows)):
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
        if not whole or value < 1:
            raise InputError(
                f"The number of {word} must be a whole number, 1 or larger, got {value!r}.",
                "Pass for instance draw(300, rng).",
            )


def check_number(name: str, value: Any, *, lowest: float = 0.0, highest: float = 1.0) -> float:
    """Return a number within its bounds, or refuse it."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not lowest <= number <= highest:
        raise InputError(
            f"`{name}` must be a number from {lowest:g} to {highest:g}, got {value!r}.",
            f"Write for instance {name}={(lowest + highest) / 2:g}.",
        )
    return number


def check_whole(name: str, value: Any, *, lowest: int = 0, highest: int | None = None) -> int:
    """Return a whole number within its bounds, or refuse it."""
    try:
        number = int(value)
        good = number == float(value) and not isinstance(value, bool)
    except (TypeError, ValueError, OverflowError):
        number, good = 0, False
    if not good or number < lowest or (highest is not None and number > highest):
        bounds = f"{lowest} or larger" if highest is None else f"from {lowest} to {highest}"
        raise InputError(
            f"`{name}` must be a whole number, {bounds}, got {value!r}.",
            f"Write for instance {name}={max(lowest, 1)}.",
        )
    return number


def as_written(number: float) -> str:
    """Return the shortest text that is read back as the same number.

    >>> as_written(0.1), as_written(1.0)
    ('0.1', '1')
    """
    return repr(float(number)).removesuffix(".0")


def binary_attributes(count: int) -> tuple[Attribute, ...]:
    """Return columns x1, x2 … of zeros and ones."""
    return tuple(Attribute(f"x{number}", ("0", "1")) for number in range(1, count + 1))
