"""What was measured of each test: its errors, its power, how often it agrees with itself, its cost.

Errors were measured on two null hypotheses: a class that depends on nothing, and one that there is
something to learn of, where the same learner sees either half of exchangeable attributes. `make
cards` measures it all; the numbers stand beside this file, and tell how they were made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from typing import Any

from twofold.rounding import written

Share = tuple[float, float, float]
"""A number, and the ends of its interval."""

USUAL_LEVEL = 0.05
"""The level at which errors of tests are quoted."""

NOTHING = "nothing to learn"
"""The null on which the class depends on nothing; the others have names of learners."""

Bin = tuple[float, float, int]
"""A mean prediction, how often it came true, and on how many data sets."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One test on one source at one level.

    Attributes
    ----------
    test, design : str
    df : float or None
        Degrees of freedom where they were calibrated.
    fits : int
        Trainings in one experiment, both learners together.
    source : str
        "none" where there is no difference, "some" where there is one; `Cards.sources` names them.
    alpha : float
    difference : Share
        Accuracy of A − accuracy of B.
    rejected, for_a, for_b, consistent, replicability, replicability_p, agreement : Share
        As `twofold study` explains them.
    predicted : Share or None
        What single experiments predict of ``agreement``.
    came_true : tuple of Bin
        Predictions in bins, beside what came of them.
    """

    test: str
    design: str
    df: float | None
    fits: int
    source: str
    alpha: float
    difference: Share
    rejected: Share
    for_a: Share
    for_b: Share
    consistent: Share
    replicability: Share
    replicability_p: Share
    agreement: Share
    predicted: Share | None
    came_true: tuple[Bin, ...]

    @property
    def standing(self) -> str:
        """Tell, of a source without a difference, how errors compare with the level."""
        return _compare_with_level(self.rejected, self.alpha)


@dataclass(frozen=True, slots=True)
class Level:
    """How often one test errs where there is something to learn and neither learner is better.

    Attributes
    ----------
    test : str
    learner : str
        Which learner sees either half of the attributes; ``Cards.made`` tells its estimator.
    alpha : float
    rejected : Share
    """

    test: str
    learner: str
    alpha: float
    rejected: Share

    @property
    def standing(self) -> str:
        """Tell how errors compare with the level: "above", "below" or "holds"."""
        return _compare_with_level(self.rejected, self.alpha)


def format_rate(value: float) -> str:
    """Return a rate with three digits, without the leading zero."""
    text = written(value, 3)
    return "1.00" if text == "1.000" else text.removeprefix("0")


def _compare_with_level(rejected: Share, alpha: float) -> str:
    _, low, high = rejected
    return "above" if low > alpha else "below" if high < alpha else "holds"


@dataclass(frozen=True, slots=True)
class Cards:
    """All that was measured, and how.

    Attributes
    ----------
    made : mapping
        Learners, rows, data sets, repetitions, seed, confidence, versions; under "halves" what
        differs there.
    sources : mapping
        The names of the sources "none", "some" and "halves".
    rows : tuple of Measured
    levels : tuple of Level
    one_run : mapping
        The test of a single run, its design, and its Type I error at .05 on each null.
    """

    made: Mapping[str, Any]
    sources: Mapping[str, str]
    rows: tuple[Measured, ...]
    levels: tuple[Level, ...]
    one_run: Mapping[str, Any]

    def find_rows(self, test: str) -> tuple[Measured, ...]:
        """Return what was measured of one test; nothing where it was not studied."""
        return tuple(row for row in self.rows if row.test == test)

    def find(self, test: str, source: str, alpha: float) -> Measured | None:
        """Return one row, or None."""
        rows = [row for row in self.find_rows(test) if (row.source, row.alpha) == (source, alpha)]
        return rows[0] if rows else None

    def levels_of(self, test: str, alpha: float) -> tuple[Level, ...]:
        """Return the errors of one test with each learner; none where it was not studied."""
        return tuple(level for level in self.levels if (level.test, level.alpha) == (test, alpha))

    def above(self, test: str, alpha: float) -> tuple[Level, ...]:
        """Return those that lie above the level, the worst first."""
        high = [level for level in self.levels_of(test, alpha) if level.standing == "above"]
        return tuple(sorted(high, key=lambda level: -level.rejected[0]))

    def tests(self) -> tuple[str, ...]:
        """Return the tests that have a card."""
        return tuple(dict.fromkeys(row.test for row in self.rows))

    def describe_level(self, test: str, runs: int) -> str:
        """Say what Type I errors a test had at .05 on both nulls; nothing where it was not studied.

        The only place that words it; ``runs`` are those of the experiment at hand.
        """
        if runs == 1 and self.one_run["test"] == test:
            design, rates = self.one_run["design"], self.one_run["rates"]
        elif null := self.find(test, "none", USUAL_LEVEL):
            design, rates = null.design, {NOTHING: null.rejected[0]}
            rates |= {one.learner: one.rejected[0] for one in self.levels_of(test, USUAL_LEVEL)}
        else:
            return ""
        low, high = (written(end(rates.values()), 2).removeprefix("0") for end in (min, max))
        worst = max(rates, key=lambda name: rates[name])
        return (
            f"In simulations without a difference its Type I error at α = {USUAL_LEVEL:g} was "
            f"{low} to {high} (design {design}, {self.made['rows']} rows; highest: {worst})."
        )


@lru_cache(maxsize=1)
def cards() -> Cards:
    """Return what was measured."""
    raw = json.loads(files("twofold.stats").joinpath("cards.json").read_text("utf-8"))
    levels = (Level(**{**row, "rejected": tuple(row["rejected"])}) for row in raw["levels"])
    rows = (_row(row) for row in raw["rows"])
    return Cards(raw["made"], raw["sources"], tuple(rows), tuple(levels), raw["one_run"])


def _row(raw: Mapping[str, Any]) -> Measured:
    facts = {field.name: raw[field.name] for field in fields(Measured)}
    for name, value in facts.items():
        if isinstance(value, list):
            facts[name] = tuple(tuple(v) if isinstance(v, list) else v for v in value)
    return Measured(**facts)
