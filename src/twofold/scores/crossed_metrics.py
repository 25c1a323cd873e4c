"""The metric in names: of columns (tree_acc, tree_f1, forest_acc, …), corner cells and files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from twofold.errors import InputError, suggest
from twofold.options import ALL_METRICS, Reading
from twofold.scores.metrics import direction
from twofold.scores.name_hints import (
    FILLING,
    find_crossing,
    find_hint,
    find_roles,
    plain,
    split_name,
)
from twofold.scores.score_cells import mostly_numbers
from twofold.tables import RawTable
from twofold.tables.raw_table import Columns

SEPARATORS = " _-./:|()[]"
TITLE_WORDS = frozenset(
    "result results score scores table tables test mean by per of on the data set dataset datasets "
    "problem task all final".split()
)
"""Words that stand beside a metric in the name of a file or sheet, or in a corner cell."""


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


def split_shared_metric(names: Sequence[str]) -> tuple[str, list[str]]:
    """Return the metric that all names end or begin with, and the names without it.

    >>> split_shared_metric(["SVM_RMSE", "RF_RMSE"])
    ('RMSE', ['SVM', 'RF'])
    >>> split_shared_metric(["error (A)", "error (B)"])
    ('error', ['A', 'B'])
    >>> split_shared_metric(["cost-sensitive tree", "cost-sensitive SVM"])
    ('', ['cost-sensitive tree', 'cost-sensitive SVM'])
    """
    for last in (True, False):
        metrics = {split_name(name, last=last)[1] for name in names}
        if len(names) < 2 or len(metrics) > 1 or direction(next(iter(metrics))) is None:
            continue
        parts = [_part(name, last) for name in names]
        learners = [learner for learner, _ in parts]
        pairs = zip(names, parts, strict=True)
        if not last and any(name[len(metric) :][:1] == "-" for name, (_, metric) in pairs):
            continue  # one word
        if all(map(plain, learners)) and len(set(learners)) == len(names):
            return parts[0][1], _drop_filling(learners, last)
    return "", list(names)


def _drop_filling(names: list[str], last: bool) -> list[str]:
    """Return names without a word like "test" that stood between all of them and the metric."""
    words = [re.findall(r"[^\W_]+", name) for name in names]
    ends = {each[-1 if last else 0].lower() for each in words}
    if len(ends) > 1 or not ends <= FILLING or not all(len(each) > 1 for each in words):
        return names
    size = len(ends.pop())
    cut = [name[:-size] if last else name[size:] for name in names]
    return _drop_filling([name.strip(SEPARATORS) for name in cut], last)


def find_titled_metric(title: str) -> str:
    """Return the metric that the name of a file or sheet, or a corner cell, consists of.

    >>> find_titled_metric("results_RMSE"), find_titled_metric("time series")
    ('RMSE', '')
    """
    words = re.findall(r"[^\W_]+", title)
    while words and words[0].lower() in TITLE_WORDS:  # what follows may belong to it: Brier score
        del words[0]
    fewer = [word for word in words if word.lower() not in TITLE_WORDS]
    names = (" ".join(words), " ".join(fewer))
    return next((name for name in names if name and direction(name) is not None), "")


def take_named_metric(raw: RawTable, options: Reading) -> tuple[RawTable, Reading]:
    """Return a wide table with the metric that its names hold, which is taken off those of columns.

    All learners share it, or it stands in the corner. Where the caller names another metric,
    nothing is taken off. Options may call columns by either name.
    """
    roles = find_roles(raw.columns)
    if "learner" in roles or "metric" in roles or not raw.size:
        return raw, options
    every = list(raw.columns)
    columns = [
        name
        for name in every
        if name not in roles.values()
        and mostly_numbers(raw.columns[name])
        and find_hint(name, every) is None
    ]
    metric, learners = split_shared_metric(columns)
    wanted = "rank" if options.ranks else options.metric
    if metric and (not isinstance(wanted, str) or wanted in (ALL_METRICS, metric)
                   or plain(wanted) == plain(metric)):  # fmt: skip
        new = dict(zip(columns, learners, strict=True))
        if len(renamed := [new.get(name, name) for name in raw.columns]) == len(set(renamed)):
            cells = dict(zip(renamed, raw.columns.values(), strict=True))
            raw = replace(raw, columns=cells, metric=metric, metric_from="the names of columns")
            return raw, replace(options, only=_rename(options.only, new),
                                drop=_rename(options.drop, new) or ())  # fmt: skip
    corner = next(iter(raw.columns))
    is_label = "dataset" not in roles and not mostly_numbers(raw.columns[corner])
    if is_label and (titled := find_titled_metric(corner)):
        raw = replace(raw, metric=titled, metric_from="the first column's name")
    return raw, options


def _rename(texts: tuple[str, ...] | None, new: dict[str, str]) -> tuple[str, ...] | None:
    if texts is None:
        return None
    parts = [[text] if text in new else text.split(",") for text in texts]
    return tuple(new.get(part.strip(), part) for each in parts for part in each)


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
