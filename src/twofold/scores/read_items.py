"""Read tables of items: a row for each item and a column for each learner, or a row per score."""

from __future__ import annotations

from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.options import ALL_METRICS, Reading
from twofold.result import Note
from twofold.scores.columns import drop_columns, is_long, refuse_nested
from twofold.scores.item_cells import (
    Labels,
    read_scores_of_items,
    refuse_nameless,
)
from twofold.scores.item_columns import CORRECT, find_item_columns, list_candidates
from twofold.scores.items import Items
from twofold.scores.labels import is_right_wrong
from twofold.scores.left_out import (
    choose_learners,
    doubt_error,
    note_left_out_columns,
    too_few_error,
)
from twofold.scores.long import choose_metric, note_unused
from twofold.scores.match_items import ItemRows, match_items
from twofold.scores.name_hints import find_roles, plain
from twofold.scores.read_options import resolve
from twofold.scores.score_cells import CellReader, mostly_numbers
from twofold.tables import RawTable, list_names, refuse_duplicates
from twofold.tables.cells import is_missing

TEST_SET = "the test set"
"""The only data set of a table of items that does not name it."""


def read_items(raw: RawTable, options: Reading) -> Items:
    """Return the items of a table that holds them."""
    if not raw.columns or not raw.size:
        raise InputError("The table is empty.", "It needs a header and a row for each item.")
    raw, options = drop_columns(raw, options)
    refuse_nested(raw)
    roles = find_roles(raw.columns)
    named = {options.item, options.cluster, options.sample}
    roles = {role: name for role, name in roles.items() if name not in named}
    long = "learner" in roles and is_long(raw, roles)
    rows = _read_long(raw, roles, options) if long else _read_wide(raw, options)
    return match_items(rows, raw, options)


def _read_wide(raw: RawTable, options: Reading) -> ItemRows:
    chosen = None if options.only is None else resolve(options.only, list(raw.columns), "learner")
    columns = find_item_columns(raw, options, chosen or (), None)
    free = [name for name in raw.columns if name not in columns.values()]
    learners, notes = (chosen, []) if chosen is not None else _choose_columns(raw, free, options)
    notes = [*notes, *_note_candidates(raw, [n for n in free if n not in learners], columns)]
    gone = resolve(options.drop, _list_rows(raw, columns), "column, item or data set")
    rows = _keep_rows(raw, columns, set(gone))
    binary = options.correct or all(is_right_wrong(raw.columns[name]) for name in learners)
    reader = CellReader(raw)
    names = [name.strip() for name in learners]
    refuse_duplicates(names)
    value = np.stack(
        [read_scores_of_items(raw, n, rows, binary=binary, reader=reader) for n in learners], axis=1
    )
    notes += reader.notes()
    metric = None if options.metric == ALL_METRICS else options.metric
    return ItemRows(
        **_read_labels(raw, columns, rows, len(value)),
        learners=names,
        learner=None,
        value=value,
        metric=metric or "score",
        form="a wide table of items",
        columns=columns,
        notes=notes,
    )


def _read_long(raw: RawTable, roles: dict[str, str], options: Reading) -> ItemRows:
    taken = {roles[role] for role in ("learner", "metric", "value") if role in roles}
    columns = find_item_columns(raw, options, taken, roles["learner"])
    free = {plain(n): n for n in reversed(raw.columns) if n not in {*taken, *columns.values()}}
    correct = next((free[word] for word in CORRECT if word in free), None)
    if correct is not None:
        roles.setdefault("value", correct)
    chosen, column, rows, metrics, notes = choose_metric(raw, roles | columns, options.metric)
    taken.add(column)
    if "item" not in columns:
        raise InputError(
            "Which column names the items? Scores of several learners are matched by it.",
            f"Call it item, or say `item=NAME`: {list_names(free.values() or raw.columns, 6)}.",
        )
    learner = Labels.read(raw.columns[roles["learner"]], rows)
    keep = _select_rows(raw, rows, learner, columns, options)
    if keep is not None:
        rows = [rows[i] for i in keep]
        learner = Labels.read(raw.columns[roles["learner"]], rows)
    if (learner.index < 0).any():
        first = rows[int(np.flatnonzero(learner.index < 0)[0])]
        raise InputError(
            f"Column {roles['learner']!r}, {raw.locate(first)}: the learner has no name.",
            "Fill every cell of this column.",
        )
    learners, index = learner.names, learner.index
    if options.only is not None:
        learners = resolve(options.only, learner.names, "learner")
        index = np.array([learners.index(name) for name in learner.names])[index]
    binary = options.correct or is_right_wrong([raw.columns[column][row] for row in rows])
    reader = CellReader(raw)
    value = read_scores_of_items(raw, column, rows, binary=binary, reader=reader)
    every = None if len(rows) == raw.size else rows
    unused = [n for n in raw.columns if n not in {*taken, *columns.values(), *metrics}]
    unused = [n for n in unused if not all(map(is_missing, raw.columns[n]))]
    notes += [*note_unused(unused), *_note_candidates(raw, unused, columns)]
    return ItemRows(
        **_read_labels(raw, columns, every, len(rows)),
        learners=learners,
        learner=index,
        value=value,
        metric=chosen,
        form=f"a long table of items with scores in column {column!r}",
        columns=columns,
        metrics=metrics,
        notes=[*notes, *reader.notes()],
    )


