"""Facts of the heat map: every score of every learner on every data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twofold.comparison import Comparison
from twofold.plots.decimals import decimals_of
from twofold.rounding import settle, written
from twofold.stats import ranks


@dataclass(frozen=True)
class HeatmapFacts:
    """A table with data sets as rows and learners as columns; None where a score is missing.

    ``shares`` are ranks within each data set, 0 for the worst and 1 for the best: they give the
    colours, because scores of different data sets cannot be compared.
    """

    datasets: tuple[str, ...]
    learners: tuple[str, ...]
    texts: tuple[tuple[str, ...], ...]
    shares: tuple[tuple[float | None, ...], ...]
    caption: str
    highlight: tuple[str, ...] = ()


def heatmap_facts(c: Comparison, highlight: Sequence[str] = ()) -> HeatmapFacts:
    """Return the table: learners by mean rank, data sets by mean score, best first."""
    assert c.scores is not None
    table = c.scores.means()
    shares = np.full(table.shape, np.nan)
    for i, row in enumerate(table):
        here = ~np.isnan(row)
        if here.sum() > 1:
            placed = np.asarray(ranks(row[None, here], higher_is_better=c.higher_is_better))[0]
            shares[i, here] = 1 - (placed - 1) / (here.sum() - 1)
        else:
            shares[i, here] = 0.5  # alone there, neither best nor worst
    names = c.scores.learners
    weights = (
        [-c.mean_ranks[name] for name in names] if c.mean_ranks else np.nanmean(shares, axis=0)
    )
    order = sorted(range(len(names)), key=lambda j: (-settle(weights[j]), names[j]))
    rows = list(range(len(table)))
    if not c.holds_ranks:  # mean ranks of data sets are all the same
        means = np.nanmean(table, axis=1) * (-1 if c.higher_is_better else 1)
        rows.sort(key=lambda i: (settle(means[i]), c.datasets[i]))
    decimals = min(decimals_of(table[~np.isnan(table)].tolist()), 3)
    missing = int(np.isnan(table).sum())
    caption = f"colour: rank by {c.metric} on each data set, dark is best"
    estimated = "estimated " if c.ranks_are == "estimated" else ""
    caption += f"; learners by {estimated}mean rank"
    caption += "" if c.holds_ranks else ", data sets by mean"
    if missing:
        caption += f"; hatched: missing ({missing} of {table.size})"
    return HeatmapFacts(
        datasets=tuple(c.datasets[i] for i in rows),
        learners=tuple(names[j] for j in order),
        texts=tuple(
            tuple("" if np.isnan(table[i, j]) else written(table[i, j], decimals) for j in order)
            for i in rows
        ),
        shares=tuple(
            tuple(None if np.isnan(shares[i, j]) else float(shares[i, j]) for j in order)
            for i in rows
        ),
        caption=caption,
        highlight=tuple(highlight),
    )
