"""Facts of the heat map: every score of every learner on every data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from twofold.comparison import Comparison
from twofold.plots.number_axis import decimals_of, written
from twofold.stats import ranks


@dataclass(frozen=True)
class TableFacts:
    """A table with data sets as rows and learners as columns; None where a score is missing.

    ``shares`` are ranks within each data set, 0 for the worst and 1 for the best: they give the
    colours, because scores of different data sets cannot be compared.
    """

    datasets: tuple[str, ...]
    learners: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    shares: tuple[tuple[float | None, ...], ...]
    caption: str
    highlight: tuple[str, ...] = ()


def table_facts(c: Comparison, highlight: Sequence[str] = ()) -> TableFacts:
    """Return the table: learners by mean rank, data sets by mean score, best first."""
    assert c.scores is not None
    table = c.scores.means()
    better = c.higher_is_better
    shares = np.full(table.shape, np.nan)
    for i, row in enumerate(table):
        here = ~np.isnan(row)
        if here.sum() > 1:
            placed = np.asarray(ranks(row[None, here], higher_is_better=better))[0]
            shares[i, here] = 1 - (placed - 1) / (here.sum() - 1)
        else:
            shares[i, here] = 0.5  # alone there, neither best nor worst
    names = c.scores.learners
    present = [shares[~np.isnan(shares[:, j]), j] for j in range(len(names))]
    weight = {
        name: -c.mean_ranks[name] if c.mean_ranks else float(present[j].mean())
        for j, name in enumerate(names)
    }
    order = sorted(range(len(names)), key=lambda j: (-weight[names[j]], names[j]))
    means = [float(np.mean(row[~np.isnan(row)])) for row in table]
    if c.scores.form == "ranks":
        rows = list(range(len(table)))  # mean ranks of data sets are all the same
    else:
        sign = -1 if better else 1
        rows = sorted(range(len(table)), key=lambda i: (sign * means[i], c.datasets[i]))
    decimals = min(decimals_of(table[~np.isnan(table)].tolist()), 3)
    missing = int(np.isnan(table).sum())
    caption = f"{c.metric}; colour: rank on each data set, dark is best"
    estimated = "estimated " if c.ranks_are == "estimated" else ""
    caption += f"; learners by {estimated}mean rank" + (
        "" if c.scores.form == "ranks" else ", data sets by mean"
    )
    if missing:
        caption += f"; hatched: missing ({missing} of {table.size})"
    return TableFacts(
        datasets=tuple(c.datasets[i] for i in rows),
        learners=tuple(names[j] for j in order),
        values=_cells(table[np.ix_(rows, order)]),
        texts=tuple(
            tuple("" if np.isnan(table[i, j]) else written(table[i, j], decimals) for j in order)
            for i in rows
        ),
        shares=_cells(shares[np.ix_(rows, order)]),
        caption=caption,
        highlight=tuple(highlight),
    )


def _cells(table: np.ndarray) -> tuple[tuple[float | None, ...], ...]:
    return tuple(tuple(None if np.isnan(v) else float(v) for v in row) for row in table)
