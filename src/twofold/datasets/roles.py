"""Which column is predicted, and which say how rows belong together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from twofold.datasets.table import Column, Table
from twofold.errors import InputError, suggest
from twofold.result import Note
from twofold.tables import list_names

FEW_CLASSES = 10
TRAINING, TESTING = {"train", "training", "learn"}, {"test", "testing"}


def find_column(table: Table, name: str, role: str) -> Column:
    """Return the column of that name, or say which one was probably meant."""
    for column in table.columns:
        if column.name == name:
            return column
    names = [column.name for column in table.columns]
    hint = suggest(name, names, f"It has {list_names(names)}.")
    raise InputError(f"`{table.name}` has no column {name!r} to take as {role}.", hint)


def find_target(
    table: Table, requested: str | None, aside: Sequence[str]
) -> tuple[Column, list[Note]]:
    """Return the column to predict: requested, marked by the source, known by name, or the last."""
    if requested is not None:
        if requested in aside:
            raise InputError(
                f"Column {requested!r} cannot be the target and be set aside as well.",
                "Leave it out of `groups`, `folds` and `drop`, or choose another target.",
            )
        return find_column(table, requested, "the target"), []
    if table.target is not None:
        if table.target in aside:
            raise InputError(
                f"Column {table.target!r} is the target and cannot be set aside.",
                "Pass `target` to choose another one.",
            )
        return find_column(table, table.target, "the target"), []
    left = [column for column in table.columns if column.name not in aside]
    if not left:
        raise InputError(f"`{table.name}` has no column left to predict.", "Drop fewer columns.")
    for word in table.target_words:
        for column in left:
            if column.name.lower() == word:
                return column, [_note_target(column.name, "found by its name")]
    return left[-1], [_note_target(left[-1].name, "the last column")]


def _note_target(name: str, reason: str) -> Note:
    detail = f"The target is {name!r}, {reason}. Pass `target=NAME` to choose another."
    return Note("target-found", "Target found", detail)


def as_classes(column: Column) -> tuple[NDArray[np.intp], tuple[str, ...], tuple[str, ...] | None]:
    """Return indices of the classes that occur, their names, and all that were declared."""
    if column.values is None:
        values, codes = np.unique(column.data, return_inverse=True)
        names = tuple(str(int(v)) if float(v).is_integer() else repr(float(v)) for v in values)
        return codes.astype(np.intp), names, None
    codes = column.data.astype(np.intp)
    occurring, codes = np.unique(codes, return_inverse=True)
    names = tuple(column.values[i] for i in occurring)
    return codes.astype(np.intp), names, column.values if column.declared else None


def find_task(column: Column, requested: str | None) -> tuple[str, list[Note]]:
    """Tell classes from numbers: words are classes, and so are a few whole numbers."""
    if requested not in (None, "classification", "regression"):
        tasks = ("classification", "regression")
        raise InputError(
            f"`task` must be 'classification' or 'regression', got {requested!r}.",
            suggest(requested, tasks, "Leave it out to have it recognised.", 0.6),
        )
    if column.values is not None:
        if requested == "regression":
            raise InputError(
                f"The target {column.name!r} holds words, so that no number can be predicted.",
                "Leave out `task='regression'`, or choose a target of numbers.",
            )
        return "classification", []
    if requested is not None:
        return requested, []
    distinct = np.unique(column.data)
    whole = bool(np.all(distinct == np.floor(distinct)))
    if whole and len(distinct) <= FEW_CLASSES:
        detail = (
            f"{column.name!r} has {len(distinct)} distinct whole numbers; they were taken as "
            "classes. Pass `task='regression'` to predict the number."
        )
        return "classification", [Note("task-found", "Numbers taken as classes", detail)]
    kind = "whole numbers" if whole else "numbers"
    detail = (
        f"{column.name!r} has {len(distinct)} distinct {kind}; the number is predicted. "
        "Pass `task='classification'` to take them as classes."
    )
    return "regression", [Note("task-found", "A number is predicted", detail)]


def encode_column(column: Column, role: str) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return groups or folds as codes 0, 1, … in the order of their names or numbers."""
    missing = int(np.isnan(column.data).sum())
    if missing:
        raise InputError(
            f"Column {column.name!r} of {role} is missing in {missing} rows.",
            f"Fill it in; every row needs one of the {role}.",
        )
    codes, names, _ = as_classes(column)
    return codes, names


def read_folds(column: Column) -> NDArray[np.intp]:
    """Return the fold of each row; −1 for training rows where the column says train and test."""
    codes, names = encode_column(column, "folds")
    if len(names) < 2:
        raise InputError(
            f"Column {column.name!r} puts all rows into one fold.", "Give it two folds or more."
        )
    lowered = [name.strip().lower() for name in names]
    if len(names) == 2 and set(lowered) & TRAINING and set(lowered) & TESTING:
        testing = next(i for i, name in enumerate(lowered) if name in TESTING)
        return np.where(codes == testing, 0, -1).astype(np.intp)
    return codes
