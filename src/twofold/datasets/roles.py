"""Which column is predicted, and which say how rows belong together."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from twofold.datasets.table import Column, Table
from twofold.errors import InputError
from twofold.result import Note
from twofold.tables import list_names

FEW_CLASSES = 10
TRAINING, TESTING = {"train", "training", "learn"}, {"test", "testing"}


def column_named(table: Table, name: str, role: str) -> Column:
    """Return the column of that name, or say which one was probably meant."""
    for column in table.columns:
        if column.name == name:
            return column
    names = [column.name for column in table.columns]
    lowered = {one.lower(): one for one in names}
    close = difflib.get_close_matches(name.lower(), list(lowered), n=1)
    hint = f"Did you mean {lowered[close[0]]!r}?" if close else f"It has {list_names(names)}."
    raise InputError(f"`{table.name}` has no column {name!r} to take as {role}.", hint)


def find_target(table: Table, asked: str | None, aside: Sequence[str]) -> tuple[Column, list[Note]]:
    """Return the column to predict: asked for, marked by the source, known by name, or the last."""
    if asked is not None:
        if asked in aside:
            raise InputError(
                f"Column {asked!r} cannot be the target and be set aside as well.",
                "Leave it out of `groups`, `folds` and `drop`, or choose another target.",
            )
        return column_named(table, asked, "the target"), []
    if table.target is not None:
        if table.target in aside:
            raise InputError(
                f"Column {table.target!r} is the target and cannot be set aside.",
                "Pass `target` to choose another one.",
            )
        return column_named(table, table.target, "the target"), []
    left = [column for column in table.columns if column.name not in aside]
    if not left:
        raise InputError(f"`{table.name}` has no column left to predict.", "Drop fewer columns.")
    for word in table.target_words:
        for column in left:
            if column.name.lower() == word:
                return column, [_found(column.name, "found by its name")]
    return left[-1], [_found(left[-1].name, "the last column")]


def _found(name: str, how: str) -> Note:
    detail = f"The target is {name!r}, {how}. Pass `target` (--target) to choose another."
    return Note("target-found", "Target found", detail)


def as_classes(column: Column) -> tuple[NDArray[np.intp], tuple[str, ...], tuple[str, ...] | None]:
    """Return places among the classes that occur, their names, and all that were declared."""
    if column.values is None:
        found, codes = np.unique(column.data, return_inverse=True)
        names = tuple(str(int(one)) if one == int(one) else repr(float(one)) for one in found)
        return codes.astype(np.intp), names, None
    places = column.data.astype(np.intp)
    occurring, codes = np.unique(places, return_inverse=True)
    names = tuple(column.values[i] for i in occurring)
    return codes.astype(np.intp), names, column.values if column.declared else None


def find_task(column: Column, asked: str | None) -> tuple[str, list[Note]]:
    """Tell classes from numbers: words are classes, and so are a few whole numbers."""
    if asked not in (None, "classification", "regression"):
        close = difflib.get_close_matches(str(asked), ("classification", "regression"), n=1)
        raise InputError(
            f"`task` must be 'classification' or 'regression', got {asked!r}.",
            f"Did you mean {close[0]!r}?" if close else "Leave it out to have it recognised.",
        )
    if column.values is not None:
        if asked == "regression":
            raise InputError(
                f"The target {column.name!r} holds words, so that no number can be predicted.",
                "Leave out task='regression', or choose a target of numbers.",
            )
        return "classification", []
    if asked is not None:
        return asked, []
    distinct = np.unique(column.data)
    whole = bool(np.all(distinct == np.floor(distinct)))
    if whole and len(distinct) <= FEW_CLASSES:
        detail = (
            f"{column.name!r} has {len(distinct)} distinct whole numbers; they were taken as "
            "classes. Pass task='regression' (--task regression) to predict the number."
        )
        return "classification", [Note("task-found", "Numbers taken as classes", detail)]
    kind = "whole numbers" if whole else "numbers"
    detail = (
        f"{column.name!r} has {len(distinct)} distinct {kind}; the number is predicted. "
        "Pass task='classification' (--task classification) to take them as classes."
    )
    return "regression", [Note("task-found", "A number is predicted", detail)]


def codes_of(column: Column, role: str) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return groups or folds as places 0, 1, … in the order of their names or numbers."""
    missing = int(np.isnan(column.data).sum())
    if missing:
        raise InputError(
            f"Column {column.name!r} of {role} is missing in {missing} rows.",
            f"Fill it in; every row needs one of the {role}.",
        )
    codes, names, _ = as_classes(column)
    return codes, names


def folds_of(column: Column) -> NDArray[np.intp]:
    """Return the fold of each row; −1 for training rows where the column says train and test."""
    codes, names = codes_of(column, "folds")
    if len(names) < 2:
        raise InputError(
            f"Column {column.name!r} puts all rows into one fold.", "Give it two folds or more."
        )
    lowered = [name.strip().lower() for name in names]
    if len(names) == 2 and set(lowered) & TRAINING and set(lowered) & TESTING:
        testing = next(i for i, name in enumerate(lowered) if name in TESTING)
        return np.where(codes == testing, 0, -1).astype(np.intp)
    return codes
