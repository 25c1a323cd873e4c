"""Forward in time: train on the rows before, test on the rows that follow. timeseries:5."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np

from twofold.dataset import Dataset
from twofold.designs.design import Design
from twofold.designs.design_checks import Strata, check_common
from twofold.designs.design_text import parse_count
from twofold.designs.run import Run, Split
from twofold.errors import InputError


@dataclass(frozen=True)
class TimeSeries(Design):
    """Test blocks one after the other, each after all of its training rows.

    The rows stand in the order of time. The last ``parts`` blocks of ``size`` rows are tested on;
    each trains on all rows before it but the last ``gap``. As scikit-learn's TimeSeriesSplit.
    """

    size: int = 0
    gap: int = 0

    kind: ClassVar[str] = "timeseries"
    examples: ClassVar[tuple[str, ...]] = ("timeseries:5",)
    repeatable: ClassVar[bool] = False
    stratifies: ClassVar[bool] = False

    @classmethod
    def parse(cls, name: str, parameters: list[str], text: object) -> Self | None:
        """Read timeseries:5, and timeseries:5:20:2 for blocks of 20 rows after a gap of 2."""
        if name != "timeseries" or len(parameters) not in (1, 2, 3):
            return None
        example = "timeseries:5, or timeseries:5:20:2"
        least = (2, 1, 0)
        counts = [parse_count(word, text, least[i], example) for i, word in enumerate(parameters)]
        return cls(1, counts[0], Fraction(0), *counts[1:])

    @property
    def family(self) -> str:
        """What splits depend on."""
        block = f":{self.size}" if self.size else ""
        return f"timeseries:{self.parts}{block}{f':{self.gap}' if self.gap else ''}"

    @property
    def words(self) -> str:
        """The design in words."""
        block = f", {self.size} rows for testing in each" if self.size else ""
        gap = f", {self.gap} rows left out between" if self.gap else ""
        return f"{self.parts} splits forward in time{block}{gap}"

    def check(self, dataset: Dataset, stratify: bool | None = None) -> None:
        """Refuse groups, which the order of time would split, and too few rows."""
        check_common(self, dataset, stratify)
        if dataset.groups is not None:
            raise InputError(
                f"`{self}` follows the order of the rows and cannot keep groups together.",
                "Leave out `groups`, or use a design such as 10x10.",
            )
        if dataset.rows - self.parts * self._block(dataset.rows) - self.gap < 1:
            raise InputError(
                f"`{dataset.name}` has {dataset.rows} rows, too few for `{self}`.",
                "Ask for fewer splits, smaller test parts or a smaller gap.",
            )

    def _block(self, rows: int) -> int:
        """Return how many rows each split tests on."""
        return self.size or max(rows // (self.parts + 1), 1)

    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Cut the rows into blocks, the surplus in front."""
        rows, block = dataset.rows, self._block(dataset.rows)
        starts = range(rows - self.parts * block, rows, block)
        splits = (
            Split(np.arange(start - self.gap), np.arange(start, start + block)) for start in starts
        )
        return Run.from_splits(run, splits, "time-series")
