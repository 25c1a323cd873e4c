"""Designs: how one data set is split into training and test rows.

=================  ==============================================================
text               design
=================  ==============================================================
10x10              10 runs of 10-fold cross-validation; 5x2, 1x10 likewise
holdout:1/3        one random split, a third of the rows for testing
resample:100:0.1   100 random splits, a tenth of the rows for testing in each
bootstrap:100      100 bootstrap samples, tested on the rows that were not drawn
timeseries:5       5 splits forward in time: train on what came before
loo                leave one out
disjoint:10:1/3    10 disjoint training sets, one test set of a third of the rows
halves:10x10       10x10, and in each run one more 10-fold on either half of the rows
given              the folds that the data set brings along
=================  ==============================================================

Each stands in a file of its own in `twofold.designs.kinds`, which is all that a further one needs.
The splits of a run depend on the seed, the content of the data set, the kind of design and the
number of the run; not on the learner, and not on how many runs there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from twofold.dataset import Dataset
from twofold.designs.design_checks import Strata, check_common, check_training, find_strata
from twofold.designs.run import Run
from twofold.errors import InputError
from twofold.result import Note
from twofold.seeds import rng as stream


@dataclass(frozen=True)
class Design(ABC):
    """How a data set is split. Made by `parse_design`.

    Attributes
    ----------
    kind : str
        A short name: "folds", "random", "loo", …
    runs : int
        How often rows are assigned anew.
    parts : int
        Folds of a run; training sets of a disjoint design; otherwise 1.
    share : Fraction
        The share of rows for testing, of random and disjoint designs.
    """

    runs: int = 1
    parts: int = 1
    share: Fraction = Fraction(0)

    kind: ClassVar[str]
    examples: ClassVar[tuple[str, ...]] = ()
    repeatable: ClassVar[bool] = True  # whether another run would split the rows differently
    stratifies: ClassVar[bool] = True
    one_stream: ClassVar[bool] = False  # whether all runs draw from the same random numbers

    @classmethod
    def parse(cls, name: str, parameters: list[str], text: object) -> Self | None:
        """Return the design that ``name:parameter:…`` describes, None where it is another kind."""
        return cls() if name in cls.examples and not parameters else None

    def __str__(self) -> str:
        """Return the design as users write it."""
        return self.family

    @property
    def family(self) -> str:
        """What splits depend on: the design without its number of runs."""
        return self.kind

    @property
    @abstractmethod
    def words(self) -> str:
        """The design in words, for reports."""

    @abstractmethod
    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Return run ``run`` (from 0); ``strata`` are the classes to keep even, if any."""

    def check(self, dataset: Dataset, stratify: bool | None = None) -> None:
        """Refuse a data set that the design cannot split."""
        check_common(self, dataset, stratify)

    def is_safe(self, dataset: Dataset, stratify: bool | None) -> bool:
        """Tell whether every training set surely has rows of two classes."""
        return False

    def notes(self, dataset: Dataset) -> tuple[Note, ...]:
        """Return what a reader must know of this design on this data set."""
        return ()

    def with_runs(self, runs: int) -> Self:
        """Return the same design with another number of runs; the runs they share are the same."""
        if isinstance(runs, bool) or not isinstance(runs, int | np.integer) or runs < 1:
            raise InputError(
                f"`runs` must be a whole number, 1 or larger, got {runs!r}.",
                "Pass for instance 10.",
            )
        if runs > self.runs and not self.repeatable:
            many = "one run" if self.runs == 1 else f"{self.runs} runs"
            raise InputError(
                f"The design `{self}` has {many}: another would split the rows the same way.",
                "Use for instance 10x10 to repeat an experiment.",
            )
        return replace(self, runs=int(runs))

    def split(self, dataset: Dataset, run: int, *, seed: int, stratify: bool | None = None) -> Run:
        """Return run ``run`` (from 0) on a data set.

        Classes are spread evenly over folds unless ``stratify=False``. Groups of the data set stay
        on one side. Runs beyond ``runs`` may be asked for: they are those of a longer design.
        """
        return self.make_splitter(dataset, seed=seed, stratify=stratify)(run)

    def make_splitter(
        self, dataset: Dataset, *, seed: int, stratify: bool | None = None
    ) -> Callable[[int], Run]:
        """Check a data set once, and return a function that splits it: run by run, as `split`."""
        self.check(dataset, stratify)
        strata, is_safe = find_strata(dataset, stratify), self.is_safe(dataset, stratify)

        def split(run: int) -> Run:
            if run >= self.runs and not self.repeatable:
                self.with_runs(run + 1)
            label = 0 if self.one_stream else run
            rng = stream(seed, "splits", dataset.fingerprint, self.family, label)
            result = self.split_rows(dataset, run, rng, strata)
            if not is_safe:
                check_training(self, dataset, result)
            return result

        return split
