"""Experiments with learners that ignore what they are trained on, as counts.

For such learners a data set is known by how many of its rows only A gets right, only B, both and
none; a split is known by how those rows fall into its parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.simulation.hypergeometric import Integers, draw_counts
from twofold.simulation.source import check_size, check_whole

Counted = NDArray[np.int32]


class FixedPair(Protocol):
    """Two learners that ignore the training set, on a source with two classes."""

    @property
    def outcomes(self) -> NDArray[np.float64]:
        """Probabilities: [[B only right, both wrong], [A only right, both right]], by class."""
        ...


@dataclass(frozen=True, eq=False)
class Counts:
    """How many rows of test parts two learners got right.

    Attributes
    ----------
    a_only, b_only : arrays of int (experiments, runs, parts)
        Rows that only A got right, and only B.
    both : array of int (experiments, runs, parts), or None
        Rows that both got right; None where it was not counted.
    sizes : array of int (parts,)
        Rows in each test part.
    rows : int
        Rows in each data set.
    """

    a_only: Counted
    b_only: Counted
    both: Counted | None
    sizes: Integers
    rows: int

    @property
    def differences(self) -> NDArray[np.float64]:
        """Accuracy of A less accuracy of B, for every test part."""
        differences: NDArray[np.float64] = (self.a_only - self.b_only) / self.sizes
        return differences

    @property
    def ratio(self) -> float:
        """Rows tested on for each row trained on, averaged over the parts."""
        return float((self.sizes / (self.rows - self.sizes)).mean())


def fold_counts(
    task: FixedPair,
    n: int,
    runs: int,
    folds: int,
    experiments: int,
    rng: np.random.Generator,
    *,
    stratified: bool = False,
    both: bool = False,
) -> Counts:
    """Draw data sets of n rows, and cross-validate both learners on each.

    Given the data set, runs are independent and alike. So repetitions of an r-run experiment on the
    same data are further runs: ask for ten times as many, and reshape.

    Parameters
    ----------
    task : FixedPair
        Such as `Task1`.
    n, runs, folds, experiments : int
        Rows in each data set; runs, folds in each run; data sets.
    rng : numpy Generator
    stratified : bool
        Keep the classes even over the folds, as `twofold.designs` does. Bouckaert (2005) does not
        say whether folds were stratified; plain folds are the simpler reading.
    both : bool
        Also count rows that both learners get right.
    """
    check_split(n, runs, folds, experiments)
    sizes = divide_evenly(np.array(n), folds)
    cells = rng.multinomial(n, task.outcomes.ravel(), size=experiments)
    return _count(cells, sizes, n, runs, rng, stratified=stratified, both=both)


def resample_counts(
    task: FixedPair,
    n: int,
    resamples: int,
    share: float | Fraction,
    experiments: int,
    rng: np.random.Generator,
    *,
    both: bool = False,
) -> Counts:
    """Draw data sets of n rows, and test both learners on random shares of each.

    One resample is a holdout, as McNemar's test wants it. Every resample is a run of one part.
    """
    check_size(experiments, n)
    check_whole("resamples", resamples, lowest=1)
    tested = count_tested(n, share)
    cells = rng.multinomial(n, task.outcomes.ravel(), size=experiments)
    sizes = np.array([tested, n - tested])
    return _count(cells, sizes, n, resamples, rng, stratified=False, both=both, parts=1)


def check_split(n: int, runs: int, folds: int, experiments: int) -> None:
    """Refuse numbers that do not make a cross-validation."""
    check_size(experiments, n)
    check_whole("runs", runs, lowest=1)
    check_whole("folds", folds, lowest=2)
    if folds > n:
        raise InputError(f"{n} rows do not fill {folds} folds.", "Ask for fewer folds.")


def count_tested(n: int, share: float | Fraction) -> int:
    """Return a share of the rows as a number of rows, halves rounded up."""
    tested = int(Fraction(share).limit_denominator(10**9) * n + Fraction(1, 2))
    if not 0 < tested < n:
        raise InputError(
            f"A share of {float(share):g} of {n} rows leaves nothing to test or to train on.",
            "It is what is tested on: pass for instance 1/3 or 0.1.",
        )
    return tested


def _count(
    cells: Integers,
    sizes: Integers,
    n: int,
    runs: int,
    rng: np.random.Generator,
    *,
    stratified: bool,
    both: bool,
    parts: int | None = None,
) -> Counts:
    b_only, _, a_only, right = range(4)
    if stratified:
        zeros = cells[:, :2].sum(axis=1)
        # Rows are assigned in turn, those of the first class before those of the second.
        of_zeros = divide_evenly(zeros, len(sizes))
        of_ones = sizes - of_zeros
        b_counts = draw_counts(cells[:, [b_only]], of_zeros, runs=runs, kinds=1, rng=rng)[..., 0]
        a_counts = draw_counts(cells[:, [a_only]], of_ones, runs=runs, kinds=1, rng=rng)[..., 0]
        both_counts = of_ones[:, None, :] - a_counts if both else None
    else:
        kinds = 3 if both else 2
        order = cells[:, [a_only, b_only, right]]
        counts = draw_counts(order, sizes, runs=runs, kinds=kinds, rng=rng)[:, :, :parts]
        a_counts, b_counts = counts[..., 0], counts[..., 1]
        both_counts = counts[..., 2] if both else None
    return Counts(a_counts, b_counts, both_counts, sizes[:parts], n)


def divide_evenly(rows: Integers, folds: int) -> Integers:
    """Return how many of the rows each fold gets when they are assigned in turn."""
    return (rows[..., None] - np.arange(folds) + folds - 1) // folds
