"""Columns that are learners by metrics, as tree_acc, tree_f1, forest_acc, …: a table for each."""

from __future__ import annotations

import re
from dataclasses import replace

from twofold.errors import InputError, suggest
from twofold.options import Reading
from twofold.scores.metrics import direction
from twofold.scores.name_hints import find_crossing, find_roles, plain, split_name
from twofold.scores.score_cells import mostly_numbers
from twofold.tables import RawTable
from twofold.tables.raw_table import Columns

SEPARATORS = " _-./:|()[]"


def split_by_metric(raw: RawTable) -> dict[str, RawTable]:
    """Return a table of all learners for each metric; none where columns are not crossed so."""
    roles = set(find_roles(raw.columns).values())
    names = [n for n in raw.columns if n not in roles and mostly_numbers(raw.columns[n])]
    if len(names) < 4 or find_crossing(names) != "metrics":
        return {}
    last = all(direction(split_name(name, last=True)[1]) is not None for name in names)
    rest = {name: cells for name, cells in raw.columns.items() if name not in names}
    tables: dict[str, Columns] = {}
    called: dict[str, str] = {}
    for name in names:
        learner, metric = _part(name, last)
        if not learner:
            return {}
        key = called.setdefault(plain(metric), metric)
        tables.setdefault(key, dict(rest))[learner] = raw.columns[name]
    if len(next(iter(tables.values()))) < len(rest) + 2:
        return {}  # one learner
    return {metric: replace(raw, columns=columns) for metric, columns in tables.items()}


def _part(name: str, last: bool) -> tuple[str, str]:
    """Part a name into a learner and a metric, with the letters that they have in it."""
    words = list(re.finditer(r"[^\W_]+", name))
    count = len(split_name(name, last=last)[1].split())
    if last:
        start = words[-count].start()
        return name[:start].strip(SEPARATORS), name[start:].strip(SEPARATORS)
    end = words[count - 1].end()
    return name[end:].strip(SEPARATORS), name[:end].strip(SEPARATORS)


def select_metric(raw: RawTable, options: Reading) -> RawTable:
    """Return the table of the metric that is asked for, where columns are learners by metrics."""
    if not isinstance(options.metric, str) or options.only is not None:
        return raw
    tables = split_by_metric(raw)
    return take_metric(tables, options.metric) if tables else raw


def take_metric(tables: dict[str, RawTable], metric: str) -> RawTable:
    """Return the table of a metric, or refuse one that is not there."""
    for name, table in tables.items():
        if plain(name) == plain(metric):
            return table
    listed = f"It has {', '.join(tables)}."
    raise InputError(
        f"There is no metric {metric!r} in the table.", suggest(metric, tables, listed)
    )
