"""Frames of pandas and polars, tables of Arrow, and arrays of numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.scores.crossed_metrics import find_titled_metric
from twofold.scores.metrics import direction
from twofold.scores.name_hints import ROLES, plain
from twofold.tables import RawTable, refuse_duplicates


def is_frame(table: Any) -> bool:
    """Tell whether this is a frame of some library."""
    return hasattr(table, "to_pydict") or (
        hasattr(table, "columns") and hasattr(table, "__getitem__")
    )


def is_series(table: Any) -> bool:
    """Tell whether this is a pandas series."""
    return hasattr(table, "index") and hasattr(table, "unstack") and not hasattr(table, "columns")


def from_series(series: Any) -> RawTable:
    """Return the table of a series whose index has named levels, as groupby gives it."""
    if series.index.nlevels < 2 or None in series.index.names:
        raise InputError(
            "A series of scores needs an index with names, for instance dataset and learner.",
            "Pass a frame with a column per learner, or series.rename_axis([...]).",
        )
    name = series.name if series.name is not None else "value"
    return from_frame(series.rename(name).reset_index())


def from_frame(frame: Any, *, metric: str | None = None) -> RawTable:
    """Return the columns of a frame, the index among them where it says something."""
    if hasattr(frame, "to_pydict"):
        return RawTable({str(k): v for k, v in frame.to_pydict().items()})
    named = ""
    if getattr(frame, "columns", None) is not None and hasattr(frame, "index"):
        named = _find_metric(frame.columns)
        frame = _flat(frame, metric)
    names = [str(name).strip() for name in frame.columns]
    refuse_duplicates(names)
    for i, name in enumerate(names):
        if i and plain(name).startswith("unnamed "):
            column = frame[frame.columns[i]]
            if hasattr(column, "isna") and column.isna().all():
                continue
            raise InputError(
                f"Column {i + 1} has no name ({name!r}).",
                "Name every column in the first row; cells of a header must not be merged.",
            )
    columns = [
        (name, column)
        for name, column in zip(names, frame.columns, strict=True)
        if not (name != names[0] and plain(name).startswith("unnamed "))
    ]
    counted = list(frame.columns) == list(range(len(names)))  # as a frame of an array has them
    return RawTable(
        {name: _cells(frame[column]) for name, column in columns},
        counted=counted,
        metric=named,
        metric_from="the name of the frame's columns" if named else "",
    )


def _cells(column: Any) -> list[Any]:
    return column.to_list() if hasattr(column, "to_list") else list(column)


def _find_metric(columns: Any) -> str:
    """Return the metric that names a frame's columns, or is all that one of their levels holds."""
    levels = [columns.get_level_values(i) for i in range(getattr(columns, "nlevels", 1))]
    titles = [name for level in levels for name in ([level.name] if level.name is not None else [])]
    if len(levels) > 1:
        titles += [level[0] for level in levels if level.nunique() == 1]
    return next((metric for title in titles if (metric := find_titled_metric(str(title)))), "")


def _flat(frame: Any, metric: str | None) -> Any:
    """Return a pandas frame with plain columns; an index that names the rows becomes one."""
    if getattr(frame.columns, "nlevels", 1) > 1:
        frame = _reduce_levels(frame, metric)
    index = frame.index
    if index.nlevels > 1:
        if None in index.names:
            raise InputError(
                "The levels of the frame's index have no names.",
                "Name them: frame.rename_axis(index=['dataset', 'fold']).",
            )
        return frame.reset_index()
    across = plain(frame.columns.name) if frame.columns.name is not None else ""
    if index.name is not None and index.name not in list(frame.columns):
        return frame.rename_axis(columns=None).reset_index()
    if str(index.dtype) not in ("object", "str", "string", "category"):
        return frame
    if index.name is not None:
        return frame
    # Without a name the columns' own name may tell what stands in the rows.
    name = "learner" if across in ROLES["dataset"] else "dataset"
    if name in frame.columns or (name == "dataset" and "learner" in frame.columns):
        return frame
    return frame.rename_axis(columns=None).rename_axis(index=name).reset_index()


def list_metric_level(frame: Any) -> list[str]:
    """Return the metrics that a level of a frame's columns names; none where there is no such."""
    columns = getattr(frame, "columns", None)
    if getattr(columns, "nlevels", 1) < 2:
        return []
    for level in range(columns.nlevels):  # type: ignore[union-attr]
        values = [str(value) for value in columns.get_level_values(level).unique()]  # type: ignore[union-attr]
        if len(values) > 1 and all(direction(value) is not None for value in values):
            return values
    return []


def _reduce_levels(frame: Any, metric: str | None) -> Any:
    """Reduce columns of several levels to the one that names learners."""
    levels = range(frame.columns.nlevels)
    for level in levels:
        values = [str(value) for value in frame.columns.get_level_values(level).unique()]
        if len(values) == 1:
            return _plain_level(frame.droplevel(level, axis=1), metric)
        if metric is not None and metric in values:
            return _plain_level(frame.xs(metric, axis=1, level=level), metric)
        if "mean" in values and set(values) <= {"mean", "std", "sem", "count", "var", "median"}:
            return _plain_level(frame.xs("mean", axis=1, level=level), metric)
    first = [str(value) for value in frame.columns.get_level_values(0).unique()] or ["…"]
    raise InputError(
        f"The frame's columns have {len(levels)} levels; only one can name the learners.",
        f"Choose a metric, for instance `metric={first[0]!r}`, or pass frame[{first[0]!r}].",
    )


def _plain_level(frame: Any, metric: str | None) -> Any:
    return _reduce_levels(frame, metric) if frame.columns.nlevels > 1 else frame


def from_array(array: Any) -> RawTable:
    """Return the columns of an array of numbers, or of one whose fields have names."""
    if array.dtype.names:
        return RawTable({name: array[name].tolist() for name in array.dtype.names})
    if array.ndim != 2:
        raise InputError(
            f"An array of scores must have two axes, data sets and learners, got {array.ndim}.",
            "Use a long table for runs and folds.",
        )
    if array.dtype.kind not in "iuf":
        try:
            if array.dtype.kind == "c":
                raise TypeError
            array = np.asarray(array, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                "Rows of an array must hold numbers only, as many in each row.",
                "Use a dict of columns or a frame for names.",
            ) from None
    return RawTable({f"learner {j + 1}": array[:, j].tolist() for j in range(array.shape[1])})
