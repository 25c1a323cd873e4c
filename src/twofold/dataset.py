"""What every data set looks like, wherever it comes from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.escapes import make_visible
from twofold.result import Note

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column that learners may use: numeric, or nominal where it has values."""

    name: str
    values: tuple[str, ...] | None = None

    @property
    def nominal(self) -> bool:
        """Whether the column holds one of a few words rather than a number."""
        return self.values is not None


@dataclass(frozen=True, eq=False)
class Dataset:
    """Rows with attributes and a target.

    Attributes
    ----------
    name : str
    attributes : tuple of Attribute
    X : array (rows, attributes)
        Numbers; for nominal attributes the place of the value among the attribute's values.
        NaN where a value is missing.
    y : array (rows,)
        For classes, the place of the class among ``classes``; otherwise the number to predict.
    classes : tuple of str, or None
        Names of the classes that occur, None where a number is predicted.
    declared_classes : tuple of str, or None
        All classes that the file declares, whether they occur or not; None where it declares none.
        Learners that smooth over classes as Weka does count these.
    target : str
        Name of the column that is predicted.
    groups : array of int, optional
        Rows of one group never stand on both sides of a split.
    given_folds : array of int, optional
        The fold of each row, where the user brings folds; −1 for rows that are never tested on.
    original : Any
        The rows as the user passed them in Python; estimators that want them get these.
    notes : tuple of Note
        What was noticed while reading.
    """

    name: str
    attributes: tuple[Attribute, ...]
    X: Floats
    y: NDArray[Any]
    classes: tuple[str, ...] | None
    target: str = "target"
    declared_classes: tuple[str, ...] | None = None
    groups: NDArray[np.intp] | None = None
    given_folds: NDArray[np.intp] | None = None
    original: Any = field(default=None, repr=False)
    notes: tuple[Note, ...] = ()

    def __post_init__(self) -> None:
        """Write out control characters of the name."""
        object.__setattr__(self, "name", make_visible(self.name))

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.y)

    @property
    def classification(self) -> bool:
        """Whether a class is predicted rather than a number."""
        return self.classes is not None

    @property
    def labels(self) -> NDArray[Any]:
        """The target as the user wrote it: names of classes, or numbers."""
        if self.classes is None:
            return self.y
        return np.asarray(self.classes, dtype=object)[self.y]

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the content; the name of the data set is not part of it."""
        digest = hashlib.sha256()
        shape = (self.X.shape, self.attributes, self.classes, self.target, self.declared_classes)
        digest.update(repr(shape).encode())
        # A missing value is one thing, however its bits are set.
        values = np.ascontiguousarray(np.where(np.isnan(self.X), np.nan, self.X) + 0.0)
        digest.update(values.tobytes())
        kind = np.int64 if self.classification else np.float64
        digest.update(np.ascontiguousarray(self.y, dtype=kind).tobytes())
        for part in (self.groups, self.given_folds):
            digest.update(b"-" if part is None else np.asarray(part, dtype=np.int64).tobytes())
        return digest.hexdigest()


def with_groups(dataset: Dataset, groups: Any) -> Dataset:
    """Return the data set with a group for each row, from an array of numbers or words."""
    values = np.asarray(groups)
    if values.shape != (dataset.rows,):
        size = f"{len(values)} entries" if values.ndim == 1 else f"the shape {values.shape}"
        raise InputError(
            f"`groups` has {size}, and `{dataset.name}` has {dataset.rows} rows.",
            "Give one group for each row, or the name of a column.",
        )
    # Missing is what differs from itself, and None.
    missing = [value is None or value != value for value in values.tolist()]
    if any(missing):
        raise InputError(
            f"`groups` is missing in {sum(missing)} rows.", "Fill it in; every row needs a group."
        )
    texts = values.astype(str) if values.dtype == object else values
    return replace(dataset, groups=np.unique(texts, return_inverse=True)[1].astype(np.intp))


def take_rows(dataset: Dataset, rows: NDArray[np.intp]) -> Dataset:
    """Return some rows of a data set; the classes and attributes stay those of the whole."""
    groups, folds, original = dataset.groups, dataset.given_folds, dataset.original
    if groups is not None:
        _, groups = np.unique(groups[rows], return_inverse=True)
    if original is not None:
        from sklearn.utils import _safe_indexing

        original = _safe_indexing(original, rows)
    return replace(
        dataset,
        X=np.ascontiguousarray(dataset.X[rows]),
        y=dataset.y[rows],
        groups=groups,
        given_folds=None if folds is None else folds[rows],
        original=original,
    )
