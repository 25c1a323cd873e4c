"""Small data sets out of a large one, whose other rows tell the truth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute, Dataset
from twofold.errors import InputError
from twofold.simulation.source import Drawn, Source, check_size


@dataclass(frozen=True, eq=False)
class FileSource(Source):
    """Rows drawn without replacement from a data set, as Dietterich (1998) does from Letter, Pima.

    Attributes
    ----------
    dataset : Dataset
    label : str
        The name of the source; left out, it is made of the data set's.
    """

    dataset: Dataset
    label: str = ""

    def __post_init__(self) -> None:
        if self.dataset.classes is None:
            raise InputError(
                f"{self.dataset.name!r} has no classes, and is no source to draw from.",
                'Read it with task="classification" if its target is a class.',
            )

    @property
    def name(self) -> str:
        """Its name on the command line, where it was read from there."""
        return self.label or f"file:{self.dataset.name}"

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The columns of the file."""
        return self.dataset.attributes

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of the file."""
        return self.dataset.classes or ()

    def draw_many(self, count: int, rows: int, rng: np.random.Generator) -> Drawn:
        """Return X of numbers, with NaN where a value is missing, and y."""
        chosen = np.stack([self._choose(rows, rng)[0] for _ in range(self._count(count, rows))])
        return self.dataset.X[chosen], self.dataset.y[chosen]

    def draw(self, rows: int, rng: np.random.Generator) -> Dataset:
        """Return one data set of so many rows."""
        return self.draw_and_rest(rows, rng)[0]

    def draw_and_rest(self, rows: int, rng: np.random.Generator) -> tuple[Dataset, Dataset]:
        """Return a data set of so many rows, and one of all other rows."""
        self._count(1, rows)
        chosen, rest = self._choose(rows, rng)
        return self._part(chosen, self.name), self._part(rest, f"{self.name} (rest)")

    def halves(self, rng: np.random.Generator) -> tuple[FileSource, Dataset]:
        """Return half of the rows as a source, and the other half to measure on."""
        half, rest = self.draw_and_rest(self.dataset.rows // 2, rng)
        return FileSource(replace(half, name=self.dataset.name), self.label), rest

    def _count(self, count: int, rows: int) -> int:
        check_size(count, rows)
        if rows >= self.dataset.rows:
            raise InputError(
                f"{self.dataset.name!r} has {self.dataset.rows} rows; {rows} cannot be drawn "
                "from it and leave any.",
                "Draw fewer rows, or use a larger file.",
            )
        return count

    def _choose(
        self, rows: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        order = rng.permutation(self.dataset.rows)
        return order[:rows], order[rows:]

    def _part(self, rows: NDArray[np.intp], name: str) -> Dataset:
        whole = self.dataset
        there, y = np.unique(whole.y[rows], return_inverse=True)
        return replace(
            whole,
            name=name,
            X=whole.X[rows],
            y=y.astype(np.intp, copy=False),
            classes=tuple(self.classes[code] for code in there),
            declared_classes=whole.declared_classes or self.classes,
            groups=None if whole.groups is None else whole.groups[rows],
            given_folds=None,  # folds of the whole file mean nothing for a part of it
            original=None,
        )
