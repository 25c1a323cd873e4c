"""Leave one out: each row, or each group, is tested on once."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from twofold.dataset import Dataset
from twofold.designs.design import Design
from twofold.designs.design_checks import Strata, has_two
from twofold.designs.run import Run


class LeaveOneOut(Design):
    """Each row by itself, or each group, is tested on once."""

    kind: ClassVar[str] = "loo"
    examples: ClassVar[tuple[str, ...]] = ("loo",)
    repeatable: ClassVar[bool] = False
    stratifies: ClassVar[bool] = False
    words = "leave one out"

    def is_safe(self, dataset: Dataset, stratify: bool | None) -> bool:
        """Tell whether two classes are left without any one row."""
        return has_two(dataset, lambda counts: counts > 1)

    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Make a fold of each row, or of each group."""
        if dataset.groups is not None:
            return Run(run, dataset.groups, int(dataset.groups.max()) + 1)
        return Run(run, np.arange(dataset.rows, dtype=np.intp), dataset.rows)
