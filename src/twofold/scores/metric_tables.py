"""Several metrics of one table: each read as a table of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from twofold.errors import InputError, suggest
from twofold.options import ALL_METRICS, Reading
from twofold.result import Note
from twofold.scores import score_frames
from twofold.scores.crossed_metrics import split_by_metric, take_metric
from twofold.scores.files import read_scores_as, read_scores_or_items, read_table
from twofold.scores.items import Items
from twofold.scores.labels import holds_predictions
from twofold.scores.metrics import without_averaging
from twofold.scores.name_hints import find_roles, plain, truth_column
from twofold.scores.read_options import check_reading
from twofold.scores.recognised import recognise_table
from twofold.scores.scores import Scores
from twofold.scores.several_files import name_files
from twofold.tables import RawTable
from twofold.tables.table_limits import refuse_cells

Tables = dict[str, Scores | Items | InputError]
"""Scores by each metric, or why there are none."""

Read = Callable[[str], Scores | Items]
"""Reads the scores by the metric of that name."""


def hold_scores(table: Any) -> bool:
    """Tell whether a dict holds scores by metric, as `twofold.run` returns them."""
    return (
        isinstance(table, Mapping)
        and bool(table)
        and all(isinstance(scores, Scores) for scores in table.values())
    )


def recognise_predictions(table: Any, options: Reading) -> tuple[Any, Reading]:
    """Return a table as it came, and options that say so where it holds predictions."""
    if options.predictions or isinstance(table, Scores | Items) or hold_scores(table):
        return table, options
    if options.truth is not None:
        return table, replace(options, predictions=True)
    if score_frames.list_metric_level(table):
        return table, options
    raw = _open(table, options)
    if not holds_predictions(raw, options):
        return raw, options
    truth = truth_column(raw.columns)
    detail = f"Read as predictions: column {truth!r} holds the true labels."
    note = Note("read-as", "How the table was read", detail)
    return replace(raw, notes=(*raw.notes, note)), replace(options, predictions=True)


def _open(table: Any, options: Reading) -> RawTable:
    """Return a table; readers of files take the metrics that are asked for, others have all."""
    of_files = isinstance(table, str | Path) or name_files(table) is not None
    several = options.has_several_metrics or options.metric == ALL_METRICS
    check_reading(replace(options, metric=None) if several else options)
    return read_table(table, replace(options, metric=None) if several and not of_files else options)


def read_tables(table: Any, reading: Reading) -> Any:
    """Read scores or items; a dict of them by metric where several are asked for."""
    if reading.has_several_metrics or reading.metric == ALL_METRICS:
        return _keep_read(read_metric_tables(table, reading))
    return read_scores_or_items(table, reading)


def _keep_read(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables that could be read, the first with a note on each that could not."""
    errors = {name: each for name, each in tables.items() if isinstance(each, InputError)}
    if len(errors) == len(tables):
        raise next(iter(errors.values()))
    notes = [
        Note("metric-unanswered", f"No answer by {name}", error.rule, "warning")
        for name, error in errors.items()
    ]
    read = {name: each for name, each in tables.items() if name not in errors}
    first = next(iter(read))
    return read | {first: replace(read[first], notes=(*read[first].notes, *notes))}


def read_metric_tables(table: Any, options: Reading) -> Tables:
    """Read the scores by each metric that is named, or by all that the table holds.

    Where all are read, one of them may be an error: too few learners have scores by it.
    """
    check_reading(replace(options, metric=None))
    if hold_scores(table):
        return _select_tables(table, options)
    if isinstance(table, Scores):
        raise InputError(
            f"These scores are {table.metric} alone, and several metrics were asked for.",
            "Pass the table that holds them, or {metric: scores, …}.",
        )
    names, available = options.list_metrics(), score_frames.list_metric_level(table)
    if available:
        return {
            name: read_scores_as(table, replace(options, metric=name))
            for name in names or available
        }
    raw = _open(table, options)
    refuse_cells(raw.size, len(raw.columns), "the table")

    crossed = split_by_metric(raw)
    if crossed:
        return {
            name: recognise_table(take_metric(crossed, name), replace(options, metric=name))
            for name in names or crossed
        }

    def read(name: str) -> Scores | Items:
        return recognise_table(raw, replace(options, metric=name))

    tables = _read_all(read, raw) if names is None else _read_each(read, names, raw)
    read_too = {scores.metric for scores in tables.values() if not isinstance(scores, InputError)}
    return {
        name: scores
        if isinstance(scores, InputError)
        else replace(scores, metrics=_list_left(scores, read_too))
        for name, scores in tables.items()
    }


def _read_each(read: Read, names: list[str], raw: RawTable) -> Tables:
    columns = set(map(plain, raw.columns))
    tables: Tables = {}
    metrics = set()
    for name in names:
        scores = read(name)
        if len(names) > 1 and len(scores.metrics) < 2 and plain(name) not in columns:
            raise InputError(
                f"The table holds one metric, and {len(names)} were asked for.",
                "Name one. Several need a long table: a column metric, or a column for each.",
            )
        if scores.metric not in metrics:
            tables[name] = scores  # a metric that is named twice is answered once
        metrics.add(scores.metric)
    return tables


def _read_all(read: Read, raw: RawTable) -> Tables:
    column = find_roles(raw.columns).get("metric")
    try:
        first = read(ALL_METRICS)
    except InputError:
        if column is None:
            raise
        names = tuple(dict.fromkeys(str(cell).strip() for cell in raw.columns[column]))
    else:
        if first.metric == ALL_METRICS or not first.metrics:
            return {first.metric: first}
        names = first.metrics
    short = [without_averaging(name) for name in names]
    keys = short if len(set(short)) == len(short) else names
    return {key: _try_to_read(read, name) for key, name in zip(keys, names, strict=True)}


def _try_to_read(read: Read, name: str) -> Scores | Items | InputError:
    try:
        return read(name)
    except InputError as error:
        return error


def _list_left(scores: Scores | Items, read_too: set[str]) -> tuple[str, ...]:
    """Return the metrics of a table but for those that are answered as well."""
    return tuple(m for m in scores.metrics if m == scores.metric or m not in read_too)


def _select_tables(tables: Mapping[Any, Scores], options: Reading) -> Tables:
    """Return the tables of the metrics that are named, of those read before."""
    by_name = {str(name): scores for name, scores in tables.items()}
    selected: Tables = {}
    for name in options.list_metrics() or list(by_name):
        if name not in by_name:
            listed = f"There are {', '.join(by_name)}."
            raise InputError(
                f"There are no scores by {name!r}.", suggest(name, list(by_name), listed)
            )
        selected[name] = read_scores_as(by_name[name], replace(options, metric=None))
    return selected
