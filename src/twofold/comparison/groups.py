"""Groups: two learners share one exactly where they were compared and no difference was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.comparison.comparison import Pair
from twofold.rounding import settle
from twofold.scores import Scores

Bools = NDArray[np.bool_]


def rank_learners(values: Mapping[str, float], *, higher_is_better: bool) -> tuple[str, ...]:
    """Return learners, best first; those equal but for rounding by name, not by column."""
    flip = -1 if higher_is_better else 1
    return tuple(sorted(values, key=lambda name: (settle(flip * values[name]), name)))


def mean_columns(table: Any, scores: Scores) -> dict[str, float]:
    """Return the mean score of each learner over the data sets that it has."""
    means = np.nanmean(table, axis=0).tolist()
    return dict(zip(scores.learners, means, strict=True))


def share_ranks(ranking: Sequence[str], values: Mapping[str, float]) -> dict[str, int]:
    """Return the place of each learner of a ranking; those equal but for rounding share one."""
    places: dict[str, int] = {}
    last = None
    for i, name in enumerate(ranking):
        value = settle(values[name])
        places[name] = places[ranking[i - 1]] if value == last else i + 1
        last = value
    return places


def find_groups(ranking: Sequence[str], pairs: Sequence[Pair]) -> tuple[tuple[str, ...], ...]:
    """Return groups of learners, best first, that share no difference and cover all such pairs.

    Every group is as large as it can be. Tests on mean ranks give runs of neighbours; tests of
    single pairs may skip learners. There can be very many largest groups, and few of them show all
    pairs; only so many are returned. Learners that differ from all others are in no group.
    """
    index = {name: i for i, name in enumerate(ranking)}
    alike = np.zeros((len(ranking), len(ranking)), dtype=bool)
    for pair in pairs:
        if pair.outcome == "none":
            i, j = index[pair.a], index[pair.b]
            alike[i, j] = alike[j, i] = True
    return tuple(tuple(ranking[i] for i in group) for group in cover(alike))


def cover(alike: Bools) -> list[tuple[int, ...]]:
    """Return largest cliques of a graph, in the order of its nodes, that cover all its edges."""
    cliques = [np.arange(start, end) for start, end in _runs(alike)]
    # A run may be joined to nodes further away.
    cliques = [_extend(alike, run, alike) for run in cliques]
    open_edges = np.triu(alike)
    for clique in cliques:
        open_edges[np.ix_(clique, clique)] = False
    for i in range(len(alike)):
        while open_edges[i].any():
            edge = np.array([i, int(open_edges[i].argmax())])
            clique = _extend(alike, edge, open_edges | open_edges.T)
            open_edges[np.ix_(clique, clique)] = False
            cliques.append(clique)
    return sorted(tuple(clique.tolist()) for clique in _leave_redundant(cliques, len(alike)))


def _runs(alike: Bools) -> list[tuple[int, int]]:
    """Return the largest runs of neighbours, (start, end), within which all are alike."""
    k = len(alike)
    # For each node the last one before it that it is not joined to; then of all up to it.
    rows = np.arange(k)[:, None]
    barrier = np.maximum.accumulate(np.where(np.triu(~alike, 1), rows, -1).max(axis=0, initial=-1))
    runs = []
    for end in range(k):
        start = int(barrier[end]) + 1
        largest = end + 1 == k or barrier[end + 1] >= start
        if largest and end > start:
            runs.append((start, end + 1))
    return runs


def _extend(alike: Bools, clique: Any, preferred: Bools) -> NDArray[np.intp]:
    """Return a largest clique around this one, grown where it gains most preferred edges."""
    free = alike[clique].all(axis=0)
    gain = preferred[clique].sum(axis=0)
    members = clique.tolist()
    while free.any():
        best = int(np.where(free, gain, -1).argmax())
        members.append(best)
        free &= alike[best]
        gain = gain + preferred[best]
    return np.array(sorted(members), dtype=np.intp)


def _leave_redundant(cliques: list[Any], k: int) -> list[Any]:
    """Leave out cliques whose edges all lie in others, the smallest first."""
    times = np.zeros((k, k), dtype=np.intp)
    for clique in cliques:
        times[np.ix_(clique, clique)] += 1
    needed = []
    for clique in sorted(cliques, key=lambda clique: (len(clique), clique.tolist())):
        edges = np.ix_(clique, clique)
        inside = times[edges]
        if (inside[np.triu_indices(len(clique), 1)] > 1).all():
            times[edges] -= 1
        else:
            needed.append(clique)
    return needed
