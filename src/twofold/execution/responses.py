"""What a fitted learner predicts, checked before it is believed: anything may come back."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import first_line

MOST_OFF = 0.01
"""How far a sum of probabilities may be from one: half precision is off by a thousandth."""


def read_responses(
    fitted: Any, rows: Any, dataset: Dataset, requested: Sequence[tuple[str, ...]]
) -> dict[str, Any]:
    """Return the requested responses of a fitted learner, and always its predictions."""
    count = len(dataset.classes or ())
    expected = f"classes are 0 to {count - 1}" if count else "numbers are expected"
    predicted = _read_numbers(fitted.predict(rows), rows, expected)
    if predicted.ndim == 2 and predicted.shape[1] == 1:
        predicted = predicted[:, 0]
    if predicted.ndim != 1:
        raise ValueError(f"it predicted an array of {predicted.ndim} dimensions")
    if dataset.classification:
        predicted = _read_codes(predicted, count, expected)
    responses = {"predict": predicted}
    for names in requested:
        if any(name in responses for name in names):
            continue
        name = next((name for name in names if hasattr(fitted, name)), None)
        if name is None and len(requested) > 1:
            continue  # other metrics may do without
        if name is None:
            raise AttributeError(explain_missing(names))
        values = _read_numbers(getattr(fitted, name)(rows), rows, "numbers are expected")
        responses[name] = _order_columns(values, fitted, count, name) if count else values
    return responses


def explain_missing(names: Sequence[str]) -> str:
    """Say which method a metric needs of a learner that does not have it."""
    return f"the metric needs {' or '.join(names)}, which it does not have"


def _read_numbers(values: Any, rows: Any, expected: str) -> NDArray[Any]:
    """Return an array of real and finite numbers with an entry for each row, or refuse."""
    if hasattr(values, "toarray"):
        raise TypeError("it predicted a sparse matrix")
    if isinstance(values, np.ma.MaskedArray) and np.ma.getmaskarray(values).any():
        raise ValueError("it predicted values that are masked")
    array = np.asarray(values)
    count = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    if array.ndim == 0:
        raise TypeError(f"it predicted {_write(values)} for {count} rows together")
    if len(array) != count:
        raise ValueError(f"it gave {len(array)} answers for {count} rows")
    if array.dtype.kind not in "biuf":
        bad = [v for v in array.ravel().tolist() if not isinstance(v, Real | np.bool_)]
        if bad:
            raise TypeError(f"it predicted {_write(bad[0])}, where {expected}")
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        array = array.astype(np.float64)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise ValueError("it predicted values that are not finite")
    return array


def _read_codes(values: NDArray[Any], count: int, expected: str) -> NDArray[np.intp]:
    """Return predicted classes as whole numbers; refuse what is not the code of a class."""
    bad = values[~np.isin(values, np.arange(count))]
    if len(bad):
        raise ValueError(f"it predicted {_write(bad[0].item())}, where {expected}")
    return values.astype(np.intp)


def _order_columns(values: NDArray[Any], fitted: Any, count: int, name: str) -> NDArray[Any]:
    """Return columns in the order of the classes, also of those the training rows did not have."""
    classes = _read_numbers(
        present := getattr(fitted, "classes_", np.arange(count)), present, "classes are numbers"
    )
    codes = _read_codes(classes.ravel(), count, f"classes are 0 to {count - 1}")
    if len(np.unique(codes)) < len(codes):
        raise ValueError("its `classes_` has a class twice")
    if name != "predict_proba":
        if len(codes) < count:
            raise ValueError("a class is missing from its training rows")
        if (np.diff(codes) < 0).any():
            raise ValueError("its `classes_` is not in order")
        return values
    if values.shape != (len(values), len(codes)):
        shape = " × ".join(str(size) for size in values.shape)
        raise ValueError(f"its probabilities are {shape}, for {len(codes)} classes")
    if (values < 0).any() or (abs(values.sum(axis=1) - 1) > MOST_OFF).any():
        raise ValueError("its probabilities are negative or do not add up to 1")
    if len(codes) == count and (np.diff(codes) > 0).all():
        return values
    wide = np.zeros((len(values), count))
    wide[:, codes] = values
    return wide


def _write(value: Any) -> str:
    """Return a value in a line of text, or its type where it has no text."""
    try:
        return first_line(repr(value))
    except Exception:
        return f"a {type(value).__name__}"
