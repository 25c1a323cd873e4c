"""Dietterich's three tasks: where 300 rows come from, and rows to measure errors on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from twofold.dataset import Attribute, Dataset
from twofold.datasets import find_dataset
from twofold.seeds import rng
from twofold.simulation import CurvedSource

Floats = NDArray[np.float64]
ROWS = 300
Rows = tuple[Floats, Any, Floats, Any]
"""X and y of 300 rows, and X and y to measure errors on."""


@dataclass(frozen=True, eq=False)
class LearningTask:
    """Where data sets come from, and rows to measure errors on.

    Attributes
    ----------
    name : str
    draw : function of a generator to Rows
    classes : int
    noise : bool
        Whether C4.5 gets random errors, instead of nearest neighbour bad weights.
    """

    name: str
    draw: Callable[[np.random.Generator], Rows]
    classes: int
    noise: bool = False

    def build_dataset(self, X: Floats, y: Any) -> Dataset:
        """Return rows as a data set; all classes count as present."""
        names = tuple(map(str, range(self.classes)))
        attributes = tuple(Attribute(f"x{j}") for j in range(X.shape[1]))
        return Dataset(self.name, attributes, X, np.asarray(y, dtype=np.intp), names)


def letter(folder: Any) -> LearningTask:
    """Return Letter: 300 rows to try on out of one half, errors measured on the other."""
    whole = find_dataset("letter", folder)
    order = rng(1, "letter", "halves").permutation(whole.rows)
    half = whole.rows // 2

    def draw(random: np.random.Generator) -> Rows:
        rows = random.choice(order[:half], ROWS, replace=False)
        test = random.choice(order[half:], 1000, replace=False)
        return whole.X[rows], whole.y[rows], whole.X[test], whole.y[test]

    return LearningTask("letter", draw, len(whole.classes or ()))


def pima(folder: Any) -> LearningTask:
    """Return Pima: 300 rows, errors measured on the other 468."""
    whole = find_dataset("pima", folder)
    ranges = np.ptp(whole.X, axis=0)

    def draw(random: np.random.Generator) -> Rows:
        order = random.permutation(whole.rows)
        rows, rest = order[:ROWS], order[ROWS:]
        X = whole.X / ranges
        return X[rows], whole.y[rows], X[rest], whole.y[rest]

    return LearningTask("pima", draw, 2, noise=True)


def exp6() -> LearningTask:
    """Return the stand-in for EXP6; errors are measured on points of its grid."""
    source = CurvedSource()
    grid, truth = source.grid()

    def draw(random: np.random.Generator) -> Rows:
        X, y = source.draw_many(1, ROWS, random)
        test = random.choice(len(grid), 1000, replace=False)
        return X[0], y[0].astype(np.intp), grid[test], truth[test].astype(np.intp)

    return LearningTask("exp6", draw, 6)
