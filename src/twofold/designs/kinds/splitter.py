"""Any splitter in the manner of scikit-learn: an object with split and get_n_splits."""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from twofold.dataset import Dataset
from twofold.designs.design import Design
from twofold.designs.design_checks import Strata
from twofold.designs.kinds.leave_one_out import LeaveOneOut
from twofold.designs.run import Rows, Run, Split, Structure
from twofold.errors import InputError, describe_error
from twofold.learners.keys import canonical

# All splits of a splitter on a data set are made at once, and asked for run by run.
_SPLITS: WeakKeyDictionary[Dataset, dict[tuple[str, int], list[Split]]] = WeakKeyDictionary()


def is_splitter(design: object) -> bool:
    """Tell whether an object splits rows as scikit-learn's splitters do."""
    return hasattr(design, "split") and hasattr(design, "get_n_splits")


@dataclass(frozen=True)
class SplitterDesign(Design):
    """The splits of a scikit-learn splitter.

    Repeated cross-validation has a run for each repetition, random splits one for each split; all
    others are one run. A splitter without a random state gets one from the seed.
    """

    splitter: Any = None
    family_text: str = ""

    kind: ClassVar[str] = "splitter"
    one_stream: ClassVar[bool] = True
    repeatable: ClassVar[bool] = False
    stratifies: ClassVar[bool] = False

    @classmethod
    def wrap(cls, splitter: Any) -> Design:
        """Return the design of a splitter."""
        from sklearn.model_selection import BaseShuffleSplit
        from sklearn.model_selection import LeaveOneOut as OneOut

        if isinstance(splitter, OneOut):
            return LeaveOneOut()  # whose predictions are compared, as one row has no score
        runs = getattr(splitter, "n_repeats", 1)
        if isinstance(splitter, BaseShuffleSplit):
            runs = splitter.get_n_splits()
        return cls(runs, splitter=splitter, family_text=f"splitter:{canonical(splitter)}")

    def __str__(self) -> str:
        text = " ".join(repr(self.splitter).split())
        return type(self.splitter).__name__ if re.search(r"\bat 0x|^<", text) else text

    @property
    def family(self) -> str:
        """What splits depend on: class, parameters and the version of the library."""
        return self.family_text

    @property
    def words(self) -> str:
        """The design in words."""
        return f"the splits of {self}"

    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Return the splits of one run, as folds where they are a cross-validation."""
        splits = self._split_all(dataset, rng)
        if len(splits) % self.runs:
            raise InputError(
                f"`{self}` makes {len(splits)} splits, which are not {self.runs} runs.",
                "Check its n_repeats and get_n_splits.",
            )
        size = len(splits) // self.runs
        part = splits[run * size : (run + 1) * size]
        structure = _find_structure(part, dataset.rows)
        if structure == "folds" and all(_ascends(train, test) for train, test in part):
            fold = np.empty(dataset.rows, dtype=np.intp)
            for index, (_, test) in enumerate(part):
                fold[test] = index
            return Run(run, fold, len(part))
        return Run.from_splits(run, part, structure)

    def _split_all(self, dataset: Dataset, rng: np.random.Generator) -> list[Split]:
        cached = _SPLITS.setdefault(dataset, {})
        state = int(rng.integers(2**31))
        key = (self.family, state)
        if key not in cached:
            cached[key] = self._call(dataset, state)
            if not _are_equal(cached[key], self._call(dataset, state)):
                raise InputError(
                    f"`{self}` splits `{dataset.name}` differently each time.",
                    "Let it draw from an attribute random_state, or from a fixed seed.",
                )
        return cached[key]

    def _call(self, dataset: Dataset, state: int) -> list[Split]:
        """Split by a copy, so that the user's splitter keeps its state."""
        splitter = copy.deepcopy(self.splitter)
        if getattr(splitter, "random_state", state) is None:
            splitter.random_state = state
        rows = dataset.X if dataset.original is None else dataset.original
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of groups that a splitter does not use
                pairs = list(map(tuple, splitter.split(rows, dataset.labels, dataset.groups)))
        except Exception as error:
            remedy = "Change its parameters, or use a design such as 10x10."
            if dataset.groups is None and "group" in str(error):
                remedy = "Give `groups`: a column, or an array with a group for each row."
            message = describe_error(error).rstrip(".")
            raise InputError(
                f"`{self}` cannot split `{dataset.name}`: {message}.", remedy
            ) from None
        if not pairs:
            raise InputError(
                f"`{self}` makes no split of `{dataset.name}`.",
                "Change its parameters, or use a design such as 10x10.",
            )
        return [self._check_split(pair, dataset) for pair in pairs]

    def _check_split(self, pair: tuple[Any, ...], dataset: Dataset) -> Split:
        """Return a split as row numbers, or refuse it."""
        try:
            train, test = (_find_rows(side, dataset.rows) for side in pair)
        except ValueError as error:
            raise InputError(
                f"`{self}` makes splits that cannot be used: {error}.",
                "It must yield pairs of arrays: training rows and test rows, as numbers.",
            ) from None
        if np.intersect1d(train, test).size:
            raise InputError(
                f"`{self}` trains on rows of `{dataset.name}` that it tests on.",
                "Training and test rows of a split must differ.",
            )
        groups = dataset.groups
        if groups is not None and np.intersect1d(groups[train], groups[test]).size:
            raise InputError(
                f"`{self}` puts rows of one group of `{dataset.name}` on both sides of a split.",
                "Use a splitter for groups such as GroupKFold, or leave out `groups`.",
            )
        return Split(train, test)


def _find_rows(side: Any, rows: int) -> Rows:
    numbers = np.asarray(side)
    if numbers.dtype == bool and numbers.shape == (rows,):
        numbers = np.flatnonzero(numbers)
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise ValueError("a side is not a list of row numbers")
    if numbers.size and (numbers.min() < 0 or numbers.max() >= rows):
        raise ValueError(f"there are rows 0 to {rows - 1} only")
    return numbers.astype(np.intp)


def _find_structure(splits: Sequence[Split], rows: int) -> Structure:
    """Tell folds, which test each row once and train on all others, from other splits."""
    tested = np.concatenate([test for _, test in splits])
    once = len(tested) == rows and len(np.unique(tested)) == rows
    if once and len(splits) > 1 and all(len(train) + len(test) == rows for train, test in splits):
        return "folds"
    sides = [(train.max(initial=-1), test.min(initial=rows)) for train, test in splits]
    if len(splits) > 1 and all(last < first for last, first in sides):
        return "time-series"
    drawn_twice = any(len(np.unique(train)) < len(train) for train, _ in splits)
    return "bootstrap" if drawn_twice else "random"


def _ascends(train: Rows, test: Rows) -> bool:
    return bool((np.diff(train) > 0).all() and (np.diff(test) > 0).all())


def _are_equal(splits: Sequence[Split], again: Sequence[Split]) -> bool:
    return len(splits) == len(again) and all(
        np.array_equal(side, other)
        for pair, other_pair in zip(splits, again, strict=True)
        for side, other in zip(pair, other_pair, strict=True)
    )