def _choose_columns(
    raw: RawTable, names: list[str], options: Reading
) -> tuple[list[str], list[Note]]:
    """Return the columns of learners: those of right and wrong, or of numbers; and what is left."""
    binary = [name for name in names if is_right_wrong(raw.columns[name])]
    graded = [n for n in names if n not in binary and _may_be_grades(raw, n)]
    if options.correct and not binary:
        raise InputError(
            "No column holds zeros and ones, or words for right and wrong.",
            "Leave out `correct=True`, which says so; `only=[A, B]` names the learners.",
        )
    if len(binary) > 1 and graded and not options.correct:
        raise doubt_error(graded[0], "something else", [*binary, *graded])
    if binary and (options.correct or not graded):
        why: dict[str, list[str]] = {}
        for name in names:
            if name not in binary:
                cells = raw.columns[name]
                kind = "numbers" if mostly_numbers(cells) else "words"
                if all(map(is_missing, cells)):
                    kind = "no scores"
                why.setdefault(kind, []).append(name)
        return binary, note_left_out_columns(why)
    learners, number, notes = choose_learners(raw, names)
    if not learners:
        raise too_few_error(learners, [])
    return [name for name in learners if name != number], notes


def _may_be_grades(raw: RawTable, name: str) -> bool:
    """Tell whether numbers between 0 and 1 may be grades of a learner beside zeros and ones."""
    cells = raw.columns[name]
    if not mostly_numbers(cells):
        return False
    values = CellReader(raw).numbers(name)
    there = values[~np.isnan(values)]
    return bool(len(there) and there.min() >= 0 and there.max() <= 1)


def _read_labels(
    raw: RawTable, columns: dict[str, str], rows: list[int] | None, count: int
) -> dict[str, Any]:
    """Return the labels of each row: data set, item, its hash, cluster and sample."""
    labels: dict[str, Labels | None] = {
        role: Labels.read(raw.columns[columns[role]], rows) if role in columns else None
        for role in ("dataset", "item", "hash", "cluster", "sample")
    }
    if labels["dataset"] is None:
        labels["dataset"] = Labels.same(TEST_SET, count)
    elif (labels["dataset"].index < 0).any():
        first = int(np.flatnonzero(labels["dataset"].index < 0)[0])
        where = raw.locate(first if rows is None else rows[first])
        raise InputError(
            f"Column {columns['dataset']!r}, {where}: the data set has no name.",
            "Fill every cell of this column; cells must not be merged.",
        )
    if labels["item"] is None:
        numbers = range(raw.size) if rows is None else rows
        labels["item"] = Labels([str(i + 1) for i in numbers], np.arange(count))
    else:
        refuse_nameless(raw, columns["item"], labels["item"], rows)
    return labels


def _list_rows(raw: RawTable, columns: dict[str, str]) -> list[str]:
    """Return the names by which rows can be dropped, and those of all columns."""
    parts = [raw.columns[columns[role]] for role in ("dataset", "item") if role in columns]
    return [*raw.columns, *(name for cells in parts for name in Labels.read(cells).names)]


def _keep_rows(raw: RawTable, columns: dict[str, str], gone: set[str]) -> list[int] | None:
    """Return the rows whose item and data set stay, None for all."""
    if not gone:
        return None
    keep = np.ones(raw.size, dtype=bool)
    for role in ("dataset", "item"):
        if role in columns:
            labels = Labels.read(raw.columns[columns[role]])
            stays = np.array([name not in gone for name in labels.names] + [True])
            keep &= stays[labels.index]
    rows: list[int] = np.flatnonzero(keep).tolist()
    if not rows:
        raise InputError("No item is left.", "Drop fewer of them.")
    return rows


def _select_rows(
    raw: RawTable, rows: list[int], learner: Labels, columns: dict[str, str], options: Reading
) -> list[int] | None:
    """Return which of the rows of a long table stay, None for all."""
    gone = set(resolve(options.drop, [*learner.names, *_list_rows(raw, columns)], "learner"))
    only = None if options.only is None else set(resolve(options.only, learner.names, "learner"))
    if not gone and only is None:
        return None
    left = _keep_rows(raw, columns, gone)
    stay = set(rows if left is None else left)
    keeps = [name not in gone and (only is None or name in only) for name in learner.names]
    kept = [
        i for i, row in enumerate(rows)
        if row in stay and learner.index[i] >= 0 and keeps[learner.index[i]]
    ]  # fmt: skip
    if not kept:
        raise InputError("No scores are left.", "Drop fewer learners, items or data sets.")
    return kept


def _note_candidates(raw: RawTable, rest: list[str], columns: dict[str, str]) -> list[Note]:
    """Say which columns may put items into clusters, where none does."""
    candidates = [] if "cluster" in columns else list_candidates(raw, rest)
    # Right and wrong answers come again, too: those of learners that were left out.
    candidates = [name for name in candidates if not is_right_wrong(raw.columns[name])]
    if not candidates:
        return []
    detail = (
        f"Values of {list_names(candidates, 3)} come again. If items that share one were drawn "
        f"together, as the questions on one passage, say `cluster={candidates[0]!r}`: as "
        "independent items they would make the test too sure."
    )
    return [Note("cluster-candidates", "Perhaps clusters", detail, "warning")]
