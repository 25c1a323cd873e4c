"""The folds that a data set brings along, in a column of its file."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from twofold.dataset import Dataset
from twofold.designs.design import Design
from twofold.designs.design_checks import Strata, check_stratify
from twofold.designs.run import Run
from twofold.errors import InputError


class GivenFolds(Design):
    """The folds that the data set brings along."""

    kind: ClassVar[str] = "given"
    examples: ClassVar[tuple[str, ...]] = ("given",)
    repeatable: ClassVar[bool] = False
    stratifies: ClassVar[bool] = False
    words = "the folds that the data set brings along"

    def check(self, dataset: Dataset, stratify: bool | None = None) -> None:
        """Refuse a data set without folds."""
        check_stratify(self, dataset, stratify)
        if dataset.given_folds is None:
            raise InputError(
                f"`{dataset.name}` brings no folds along.",
                "Name their column with `folds`, or use a design such as 10x10.",
            )

    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Return the folds as they are."""
        folds = dataset.given_folds
        assert folds is not None
        return Run(run, folds, int(folds.max()) + 1)
