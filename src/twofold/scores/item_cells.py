"""From the rows of a table of items to a score of each learner on each item.

Nothing is dropped in silence: items that a learner lacks are named, items that stand twice are
refused unless samples tell them apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.result import Note, join_first
from twofold.scores.labels import RIGHT, RIGHT_WRONG
from twofold.scores.score_cells import CellReader, as_name, distinct
from twofold.scores.scores import Floats
from twofold.tables import RawTable, list_names
from twofold.tables.cells import is_blank, is_missing

Numbers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Labels:
    """Names, and for each row the index of its name; −1 where a cell is blank."""

    names: list[str]
    index: Numbers

    @classmethod
    def read(cls, cells: Sequence[Any], rows: Sequence[int] | None = None) -> Labels:
        """Number the names in a column by first appearance."""
        chosen = distinct(cells if rows is None else [cells[row] for row in rows])
        order: dict[str, int] = {}
        number = {
            cell: -1 if is_blank(cell) else order.setdefault(as_name(cell), len(order))
            for cell in dict.fromkeys(chosen)
        }
        return cls(list(order), np.array([number[cell] for cell in chosen], dtype=np.intp))

    @classmethod
    def same(cls, name: str, count: int) -> Labels:
        """Return one name for all rows."""
        return cls([name], np.zeros(count, dtype=np.intp))


def read_scores_of_items(
    raw: RawTable, name: str, rows: Sequence[int] | None, *, binary: bool, reader: CellReader
) -> Floats:
    """Return a column of scores, NaN where one is missing; words for right and wrong as 1 and 0."""
    if not binary:
        return reader.numbers(name, rows)
    cells = distinct(raw.columns[name])
    chosen = cells if rows is None else [cells[row] for row in rows]
    number = {}
    for cell in dict.fromkeys(chosen):
        word = str(cell).strip().lower()
        if is_missing(cell):
            number[cell] = np.nan
            continue
        if word not in RIGHT_WRONG:
            where = raw.locate(chosen.index(cell) if rows is None else rows[chosen.index(cell)])
            raise InputError(
                f"Column {name!r}, {where}: {str(cell)[:30]!r} is neither right nor wrong.",
                "Write 1 and 0, or leave out `correct=True`.",
            )
        number[cell] = 1.0 if word in RIGHT else 0.0
    return np.array([number[cell] for cell in chosen], dtype=np.float64)


def number_by_appearance(labels: Numbers) -> tuple[Numbers, Numbers]:
    """Return labels numbered by their first appearance, and where each appears first."""
    _, first, index = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[index.ravel()], np.sort(first)


def refuse_nameless(raw: RawTable, column: str, labels: Labels, rows: Sequence[int] | None) -> None:
    """Refuse an item without a name among others that have one."""
    if (labels.index < 0).any():
        first = int(np.flatnonzero(labels.index < 0)[0])
        raise InputError(
            f"Column {column!r}, {raw.locate(first if rows is None else rows[first])}: the item "
            "has no name.",
            "Fill every cell of this column; cells must not be merged.",
        )


def refuse_doubled(keys: Numbers, describe: Any, has_samples: bool) -> None:
    """Refuse two scores of one learner on one item, and of one sample where there are samples.

    ``describe`` says of a row which item (and learner) it is about.
    """
    _, first, count = np.unique(keys, return_index=True, return_counts=True)
    if (count == 1).all():
        return
    twice = first[count > 1]
    names = join_first([describe(int(row)) for row in np.sort(twice)[:3]], most=3)
    more = f" and {len(twice) - 3} more" if len(twice) > 3 else ""
    raise InputError(
        f"{names}{more} {'stand' if len(twice) > 1 else 'stands'} in the table twice"
        + (", in the same sample." if has_samples else "."),
        "Number the samples so that each score stands alone."
        if has_samples
        else "Name the column that counts samples of an item, `sample=NAME`, or the one that names "
        "items, `item=NAME`; items with one passage are a cluster, `cluster=NAME`.",
    )


def average_samples(
    item: Numbers, learner: Numbers, value: Floats, shape: tuple[int, int]
) -> tuple[Floats, Numbers]:
    """Return the mean of each learner's samples on each item (NaN without any), and their count."""
    there = ~np.isnan(value)
    cell = (item * shape[1] + learner)[there]
    count = np.bincount(cell, minlength=shape[0] * shape[1])
    total = np.bincount(cell, value[there], shape[0] * shape[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / count
    return mean.reshape(shape), count.reshape(shape).astype(np.intp)


def leave_other_items(
    apart: NDArray[np.bool_],
    shared: NDArray[np.bool_],
    dataset: Numbers,
    datasets: Sequence[str],
    names: Sequence[str],
) -> list[Note]:
    """Name the items that are not the same for all learners, though they have one name.

    Where most of a task's are different, learners were not tried on the same items.
    """
    notes = []
    for number in np.unique(dataset[apart]).tolist():
        here = dataset == number
        differing = np.flatnonzero(apart & here).tolist()
        task, count = datasets[number], int((shared & here).sum())
        if 2 * len(differing) > count:
            raise InputError(
                f"Files of {task!r} are not about the same items: {len(differing)} of {count} that "
                "have one name differ in question or answer.",
                "Compare runs of one version of the test.",
            )
        detail = (
            f"On {task!r} {len(differing)} of {count} items differ between files in question or "
            f"answer: {join_first([repr(names[i]) for i in differing])}. They were left out."
        )
        notes.append(Note("items-differ", "Items left out", detail, "warning"))
    return notes


def keep_matched(
    value: Floats,
    names: Sequence[str],
    learners: Sequence[str],
    tasks: Sequence[str],
    apart: NDArray[np.bool_],
) -> tuple[NDArray[np.bool_], list[Note]]:
    """Return which items all learners have, and name those that some lack.

    ``tasks`` are the data sets of the items; those that are ``apart`` were named before.
    """
    missing = np.isnan(value)
    keep: NDArray[np.bool_] = np.asarray(~missing.any(axis=1))
    missing = missing & ~apart[:, None]
    if not missing.any():
        return keep, []
    lacking = missing.sum(axis=0)
    parts = []
    for j in np.flatnonzero(lacking).tolist():
        absent = [names[i] for i in np.flatnonzero(missing[:, j]).tolist()]
        parts.append(f"{learners[j]} lacks {list_names(absent, 3)}")
    if not keep.any():
        _refuse_other_tasks(missing, learners, tasks)
        few = join_first(parts, most=2, separator="; ")
        raise InputError(
            f"No item has a score of every learner: {few}.",
            "Give items the same names for all learners, or leave a learner out with `drop=NAME`.",
        )
    count = int(missing.any(axis=1).sum())
    detail = (
        f"{count} of {len(keep)} items {'was' if count == 1 else 'were'} left out, since not every "
        f"learner has a score there: {join_first(parts, most=6, separator='; ')}."
    )
    return keep, [Note("items-unmatched", "Items without a partner", detail, "warning")]


def _refuse_other_tasks(
    missing: NDArray[np.bool_], learners: Sequence[str], tasks: Sequence[str]
) -> None:
    """Refuse learners that were tried on different tasks, and name these."""
    own = [
        dict.fromkeys(tasks[i] for i in np.flatnonzero(~missing[:, j]).tolist())
        for j in range(len(learners))
    ]
    for j, other in enumerate(own):
        if own[0] and other and not own[0].keys() & other.keys():
            raise InputError(
                f"{learners[0]} and {learners[j]} have no task in common: {list_names(own[0], 3)} "
                f"and {list_names(other, 3)}.",
                "Give the scores of all learners on the same tasks.",
            )
