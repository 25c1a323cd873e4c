"""Checks shared by the tests: everything that raises, before any arithmetic."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from twofold.errors import InputError, suggest
from twofold.result import Alternative
from twofold.stats.blocks import work_in_blocks

Floats = NDArray[np.float64]
ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""Scores that differ by less than this share of their size are the same but for rounding."""
LARGEST = 1e150
"""Squares of larger numbers overflow."""


def floats(name: str, value: ArrayLike, *, axes: int = 0, finite: bool = True) -> Floats:
    """Return ``value`` as an array of 64-bit floats with at least ``axes`` axes."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise InputError(f"`{name}` must not have masked values.", "Remove or fill them first.")
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            if array.dtype.kind in "SUOM" or array.dtype.kind == "c":
                raise TypeError
            raise ValueError
        coarse = {2: 3, 4: 7}.get(array.dtype.itemsize) if array.dtype.kind == "f" else None
        array = array.astype(np.float64, copy=False)
        if coarse is not None:
            array = _as_written(array, coarse)
    except (TypeError, ValueError):
        raise InputError(
            f"`{name}` must be an array of numbers of one shape.",
            "Look for text, missing values written as text, or rows of unequal length.",
        ) from None
    if array.size == 0:
        raise InputError(f"`{name}` must not be empty.", "Pass at least one value.")
    if array.ndim < axes:
        raise InputError(
            f"`{name}` must have at least {axes} axes, got {array.ndim}.",
            "A single sample is an array of one axis; a table or runs × folds has two.",
        )
    if finite:
        largest = np.abs(array).max()
        if not largest <= LARGEST:
            raise not_finite(name, array)
    return array


def _as_written(array: Floats, digits: int) -> Floats:
    """Round numbers from a coarser type to its digits: 0.81 in 32 bits means 0.81."""
    with np.errstate(divide="ignore", invalid="ignore"):
        decimals = digits - 1 - np.floor(np.log10(np.abs(array)))
        unit = 10.0 ** np.where(np.isfinite(decimals), decimals, 0.0)
        return np.rint(array * unit) / unit


def not_finite(name: str, array: Floats) -> InputError:
    """Describe how many values are missing or infinite."""
    missing = int(np.isnan(array).sum())
    infinite = int(np.isinf(array).sum())
    if not missing and not infinite:
        return InputError(
            f"`{name}` must not exceed {LARGEST:g} in size.", "Measure it in a larger unit."
        )
    return InputError(
        f"`{name}` must be finite; {missing} of {array.size} values are NaN, {infinite} infinite.",
        "Remove or fill these cells first; `skillings_mack` accepts missing cells.",
    )


def differences(a: ArrayLike, b: ArrayLike | None, *, axes: int, finite: bool = True) -> Floats:
    """Return A − B, or ``a`` itself where it holds differences already."""
    first = floats("a", a, axes=axes, finite=finite)
    if b is None:
        return first
    second = floats("b", b, axes=axes, finite=finite)
    if first.shape != second.shape:
        raise InputError(
            f"`a` and `b` must have the same shape, got {first.shape} and {second.shape}.",
            "Both learners must be scored on the same data sets or splits, in the same order.",
        )
    rest = np.empty(first.shape)
    flat, left, right = rest.reshape(-1), first.reshape(-1), second.reshape(-1)

    def work(part: slice) -> None:
        with np.errstate(all="ignore"):
            np.subtract(left[part], right[part], out=flat[part])
            # 0.3 and 0.1 + 0.2 are the same score.
            size = np.maximum(np.abs(left[part]), np.abs(right[part]))
            flat[part][np.abs(flat[part]) < ROUNDING * size] = 0.0

    work_in_blocks(flat.size, 1, work)
    return rest


def index_clusters(
    clusters: ArrayLike, n: int, name: str = "clusters", one: str = "cluster", unit: str = "item"
) -> NDArray[np.intp]:
    """Return the number of each item's cluster, counted from zero in the order of their names."""
    names = np.asarray(clusters)
    if names.shape != (n,):
        raise InputError(
            f"`{name}` must name the {one} of each of {n} {unit}s, got {names.shape}.",
            f"Pass one number or name for each {unit}.",
        )
    return np.unique(names, return_inverse=True)[1].astype(np.intp)


def check_size(name: str, size: int, smallest: int, unit: str) -> None:
    """Refuse samples that are too small for the test to be defined."""
    if size < smallest:
        raise InputError(
            f"`{name}` must have at least {smallest} {unit}, got {size}.",
            f"Add {unit}, or choose a test that needs fewer.",
        )


def check_choice(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not among the choices."""
    if not isinstance(value, str) or value not in allowed:
        raise InputError(
            f"`{name}` must be one of {', '.join(allowed)}, got {value!r}.",
            suggest(value, allowed, f"Pass for instance {allowed[0]!r}.", 0.6),
        )


def check_alternative(value: str) -> Alternative:
    """Return a valid alternative."""
    check_choice("alternative", value, ("two-sided", "less", "greater"))
    return cast(Alternative, value)


def check_direction(higher_is_better: bool) -> bool:
    """Refuse what is neither True nor False: a metric must not be turned round silently."""
    if not isinstance(higher_is_better, bool | np.bool_):
        raise InputError(
            f"`higher_is_better` must be True or False, got {higher_is_better!r}.",
            "Accuracy and AUC: True. Error and loss: False.",
        )
    return bool(higher_is_better)


def probability(name: str, value: float, example: float) -> float:
    """Return a number strictly between 0 and 1."""
    if not _is_number(value) or not 0 < value < 1:
        guess = value / 100 if _is_number(value) and 1 < value < 100 else example
        raise InputError(
            f"`{name}` must lie between 0 and 1, got {value!r}.", f"Did you mean {guess:g}?"
        )
    return float(value)


def positive(name: str, value: float, remedy: str, *, zero: bool = False) -> float:
    """Return a finite number above zero (or, with ``zero``, not below it)."""
    if not _is_number(value) or not np.isfinite(value) or value < 0 or (value == 0 and not zero):
        rule = "zero or larger" if zero else "larger than zero"
        raise InputError(f"`{name}` must be {rule}, got {value!r}.", remedy)
    return float(value)


def whole(name: str, value: Any, smallest: int) -> int:
    """Return a whole number that is at least ``smallest``."""
    if not _is_number(value) or not smallest <= value <= 10**9 or value != int(value):
        raise InputError(
            f"`{name}` must be a whole number from {smallest} up to a billion, got {value!r}.",
            f"Pass for instance {max(smallest, 10)}.",
        )
    return int(value)


def column(name: str, value: Any, k: int) -> int:
    """Return a column of a table with ``k`` columns, counted from zero."""
    index = whole(name, value, 0)
    if index >= k:
        raise InputError(
            f"`{name}` must be a column from 0 to {k - 1}, got {value}.",
            "Columns are counted from zero.",
        )
    return index


def broadcast_counts(*arrays: Floats) -> list[Floats]:
    """Return counts broadcast against each other."""
    try:
        return list(np.broadcast_arrays(*arrays))
    except ValueError:
        shapes = " and ".join(str(array.shape) for array in arrays)
        raise InputError(
            f"Counts must have matching shapes, got {shapes}.",
            "Pass one count of each kind for every comparison.",
        ) from None


def counts(name: str, value: ArrayLike) -> Floats:
    """Return whole numbers, zero or larger, as floats."""
    array = floats(name, value)
    if (array < 0).any() or (array != np.floor(array)).any():
        raise InputError(
            f"`{name}` must hold counts: whole numbers, zero or larger.",
            "Pass how many examples there are, not a share of them.",
        )
    return array


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
