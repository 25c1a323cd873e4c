"""Wide tables: a column for each learner; a row for each data set, run or fold."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.options import ALL_METRICS, Reading
from twofold.result import Note
from twofold.scores.build_scores import ONLY_DATA_SET, Rows, take_rows
from twofold.scores.labels import refuse_labels, refuse_right_wrong
from twofold.scores.left_out import choose_learners, sums_up, too_few_error
from twofold.scores.long import choose_metric, doubtful_row_error, note_left_out_rows
from twofold.scores.metrics import direction
from twofold.scores.name_hints import (
    count_up,
    find_numbering,
    is_summary_row,
    is_sure_summary,
    plain,
)
from twofold.scores.parts import LABELS, label_column, row_parts
from twofold.scores.read_options import resolve
from twofold.scores.repeats import refuse_repeats
from twofold.scores.score_cells import CellReader, as_name, mostly_numbers, read_parts
from twofold.scores.score_scale import sample_numbers
from twofold.tables import RawTable, list_names, refuse_duplicates
from twofold.tables.cells import is_blank
from twofold.tables.text_columns import take_cells

RANKS = ("rank", "ranks", "ranking")


def read_wide(raw: RawTable, roles: dict[str, str], options: Reading) -> Rows:
    """Return the scores of a wide table."""
    indices, metric, metrics, notes, measure = _metric_rows(raw, roles, options)
    chosen = None if options.only is None else resolve(options.only, list(raw.columns), "learner")
    label = label_column(raw, roles, chosen or ())
    scored = _drop_summaries(raw, label)
    parts = row_parts(scored, roles, {label, measure, *(chosen or ())}, guess=chosen is None)
    if label is not None and parts and label not in roles.values():
        _refuse_doubtful_label(raw, label, parts)
    names = [name for name in raw.columns if name not in {label, measure, *parts.values()}]
    may_be_examples = not options.ranks and not parts and options.rows in (None, "datasets")
    if chosen is not None:
        learners = chosen
        if may_be_examples:
            refuse_right_wrong(scored, learners)
    else:
        if not options.ranks:
            refuse_labels(scored, names, label, options)
        if may_be_examples:
            refuse_right_wrong(scored, [*names, *([label] if label else [])])
        if label is not None and "value" in roles and "learner" not in roles:
            _refuse_nameless_learners(raw, label, roles["value"], names)
        if label is not None and not parts and options.rows in (None, "datasets"):
            _refuse_twice(_row_names(raw, label, indices), raw, names)
        learners, number, more = choose_learners(scored, names)
        notes += more
        if label is None and not parts:
            label = number
        refuse_repeats(raw, learners, label or next(iter(parts.values()), None))
    if not learners:
        raise too_few_error(learners, [])
    if len(learners) == 1 and chosen is None:
        _refuse_metric_as_learner(learners[0])
    indices, rows_gone = _select_rows(raw, label, learners, indices, options)
    notes += rows_gone
    reader = CellReader(raw)
    names = [name.strip() for name in learners]
    refuse_duplicates(names)
    table = np.empty((len(indices), len(learners)))
    for j, name in enumerate(learners):
        table[:, j] = reader.numbers(name, indices)
    notes += reader.notes()
    if label is not None:
        _refuse_nameless(raw, label, indices, table)
    rows = _rows(raw, label, parts, indices, options)
    i = np.repeat(np.arange(len(table)), len(learners))
    learner = np.tile(np.arange(len(learners)), len(table))
    named = label if raw.rows is None and not raw.kind else None  # else it is a name given here
    where = f", rows named by column {named!r}" if named else ""
    kind = "ranks" if options.ranks else "scores"
    return Rows(
        rows.datasets, names, rows.dataset[i], learner, table.ravel(),
        metric, "ranks" if options.ranks else "wide", f"a wide table of {kind}{where}",
        take_rows(rows.run, i), take_rows(rows.fold, i),
        take_rows(rows.n_train, i), take_rows(rows.n_test, i), metrics, notes,
    )  # fmt: skip


def _refuse_metric_as_learner(name: str) -> None:
    """Refuse a single column that is named after a metric: whose scores it holds is not known."""
    if direction(name) is not None:
        raise InputError(
            f"The only column of scores is called {name!r}, a metric; whose scores are they?",
            f"Call the column as the learner is called, and say `metric={name!r}`.",
        )


def _drop_summaries(raw: RawTable, label: str | None) -> RawTable:
    """Return the table without rows called Average or Rank: they say nothing about columns."""
    names = [] if label is None else [str(cell) for cell in raw.columns[label]]
    rows = [i for i, name in enumerate(names) if not is_summary_row(name)]
    if not rows or len(rows) == raw.size:
        return raw
    return replace(
        raw,
        columns={name: take_cells(cells, rows) for name, cells in raw.columns.items()},
        lines=None if raw.lines is None else [raw.lines[i] for i in rows],
        rows=None if raw.rows is None else [raw.rows[i] for i in rows],
    )


def _metric_rows(
    raw: RawTable, roles: dict[str, str], options: Reading
) -> tuple[list[int], str, tuple[str, ...], list[Note], str | None]:
    """Return the rows of the metric to read, its name, and the column that names it."""
    column = roles.get("metric")
    if column is None or mostly_numbers(raw.columns[column]):
        every = list(range(raw.size))
        name = None if options.metric == ALL_METRICS else options.metric
        return every, name or ("rank" if options.ranks else "score"), (), [], None
    roles = roles | {"value": column}
    chosen, _, indices, metrics, notes = choose_metric(raw, roles, options.metric)
    return indices, chosen, metrics, notes, column


def _select_rows(
    raw: RawTable, label: str | None, learners: list[str], indices: list[int], options: Reading
) -> tuple[list[int], list[Note]]:
    """Leave out rows that sum up the others, and those the caller dropped."""
    names = [] if label is None else [str(raw.columns[label][i]).strip() for i in indices]
    gone = set(resolve(options.drop, list(raw.columns) + names, "column or data set"))
    sums = [name for name in names if name not in gone and is_summary_row(name)]
    if label is None or not (gone or sums):
        return indices, []
    left = [i for i, name in zip(indices, names, strict=True) if name not in gone | set(sums)]
    if not left:
        return indices, []
    for name in sums:
        if not is_sure_summary(name):
            _refuse_plausible(raw, indices[names.index(name)], name, learners, left)
    return left, [note_left_out_rows(sums)] if sums else []


def _refuse_plausible(
    raw: RawTable, row: int, name: str, learners: list[str], left: list[int]
) -> None:
    """Refuse a row called Total or Rank that may be a data set: its numbers sum up nothing."""
    cells = [raw.columns[learner][row] for learner in learners]
    try:
        values = CellReader(replace(raw, columns={"": cells}, rows=learners)).numbers("")
    except InputError:
        return  # such as 3/1/8
    table = np.array([sample_numbers(take_cells(raw.columns[name], left)) for name in learners])
    count = len(learners)
    are_ranks = plain(name) in RANKS and abs(values.sum() - count * (count + 1) / 2) < 0.5
    if np.isnan(values).all() or are_ranks or sums_up(values, list(table.T)):
        return
    raise doubtful_row_error(name)


def _rows(
    raw: RawTable, label: str | None, parts: dict[str, str], indices: list[int], options: Reading
) -> Rows:
    """Return what each row is about: its data set, run, fold and sizes."""
    size = len(indices)
    run, fold, n_train, n_test = read_parts(raw, parts, indices)
    has_parts = bool({"run", "fold"} & set(parts))
    names = None if label is None else _row_names(raw, label, indices)
    rows = options.rows
    if names is not None and rows is None and not has_parts and find_numbering(names):
        rows = "folds" if find_numbering(names) == "fold" else "splits"
    # Columns that were only counted may have become rows; ranks are always those on data sets.
    nameless = names is None or (raw.rows is not None and count_up(names))
    if nameless and size > 1 and rows is None and not has_parts and not options.ranks:
        raise nameless_rows_error(size)
    if names is not None and rows in ("folds", "splits") and len(set(names)) == size:
        names = None  # the names are those of the folds
        has_parts = True
    if rows in ("folds", "splits") and not {"run", "fold"} & set(parts):
        counters: dict[str, Iterator[int]] = defaultdict(itertools.count)
        count = np.array([next(counters[name]) for name in names or [""] * size])
        run = count if rows == "splits" else np.zeros(size, dtype=int)
        fold = count if rows == "folds" else fold
        has_parts = True
    if names is None and has_parts:
        names = [ONLY_DATA_SET] * size
    elif names is not None and not has_parts:
        _refuse_twice(names, raw, [])
    elif names is None:
        names = [f"data set {i + 1}" for i in range(size)]
    order = {name: i for i, name in enumerate(dict.fromkeys(names))}
    dataset = np.array([order[name] for name in names], dtype=np.intp)
    if has_parts:
        _refuse_same_row(dataset, run, fold, list(order), raw, indices)
    return Rows(
        list(order), [], dataset, None, np.empty(0), "", "wide", "", run, fold, n_train, n_test,
    )  # fmt: skip


def _row_names(raw: RawTable, label: str, rows: list[int]) -> list[str]:
    cells = raw.columns[label]
    return [raw.locate(i) if is_blank(cells[i]) else as_name(cells[i]) for i in rows]


def _refuse_doubtful_label(raw: RawTable, label: str, parts: dict[str, str]) -> None:
    """Refuse words that may name data sets, where runs and folds tell all rows apart without."""
    if len(set(map(str, raw.columns[label]))) < 2 or plain(label) in LABELS:
        return
    numbers = [parts[role] for role in ("run", "fold") if role in parts]
    keys = list(zip(*(map(str, raw.columns[name]) for name in numbers), strict=True))
    if keys and len(set(keys)) == len(keys):
        raise InputError(
            f"Does column {label!r} name data sets? Each {' and '.join(numbers)} stands once.",
            f"Call it dataset if it does; leave it out with `drop={label!r}` if not.",
        )


def _refuse_nameless(raw: RawTable, label: str, rows: list[int], table: Any) -> None:
    """Refuse a row of scores without a name among others that have one: means, perhaps."""
    blank = [is_blank(raw.columns[label][i]) for i in rows]
    for row, is_nameless, scores in zip(rows, blank, table, strict=True):
        if is_nameless and not all(blank) and not np.isnan(scores).all():
            raise InputError(
                f"Column {label!r}, {raw.locate(row)}: scores of a data set without a name.",
                "Name the data set; take the row away if it sums up the others.",
            )


def nameless_rows_error(size: int) -> InputError:
    """Return the error for scores of which nothing says what they belong to."""
    return InputError(
        f"The {size} scores of each learner have no names: of folds, data sets, items or seeds?",
        "Pass `rows='folds'` for one cross-validation, `rows='datasets'`, `rows='items'` or "
        "`rows='seeds'`.",
    )


def _refuse_nameless_learners(raw: RawTable, label: str, value: str, columns: list[str]) -> None:
    """Refuse a long table without a column of learners: data sets repeat beside other words."""
    words = [c for c in columns if not mostly_numbers(raw.columns[c])]
    if words and len(set(map(str, raw.columns[label]))) < raw.size:
        raise InputError(
            f"Column {value!r} looks like scores one by one, but no column is called learner.",
            f"Give that name to the column of learners, one of {list_names(words, 3)}.",
        )


def _refuse_twice(names: list[str], raw: RawTable, columns: list[str]) -> None:
    """Refuse two rows of one data set; a column of words may name the learners."""
    if len(set(names)) == len(names):
        return
    twice = next(name for i, name in enumerate(names) if name in names[:i])
    words = [c for c in columns if not mostly_numbers(raw.columns[c])]
    learner = next((c for c in words if len({str(v) for v in raw.columns[c]}) > 1), None)
    remedy = "For folds or splits say `rows='folds'` or `rows='splits'`; else rename one."
    if learner is not None:
        remedy = (
            f"If a column such as {learner!r} names learners, call it learner and their scores "
            "value; rows of folds need a column fold."
        )
    raise InputError(f"The data set {twice!r} stands in the table twice.", remedy)


def _refuse_same_row(
    dataset: Any, run: Any, fold: Any, datasets: list[str], raw: RawTable, indices: list[int]
) -> None:
    seen: dict[tuple[int, int, int], int] = {}
    for i, key in enumerate(zip(dataset.tolist(), run.tolist(), fold.tolist(), strict=True)):
        if key in seen:
            raise InputError(
                f"Two rows hold the same run and fold of {datasets[key[0]]!r}: "
                f"{raw.locate(indices[seen[key]])} and {raw.locate(indices[i])}.",
                "Number the runs and folds so that each row stands alone.",
            )
        seen[key] = i
