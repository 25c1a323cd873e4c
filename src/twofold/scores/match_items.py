"""Match the items of all learners: each item once, with its cluster and the mean of its samples."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.options import Reading
from twofold.result import Note
from twofold.scores.build_scores import (
    UNNAMED,
    describe_named_metric,
    name_metric,
    settle_direction,
)
from twofold.scores.item_cells import (
    Labels,
    Numbers,
    average_samples,
    keep_matched,
    leave_other_items,
    number_by_appearance,
    refuse_doubled,
)
from twofold.scores.item_columns import CORRECT
from twofold.scores.items import Items
from twofold.scores.labels import hold_right_wrong
from twofold.scores.metrics import is_written_in_percent
from twofold.scores.name_hints import plain
from twofold.scores.score_scale import refuse_mixed_units
from twofold.scores.scores import Floats
from twofold.tables import RawTable


@dataclass(frozen=True, eq=False)
class ItemRows:
    """What the rows of a table say, before items are matched: an entry for each row.

    ``value`` has a column for each learner in a wide table; in a long one ``learner`` says whose
    score it is.
    """

    dataset: Labels
    item: Labels
    hash: Labels | None
    cluster: Labels | None
    sample: Labels | None
    learners: list[str]
    learner: Numbers | None
    value: Floats
    metric: str
    form: str
    columns: dict[str, str]
    metrics: tuple[str, ...] = ()
    notes: list[Note] = field(default_factory=list)

    @property
    def are_right_or_wrong(self) -> bool:
        """Whether every score is 0 or 1, before samples are averaged."""
        return bool(np.isin(self.value[~np.isnan(self.value)], (0.0, 1.0)).all())


def match_items(rows: ItemRows, raw: RawTable, options: Reading) -> Items:
    """Match the items of all learners, average samples, and say how it was read."""
    # An item is known by its name within its data set.
    key = rows.dataset.index * len(rows.item.names) + rows.item.index
    item, first = number_by_appearance(key)
    names = [rows.item.names[i] for i in rows.item.index[first].tolist()]
    shape = len(first), len(rows.learners)
    value, samples = _average(rows, item, names, shape)
    own = rows.dataset.index[first]
    hashes, apart = _find_hashes(rows, item, len(first))
    shared = (samples > 0).sum(axis=1) > 1
    notes = leave_other_items(apart, shared, own, rows.dataset.names, names)
    value[apart] = np.nan
    keep, more = keep_matched(
        value, names, rows.learners, [rows.dataset.names[i] for i in own], apart
    )
    notes += more
    dataset, datasets = _renumber(own[keep], rows.dataset.names)
    cluster, more = _number_clusters(rows, item, names, first, options)
    notes += more
    cluster = None if cluster is None else np.unique(cluster[keep], return_inverse=True)[1].ravel()
    metric = _name_metric(rows, raw, options)
    higher, more = settle_direction(metric, value[keep], raw, options)
    if options.only is None and is_written_in_percent(metric):
        refuse_mixed_units(rows.learners, value.T)
    notes += more + _note_zeros_and_ones(rows, raw, options)
    if int(samples[keep].max(initial=0)) > 1:
        notes.append(_note_samples(samples[keep]))
    items = Items(
        datasets=tuple(datasets),
        learners=tuple(rows.learners),
        names=tuple(name for name, stays in zip(names, keep.tolist(), strict=True) if stays),
        dataset=dataset,
        cluster=None if cluster is None or cluster.max() + 1 == len(cluster) else cluster,
        value=value[keep],
        samples=samples[keep],
        metric=metric,
        higher_is_better=higher,
        metrics=rows.metrics,
        hashes=tuple(hashes[i] for i in np.flatnonzero(keep)),
    )
    read_as = _note_reading(items, rows, raw)
    object.__setattr__(items, "notes", (read_as, *notes, *raw.notes, *rows.notes))
    return items


def _find_hashes(rows: ItemRows, item: Numbers, count: int) -> tuple[list[str], NDArray[np.bool_]]:
    """Return the hash (or text) of each item, "" where none is known, and which have several."""
    apart = np.zeros(count, dtype=bool)
    if rows.hash is None:
        return [""] * count, apart
    known = np.flatnonzero(rows.hash.index >= 0)
    own = np.full(count, -1, dtype=np.intp)
    own[item[known[::-1]]] = rows.hash.index[known[::-1]]
    apart[item[known][rows.hash.index[known] != own[item[known]]]] = True
    return [rows.hash.names[i] if i >= 0 else "" for i in own.tolist()], apart


def _average(
    rows: ItemRows, item: Numbers, names: list[str], shape: tuple[int, int]
) -> tuple[Floats, Numbers]:
    """Return means over samples, and their counts; each score must stand alone."""
    sample = np.zeros(len(item), dtype=np.intp) if rows.sample is None else rows.sample.index + 1
    key = item * (int(sample.max()) + 1) + sample
    if rows.learner is None:
        refuse_doubled(key, lambda row: repr(names[item[row]]), rows.sample is not None)
        if len(item) == shape[0]:
            there = ~np.isnan(rows.value)
            value = np.empty(shape)
            value[item] = rows.value
            count = np.empty(shape, dtype=np.intp)
            count[item] = there
            return value, count
        every = np.repeat(item, shape[1])
        learner = np.tile(np.arange(shape[1]), len(item))
        return average_samples(every, learner, rows.value.ravel(), shape)
    learner = rows.learner
    refuse_doubled(
        key * shape[1] + learner,
        lambda row: f"{names[item[row]]!r} of {rows.learners[learner[row]]}",
        rows.sample is not None,
    )
    return average_samples(item, learner, rows.value, shape)


def _number_clusters(
    rows: ItemRows, item: Numbers, names: list[str], first: Numbers, options: Reading
) -> tuple[Numbers | None, list[Note]]:
    """Return the cluster of each item; one without a cluster is its own.

    A cluster of one name in several data sets is one: that is safe where it is not so.
    """
    if rows.cluster is None:
        return None, []
    labels = rows.cluster.index
    own = labels[first]
    if (labels != own[item]).any():
        row = int(np.flatnonzero(labels != own[item])[0])
        two = [rows.cluster.names[i] if i >= 0 else "none" for i in (own[item[row]], labels[row])]
        raise InputError(
            f"Item {names[item[row]]!r} stands in two clusters, {two[0]!r} and {two[1]!r}.",
            "Give each item one cluster.",
        )
    count = len(rows.cluster.names)
    key = np.where(own >= 0, own, count + np.arange(len(first)))
    cluster = np.unique(key, return_inverse=True)[1].ravel()
    if cluster.max() == 0:
        if options.cluster is not None and rows.cluster.names:
            raise InputError(
                f"All items stand in one cluster, {rows.cluster.names[0]!r}: nothing tells how "
                "clusters vary.",
                "Leave out the clusters, or add items of others.",
            )
        return None, _note_one_cluster(rows)
    return cluster, _note_clusters(rows.columns["cluster"], options)


def _note_one_cluster(rows: ItemRows) -> list[Note]:
    """Say what it means that a column of clusters holds one value, or none."""
    if rows.cluster is None or not rows.cluster.names:
        return []
    column, name = rows.columns["cluster"], rows.cluster.names[0]
    detail = (
        f"All items have the same {column!r}, {name!r}. They are taken for drawn one by one, and "
        f"the answer is about new items of this {column}, not about others."
    )
    return [Note("one-cluster", "One cluster", detail, "warning")]


def _note_clusters(column: str, options: Reading) -> list[Note]:
    """Say that a column was taken for clusters, where neither an option nor its name says so."""
    if options.cluster is not None or plain(column) in ("cluster", "cluster id"):
        return []
    detail = (
        f"Items with the same {column!r} are taken for a cluster, which was drawn as a whole. If "
        f"items were drawn one by one, say `drop={column!r}`."
    )
    return [Note("clusters-assumed", "Taken for clusters", detail)]


def _renumber(index: Numbers, names: list[str]) -> tuple[Numbers, list[str]]:
    """Return indices of the names that occur, and those names."""
    present, new = np.unique(index, return_inverse=True)
    return new.ravel().astype(np.intp), [names[i] for i in present.tolist()]


def _name_metric(rows: ItemRows, raw: RawTable, options: Reading) -> str:
    """Return the metric; right and wrong answers make an accuracy."""
    metric = name_metric(rows.metric, raw)
    if _is_unnamed(metric) and rows.are_right_or_wrong:
        return "error" if options.higher_is_better is False else "accuracy"
    return metric


def _is_unnamed(metric: str) -> bool:
    return metric.lower() in UNNAMED or plain(metric) in CORRECT


def _note_zeros_and_ones(rows: ItemRows, raw: RawTable, options: Reading) -> list[Note]:
    """Say that 1 was taken for right, where neither a name nor the words in cells say so."""
    metric = name_metric(rows.metric, raw)
    named = plain(metric) in CORRECT or not _is_unnamed(metric) or options.correct
    if named or options.higher_is_better is not None or not rows.are_right_or_wrong:
        return []
    if any(map(hold_right_wrong, raw.columns.values())):
        return []
    detail = "1 is read as right and 0 as wrong. If 1 is an error, use `higher_is_better=False`."
    return [Note("direction", "1 is right", detail)]


def _note_samples(samples: Numbers) -> Note:
    low, high = int(samples.min()), int(samples.max())
    count = f"{high}" if low == high else f"{low} to {high}"
    detail = (
        f"{count} samples of each item and learner were replaced by their mean: new items are "
        "what the answer is about, and more samples do not make more items."
    )
    return Note("samples-averaged", "Samples were averaged", detail)


def _note_reading(items: Items, rows: ItemRows, raw: RawTable) -> Note:
    """Say what was recognised."""
    count = len(items.names)
    named = f", named by column {rows.columns['item']!r}" if "item" in rows.columns else ""
    parts = [f"{count:,} item{'s' * (count != 1)}"]
    if items.clusters is not None:
        parts[0] += f" in {items.clusters:,} clusters (column {rows.columns['cluster']!r})"
    if len(items.datasets) > 1:
        parts[0] += f" of {len(items.datasets)} data sets"
    parts.append(f"{len(items.learners)} learner{'s' * (len(items.learners) > 1)}")
    detail = f"Read as {raw.kind or rows.form + named}: {', '.join(parts)}."
    return Note(
        "read-as", "How the table was read", detail + describe_named_metric(rows.metric, raw)
    )
