"""Several metrics of one table: each read as a table of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from twofold.errors import InputError, suggest
from twofold.options import ALL_METRICS, Reading
from twofold.scores import score_frames
from twofold.scores.columns import recognise
from twofold.scores.files import read_scores_as, read_table
from twofold.scores.name_hints import plain
from twofold.scores.read_options import check_reading
from twofold.scores.scores import Scores
from twofold.tables.table_limits import refuse_cells

Read = Callable[[str], Scores]
"""Reads the scores by the metric of that name."""


def hold_scores(table: Any) -> bool:
    """Tell whether a dict holds scores by metric, as `twofold.run` returns them."""
    return (
        isinstance(table, Mapping)
        and bool(table)
        and all(isinstance(scores, Scores) for scores in table.values())
    )


def read_metric_tables(table: Any, options: Reading) -> dict[str, Scores]:
    """Read the scores by each metric that is named, or by all that the table holds."""
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

        def read(name: str) -> Scores:
            return read_scores_as(table, replace(options, metric=name))

        return {name: read(name) for name in names or available}
    raw = read_table(table, replace(options, metric=None))
    refuse_cells(raw.size, len(raw.columns), "the table")

    def recognise_metric(name: str) -> Scores:
        return recognise(raw, replace(options, metric=name))

    if names is None:
        return _read_all(recognise_metric)
    columns = set(map(plain, raw.columns))
    tables: dict[str, Scores] = {}
    for name in names:
        scores = recognise_metric(name)
        if len(names) > 1 and len(scores.metrics) < 2 and plain(name) not in columns:
            raise InputError(
                f"The table holds one metric, and {len(names)} were asked for.",
                "Name one; several stand in a long table with a column metric, or in one column "
                "each beside the learners' names.",
            )
        if scores.metric not in {other.metric for other in tables.values()}:
            tables[name] = scores  # a metric that is named twice is answered once
    return tables


def _read_all(read: Read) -> dict[str, Scores]:
    first = read(ALL_METRICS)
    others = [name for name in first.metrics if name != first.metric]
    if first.metric == ALL_METRICS:
        others = []  # a metric that is called so is meant
    tables = {first.metric: first} | {name: read(name) for name in others}
    return {name: tables[name] for name in first.metrics if name in tables} or tables


def _select_tables(tables: Mapping[Any, Scores], options: Reading) -> dict[str, Scores]:
    """Return the tables of the metrics that are named, of those read before."""
    by_name = {str(name): scores for name, scores in tables.items()}
    selected = {}
    for name in options.list_metrics() or list(by_name):
        if name not in by_name:
            listed = f"There are {', '.join(by_name)}."
            raise InputError(
                f"There are no scores by {name!r}.", suggest(name, list(by_name), listed)
            )
        selected[name] = read_scores_as(by_name[name], replace(options, metric=None))
    return selected
