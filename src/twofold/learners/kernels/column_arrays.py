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
        cell = np.empty((rows, attributes), dtype=np.uint32)
        starts = np.empty(attributes + 1, dtype=np.int64)
        starts[0] = 1
        parts: list[Any] = [np.zeros(1)]
        for a in range(attributes):
            column = columns.X[:, a]
            gone = np.isnan(column)
            if columns.nominal[a]:
                different = np.arange(columns.values[a], dtype=np.float64)
                codes = np.where(gone, 0, column).astype(np.int64)
            else:
                present = column[~gone]
                different = np.unique(present)
                codes = np.searchsorted(different, column)
            cell[:, a] = np.where(gone, 0, starts[a] + codes)
            starts[a + 1] = starts[a] + len(different)
            parts.append(different)
        return cls(cell, starts, np.concatenate(parts))
