"""MLflow: the frame of ``mlflow.search_runs``, or a CSV of it.

Parameters and tags say what a run is: a learner (model, learner, algorithm, estimator), a data set,
a seed or fold. Runs that did not finish are left out, and named.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.choices import choose_metrics
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

TITLE = "runs of MLflow (search_runs)"

METRIC = "metrics."
ROLES = {
    "learner": ("learner", "model", "algorithm", "estimator", "classifier", "method", "model_name",
                "estimator_name"),
    "dataset": ("dataset", "data_set", "data", "task", "dataset_name"),
    "run": ("run", "seed", "random_state", "repeat"),
    "fold": ("fold", "split"),
    "n_train": ("n_train",),
    "n_test": ("n_test",),
}  # fmt: skip
"""Names of parameters and tags for each part, the surest first."""

FINISHED = "FINISHED"


def sniff(file: FileStart) -> bool:
    """Tell runs by the names of their columns."""
    return knows_columns(list_column_names(file))


def knows_columns(names: Collection[str]) -> bool:
    """Tell a table of runs by the names of its columns."""
    known = {"run_id", "experiment_id", "status"} <= set(names)
    return known and any(name.startswith(METRIC) for name in names)


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a row for each run and metric."""
    return convert(read_columns(files), options)


def convert(raw: RawTable, options: Reading) -> RawTable:
    """Return a row for each run and metric of a table of runs."""
    roles = _find_roles(raw.columns)
    if "learner" not in roles:
        named = [name for name in raw.columns if name.startswith(("params.", "tags."))]
        raise InputError(
            f"No parameter or tag names the learner of a run; there are {join_first(named, 8)}.",
            "Log one called learner or model, or rename the column params.learner.",
        )
    available = [name.removeprefix(METRIC) for name in raw.columns if name.startswith(METRIC)]
    metrics, notes = choose_metrics(available, options)
    rows = LongRows()
    unfinished = []
    for where, cells in list_rows(raw):
        if cells["status"] != FINISHED:
            unfinished.append(f"{cells['run_id']} ({cells['status'] or 'no status'})")
            continue
        parts = {role: take_cell(cells, column, where) for role, column in roles.items()}
        for metric in metrics:
            rows.add(**parts, metric=metric, value=take_score(cells, METRIC + metric, where))
    rows.refuse_doubles("Log what tells runs apart as seed, run or fold, or leave some out.")
    if unfinished:
        detail = f"Not finished, and left out: {join_first(unfinished)}."
        notes.append(Note("failed-jobs", "Runs left out", detail, "warning"))
    detail = "; ".join(f"{role} is {column}" for role, column in roles.items()) + "."
    notes.append(Note("columns-chosen", "Which columns were read", detail))
    return rows.build("runs of MLflow", [*raw.notes, *notes])


def _find_roles(names: Collection[str]) -> dict[str, str]:
    """Return which parameter or tag plays which part."""
    by_word = {
        name.split(".", 1)[1].lower(): name
        for front in ("tags.", "params.")  # parameters go before tags
        for name in names
        if name.startswith(front)
    }
    roles = {}
    for role, words in ROLES.items():
        for word in words:
            if word in by_word:
                roles[role] = by_word[word]
                break
    return roles
