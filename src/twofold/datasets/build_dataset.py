"""Build a data set from a table: assign roles, check the columns, note every decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute, Dataset
from twofold.datasets.roles import (
    as_classes,
    encode_column,
    find_column,
    find_target,
    find_task,
    read_folds,
)
from twofold.datasets.table import Column, Table
from twofold.errors import InputError
from twofold.result import Note
from twofold.tables import list_names, refuse_duplicates

ROW_NAMES = {*"id index row rowid row_id rownames no nr column1".split(), "unnamed: 0"}
# Below this many rows, words may well differ in every row by accident.
ENOUGH_ROWS = 10
NEARLY_ALL = 0.9
MOST_TEXTS = 50


def build_dataset(
    table: Table,
    *,
    target: str | None = None,
    groups: str | None = None,
    folds: str | None = None,
    drop: Sequence[str] = (),
    task: str | None = None,
    drop_unlabelled: bool = False,
) -> Dataset:
    """Make a data set of a table."""
    refuse_duplicates(column.name for column in table.columns)
    if not table.rows:
        raise InputError(f"`{table.name}` has no rows.", "Pass data with rows.")
    dropped = (drop,) if isinstance(drop, str) else tuple(drop)
    for name in dropped:
        find_column(table, name, "one to drop")
    if groups is not None and groups == folds:
        raise InputError(
            f"Column {groups!r} cannot hold groups and folds at once.", "Pass one of the two."
        )
    aside = [name for name in (groups, folds) if name is not None]
    for name in aside:
        if name in dropped:
            raise InputError(f"Column {name!r} is both used and dropped.", "Decide for one.")
    goal, notes = find_target(table, target, [*aside, *dropped])
    notes = [*table.notes, *notes]
    roles = ((groups, "groups"), (folds, "folds"))
    used = [find_column(table, name, role) for name, role in roles if name is not None]
    _check_usable([goal, *used])
    table, goal = _drop_unlabelled(table, goal, drop_unlabelled, notes)
    kind, task_notes = find_task(goal, task)
    notes += task_notes
    y, classes, declared = _target(table, goal, kind)
    group_codes = fold_codes = None
    if groups is not None:
        group_codes, _ = encode_column(find_column(table, groups, "groups"), "groups")
    if folds is not None:
        fold_codes = read_folds(find_column(table, folds, "folds"))
    taken = {goal.name, *aside, *dropped}
    candidates = [column for column in table.columns if column.name not in taken]
    _check_usable(candidates)
    attributes = candidates if table.chosen else _worth_keeping(candidates, notes)
    if not attributes:
        raise InputError(
            f"`{table.name}` has no attributes to learn from.",
            "It needs a column besides the target that is not a name or number of the row.",
        )
    notes += _about(attributes, goal)
    _check_finite(attributes)
    return Dataset(
        name=table.name,
        attributes=tuple(Attribute(column.name, column.values) for column in attributes),
        X=np.column_stack([column.data for column in attributes]),
        y=y,
        classes=classes,
        target=goal.name,
        declared_classes=declared,
        groups=group_codes,
        given_folds=fold_codes,
        original=_original(table, attributes),
        notes=tuple(notes),
    )


def _check_usable(columns: Sequence[Column]) -> None:
    for column in columns:
        if column.problem:
            raise InputError(
                f"Column {column.name!r} {column.problem}.",
                "Turn it into numbers or words, or leave it out with `drop={column.name!r}`.",
            )


def _drop_unlabelled(
    table: Table, goal: Column, drop_unlabelled: bool, notes: list[Note]
) -> tuple[Table, Column]:
    """Refuse rows without a label, or drop them on request."""
    missing = np.isnan(goal.data)
    count = int(missing.sum())
    if not count:
        return table, goal
    if count == len(missing):
        raise InputError(
            f"The target {goal.name!r} is missing in every row.", "Choose another target."
        )
    if not drop_unlabelled:
        raise InputError(
            f"The target {goal.name!r} is missing in {count} of {len(missing)} rows.",
            "Pass `drop_unlabelled=True` to leave those rows out.",
        )
    detail = f"{count} of {len(missing)} rows have no {goal.name!r} and were left out, as asked."
    notes.append(Note("unlabelled-dropped", "Rows without a label left out", detail))
    rows = np.flatnonzero(~missing)
    columns = tuple(replace(column, data=column.data[rows]) for column in table.columns)
    original = table.original
    if original is not None:
        original = original.iloc[rows] if hasattr(original, "iloc") else original[rows]
    return replace(table, columns=columns, original=original), replace(goal, data=goal.data[rows])


def _target(
    table: Table, goal: Column, kind: str
) -> tuple[NDArray[Any], tuple[str, ...] | None, tuple[str, ...] | None]:
    if np.isinf(goal.data).any():
        raise InputError(
            f"The target {goal.name!r} holds an infinite number.",
            "Correct it or leave the row out.",
        )
    if kind == "regression":
        if np.ptp(goal.data) == 0:
            raise InputError(
                f"The target {goal.name!r} is {goal.data[0]:g} in every row.",
                "There is nothing to predict; choose another target.",
            )
        return goal.data, None, None
    y, classes, declared = as_classes(goal)
    if len(classes) == 1:
        raise InputError(
            f"The target {goal.name!r} is {classes[0]!r} in every row.",
            "There is nothing to predict; choose another target.",
        )
    if len(classes) == len(y) and len(y) > 2:
        raise InputError(
            f"Every row of `{table.name}` has its own class in {goal.name!r}.",
            "Nothing can be learned from that; choose another target with `target`.",
        )
    return y, classes, declared


def _worth_keeping(columns: list[Column], notes: list[Note]) -> list[Column]:
    """Drop identifiers, empty columns and free text; add a note for each kind."""
    empty = [column.name for column in columns if np.isnan(column.data).all()]
    rest = [column for column in columns if column.name not in empty]
    most = min(MOST_TEXTS, columns[0].data.size / 2) if columns else 0
    texts = [column.name for column in rest if column.text and len(column.values or ()) > most]
    names = [c.name for c in rest if c.name not in texts and (_names_rows(c) or _counts_rows(c))]
    if empty:
        detail = f"{list_names(empty)}: no row has a value."
        notes.append(Note("empty-dropped", "Empty columns were left out", detail))
    if texts:
        reason = "free text with too many distinct values for a nominal column"
        detail = f"{list_names(texts)}: {reason}."
        notes.append(Note("text-dropped", "Free text was left out", detail))
    if names:
        detail = f"{list_names(names)}: nearly every row has its own value, which names the row."
        notes.append(Note("id-dropped", "Names of rows were left out", detail))
    return [column for column in rest if column.name not in {*texts, *names}]


def _names_rows(column: Column) -> bool:
    present = column.data[~np.isnan(column.data)]
    if column.values is None or len(present) < ENOUGH_ROWS:
        return False
    return len(np.unique(present)) > NEARLY_ALL * len(present)


def _counts_rows(column: Column) -> bool:
    """Tell whether a column is called id or the like and counts 0, 1, 2, … or 1, 2, 3, …"""
    data = column.data
    if column.values is not None or column.name.lower() not in ROW_NAMES or len(data) < 2:
        return False
    return bool(data[0] in (0, 1) and np.all(np.diff(data) == 1))


def _about(columns: list[Column], goal: Column) -> list[Note]:
    """Warn of columns that look like numbers of rows, or like the target itself."""
    notes = []
    ids = [c.name for c in columns if c.name.lower() in ROW_NAMES and _all_whole_and_distinct(c)]
    if ids:
        detail = (
            f"{list_names(ids)}: a whole number of its own in every row. It was kept; pass "
            f"`drop={ids[0]!r}` if it only names the rows."
        )
        notes.append(Note("id-kept", "A column looks like a name of rows", detail, "warning"))
    copies = [column.name for column in columns if _same(column, goal)]
    if copies:
        detail = f"{list_names(copies)}: equal to the target {goal.name!r} in every row."
        notes.append(Note("target-copy", "An attribute gives the target away", detail, "warning"))
    return notes


def _all_whole_and_distinct(column: Column) -> bool:
    data = column.data
    if column.values is not None or len(data) < 2 or not np.isfinite(data).all():
        return False
    return bool(np.all(data == np.floor(data))) and len(np.unique(data)) == len(data)


def _same(column: Column, goal: Column) -> bool:
    if (column.values is None) != (goal.values is None):
        return False
    if column.values == goal.values:
        return bool(np.array_equal(column.data, goal.data))
    if column.values is None or goal.values is None or np.isnan(column.data).any():
        return False
    if set(column.values) != set(goal.values):
        return False
    ours = np.asarray(column.values, dtype=object)[column.data.astype(np.intp)]
    theirs = np.asarray(goal.values, dtype=object)[goal.data.astype(np.intp)]
    return bool(np.array_equal(ours, theirs))


def _check_finite(columns: list[Column]) -> None:
    for column in columns:
        if np.isinf(column.data).any():
            row = int(np.flatnonzero(np.isinf(column.data))[0]) + 1
            raise InputError(
                f"Column {column.name!r} holds an infinite number in row {row}.",
                "Write a number, or leave the cell empty.",
            )


def _original(table: Table, attributes: list[Column]) -> Any:
    """Return the caller's rows with the columns that are left."""
    original = table.original
    if original is None:
        return None
    names = {column.name for column in attributes}
    if hasattr(original, "columns"):
        left = [key for key in original.columns if str(key) in names]
        return original if len(left) == len(original.columns) else original[left]
    kept = [column.name in names for column in table.columns if column.name != table.target]
    return original if all(kept) else original[:, np.flatnonzero(kept)]
