"""The answer of `plan`: how many are enough, or what they can find."""

# Annotations are evaluated here: help() shows them as they are written, without quotes.
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from twofold.result import Note

Solved = Literal["n", "power", "difference"]


@dataclass(frozen=True, slots=True)
class PlanPoint:
    """Power and replicability of so many."""

    n: int
    power: float
    replicability: float


@dataclass(frozen=True, slots=True)
class Assumption:
    """What a plan rests on: a number, from a pilot with its interval, or as it was given."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many items, data sets, runs or seeds are enough, or what they can find.

    ``print`` it, ``save`` it as a report, ``plot`` it, or take it further with ``to_dict``.

    Attributes
    ----------
    situation : {"items", "datasets", "runs", "seeds"}
    solved_for : {"n", "power", "difference"}
        What was left open.
    n : int or None
        None where no number is enough.
    interval : pair or None
        For what was solved for, given how sure the pilot's numbers are; an end is None where it
        cannot be told.
    power, replicability : float
        At n: how often the difference is found, and how often two such experiments agree.
    difference : float or None
        In the metric's units; None for seeds.
    probability : float or None
        For seeds: how often a run of the better learner scores above one of the other.
    smallest_difference : float or None
        What n find with ``target``; for seeds a probability.
    target : mapping
        {"power": 0.8} or {"replicability": 0.9}.
    alpha, level : float
        Level of all comparisons together, and of one.
    learners, comparisons : int
    control, adjustment : str or None
    test : str
        The test that `compare` chooses there.
    metric : str
    assumptions : tuple of Assumption
    formula : mapping or None
        A published formula's n, and its source.
    now : PlanPoint or None
        What the pilot itself could find of this difference.
    curve : tuple of PlanPoint
    cost : mapping
        fits, seconds and, with a budget, affordable: as far as they are known.
    verdict, sentence : str
        The answer, and what can be written into a paper.
    advice : tuple of str
        What would help instead, or what does not help.
    notes : tuple of Note
    seed : int
    """

    situation: str
    solved_for: Solved
    n: int | None
    interval: tuple[float | None, float | None] | None
    power: float
    replicability: float
    difference: float | None
    probability: float | None
    smallest_difference: float | None
    target: Mapping[str, float]
    alpha: float
    level: float
    learners: int
    comparisons: int
    control: str | None
    adjustment: str | None
    test: str
    metric: str
    assumptions: tuple[Assumption, ...]
    formula: Mapping[str, Any] | None
    now: PlanPoint | None
    curve: tuple[PlanPoint, ...]
    cost: Mapping[str, Any]
    verdict: str
    sentence: str
    comparisons_in_words: str
    advice: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    seed: int = 0
    call: str = field(default="", compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as plain data for JSON."""
        plain = asdict(self)
        plain["interval"] = None if self.interval is None else list(self.interval)
        for name in ("assumptions", "curve", "advice", "notes"):
            plain[name] = list(plain[name])
        del plain["call"]
        return plain

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a report: a page for browsers (.html), every number (.json), or text (.txt, .md).

        An existing file is replaced.
        """
        from twofold.report.plan_files import save_plan

        save_plan(self, path)

    def plot(self, path: Any = None, *, width: Any = "two-column") -> Any:
        """Draw power and replicability over n; with a path, save it as SVG, PDF or PNG."""
        from twofold.plots.plan_picture import plot_plan

        return plot_plan(self, path, width=width)

    def __str__(self) -> str:
        from twofold.report.plan_text import format_plan

        return format_plan(self)

    def __repr__(self) -> str:
        return f"Plan({self.situation!r}: {self.verdict})"

    def _repr_html_(self) -> str:
        from twofold.report.plan_html import plan_fragment

        return plan_fragment(self)
