"""Disjoint training sets with one test set: disjoint:10:1/3."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from twofold.dataset import Dataset
from twofold.designs import assign
from twofold.designs.design import Design
from twofold.designs.design_checks import (
    Strata,
    check_share,
    describe_rare_classes,
    has_two,
)
from twofold.designs.design_text import format_share, parse_count, parse_share
from twofold.designs.run import Run, Split
from twofold.errors import InputError
from twofold.result import Note


class DisjointTrainingSets(Design):
    """Training sets that share no row, all tested on the same rows."""

    kind: ClassVar[str] = "disjoint"
    examples: ClassVar[tuple[str, ...]] = ("disjoint:10:1/3",)

    @classmethod
    def parse(cls, name: str, parameters: list[str], text: object) -> Self | None:
        """Read disjoint:10:1/3, and disjoint:10:1/3:5 for five runs."""
        if name != "disjoint" or len(parameters) not in (2, 3):
            return None
        runs = parse_count(parameters[2], text, 1) if len(parameters) == 3 else 1
        return cls(runs, parse_count(parameters[0], text, 2), parse_share(parameters[1], text))

    def __str__(self) -> str:
        return self.family + (f":{self.runs}" if self.runs > 1 else "")

    @property
    def family(self) -> str:
        """What splits depend on."""
        return f"disjoint:{self.parts}:{format_share(self.share)}"

    @property
    def words(self) -> str:
        """The design in words."""
        many = f"{self.runs} times " if self.runs > 1 else ""
        share = format_share(self.share)
        return f"{many}{self.parts} disjoint training sets, {share} of the rows for testing"

    def check(self, dataset: Dataset, stratify: bool | None = None) -> None:
        """Refuse more training sets than rows are left for."""
        tested = check_share(self, dataset, stratify)
        if dataset.rows - tested < self.parts:
            raise self._refuse(dataset, dataset.rows - tested, "rows")

    def _refuse(self, dataset: Dataset, left: int, unit: str) -> InputError:
        return InputError(
            f"`{dataset.name}` has {left} {unit} left for {self.parts} training sets.",
            "Ask for fewer training sets or a smaller test set.",
        )

    def is_safe(self, dataset: Dataset, stratify: bool | None) -> bool:
        """What is not tested of a class is assigned to training sets in turn."""
        return has_two(
            dataset,
            lambda counts: assign.count_left(counts, self.share) // self.parts > 0,
            stratify,
        )

    def notes(self, dataset: Dataset) -> tuple[Note, ...]:
        """Name classes that some training sets have no rows of."""
        return describe_rare_classes(dataset, self.parts, "training sets")

    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Choose rows to test on, and assign the rest to training sets."""
        groups = dataset.groups
        tested, rest = assign.choose_tested(groups, strata, dataset.rows, self.share, rng)
        training = np.full(dataset.rows, -1, dtype=np.intp)
        if groups is None:
            turns = np.arange(len(rest)) % self.parts
            training[rest] = rng.permutation(self.parts)[turns]
        else:
            left, codes = np.unique(groups[rest], return_inverse=True)
            if len(left) < self.parts:
                raise self._refuse(dataset, len(left), "groups")
            classes = None if strata is None else strata[rest]
            training[rest] = assign.assign_groups(codes, classes, self.parts, rng)
        test = np.flatnonzero(tested)
        sets = (np.flatnonzero(training == part) for part in range(self.parts))
        return Run.from_splits(run, (Split(train, test) for train in sets))
