"""Compare the numbers of a column with the scores in the others, regardless of its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.result import join_first
from twofold.scores.scores import Floats
from twofold.tables.cells import plain_numbers, to_number

MOST_CELLS = 500
FEW = 3
"""Values from which whole numbers among fractions are no accident."""


def sample_numbers(cells: Sequence[Any]) -> Floats:
    """Return up to some hundred numbers of a column, NaN where a cell is none; the same rows of
    all columns of a table."""
    sample = cells[:: max(1, len(cells) // MOST_CELLS)]
    numbers = plain_numbers(sample) or map(to_number, sample)
    values = np.array([np.nan if value is None else value for value in numbers], dtype=float)
    return np.where(np.isfinite(values), values, np.nan)


def drop_missing(values: Floats) -> Floats:
    """Return the numbers that are there."""
    return values[np.isfinite(values)]


def are_whole(values: Floats) -> bool:
    """Tell whether all numbers that are there are whole."""
    there = drop_missing(values)
    return bool(np.all(there == np.round(there)))


def are_distinct(values: Floats) -> bool:
    """Tell whether no number occurs twice; a row of averages has none."""
    there = drop_missing(values)
    return len(np.unique(there)) == len(there)


def count_rows(values: Floats) -> bool:
    """Tell whether the numbers are those of the rows, 0 … n−1 or 1 … n, in any order."""
    there = drop_missing(values)
    return are_distinct(there) and np.sort(there).tolist() in _counts(len(there))


def count_from_start(values: Floats) -> bool:
    """Tell whether the numbers that occur are 0 … k−1 or 1 … k, as those of folds and runs."""
    there = np.unique(drop_missing(values))
    return len(there) > 0 and there.tolist() in _counts(len(there))


def _counts(size: int) -> tuple[list[float], list[float]]:
    return [float(i) for i in range(size)], [float(i + 1) for i in range(size)]


def refuse_mixed_units(
    names: Sequence[str], columns: Iterable[Floats], *, droppable: bool = True
) -> None:
    """Refuse learners in percent beside others in fractions.

    That is scores up to 1 beside scores up to 100 whose mean is 30 to 300 times as large.
    """
    sizes = [np.abs(drop_missing(values)) for values in columns]
    there = [(name, size) for name, size in zip(names, sizes, strict=True) if len(size)]
    small = [(name, size) for name, size in there if size.max() <= 1]
    large = [(name, size) for name, size in there if size.max() > 1]
    if not small or not large or max(size.max() for _, size in large) > 100:
        return
    middle = float(np.mean([size.mean() for _, size in small]))
    ratios = [size.mean() / middle if middle else np.inf for _, size in large]
    if not all(30 <= ratio <= 300 for ratio in ratios):
        return
    odd = small if len(small) < len(large) else large
    kinds = ("fractions", "percent") if odd is small else ("percent", "fractions")
    verb = "look" if len(odd) > 1 else "looks"
    remedy = (
        f"{'Multiply' if odd is small else 'Divide'} {'it' if len(odd) == 1 else 'them'} by 100"
    )
    if droppable:
        remedy += f"; if it holds no scores, leave it out with `drop={odd[0][0]!r}`"
    raise InputError(
        f"{join_first([repr(name) for name, _ in odd])} {verb} like {kinds[0]}, the "
        f"other{'s' * (len(there) - len(odd) > 1)} like {kinds[1]}.",
        f"{remedy}.",
    )


class ScoreScale:
    """The range of the undoubted scores, to judge whether other values can be scores too."""

    def __init__(self, columns: Iterable[Floats]) -> None:
        parts = [drop_missing(values) for values in columns]
        pooled = np.concatenate(parts) if parts else np.empty(0)
        self.has_values = len(pooled) > 0
        self.low = float(pooled.min()) if self.has_values else 0.0
        self.high = float(pooled.max()) if self.has_values else 0.0
        self.fractions = float(np.mean(pooled != np.round(pooled))) if self.has_values else 0.0
        unit = self.has_values and self.low >= -1 and self.high <= 1
        percent = self.has_values and self.low >= 0 and self.high <= 100
        self.bound = 1.0 if unit else 100.0 if percent else np.inf

    def holds(self, values: Floats) -> bool:
        """Tell whether numbers lie where the others do, or not further off than those spread."""
        there = drop_missing(values)
        if not self.has_values or not len(there):
            return True
        width = max(self.high - self.low, 0.1 * self.bound if np.isfinite(self.bound) else 0.0)
        return bool(there.min() >= self.low - width and there.max() <= self.high + width)

    def lies_among(self, values: Floats) -> bool:
        """Tell whether half of the numbers lie between the least and the largest of the others,
        and none is negative unless some of those are."""
        there = drop_missing(values)
        if not len(there) or (there.min() < 0 <= self.low):
            return False
        inside = (there >= self.low) & (there <= self.high)
        return self.has_values and 2 * int(inside.sum()) >= len(there)

    def excludes(self, values: Floats) -> bool:
        """Tell whether numbers cannot be scores like the others."""
        there = drop_missing(values)
        if not self.has_values or not len(there):
            return False
        whole = are_whole(there)
        if (there.max() if whole else np.median(there)) > self.bound:
            return True
        among_fractions = whole and self.fractions > 0.5 and len(there) >= FEW
        return among_fractions and not self.holds(there)
