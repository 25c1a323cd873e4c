"""What was read from files, before anything is compared: learners, data sets, items, gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.report.score_table import count_decimals, format_score
from twofold.report.terminal import list_notes, wrap
from twofold.result import join_first
from twofold.scores import Items, Scores

MOST_NAMES = 6
"""Names that are listed of learners and data sets."""

MOST_LEARNERS = 40
"""Learners whose means are shown."""


def describe_reading(table: Scores | Items) -> str:
    """Return what a table holds, as text of at most 80 columns."""
    blocks = [_list_facts(table), _list_means(table), list_notes(_sort_notes(table.notes))]
    return "\n\n".join(block for block in blocks if block)


def _list_facts(table: Scores | Items) -> str:
    better = "higher" if table.higher_is_better else "lower"
    lines = {
        "Learners": _count_names(table.learners),
        "Data sets": _count_names(table.datasets),
        "Metric": f"{table.metric}, {better} is better",
    }
    lines |= _describe_items(table) if isinstance(table, Items) else _describe_cells(table)
    return "\n".join(wrap(text, f"{word:<11}", " " * 11) for word, text in lines.items())


def _count_names(names: Sequence[str]) -> str:
    return f"{len(names):,}: {join_first(names, MOST_NAMES)}"


def _describe_items(items: Items) -> dict[str, str]:
    """Return how many items, clusters and samples there are."""
    clusters = items.clusters
    most, least = int(items.samples.max()), int(items.samples.min())
    lines = {"Items": f"{len(items.names):,}" + (f" in {clusters:,} clusters" if clusters else "")}
    if most > 1:
        counts = f"{most}" if most == least else f"{least} to {most}"
        lines["Samples"] = f"{counts} of each item and learner, averaged"
    lines["Values"] = "right (1) and wrong (0)" if items.is_binary else "scores"
    return lines


def _describe_cells(scores: Scores) -> dict[str, str]:
    """Return how many runs, folds and scores there are, and how many cells have none."""
    lines = {}
    for word, labels in (("Runs", scores.run), ("Folds", scores.fold)):
        if count := len(np.unique(labels[labels >= 0])):
            lines[word] = str(count)
    sizes = scores.n_train[~np.isnan(scores.n_train)], scores.n_test[~np.isnan(scores.n_test)]
    if all(map(len, sizes)):
        train, test = (_format_range(part) for part in sizes)
        lines["Sizes"] = f"{train} rows to train on, {test} to test on"
    lines["Scores"] = f"{len(scores.value):,}"
    counts = scores.counts()
    empty = int((counts == 0).sum())
    lines["Missing"] = "none"
    if empty:
        lines["Missing"] = f"{empty:,} of {counts.size:,} cells (data sets × learners)"
    uneven = int(((counts > 0) & (counts < counts.max(axis=1, keepdims=True))).sum())
    if uneven:
        lines["Uneven"] = f"{uneven:,} cells have fewer scores than others on their data set"
    return lines


def _format_range(sizes: Any) -> str:
    low, high = sizes.min(), sizes.max()
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _list_means(table: Scores | Items) -> str:
    """Return the mean score of each learner, to be held against what the tool itself says."""
    mixed = any(note.code == "metrics-by-data-set" for note in table.notes)
    if len(table.learners) > MOST_LEARNERS or mixed:
        return ""  # too many to look at, or a mean of different things
    if isinstance(table, Items):
        means = dict(zip(table.learners, table.value.mean(axis=0).tolist(), strict=True))
        unit = "item"
        counts = dict.fromkeys(table.learners, len(table.names))
    else:
        cells = table.means()
        there = ~np.isnan(cells)
        totals = np.where(there, cells, 0).sum(axis=0) / there.sum(axis=0)
        means = dict(zip(table.learners, totals.tolist(), strict=True))
        unit = "data set"
        counts = dict(zip(table.learners, there.sum(axis=0).tolist(), strict=True))
    decimals = count_decimals(list(means.values()), 4)
    texts = {name: format_score(mean, decimals) for name, mean in means.items()}
    widest = max(map(len, texts.values()))
    name_width = min(80 - widest - 20, max(map(len, texts)))
    lines = [f"Mean {table.metric}"]
    for name, text in texts.items():
        short = name if len(name) <= name_width else name[: name_width - 1] + "…"
        basis = f"{counts[name]:,} {unit}{'s' * (counts[name] != 1)}"
        lines.append(f"  {short:<{name_width}}  {text:>{widest}}  on {basis}")
    return "\n".join(lines)


def _sort_notes(notes: Sequence[Any]) -> list[Any]:
    return sorted(dict.fromkeys(notes), key=lambda note: note.severity != "warning")
