"""Scores of learners on the items of a test set: questions, images, prompts."""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from twofold.escapes import make_names_visible, make_visible
from twofold.result import Note
from twofold.scores.scores import Floats, Scores, find_learner


@dataclass(frozen=True, eq=False, repr=False)
class Items:
    """A score of every learner on every item, the mean over samples where there are several.

    Attributes
    ----------
    datasets, learners : tuple of str
        Names, in the order of their first appearance. Each data set (task) has items of its own.
    names : tuple of str
        What each item is called.
    dataset : array of int
        For each item, the index of its data set.
    cluster : array of int or None
        For each item, the number of its cluster; None where items were drawn one by one.
    value : array (items, learners)
    samples : array (items, learners) of int
        Over how many samples each value is the mean.
    metric : str
    higher_is_better : bool
    notes : tuple of Note
        What was noticed while reading.
    metrics : tuple of str
        All metrics that the table had, this one among them; empty where it names none.
    hashes : tuple of str
        What tells each item from others of its name: its hash or text, "" where it is not known.
    """

    datasets: tuple[str, ...]
    learners: tuple[str, ...]
    names: tuple[str, ...]
    dataset: NDArray[np.intp]
    cluster: NDArray[np.intp] | None
    value: Floats
    samples: NDArray[np.intp]
    metric: str = "score"
    higher_is_better: bool = True
    notes: tuple[Note, ...] = field(default=())
    metrics: tuple[str, ...] = ()
    hashes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Write out control characters of names, which stay distinct."""
        for name in ("datasets", "learners"):
            object.__setattr__(self, name, make_names_visible(getattr(self, name)))
        object.__setattr__(self, "metric", make_visible(self.metric))

    def __repr__(self) -> str:
        from twofold.scores.preview import summarize_items

        return summarize_items(self)

    def _repr_html_(self) -> str:
        from twofold.scores.preview import preview_items_html

        return preview_items_html(self)

    @property
    def is_binary(self) -> bool:
        """Whether every score is right (1) or wrong (0)."""
        return bool(((self.value == 0) | (self.value == 1)).all())

    @property
    def clusters(self) -> int | None:
        """How many clusters there are."""
        return None if self.cluster is None else len(np.unique(self.cluster))

    def index_of(self, learner: str) -> int:
        """Return the index of a learner, by its name."""
        return find_learner(learner, self.learners)

    def select(self, learners: Sequence[str]) -> Self:
        """Return the items with the scores of these learners alone, in this order."""
        columns = [self.index_of(name) for name in learners]
        return replace(
            self,
            learners=tuple(learners),
            value=self.value[:, columns],
            samples=self.samples[:, columns],
        )

    def take_data_set(self, index: int) -> Self:
        """Return the items of one data set."""
        here = self.dataset == index
        rows = np.flatnonzero(here).tolist()
        return replace(
            self,
            datasets=(self.datasets[index],),
            names=tuple(self.names[i] for i in rows),
            hashes=tuple(self.hashes[i] for i in rows) if self.hashes else (),
            dataset=np.zeros(int(here.sum()), dtype=np.intp),
            cluster=None if self.cluster is None else self.cluster[here],
            value=self.value[here],
            samples=self.samples[here],
        )

    def means(self) -> Floats:
        """Return the table (data sets, learners) of mean scores."""
        count = np.bincount(self.dataset, minlength=len(self.datasets))
        sums = [np.bincount(self.dataset, column, len(self.datasets)) for column in self.value.T]
        return np.asarray(np.stack(sums, axis=1) / count[:, None])

    def to_scores(self) -> Scores:
        """Return the mean scores on each data set, as a table over data sets."""
        shape = len(self.datasets), len(self.learners)
        unknown = np.full(shape[0] * shape[1], -1, dtype=np.intp)
        return Scores(
            datasets=self.datasets,
            learners=self.learners,
            dataset=np.repeat(np.arange(shape[0]), shape[1]),
            learner=np.tile(np.arange(shape[1]), shape[0]),
            run=unknown,
            fold=unknown,
            n_train=np.full(len(unknown), np.nan),
            n_test=np.full(len(unknown), np.nan),
            value=self.means().ravel(),
            metric=self.metric,
            higher_is_better=self.higher_is_better,
            form="wide",
        )
