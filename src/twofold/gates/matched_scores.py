"""Scores of a baseline and a candidate on what both have: data sets, folds or items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.gates.gate_answer import Changes
from twofold.gates.name_changes import find_changes
from twofold.scores import Items, Scores
from twofold.scores.item_cells import leave_other_items
from twofold.scores.read_items import TEST_SET
from twofold.tables import list_names

SIDES = ("baseline", "candidate")
COLUMNS = ("run", "fold", "n_train", "n_test", "value")


def match_scores(scores: Scores) -> tuple[Scores, Changes]:
    """Return the scores of two learners on what both have, and what only one of them has."""
    is_single = len(scores.datasets) == 1
    keys = np.array(_name_splits(scores) if is_single else _name_data_sets(scores))
    sides = [keys[scores.learner == side].tolist() for side in (0, 1)]
    changes = find_changes(*sides)
    shared = set(sides[0]) & set(sides[1])
    if not shared:
        raise _make_unshared_error("folds" if is_single else "data sets", sides)
    if not changes:
        return scores, changes
    return _keep(scores, np.array([key in shared for key in keys.tolist()])), changes


def join_scores(first: Scores, second: Scores) -> tuple[Scores, Changes]:
    """Return the scores of two tables of one learner each, on what both have."""
    datasets = tuple(dict.fromkeys([*first.datasets, *second.datasets]))
    number = {name: i for i, name in enumerate(datasets)}
    sides = (first, second)
    index = [number[name] for side in sides for name in _name_data_sets(side)]
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(side, name) for side in sides]) for name in COLUMNS
    }
    learner = np.repeat([0, 1], [len(side.value) for side in sides])
    scores = replace(
        first,
        datasets=datasets,
        learners=(first.learners[0], second.learners[0]),
        dataset=np.array(index, dtype=np.intp),
        learner=learner.astype(np.intp),
        notes=tuple(dict.fromkeys([*first.notes, *second.notes])),
        **joined,
    )
    return match_scores(scores)


def join_items(first: Items, second: Items) -> tuple[Items, Changes]:
    """Return the items of two tables of one learner each that both have."""
    keys = [name_items(side) for side in (first, second)]
    changes = find_changes(*keys)
    index = {key: i for i, key in enumerate(keys[1])}
    rows = [i for i, key in enumerate(keys[0]) if key in index]
    if not rows:
        tasks = [side.datasets for side in (first, second)]
        raise _make_unshared_error("items", tasks if tasks[0] != tasks[1] else keys)
    others = [index[keys[0][i]] for i in rows]
    apart = [_differ(first, i, second, j) for i, j in zip(rows, others, strict=True)]
    notes = leave_other_items(
        np.array(apart),
        np.ones(len(rows), dtype=bool),
        first.dataset[rows],
        first.datasets,
        [first.names[i] for i in rows],
    )
    rows = [i for i, other in zip(rows, apart, strict=True) if not other]
    others = [index[keys[0][i]] for i in rows]
    present, dataset = np.unique(first.dataset[rows], return_inverse=True)
    clusters = [
        None if side.cluster is None else _number_anew(side.cluster[own])
        for side, own in ((first, rows), (second, others))
    ]
    items = replace(
        first,
        datasets=tuple(first.datasets[i] for i in present.tolist()),
        learners=(first.learners[0], second.learners[0]),
        names=tuple(first.names[i] for i in rows),
        dataset=dataset.ravel().astype(np.intp),
        cluster=clusters[1] if clusters[0] is None else clusters[0],
        value=np.hstack([first.value[rows], second.value[others]]),
        samples=np.hstack([first.samples[rows], second.samples[others]]),
        notes=tuple(dict.fromkeys([*first.notes, *second.notes, *notes])),
        hashes=tuple(first.hashes[i] for i in rows) if first.hashes else (),
    )
    return items, changes


def _differ(first: Items, i: int, second: Items, j: int) -> bool:
    """Tell whether two items of one name have different hashes, or texts."""
    known = bool(first.hashes and second.hashes and first.hashes[i] and second.hashes[j])
    return known and first.hashes[i] != second.hashes[j]


def name_items(items: Items) -> list[str]:
    """Return what each item is called, with its data set in front where that has a name."""
    tasks = ["" if name == TEST_SET else f"{name}: " for name in items.datasets]
    return [tasks[i] + name for i, name in zip(items.dataset.tolist(), items.names, strict=True)]


def _number_anew(cluster: Any) -> Any:
    return np.unique(cluster, return_inverse=True)[1].ravel().astype(np.intp)


def _make_unshared_error(unit: str, sides: Sequence[Sequence[str]]) -> InputError:
    """Return the error for nothing in common; ``sides`` are tasks, or names of what each has."""
    mine, theirs = (list_names(dict.fromkeys(side), 3) for side in sides)
    return InputError(
        f"Baseline and candidate have no {unit} in common: the baseline has {mine}, the candidate "
        f"{theirs}.",
        "Name results of the same tasks. They are matched by task and name.",
    )


def _name_data_sets(scores: Scores) -> list[str]:
    return [scores.datasets[i] for i in scores.dataset.tolist()]


def _name_splits(scores: Scores) -> Sequence[str]:
    """Return what each score on the only data set is called: its run and fold."""
    pairs = zip(scores.run.tolist(), scores.fold.tolist(), strict=True)
    return [f"run {run}" if fold < 0 else f"run {run}, fold {fold}" for run, fold in pairs]


def _keep(scores: Scores, keep: Any) -> Scores:
    """Return some of the scores, and the data sets that they are on."""
    present, number = np.unique(scores.dataset[keep], return_inverse=True)
    columns = ("learner", *COLUMNS)
    return replace(
        scores,
        datasets=tuple(scores.datasets[i] for i in present.tolist()),
        dataset=number.ravel().astype(np.intp),
        **{name: getattr(scores, name)[keep] for name in columns},
    )


def list_differences(scores: Scores | Items) -> tuple[list[str], Any]:
    """Return the names of what varies, and candidate minus baseline on each.

    That is data sets, items, or clusters of items, which are called by their first item.
    """
    if isinstance(scores, Scores):
        table = scores.means()
        return list(scores.datasets), table[:, 1] - table[:, 0]
    gaps = scores.value[:, 1] - scores.value[:, 0]
    names = name_items(scores)
    if scores.cluster is None:
        return names, gaps
    sizes = np.bincount(scores.cluster)
    first: dict[int, str] = {}
    for name, cluster in zip(names, scores.cluster.tolist(), strict=True):
        first[cluster] = min(first.get(cluster, name), name)
    means = np.bincount(scores.cluster, gaps) / sizes
    return [first[cluster] for cluster in range(len(sizes))], means
