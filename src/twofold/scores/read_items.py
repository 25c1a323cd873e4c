"""Read tables of items: a row for each item and a column for each learner, or a row per score."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.options import ALL_METRICS, Reading
from twofold.result import Note
from twofold.scores.build_scores import UNNAMED, note_direction
from twofold.scores.columns import drop_columns, is_long, refuse_nested
from twofold.scores.item_cells import (
    Labels,
    Numbers,
    average_samples,
    keep_matched,
    read_scores_of_items,
    refuse_doubled,
    refuse_nameless,
)
from twofold.scores.item_columns import CORRECT, find_item_columns, list_candidates
from twofold.scores.items import Items
from twofold.scores.labels import is_right_wrong
from twofold.scores.left_out import (
    choose_learners,
    doubt_error,
    note_left_out_columns,
    too_few_error,
)
from twofold.scores.long import choose_metric, note_unused
from twofold.scores.metrics import direction
from twofold.scores.name_hints import find_roles, plain
from twofold.scores.read_options import resolve
from twofold.scores.score_cells import CellReader, mostly_numbers
from twofold.scores.scores import Floats
from twofold.tables import RawTable, list_names, refuse_duplicates
from twofold.tables.cells import is_missing

TEST_SET = "the test set"
"""The only data set of a table of items that does not name it."""


@dataclass(frozen=True, eq=False)
class ItemRows:
    """What the rows of a table say, before items are matched: an entry for each row.

    ``value`` has a column for each learner in a wide table; in a long one ``learner`` says whose
    score it is.
    """

    dataset: Labels
    item: Labels
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


def read_items(raw: RawTable, options: Reading) -> Items:
    """Return the items of a table that holds them."""
    if not raw.columns or not raw.size:
        raise InputError("The table is empty.", "It needs a header and a row for each item.")
    raw, options = drop_columns(raw, options)
    refuse_nested(raw)
    roles = find_roles(raw.columns)
    named = {options.item, options.cluster, options.sample}
    roles = {role: name for role, name in roles.items() if name not in named}
    long = "learner" in roles and is_long(raw, roles)
    rows = _read_long(raw, roles, options) if long else _read_wide(raw, options)
    return _match(rows, raw, options)


def _read_wide(raw: RawTable, options: Reading) -> ItemRows:
    chosen = None if options.only is None else resolve(options.only, list(raw.columns), "learner")
    columns = find_item_columns(raw, options, chosen or (), None)
    free = [name for name in raw.columns if name not in columns.values()]
    learners, notes = (chosen, []) if chosen is not None else _choose_columns(raw, free, options)
    notes = [*notes, *_note_candidates(raw, [n for n in free if n not in learners], columns)]
    gone = resolve(options.drop, _list_rows(raw, columns), "column, item or data set")
    rows = _keep_rows(raw, columns, set(gone))
    binary = options.correct or all(is_right_wrong(raw.columns[name]) for name in learners)
    reader = CellReader(raw)
    names = [name.strip() for name in learners]
    refuse_duplicates(names)
    value = np.stack(
        [read_scores_of_items(raw, n, rows, binary=binary, reader=reader) for n in learners], axis=1
    )
    notes += reader.notes()
    metric = None if options.metric == ALL_METRICS else options.metric
    return ItemRows(
        **_read_labels(raw, columns, rows, len(value)),
        learners=names,
        learner=None,
        value=value,
        metric=metric or "score",
        form="a wide table of items",
        columns=columns,
        notes=notes,
    )


def _read_long(raw: RawTable, roles: dict[str, str], options: Reading) -> ItemRows:
    taken = {roles[role] for role in ("learner", "metric", "value") if role in roles}
    columns = find_item_columns(raw, options, taken, roles["learner"])
    free = {plain(n): n for n in reversed(raw.columns) if n not in {*taken, *columns.values()}}
    correct = next((free[word] for word in CORRECT if word in free), None)
    if correct is not None:
        roles.setdefault("value", correct)
    chosen, column, rows, metrics, notes = choose_metric(raw, roles | columns, options.metric)
    taken.add(column)
    if "item" not in columns:
        raise InputError(
            "Which column names the items? Scores of several learners are matched by it.",
            f"Call it item, or say `item=NAME`: {list_names(free.values() or raw.columns, 6)}.",
        )
    learner = Labels.read(raw.columns[roles["learner"]], rows)
    keep = _select_rows(raw, rows, learner, columns, options)
    if keep is not None:
        rows = [rows[i] for i in keep]
        learner = Labels.read(raw.columns[roles["learner"]], rows)
    if (learner.index < 0).any():
        first = rows[int(np.flatnonzero(learner.index < 0)[0])]
        raise InputError(
            f"Column {roles['learner']!r}, {raw.locate(first)}: the learner has no name.",
            "Fill every cell of this column.",
        )
    learners, index = learner.names, learner.index
    if options.only is not None:
        learners = resolve(options.only, learner.names, "learner")
        index = np.array([learners.index(name) for name in learner.names])[index]
    binary = options.correct or is_right_wrong([raw.columns[column][row] for row in rows])
    reader = CellReader(raw)
    value = read_scores_of_items(raw, column, rows, binary=binary, reader=reader)
    every = None if len(rows) == raw.size else rows
    unused = [n for n in raw.columns if n not in {*taken, *columns.values(), *metrics}]
    unused = [n for n in unused if not all(map(is_missing, raw.columns[n]))]
    notes += [*note_unused(unused), *_note_candidates(raw, unused, columns)]
    return ItemRows(
        **_read_labels(raw, columns, every, len(rows)),
        learners=learners,
        learner=index,
        value=value,
        metric=chosen,
        form=f"a long table of items with scores in column {column!r}",
        columns=columns,
        metrics=metrics,
        notes=[*notes, *reader.notes()],
    )


def _choose_columns(
    raw: RawTable, names: list[str], options: Reading
) -> tuple[list[str], list[Note]]:
    """Return the columns of learners: those of right and wrong, or of numbers; and what is left."""
    binary = [name for name in names if is_right_wrong(raw.columns[name])]
    graded = [n for n in names if n not in binary and _may_be_grades(raw, n)]
    if options.correct and not binary:
        raise InputError(
            "No column holds zeros and ones, or words for right and wrong.",
            "Leave out `correct=True`, which says so; `only=[A, B]` names the learners.",
        )
    if len(binary) > 1 and graded and not options.correct:
        raise doubt_error(graded[0], "something else", [*binary, *graded])
    if binary and (options.correct or not graded):
        why: dict[str, list[str]] = {}
        for name in names:
            if name not in binary:
                kind = "numbers" if mostly_numbers(raw.columns[name]) else "words"
                why.setdefault(kind, []).append(name)
        return binary, note_left_out_columns(why)
    learners, number, notes = choose_learners(raw, names)
    if not learners:
        raise too_few_error(learners, [])
    return [name for name in learners if name != number], notes


def _may_be_grades(raw: RawTable, name: str) -> bool:
    """Tell whether numbers between 0 and 1 may be grades of a learner beside zeros and ones."""
    cells = raw.columns[name]
    if not mostly_numbers(cells):
        return False
    values = CellReader(raw).numbers(name)
    there = values[~np.isnan(values)]
    return bool(len(there) and there.min() >= 0 and there.max() <= 1)


def _read_labels(
    raw: RawTable, columns: dict[str, str], rows: list[int] | None, count: int
) -> dict[str, Any]:
    """Return the labels of each row: data set, item, cluster and sample."""
    labels: dict[str, Labels | None] = {
        role: Labels.read(raw.columns[columns[role]], rows) if role in columns else None
        for role in ("dataset", "item", "cluster", "sample")
    }
    if labels["dataset"] is None:
        labels["dataset"] = Labels.same(TEST_SET, count)
    elif (labels["dataset"].index < 0).any():
        first = int(np.flatnonzero(labels["dataset"].index < 0)[0])
        where = raw.locate(first if rows is None else rows[first])
        raise InputError(
            f"Column {columns['dataset']!r}, {where}: the data set has no name.",
            "Fill every cell of this column; cells must not be merged.",
        )
    if labels["item"] is None:
        numbers = range(raw.size) if rows is None else rows
        labels["item"] = Labels([str(i + 1) for i in numbers], np.arange(count))
    else:
        refuse_nameless(raw, columns["item"], labels["item"], rows)
    return labels


def _list_rows(raw: RawTable, columns: dict[str, str]) -> list[str]:
    """Return the names by which rows can be dropped, and those of all columns."""
    parts = [raw.columns[columns[role]] for role in ("dataset", "item") if role in columns]
    return [*raw.columns, *(name for cells in parts for name in Labels.read(cells).names)]


def _keep_rows(raw: RawTable, columns: dict[str, str], gone: set[str]) -> list[int] | None:
    """Return the rows whose item and data set stay, None for all."""
    if not gone:
        return None
    keep = np.ones(raw.size, dtype=bool)
    for role in ("dataset", "item"):
        if role in columns:
            labels = Labels.read(raw.columns[columns[role]])
            stays = np.array([name not in gone for name in labels.names] + [True])
            keep &= stays[labels.index]
    rows: list[int] = np.flatnonzero(keep).tolist()
    if not rows:
        raise InputError("No item is left.", "Drop fewer of them.")
    return rows


def _select_rows(
    raw: RawTable, rows: list[int], learner: Labels, columns: dict[str, str], options: Reading
) -> list[int] | None:
    """Return which of the rows of a long table stay, None for all."""
    gone = set(resolve(options.drop, [*learner.names, *_list_rows(raw, columns)], "learner"))
    only = None if options.only is None else set(resolve(options.only, learner.names, "learner"))
    if not gone and only is None:
        return None
    left = _keep_rows(raw, columns, gone)
    stay = set(rows if left is None else left)
    keeps = [name not in gone and (only is None or name in only) for name in learner.names]
    kept = [
        i for i, row in enumerate(rows)
        if row in stay and learner.index[i] >= 0 and keeps[learner.index[i]]
    ]  # fmt: skip
    if not kept:
        raise InputError("No scores are left.", "Drop fewer learners, items or data sets.")
    return kept


def _note_candidates(raw: RawTable, rest: list[str], columns: dict[str, str]) -> list[Note]:
    """Say which columns may put items into clusters, where none does."""
    candidates = [] if "cluster" in columns else list_candidates(raw, rest)
    if not candidates:
        return []
    detail = (
        f"Values of {list_names(candidates, 3)} come again. If items that share one were drawn "
        f"together, as the questions on one passage, say `cluster={candidates[0]!r}`: as "
        "independent items they would make the test too sure."
    )
    return [Note("cluster-candidates", "Perhaps clusters", detail, "warning")]


def _match(rows: ItemRows, raw: RawTable, options: Reading) -> Items:
    """Match the items of all learners, average samples, and say how it was read."""
    # An item is known by its name within its data set.
    key = rows.dataset.index * len(rows.item.names) + rows.item.index
    _, first, index = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(first))  # in the order of their first appearance
    item, first = order[index.ravel()], np.sort(first)
    names = [rows.item.names[i] for i in rows.item.index[first].tolist()]
    shape = len(first), len(rows.learners)
    value, samples = _average(rows, item, names, shape)
    keep, notes = keep_matched(value, names, rows.learners)
    dataset, datasets = _renumber(rows.dataset.index[first][keep], rows.dataset.names)
    cluster, more = _number_clusters(rows, item, names, first, options)
    notes += more
    cluster = None if cluster is None else np.unique(cluster[keep], return_inverse=True)[1].ravel()
    metric, better = _name_metric(rows, raw, options)
    notes += note_direction(metric, better, options)
    notes += _note_zeros_and_ones(rows, options)
    higher = options.higher_is_better
    if higher is None:
        higher = True if better is None else better
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
        higher_is_better=bool(higher),
        metrics=rows.metrics,
    )
    read_as = _note_reading(items, rows, raw)
    object.__setattr__(items, "notes", (read_as, *notes, *raw.notes, *rows.notes))
    return items


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
        return None, []
    return cluster, _note_clusters(rows.columns["cluster"], options)


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


def _name_metric(rows: ItemRows, raw: RawTable, options: Reading) -> tuple[str, bool | None]:
    """Return the metric, and which way is better where that is known."""
    metric = rows.metric
    if _is_unnamed(metric) and rows.are_right_or_wrong:
        metric = "error" if options.higher_is_better is False else "accuracy"
    return metric, raw.directions.get(metric, direction(metric))


def _is_unnamed(metric: str) -> bool:
    return metric.lower() in UNNAMED or plain(metric) in CORRECT


def _note_zeros_and_ones(rows: ItemRows, options: Reading) -> list[Note]:
    """Say that 1 was taken for right, where nothing says so."""
    named = plain(rows.metric) in CORRECT or not _is_unnamed(rows.metric) or options.correct
    if named or options.higher_is_better is not None or not rows.are_right_or_wrong:
        return []
    detail = "1 is taken for right and 0 for wrong. If 1 is an error, say `higher_is_better=False`."
    return [Note("direction-assumed", "Higher is taken to be better", detail)]


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
    return Note("read-as", "How the table was read", detail)
