"""The table of scores that experiments produce and comparisons take."""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError, suggest
from twofold.escapes import make_names_visible, make_visible
from twofold.result import Note
from twofold.writing import write_whole

if TYPE_CHECKING:
    import pandas

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Folds:
    """Scores on one data set: values (learners, runs, folds), and the sizes of the parts."""

    values: Floats
    n_train: Floats | None
    n_test: Floats | None
    has_folds: bool


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """Scores of learners on data sets, one row for each value.

    Pass them to `compare`; ``to_frame`` and ``to_csv`` take them elsewhere.

    Attributes
    ----------
    datasets, learners : tuple of str
        Names, in the order of their first appearance.
    dataset, learner : arrays of int
        For each value, the index of its data set and learner in those names.
    run, fold : arrays of int
        Repetition and fold of each value, −1 where there are none.
    n_train, n_test : arrays of float
        Sizes of the parts, NaN where they are not known.
    value : array of float
        The scores; missing ones are left out, not NaN.
    metric : str
    higher_is_better : bool
    form : str
        What the table looked like: "wide", "long", "ranks".
    notes : tuple of Note
        What was noticed while reading.
    metrics : tuple of str
        All metrics that the table had, this one among them; empty where it names none.
    positive : dict of str to str
        The class that the metric looks for on a data set of two classes, where it looks for one.
    """

    datasets: tuple[str, ...]
    learners: tuple[str, ...]
    dataset: NDArray[np.intp]
    learner: NDArray[np.intp]
    run: NDArray[np.intp]
    fold: NDArray[np.intp]
    n_train: Floats
    n_test: Floats
    value: Floats
    metric: str = "score"
    higher_is_better: bool = True
    form: str = "long"
    notes: tuple[Note, ...] = field(default=())
    metrics: tuple[str, ...] = ()
    positive: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Write out control characters of names, which stay distinct."""
        names = make_names_visible(self.datasets)
        renamed = dict(zip(self.datasets, names, strict=True))
        positive = {renamed.get(key, key): make_visible(c) for key, c in self.positive.items()}
        object.__setattr__(self, "positive", positive)
        object.__setattr__(self, "datasets", names)
        object.__setattr__(self, "learners", make_names_visible(self.learners))
        object.__setattr__(self, "metric", make_visible(self.metric))
        object.__setattr__(self, "metrics", make_names_visible(self.metrics))

    def means(self) -> Floats:
        """Return the table (data sets, learners) of mean scores, NaN where a cell is missing."""
        shape = len(self.datasets), len(self.learners)
        cell = self.dataset * shape[1] + self.learner
        count = np.bincount(cell, minlength=shape[0] * shape[1])
        total = np.bincount(cell, weights=self.value, minlength=shape[0] * shape[1])
        total[count == 0] = np.nan
        return np.divide(total, count, out=total, where=count > 1).reshape(shape)

    def counts(self) -> NDArray[np.intp]:
        """Return how many values each cell (data set, learner) has."""
        shape = len(self.datasets), len(self.learners)
        cell = self.dataset * shape[1] + self.learner
        return np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)

    def folds(self, dataset: int) -> Folds:
        """Return the scores on one data set as runs × folds for each learner."""
        order, bounds = self._by_dataset
        here = order[bounds[dataset] : bounds[dataset + 1]]
        runs, folds = np.unique(self.run[here]), np.unique(self.fold[here])
        shape = (len(self.learners), len(runs), len(folds))
        index = (
            self.learner[here],
            np.searchsorted(runs, self.run[here]),
            np.searchsorted(folds, self.fold[here]),
        )
        values, train, test = (np.full(shape, np.nan) for _ in range(3))
        values[index] = self.value[here]
        train[index], test[index] = self.n_train[here], self.n_test[here]
        present = ~np.isnan(values).all(axis=(1, 2))
        if np.isnan(values[present]).any():
            raise InputError(
                f"On {self.datasets[dataset]!r} not every learner has a score in every fold.",
                "Score all learners on the same splits; leave out runs that were not finished.",
            )
        has_folds = bool((self.fold[here] >= 0).any())
        return Folds(values, _find_sizes(train), _find_sizes(test), has_folds)

    @cached_property
    def _by_dataset(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The values in the order of their data sets, and where each data set begins."""
        order = np.argsort(self.dataset, kind="stable")
        return order, np.searchsorted(self.dataset[order], np.arange(len(self.datasets) + 1))

    def select(self, learners: Sequence[str]) -> Self:
        """Return the scores of these learners alone, in this order."""
        indices = [self.index_of(name) for name in learners]
        new = np.full(len(self.learners), -1)
        new[indices] = np.arange(len(indices))
        keep = new[self.learner] >= 0
        return self._rows(keep, learners=tuple(learners), learner=new[self.learner[keep]])

    def index_of(self, learner: str) -> int:
        """Return the index of a learner, by its name."""
        return find_learner(learner, self.learners)

    def to_frame(self, *, wide: bool = False) -> "pandas.DataFrame":
        """Return a frame of pandas with a row for each score, which `compare` takes back.

        With ``wide``, the mean scores: a row per data set, a column per learner.
        """
        from twofold.scores.write import scores_frame

        return scores_frame(self, wide=wide)

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Write a CSV file with a row for each score, or return its text where there is no path."""
        from twofold.scores.write import format_csv

        text = format_csv(self)
        if path is None:
            return text
        write_whole(Path(path), text)
        return None

    def __repr__(self) -> str:
        from twofold.scores.preview import summarize_scores

        return summarize_scores(self)

    def _repr_html_(self) -> str:
        from twofold.scores.preview import preview_html

        return preview_html(self)

    def _rows(self, keep: NDArray[np.bool_], **changed: Any) -> Self:
        from dataclasses import replace

        columns = ("dataset", "run", "fold", "n_train", "n_test", "value")
        return replace(self, **{name: getattr(self, name)[keep] for name in columns}, **changed)


def find_learner(learner: str, learners: Sequence[str]) -> int:
    """Return the index of a learner among those of a table, or refuse it."""
    if learner not in learners:
        raise unknown_learner_error(learner, learners)
    return learners.index(learner)


def unknown_learner_error(learner: str, learners: Sequence[str]) -> InputError:
    """Return the error of a learner that a table does not have."""
    return InputError(
        f"There is no learner {learner!r} in the table.",
        suggest(learner, learners, f"It has {name_some(learners)}."),
    )


def name_some(learners: Sequence[str]) -> str:
    """Return the names of learners, the first eight where there are more."""
    return ", ".join(learners[:8]) + (", …" if len(learners) > 8 else "")


def _find_sizes(sizes: Floats) -> Floats | None:
    """Return the sizes (runs, folds), the same for all learners, or None where they are unknown."""
    present = sizes[~np.isnan(sizes).all(axis=(1, 2))]
    if not len(present) or np.isnan(present).any():
        return None
    if (present != present[0]).any():
        raise InputError(
            "Learners must have the same training and test sizes in each fold.",
            "Score all learners on the same splits.",
        )
    return np.asarray(present[0])
