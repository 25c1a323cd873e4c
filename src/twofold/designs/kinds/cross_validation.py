"""Runs of k-fold cross-validation, 10x10; and the same with runs on halves of the rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar, Self

import numpy as np

from twofold.dataset import Dataset
from twofold.designs import assign
from twofold.designs.design import Design
from twofold.designs.design_checks import Strata, check_common, describe_rare_classes, has_two
from twofold.designs.design_text import parse_count
from twofold.designs.run import Run
from twofold.errors import InputError
from twofold.result import Note

RUNS_BY_FOLDS = re.compile(r"(\d+)\s*[x×]\s*(\d+)(?:-?fold)?", re.IGNORECASE)


class CrossValidation(Design):
    """Several runs of k-fold cross-validation."""

    kind: ClassVar[str] = "folds"
    examples: ClassVar[tuple[str, ...]] = ("10x10", "5x2")

    @classmethod
    def parse(cls, name: str, parameters: list[str], text: object) -> Self | None:
        """Read 10x10."""
        sizes = RUNS_BY_FOLDS.fullmatch(name)
        if sizes is None or parameters:
            return None
        runs, folds = (parse_count(word, text, 0, "10x10") for word in sizes.groups())
        if runs < 1 or folds < 2:
            raise InputError(
                f"{text!r} needs at least one run and two folds.",
                "Runs come first: 5x2 is five runs of two folds.",
            )
        return cls(runs, folds)

    def __str__(self) -> str:
        return f"{self.runs}x{self.parts}"

    @property
    def family(self) -> str:
        """What splits depend on."""
        return f"folds:{self.parts}"

    @property
    def words(self) -> str:
        """The design in words."""
        return f"{self.runs} runs of {self.parts}-fold cross-validation".removeprefix("1 runs of ")

    def check(self, dataset: Dataset, stratify: bool | None = None) -> None:
        """Refuse more folds than rows or groups."""
        units, unit = check_common(self, dataset, stratify)
        if self.parts > units:
            raise InputError(
                f"`{dataset.name}` has {units} {unit}, too few for {self.parts} folds.",
                f"Ask for {units} folds at most" + (", or use loo." if unit == "rows" else "."),
            )

    def is_safe(self, dataset: Dataset, stratify: bool | None) -> bool:
        """Two rows of a class, assigned one after the other, are never in the same fold."""
        return has_two(dataset, lambda counts: counts > 1, stratify)

    def notes(self, dataset: Dataset) -> tuple[Note, ...]:
        """Name classes that some folds have no rows of."""
        return describe_rare_classes(dataset, self.parts, "folds")

    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Assign rows, or whole groups, to folds."""
        if dataset.groups is not None:
            fold = assign.assign_groups(dataset.groups, strata, self.parts, rng)
        else:
            order = assign.shuffle(strata, dataset.rows, rng)
            fold = assign.assign_in_turn(order, self.parts, rng)
        return Run(run, fold, self.parts)


class HalvedCrossValidation(CrossValidation):
    """Cross-validation of all rows and, in each run, of two random halves of them."""

    kind: ClassVar[str] = "halves"
    examples: ClassVar[tuple[str, ...]] = ()  # for studies

    @classmethod
    def parse(cls, name: str, parameters: list[str], text: object) -> Self | None:
        """Read halves:10x10."""
        if name != "halves" or len(parameters) != 1:
            return None
        return super().parse(parameters[0], [], text)

    def __str__(self) -> str:
        return f"halves:{self.runs}x{self.parts}"

    @property
    def family(self) -> str:
        """What splits depend on."""
        return f"halves:{self.parts}"

    @property
    def words(self) -> str:
        """The design in words."""
        whole = f"{self.runs} runs of {self.parts}-fold cross-validation"
        return f"{whole}, each also on two random halves of the rows"

    def make_splitter(
        self, dataset: Dataset, *, seed: int, stratify: bool | None = None
    ) -> Callable[[int], Run]:
        """Refuse to split: studies and `calibrate=True` make the halves themselves."""
        raise InputError(
            f"`{self}` splits the rows into halves first, which is done by studies and for "
            "`calibrate=True`.",
            f"Use {self.runs}x{self.parts} here.",
        )
