"""Random splits, one or many: holdout:1/3, resample:100:0.1."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np

from twofold.dataset import Dataset
from twofold.designs import assign
from twofold.designs.design import Design
from twofold.designs.design_checks import Strata, check_share, has_two
from twofold.designs.design_text import format_share, parse_count, parse_share
from twofold.designs.run import Run


class RandomSplits(Design):
    """Random splits with a share of the rows for testing."""

    kind: ClassVar[str] = "random"
    examples: ClassVar[tuple[str, ...]] = ("holdout:1/3", "resample:100:0.1")

    @classmethod
    def parse(cls, name: str, parameters: list[str], text: object) -> Self | None:
        """Read holdout, holdout:1/3 and resample:100:0.1."""
        if name == "holdout" and len(parameters) <= 1:
            return cls(share=parse_share(parameters[0] if parameters else "1/3", text))
        if name == "resample" and len(parameters) == 2:
            runs = parse_count(parameters[0], text, 1)
            return cls(runs, share=parse_share(parameters[1], text))
        return None

    def __str__(self) -> str:
        share = format_share(self.share)
        return f"holdout:{share}" if self.runs == 1 else f"resample:{self.runs}:{share}"

    @property
    def family(self) -> str:
        """What splits depend on."""
        return f"random:{format_share(self.share)}"

    @property
    def words(self) -> str:
        """The design in words."""
        many = "one random split" if self.runs == 1 else f"{self.runs} random splits"
        return f"{many}, {format_share(self.share)} of the rows for testing"

    def check(self, dataset: Dataset, stratify: bool | None = None) -> None:
        """Refuse a share that leaves a side empty."""
        check_share(self, dataset, stratify)

    def is_safe(self, dataset: Dataset, stratify: bool | None) -> bool:
        """Of each class, at most its share rounded up is tested on."""
        return has_two(dataset, lambda counts: assign.count_left(counts, self.share) > 0, stratify)

    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Choose rows, or whole groups, to test on."""
        tested, _ = assign.choose_tested(dataset.groups, strata, dataset.rows, self.share, rng)
        return Run(run, tested.astype(np.intp) - 1, 1, "random")
