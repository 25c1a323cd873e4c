"""Bootstrap samples, tested on the rows that were not drawn; and the .632+ estimate of error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from twofold.dataset import Dataset
from twofold.designs.design import Design
from twofold.designs.design_checks import Strata
from twofold.designs.design_text import parse_count
from twofold.designs.run import Rows, Run, Split
from twofold.errors import InputError

TRIES = 100
"""Samples drawn until one leaves rows to test on and has two classes to train on."""


class Bootstrap(Design):
    """As many rows as there are, or groups, drawn with replacement; the others are tested on."""

    kind: ClassVar[str] = "bootstrap"
    examples: ClassVar[tuple[str, ...]] = ("bootstrap:100",)
    stratifies: ClassVar[bool] = False

    @classmethod
    def parse(cls, name: str, parameters: list[str], text: object) -> Self | None:
        """Read bootstrap:100."""
        if name != "bootstrap" or len(parameters) != 1:
            return None
        return cls(parse_count(parameters[0], text, 1, "bootstrap:100"))

    def __str__(self) -> str:
        return f"bootstrap:{self.runs}"

    @property
    def words(self) -> str:
        """The design in words."""
        many = "one bootstrap sample" if self.runs == 1 else f"{self.runs} bootstrap samples"
        return f"{many}, tested on the rows that were not drawn"

    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Draw rows, or whole groups, until both sides can be used."""
        groups = np.arange(dataset.rows) if dataset.groups is None else dataset.groups
        count = int(groups.max()) + 1
        for _ in range(TRIES):
            times = np.bincount(rng.integers(count, size=count), minlength=count)[groups]
            train = np.repeat(np.arange(dataset.rows), times)
            test = np.flatnonzero(times == 0)
            if len(test) and (dataset.classes is None or np.ptp(dataset.y[train]) > 0):
                return Run.from_splits(run, [Split(train, test)], "bootstrap")
        raise InputError(
            f"{TRIES} bootstrap samples of `{dataset.name}` had one class only.",
            "Leave out classes with very few rows or groups, or use a design such as 10x10.",
        )


class Resubstitution(Design):
    """All rows to train on, and the same rows to test on: what the .632+ estimate needs beside."""

    kind: ClassVar[str] = "resubstitution"
    repeatable: ClassVar[bool] = False
    stratifies: ClassVar[bool] = False
    words = "trained and tested on all rows"

    def split_rows(
        self, dataset: Dataset, run: int, rng: np.random.Generator, strata: Strata
    ) -> Run:
        """Return all rows on both sides."""
        rows = np.arange(dataset.rows)
        return Run.from_splits(run, [Split(rows, rows)], "random")


@dataclass(frozen=True, slots=True)
class BootstrapError:
    """The error of a classifier, by the .632+ bootstrap (Efron & Tibshirani 1997).

    Attributes
    ----------
    estimate : float
        The .632+ estimate: (1 − w) resubstitution + w out_of_bag, with w = .632 / (1 − .368 R).
    out_of_bag : float
        The leave-one-out bootstrap: for each row the share of wrong predictions by samples that
        did not draw it, averaged over rows.
    resubstitution : float
        Share of wrong predictions for the rows that the learner was trained on.
    no_information : float
        γ: the error if predictions and classes were independent.
    overfitting : float
        R, the relative overfitting rate: 0 for none, 1 where nothing was learned.
    """

    estimate: float
    out_of_bag: float
    resubstitution: float
    no_information: float
    overfitting: float


def estimate_error(
    y: Rows, resubstituted: Rows, tests: list[Rows], predictions: list[Rows]
) -> BootstrapError:
    """Estimate the error of a classifier by the .632+ bootstrap.

    Parameters
    ----------
    y : array of int (rows,)
        Classes.
    resubstituted : array of int (rows,)
        Classes that the learner predicts for the rows that it was trained on.
    tests, predictions : lists of arrays
        For each bootstrap sample the rows that were not drawn, and the classes predicted.
    """
    rows, classes = len(y), int(max(y.max(), resubstituted.max())) + 1
    wrong, times = np.zeros(rows), np.zeros(rows)
    for test, predicted in zip(tests, predictions, strict=True):
        wrong[test] += predicted != y[test]
        times[test] += 1
    tested = times > 0
    out_of_bag = float((wrong[tested] / times[tested]).mean())
    apparent = float((resubstituted != y).mean())
    true_share, predicted_share = (
        np.bincount(labels, minlength=classes) / rows for labels in (y, resubstituted)
    )
    no_information = float((true_share * (1 - predicted_share)).sum())
    return BootstrapError(*_weigh(out_of_bag, apparent, no_information))


def _weigh(out_of_bag: float, apparent: float, no_information: float) -> tuple[float, ...]:
    """Return the fields of the answer; out of bag counts for no more than γ."""
    bounded = min(out_of_bag, no_information)
    overfitting = 0.0
    if bounded > apparent and no_information > apparent:
        overfitting = (bounded - apparent) / (no_information - apparent)
    weight = 0.632 / (1 - 0.368 * overfitting)
    estimate = (1 - weight) * apparent + weight * bounded
    return estimate, out_of_bag, apparent, no_information, overfitting
