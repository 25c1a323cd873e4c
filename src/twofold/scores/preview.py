"""A table of scores at a glance: two lines, or a small table for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from twofold.result import join_first
from twofold.rounding import written

if TYPE_CHECKING:
    from twofold.scores.items import Items
    from twofold.scores.scores import Scores

MOST_ROWS, MOST_COLUMNS = 12, 10
"""Data sets and learners that a notebook shows."""


def summarize_scores(scores: Scores) -> str:
    """Return what the scores are, and what to call next."""
    calls = "compare(scores), scores.to_frame(), scores.to_csv('scores.csv')"
    return f"<Scores: {describe_scores(scores)}>\nNext: {calls}"


def describe_scores(scores: Scores) -> str:
    """Return which scores these are, as in "accuracy (higher is better) of nb, c45 on iris"."""
    better = "higher" if scores.higher_is_better else "lower"
    sets = f"{len(scores.datasets)} data sets"
    if len(scores.datasets) == 1:
        sets = scores.datasets[0]
    splits = [
        f"{count} {name}{'s' * (count > 1)}"
        for name, labels in (("run", scores.run), ("fold", scores.fold))
        if (count := len(np.unique(labels[labels >= 0])))
    ]
    parts = [f"{scores.metric} ({better} is better) of {join_first(scores.learners, 4)} on {sets}"]
    if splits:
        parts.append(" × ".join(splits))
    return f"{', '.join(parts)}, {len(scores.value):,} values"


def summarize_items(items: Items) -> str:
    """Return what the items are, and what to call next."""
    return f"<Items: {describe_items(items)}>\nNext: compare(items), items.to_scores()"


def describe_items(items: Items) -> str:
    """Return which scores these are, as in "acc (higher is better) of A, B on 9 items of quiz"."""
    better = "higher" if items.higher_is_better else "lower"
    sets = f"{len(items.datasets)} data sets" if len(items.datasets) > 1 else items.datasets[0]
    within = "" if items.clusters is None else f" in {items.clusters:,} clusters"
    learners = join_first(items.learners, 4)
    return (
        f"{items.metric} ({better} is better) of {learners} on {len(items.names):,} items{within} "
        f"of {sets}"
    )


def preview_items_html(items: Items) -> str:
    """Return the mean scores on each data set as a table."""
    return preview_html(items.to_scores(), describe_items(items))


def preview_html(scores: Scores, words: str = "") -> str:
    """Return the mean scores as a table, the best on each data set in bold, and what they are."""
    means = scores.means()[:MOST_ROWS]
    best = np.nanmax(means, axis=1) if scores.higher_is_better else np.nanmin(means, axis=1)
    learners = scores.learners[:MOST_COLUMNS]
    decimals = max(0, 3 - int(np.log10(max(1.0, np.nanmax(np.abs(means))))))
    rows = ["".join(f"<th>{escape(name)}</th>" for name in ("data set", *learners))]
    for dataset, values, top in zip(scores.datasets, means, best, strict=False):
        cells = [_format_cell(x, decimals, is_best=x == top) for x in values[:MOST_COLUMNS]]
        rows.append(f"<th>{escape(dataset)}</th>" + "".join(cells))
    hidden = (len(scores.datasets) - len(rows) + 1, len(scores.learners) - len(learners))
    kinds = zip(hidden, ("data sets", "learners"), strict=True)
    more = " and ".join(f"{count} more {kind}" for count, kind in kinds if count > 0)
    table = "".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f"<table>{table}</table><p>{f'… {more}. ' if more else ''}"
        f"{escape(words or describe_scores(scores))}.</p>"
    )


def _format_cell(value: float, decimals: int, *, is_best: bool) -> str:
    text = "—" if np.isnan(value) else written(value, decimals)
    return f"<td>{f'<b>{text}</b>' if is_best else text}</td>"
