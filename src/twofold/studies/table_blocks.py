"""Work of a study of a table, in blocks of draws: what is drawn, tested and kept.

Every random number comes from the seed and from names (data sets, learners, bias, number of the
block), so that a block is the same wherever and whenever it is done.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold import __version__
from twofold.execution.packing import Arrays
from twofold.execution.store import Part
from twofold.execution.task import digest
from twofold.result import is_significant
from twofold.seeds import rng
from twofold.studies.table_draws import draw_data_sets, draw_learners, exchange_labels
from twofold.studies.table_procedures import Procedure, compute_pvalues, list_pairs

Floats = NDArray[np.float64]

RULES = 1
"""Part of every key: blocks made under other rules are never taken for these."""

DRAWN_AT_ONCE = 1000
"""Draws of a block: some tests take nearly as long for one table as for a thousand."""

GROUPS = 20
"""Groups of the draws of a block, from whose spread some intervals come."""


BY_DRAW = ("p", "least", "share", "mean")
"""Arrays of numbers between 0 and 1, of which each draw has one."""


@dataclass(frozen=True, slots=True)
class Condition:
    """How tables are drawn: how many data sets and learners, and with which bias.

    A bias of None stands for even draws on whose data sets the learners are exchanged at random.
    """

    datasets: int
    learners: int
    bias: float | None


@dataclass(frozen=True, slots=True)
class DrawBlock:
    """Draws of a condition, from number ``first`` up to before ``last``."""

    condition: int
    first: int
    last: int


@dataclass(eq=False)
class TableWork:
    """What all blocks share. Sent to each worker once.

    Attributes
    ----------
    table : array (data sets, learners)
    higher_is_better : bool
    difference : array (data sets,)
        What draws are biased by, in its unit.
    conditions : tuple of Condition
    procedures : mapping of number of learners to tuple of Procedure
    alphas : tuple of float
    seed : int
    control : int or None
        Column of the control.
    pair : pair of int or None
        Columns of the one pair whose rejections are counted; None counts all that are compared.
    fixed : tuple of int
        Columns that are among the learners of every draw.
    """

    table: Floats
    higher_is_better: bool
    difference: Floats
    conditions: tuple[Condition, ...]
    procedures: dict[int, tuple[Procedure, ...]]
    alphas: tuple[float, ...]
    seed: int
    control: int | None
    pair: tuple[int, int] | None
    fixed: tuple[int, ...]

    def describe(self, block: DrawBlock) -> str:
        """Return a block in words, for errors."""
        return f"draws {block.first + 1} to {block.last} of {self.conditions[block.condition]}"

    def do(self, block: DrawBlock) -> Arrays:
        """Draw tables, test them, and return what is kept of the p values."""
        condition = self.conditions[block.condition]
        procedures = self.procedures[condition.learners]
        tables, columns = self.draw(block)
        control = None if self.control is None else columns.index(self.control)
        pvalues = compute_pvalues(
            procedures, tables, higher_is_better=self.higher_is_better, control=control
        )
        kept: dict[str, NDArray[Any]] = {}
        for number, procedure in enumerate(procedures):
            p = pvalues[procedure]
            if procedure.kind != "pairs":
                kept[f"p{number}"] = p
                continue
            kept[f"least{number}"] = p.min(axis=1)
            if condition.bias is None:
                continue
            if self.pair is not None:
                kept[f"p{number}"] = p[:, self._find_pair(columns, control)]
                continue
            rejected = is_significant(p, np.array(self.alphas)[:, None, None])
            kept[f"share{number}"] = rejected.mean(axis=2)
            kept[f"mean{number}"] = p.mean(axis=1)
            starts = _begin_groups(len(p))
            kept[f"counts{number}"] = np.add.reduceat(rejected.astype(np.intp), starts, axis=1)
            kept[f"sums{number}"] = np.add.reduceat(np.stack([p, p**2]), starts, axis=1)
            kept[f"sizes{number}"] = np.diff([*starts, len(p)])
        return kept

    def draw(self, block: DrawBlock) -> tuple[Floats, list[int]]:
        """Return drawn tables (draws, data sets, learners).

        And the table's columns that theirs stand for, −1 where they are another one in each draw.
        """
        condition, draws = self.conditions[block.condition], block.last - block.first
        kind = "exchanged" if condition.bias is None else str(float(condition.bias))
        names = (condition.datasets, condition.learners, kind, block.first)
        random = rng(self.seed, "study of a table", *names)
        bias = condition.bias or 0.0
        chosen = draw_data_sets(self.difference, bias, condition.datasets, draws, random)
        count = self.table.shape[1]
        columns = list(range(count))
        tables = self.table[chosen]
        if condition.learners < count:
            drawn = draw_learners(count, self.fixed, condition.learners, draws, random)
            tables = np.take_along_axis(tables, drawn[:, None, :], axis=2)
            columns = [*self.fixed, *[-1] * (condition.learners - len(self.fixed))]
        if condition.bias is None:
            tables = exchange_labels(tables, random)
        return tables, columns

    def _find_pair(self, columns: Sequence[int], control: int | None) -> int:
        assert self.pair is not None
        wanted_pair = {columns.index(self.pair[0]), columns.index(self.pair[1])}
        pairs = list_pairs(len(columns), control)
        return [set(pair) for pair in pairs].index(wanted_pair)

    def list_blocks(self, draws: int) -> dict[DrawBlock, Part]:
        """Return all blocks, and what each is kept under."""
        step = DRAWN_AT_ONCE
        name = f"table of {self.table.shape[0]} data sets and {self.table.shape[1]} learners"
        return {
            (block := DrawBlock(index, first, min(first + step, draws))): Part(
                self._make_key(block), "study", name
            )
            for index in range(len(self.conditions))
            for first in range(0, draws, step)
        }

    def _make_key(self, block: DrawBlock) -> str:
        """Return a digest of everything that decides the arrays."""
        condition = self.conditions[block.condition]
        labels = [(each.label, each.kind) for each in self.procedures[condition.learners]]
        return digest(
            "study of a table",
            RULES,
            __version__,
            self._content,
            self.higher_is_better,
            [condition.datasets, condition.learners, condition.bias],
            labels,
            list(self.alphas),
            int(self.seed),
            self.control,
            self.pair,
            list(self.fixed),
            [block.first, block.last],
        )

    @cached_property
    def _content(self) -> str:
        """A digest of the scores and of what draws are biased by."""
        towards = np.ascontiguousarray(self.difference, dtype="<f8").tobytes()
        parts = (self.digest_scores(), str(self.table.shape), hashlib.sha256(towards).hexdigest())
        return " ".join(parts)

    def digest_scores(self) -> str:
        """Return a digest of the scores, by which a table is known again."""
        text = np.ascontiguousarray(self.table, dtype="<f8").tobytes()
        return hashlib.sha256(text).hexdigest()

    def fits(self, block: DrawBlock, arrays: Arrays) -> bool:
        """Tell whether arrays that a store has can be those of a block."""
        draws, condition = block.last - block.first, self.conditions[block.condition]
        names = {
            f"{name}{number}"
            for number, procedure in enumerate(self.procedures[condition.learners])
            for name in self._name_arrays(procedure, condition)
        }
        by_draw = [array for name, array in arrays.items() if name.startswith(BY_DRAW)]
        return names == set(arrays) and all(
            array.shape[-1] == draws and ((array >= 0) & (array <= 1)).all() for array in by_draw
        )

    def _name_arrays(self, procedure: Procedure, condition: Condition) -> tuple[str, ...]:
        """Return the names of what is kept of a test."""
        if procedure.kind != "pairs":
            return ("p",)
        if condition.bias is None:
            return ("least",)
        if self.pair is not None:
            return "least", "p"
        return "least", "share", "mean", "counts", "sums", "sizes"


def _begin_groups(draws: int) -> NDArray[np.intp]:
    """Return where groups of draws begin; none has a single one."""
    return np.linspace(0, draws, max(1, min(GROUPS, draws // 2)), endpoint=False).astype(np.intp)
