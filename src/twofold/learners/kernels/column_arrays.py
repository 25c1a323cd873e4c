"""A data set as the kernels want it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Dataset
from twofold.errors import InputError

Floats = NDArray[np.float64]

MOST_SORTED = 1_000_000
"""Values that are sorted at a time."""


def make_plain(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array as kernels were compiled for: in one piece, and writable.

    For arrays that joblib shares read-only they would be compiled again, which takes longer than
    a copy.
    """
    return np.require(array, requirements=["C", "W"])


@dataclass(frozen=True, eq=False)
class Columns:
    """Attributes and classes of some rows.

    Attributes
    ----------
    X : array (rows, attributes)
        Numbers, or codes of values where an attribute is nominal; NaN where missing.
    values : array (attributes,)
        How many values a nominal attribute has; 0 for a numeric one.
    y : array (rows,)
        Class codes.
    classes : int
        How many classes there are, those that do not occur here included.
    """

    X: Floats
    values: NDArray[np.int64]
    y: NDArray[np.uint32]
    classes: int

    @classmethod
    def from_dataset(cls, dataset: Dataset) -> Columns:
        """Take what is needed from a data set."""
        if dataset.classes is None:
            raise InputError(
                f"{dataset.name} has a number as its target; this learner predicts classes.",
                "Choose a data set with classes, or a learner that predicts numbers.",
            )
        values = [len(a.values) if a.values is not None else 0 for a in dataset.attributes]
        return cls(
            np.ascontiguousarray(dataset.X, dtype=np.float64),
            np.array(values, dtype=np.int64),
            np.ascontiguousarray(dataset.y, dtype=np.uint32),
            len(dataset.classes),
        )

    @cached_property
    def nominal(self) -> NDArray[np.bool_]:
        """Which attributes are nominal."""
        return self.values > 0

    @cached_property
    def missing(self) -> bool:
        """Whether any value is missing."""
        # A sum is NaN if any number is; that is far quicker than asking every number.
        return bool(np.isnan(self.X.sum()))

    @cached_property
    def cells(self) -> Cells:
        """Every attribute as places among its different values."""
        return Cells.from_columns(self)


@dataclass(frozen=True, eq=False)
class Cells:
    """Different values of all attributes in one long row, cell 0 standing for a missing value.

    Attributes
    ----------
    cell : array (rows, attributes)
        The cell of every value.
    starts : array (attributes + 1,)
        Cells of attribute a are starts[a] … starts[a + 1] − 1, values ascending.
    value : array (cells,)
    """

    cell: NDArray[np.uint32]
    starts: NDArray[np.int64]
    value: Floats

    @classmethod
    def from_columns(cls, columns: Columns) -> Cells:
        """Number the values of every attribute."""
        rows, attributes = columns.X.shape
        if columns.nominal.all() and not columns.missing:
            starts = np.ones(attributes + 1, dtype=np.int64)
            np.cumsum(columns.values, out=starts[1:])
            starts[1:] += 1
            # Only numeric attributes need to know their values.
            value = np.zeros(int(starts[-1]))
            return cls((columns.X + starts[:-1]).astype(np.uint32), starts, value)
        numeric = np.flatnonzero(~columns.nominal)
        counts = columns.values.copy()
        sorted_columns = SortedColumns.from_table(columns.X[:, numeric])
        counts[numeric] = sorted_columns.counts
        starts = np.concatenate([[1], 1 + np.cumsum(counts)])
        value = np.zeros(int(starts[-1]))
        value[1:][np.repeat(~columns.nominal, counts)] = sorted_columns.value
        cell = np.empty((rows, attributes), dtype=np.uint32)
        cell[:, numeric] = starts[numeric] + sorted_columns.rank
        codes = columns.X[:, columns.nominal]
        cell[:, columns.nominal] = starts[:-1][columns.nominal] + np.nan_to_num(codes)
        if columns.missing:
            cell[np.isnan(columns.X)] = 0
        return cls(cell, starts, value)


@dataclass(frozen=True, eq=False)
class SortedColumns:
    """The rows of a table in the order of each of its columns, missing values last.

    Attributes
    ----------
    order : array (columns, rows)
        Row numbers; rows of the same value in their order in the table.
    fresh : array (columns, rows)
        Whether the value is another than that of the row before; false where it is missing.
    rank : array (rows, columns)
        Which of the different values it is; of no meaning where it is missing.
    value : array
        The different values of all columns, ascending within a column.
    """

    order: NDArray[np.uint32]
    fresh: NDArray[np.bool_]
    rank: NDArray[np.int32]
    value: Floats

    @classmethod
    def from_table(cls, table: Floats) -> SortedColumns:
        """Sort each column."""
        rows, columns = table.shape
        order = np.empty((columns, rows), dtype=np.uint32)
        fresh = np.empty((columns, rows), dtype=np.bool_)
        rank = np.empty((rows, columns), dtype=np.int32)
        values = [np.empty(0)]
        step = max(1, MOST_SORTED // max(1, rows))
        for first in range(0, columns, step):
            block = np.arange(first, min(first + step, columns))
            part = np.ascontiguousarray(table[:, block].T)
            by_value = np.argsort(part, axis=1)  # not stable, and several times as fast
            ascending = np.take_along_axis(part, by_value, axis=1)
            present = ascending == ascending
            new = present.copy()
            new[:, 1:] &= ascending[:, 1:] != ascending[:, :-1]
            values.append(ascending[new] + 0.0)  # −0 becomes 0
            place = np.cumsum(new, axis=1, dtype=np.int32)
            if not new.all():
                by_value = _order_ties(by_value, place + ~present)
            ranks = np.empty_like(place)
            np.put_along_axis(ranks, by_value, place - 1, axis=1)
            rank[:, block] = ranks.T
            order[block], fresh[block] = by_value, new
        return cls(order, fresh, rank, np.concatenate(values))

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How many different values each column has."""
        return np.asarray(self.fresh.sum(axis=1), dtype=np.int64)


def _order_ties(by_value: NDArray[np.intp], group: NDArray[np.int32]) -> NDArray[np.intp]:
    """Return row numbers in ascending order within each group of equal values."""
    rows = by_value.shape[1]
    keys = group * np.int64(rows)
    keys += by_value
    keys.sort(axis=1)
    keys %= rows
    return keys
