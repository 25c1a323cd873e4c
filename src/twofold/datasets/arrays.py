"""Data that is in Python already: arrays, frames, scikit-learn's bunches; and Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twofold.datasets.read_delimited import TARGET_WORDS
from twofold.datasets.table import DATES, Column, Table, sort_words, unusable_column
from twofold.errors import InputError
from twofold.tables import refuse_duplicates
from twofold.tables.cells import is_null
from twofold.tables.frames import is_frame, read_frame

# A sparse matrix is written out for learners that want all cells; this is 400 MB.
MOST_CELLS = 50_000_000


TRUTHS = ("False", "True")


def is_bunch(value: Any) -> bool:
    """Tell what scikit-learn's loaders return."""
    return isinstance(value, dict) and "data" in value and "target" in value


def read_parquet(path: Path) -> Table:
    """Read a Parquet file."""
    table = from_frame(read_frame(path), name=path.stem)
    # The rows came from a file, so there is nothing that the caller passed.
    return Table(path.stem, table.columns, target_words=TARGET_WORDS)


def from_frame(frame: Any, *, name: str) -> Table:
    """Take the columns of a pandas or polars frame."""
    refuse_duplicates(map(str, frame.columns))
    columns = tuple(_column(str(key), frame[key]) for key in frame.columns)
    return Table(name, columns, target_words=TARGET_WORDS, original=frame)


def from_bunch(bunch: Any, *, name: str) -> Table:
    """Take what scikit-learn's loaders return."""
    names = bunch.get("target_names")
    y = np.asarray(bunch["target"])
    # Of data sets with a number to predict, some list the target's own name there.
    if names is not None and y.dtype.kind in "iu" and len(set(y.tolist())) == len(names):
        y = np.asarray([str(label) for label in names], dtype=object)[y]
    features = [str(label) for label in bunch.get("feature_names", ())]
    return from_arrays(bunch["data"], y, name=name, names=features)


def from_arrays(X: Any, y: Any, *, name: str, names: Sequence[str] = ()) -> Table:
    """Take rows and a target."""
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(np.float64), np.nan)
    if is_frame(X):
        features = from_frame(X, name=name).columns
        rows = X.shape[0]
    else:
        features = _matrix_columns(X, names)
        rows = len(features[0].data) if features else 0
    label = getattr(y, "name", None)
    target = str(label) if label is not None else "target"
    values = _target_values(y)
    if len(values) != rows:
        raise InputError(
            f"X has {rows} rows but y has {len(values)} values.", "Pass one value of y per row."
        )
    taken = {column.name for column in features}
    if target in taken and label is not None:
        raise InputError(
            f"The target {target!r} is also a column of X.",
            "Leave it out of X; learners would only have to copy it.",
        )
    while target in taken:
        target += "_"
    return Table(
        name,
        (*features, _column(target, values)),
        target=target,
        target_words=TARGET_WORDS,
        chosen=True,
        original=X if not isinstance(X, list | tuple) else np.asarray(X),
    )


def _target_values(y: Any) -> Any:
    if hasattr(y, "to_numpy"):
        if getattr(y, "ndim", 1) == 1:
            return y
        y = y.to_numpy()
    try:
        values = np.asarray(y)
    except ValueError:
        values = np.empty((0, 0))
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise InputError(
            f"y must have one value per row, got an array of shape {values.shape}.",
            "Pick one target; several at once cannot be predicted here.",
        )
    return values


def _matrix_columns(X: Any, names: Sequence[str]) -> tuple[Column, ...]:
    if hasattr(X, "toarray"):
        if X.shape[0] * X.shape[1] > MOST_CELLS:
            raise InputError(
                f"A sparse matrix of {X.shape[0]} × {X.shape[1]} cells is too large.",
                "Choose fewer columns first.",
            )
        X = X.toarray()
    try:
        matrix = np.asarray(X)
    except ValueError:
        matrix = np.empty(0)
    if matrix.ndim != 2:
        raise InputError(
            f"X must have rows and columns, got shape {matrix.shape}.",
            "Pass a list of rows of one length, or X.reshape(-1, 1) for a single column.",
        )
    width = matrix.shape[1]
    labels = list(names) if len(names) == width else [f"x{i}" for i in range(1, width + 1)]
    return tuple(_column(labels[i], matrix[:, i]) for i in range(width))


def _column(name: str, series: Any) -> Column:
    """Turn a column of a frame, or a one-dimensional array, into numbers or indices of values."""
    if type(series).__module__.startswith("polars"):
        return _polars_column(name, series)
    dtype = getattr(series, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is not None:
        codes = np.asarray(series.cat.codes, dtype=np.float64)
        values = tuple(_word(value) for value in categories)
        return Column(name, np.where(codes < 0, np.nan, codes), values, declared=True)
    kind = getattr(dtype, "kind", "O")
    if kind in "mM":
        return unusable_column(name, len(series), DATES)
    if kind in "iuf":
        if hasattr(series, "to_numpy"):
            return Column(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
        return Column(name, np.asarray(series, dtype=np.float64))
    if kind == "c":
        return unusable_column(name, len(series), "holds complex numbers")
    if (
        kind == "b"
        and isinstance(series, np.ndarray)
        and 0 < np.count_nonzero(series) < len(series)
    ):
        return Column(name, series.astype(np.float64), TRUTHS)
    return _words_column(name, series.tolist() if hasattr(series, "tolist") else list(series))


def _polars_column(name: str, series: Any) -> Column:
    dtype = series.dtype
    if dtype.is_temporal():
        return unusable_column(name, len(series), DATES)
    if dtype.is_numeric():
        import polars

        return Column(name, series.cast(polars.Float64).fill_null(np.nan).to_numpy())
    cells = series.to_list()
    if str(dtype).startswith("Enum"):
        return _words_column(name, cells, values=tuple(dtype.categories.to_list()))
    return _words_column(name, cells)


def _words_column(name: str, cells: list[Any], *, values: tuple[str, ...] | None = None) -> Column:
    lookup: dict[Any, str | None] = {}
    try:
        for cell in set(cells):
            if hasattr(cell, "isoformat"):
                return unusable_column(name, len(cells), DATES)
            lookup[cell] = None if is_null(cell) else _word(cell)
    except TypeError:
        return unusable_column(name, len(cells), f"holds {type(cells[0]).__name__} values")
    words = [lookup[cell] for cell in cells]
    present = [word for word in lookup.values() if word is not None]
    real = [cell for cell, word in lookup.items() if word is not None]
    truths = any(isinstance(cell, bool | np.bool_) for cell in real)
    if real and not truths and all(isinstance(cell, int | float | np.number) for cell in real):
        # A column of objects that are numbers, as frames with missing values have them.
        return Column(name, np.array([np.nan if w is None else float(w) for w in words]))
    declared = values is not None
    values = sort_words(present) if values is None else values
    codes: dict[str | None, float] = {value: float(i) for i, value in enumerate(values)}
    codes[None] = np.nan
    return Column(name, np.array([codes[word] for word in words]), values, declared=declared)


def _word(value: Any) -> str:
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)
