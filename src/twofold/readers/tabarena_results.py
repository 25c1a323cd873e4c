"""TabArena: a frame or CSV with a row per method, data set and fold, and the error of each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.column_tables import (
    list_column_names,
    list_rows,
    read_columns,
    take_cell,
    take_score,
)
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.result import Note, join_first
from twofold.tables import RawTable

TITLE = "TabArena (method, dataset, fold, metric_error)"

ERROR = "metric_error"
"""The column of errors, of which lower is better whatever the metric."""

DATA_SETS = ("dataset", "task", "tid")
FOLDS = ("fold", "split", "split_idx")


def sniff(file: FileStart) -> bool:
    """Tell results by the names of their columns."""
    return knows_columns(list_column_names(file))


def knows_columns(names: Collection[str]) -> bool:
    """Tell a table of results by the names of its columns."""
    return {ERROR, "method"} <= set(names) and any(name in names for name in DATA_SETS)


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a row for each method, data set and fold."""
    return convert(read_columns(files), options)


def convert(raw: RawTable, options: Reading) -> RawTable:
    """Return a row for each method, data set and fold of a table of results."""
    if options.metric not in (None, ERROR):
        raise InputError(
            f"The errors of each data set are by its own metric, and {options.metric!r} was asked "
            "for.",
            f"Leave it out, or say `metric={ERROR!r}`.",
        )
    dataset = next(name for name in DATA_SETS if name in raw.columns)
    fold = next((name for name in FOLDS if name in raw.columns), None)
    rows = LongRows()
    metrics: dict[str, str] = {}
    for where, cells in list_rows(raw):
        data = take_cell(cells, dataset, where)
        if cells.get("metric"):
            metrics[data] = cells["metric"]
        rows.add(
            dataset=data,
            learner=take_cell(cells, "method", where),
            run=take_cell(cells, "repeat", where) if "repeat" in cells else None,
            fold=None if fold is None else take_cell(cells, fold, where),
            metric=ERROR,
            value=take_score(cells, ERROR, where),
        )
    rows.refuse_doubles("Name the column that counts folds fold, split or repeat.")
    notes = list(raw.notes)
    if len(set(metrics.values())) > 1:
        parts = [f"{metric} on {data}" for data, metric in metrics.items()]
        detail = f"{join_first(parts)}. Ranks do not mind; means over data sets mix units."
        notes.append(Note("metrics-by-data-set", "Metrics differ by data set", detail, "warning"))
    return rows.build("results of TabArena", notes, {ERROR: False})
