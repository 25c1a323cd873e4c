"""How often a test agrees with itself on real data sets, in the words of Bouckaert and Frank."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.seeds import rng
from twofold_papers.agreement import middle, second_study
from twofold_papers.item import ItemOptions, Number
from twofold_papers.repeated_experiments import Pair, Repeated, Splitting, repeat_on

REPETITIONS = 10
MEASURES = ("consistent", "almost consistent", "R")
PREDICTED = (
    "The interval is where a second study of ten repetitions on the same data sets would end up, "
    "as drawn from what ours says of each data set. It does not allow for learners that differ "
    "from Weka 3.3 of 2003.",
)


def measures(rejections: NDArray[Any], repetitions: int) -> tuple[Any, Any, Any]:
    """Return consistent and almost consistent data sets and R, over the last axis."""
    k, n = rejections, repetitions
    same = np.maximum(k, n - k)
    pairs = (k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1))
    return (same == n).sum(axis=-1), (same >= n - 1).sum(axis=-1), pairs.mean(axis=-1)


class Runs:
    """What the setting runs: which data sets, how often; and rejections of any experiment."""

    def __init__(
        self,
        setting: ItemOptions,
        *splittings: Splitting,
        datasets: tuple[str, ...],
        slow: tuple[str, ...],
        toys: tuple[str, ...],
        learners: tuple[str, ...],
        pairs: dict[str, Pair],
    ) -> None:
        quick = tuple(one for one in datasets if one not in slow)
        self.setting, self.pairs, self.slow, self.all = setting, pairs, slow, len(datasets)
        self.names = setting.pick(toy=toys, quick=quick, full=datasets)
        self.repetitions = setting.pick(toy=4, quick=REPETITIONS, full=REPETITIONS)
        self.found: Repeated = repeat_on(
            setting, self.names, learners, splittings, self.repetitions
        )
        self.left_out = len(datasets) - len(self.names)

    def rejections(self, pair: str, how: Any, experiment: str, alpha: float) -> NDArray[Any]:
        """Return how many repetitions rejected on each data set."""
        return self.found.rejections(self.pairs[pair], str(how), experiment, alpha=alpha)

    def numbers(
        self, label: str, printed: tuple[str, ...], rejected: NDArray[Any], *, why: str = ""
    ) -> list[Number]:
        """Return consistent, almost consistent and R beside the printed ones."""
        seeded = rng(self.setting.seed, "papers", label)
        again = measures(second_study(rejected, self.repetitions, seeded), self.repetitions)
        ours = measures(rejected, self.repetitions)
        numbers = []
        for word, text, value, redrawn in zip(MEASURES, printed, ours, again, strict=False):
            low, high = middle(redrawn)
            mean = float(value)
            if self.left_out:
                # What the data sets left out would add is anything from nothing to all.
                size, out = len(self.names), self.left_out
                if word == "R":
                    low, high = (
                        (size * low + 4 / 9 * out) / self.all,
                        (size * high + out) / self.all,
                    )
                    mean = (size * mean + 0.8 * out) / self.all
                else:
                    high += out
            numbers.append(Number(f"{label}: {word}", text, mean, low, high, why))
        return numbers

    @property
    def words(self) -> str:
        """What was run, in words."""
        without = f" (without {', '.join(self.slow)})" if self.left_out == 1 else ""
        return f"{len(self.names)} data sets{without}, each test {self.repetitions} times"

    @property
    def checksums(self) -> dict[str, str]:
        """Checksums of the data sets used."""
        return self.found.checksums


def cells_of(
    runs: Runs,
    how: Any,
    columns: dict[str, tuple[str, float]],
    table: dict[str, Any],
    *,
    why: dict[str, str] | None = None,
) -> tuple[list[Number], NDArray[np.float64]]:
    """Return the numbers of a table, and ours as (pairs, columns, measures)."""
    numbers: list[Number] = []
    ours = []
    for pair, rows in table.items():
        cells = []
        for place, (column, (experiment, alpha)) in enumerate(columns.items()):
            rejected = runs.rejections(pair, how, experiment, alpha)
            printed = tuple(row.split()[place] for row in rows)
            cause = "" if why is None else why.get(f"{pair}, {column}", "")
            numbers += runs.numbers(f"{pair}, {column}", printed, rejected, why=cause)
            cells.append([float(one) for one in measures(rejected, runs.repetitions)])
        ours.append(cells)
    return numbers, np.array(ours)


def listed(values: list[float]) -> str:
    """Return numbers with three digits."""
    return ", ".join(f"{one:.3f}" for one in values)
