"""OpenML: the frame of ``openml.evaluations.list_evaluations``, or a CSV of it.

A learner is a flow, with its setup where a flow has several on a data set; of several runs the
latest is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from twofold.options import Reading
from twofold.readers.choices import choose_metrics, distinguish, keep_latest
from twofold.readers.column_tables import (
    list_column_names,
    list_rows,
    read_columns,
    take_cell,
    take_score,
)
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.tables import RawTable

TITLE = "evaluations of OpenML (list_evaluations)"

NEEDED = ("run_id", "task_id", "flow_name", "data_name", "function", "value")
DIRECTIONS = {
    **dict.fromkeys(
        "predictive_accuracy area_under_roc_curve f_measure precision recall kappa "
        "weighted_recall matthews_correlation_coefficient".split(),
        True,
    ),
    **dict.fromkeys(
        "mean_absolute_error root_mean_squared_error relative_absolute_error "
        "root_relative_squared_error".split(),
        False,
    ),
}


def sniff(file: FileStart) -> bool:
    """Tell evaluations by the names of their columns."""
    return knows_columns(list_column_names(file))


def knows_columns(names: Collection[str]) -> bool:
    """Tell a table of evaluations by the names of its columns."""
    return set(NEEDED) <= set(names)


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a row for each flow, data set and measure."""
    return convert(read_columns(files), options)


def convert(raw: RawTable, options: Reading) -> RawTable:
    """Return a row for each flow, data set and measure of a table of evaluations."""
    rows = list_rows(raw)
    names = [take_cell(cells, "flow_name", where) for where, cells in rows]
    datasets = [take_cell(cells, "data_name", where) for where, cells in rows]
    measures = [take_cell(cells, "function", where) for where, cells in rows]
    metrics, notes = choose_metrics(list(dict.fromkeys(measures)), options)
    setups = [{"setup": cells.get("setup_id", "")} for _, cells in rows]
    scopes = list(zip(datasets, measures, strict=True))
    labels = distinguish(names, setups, scopes)
    chosen = [i for i, measure in enumerate(measures) if measure in metrics]
    latest, more = keep_latest(
        [(labels[i], datasets[i], measures[i]) for i in chosen],
        [rows[i][1].get("upload_time", "") for i in chosen],
        [f"run {rows[i][1]['run_id']}" for i in chosen],
    )
    table = LongRows()
    for i in (chosen[k] for k in latest):
        where, cells = rows[i]
        table.add(
            dataset=datasets[i],
            learner=labels[i],
            metric=measures[i],
            value=take_score(cells, "value", where),
        )
    return table.build("evaluations of OpenML", [*raw.notes, *notes, *more], DIRECTIONS)
