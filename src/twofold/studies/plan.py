"""Which experiments a study asks about, and which splits they share.

An experiment is a test with a design, written ``corrected-cv-t@10x10``; degrees of freedom may be
given as in ``use-all-data(df=10)@10x10``. All experiments with the same kind of splits share their
fits: one run of ten folds is the first of ten.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from twofold.comparison.defaults import STUDIED
from twofold.comparison.degrees_of_freedom import tests_with_df
from twofold.designs import Design, parse_design
from twofold.errors import InputError
from twofold.result import join_names
from twofold.stats import catalog, entry

# Where no design is named, or none that fits; by what a test takes.
DEFAULT_DESIGNS = {
    "counts": "holdout:1/3",
    "error-counts": "holdout:1/3",
    "splits": "resample:100:0.1",
    "folds-of-one-run": "1x10",
    "five-by-two": "5x2",
    "runs-and-folds": "10x10",
    "whole-and-halves": "halves:10x10",
}
TAKES_DF = frozenset(tests_with_df())
"""Tests whose degrees of freedom may be given."""

_WRITTEN = re.compile(r"([\w-]++)\s*+(?:\(\s*df\s*=\s*([\d.]+)\s*\))?\s*+(?:@\s*(\S+))?")


@dataclass(frozen=True, slots=True)
class PlannedExperiment:
    """A test and the design it is used with.

    Attributes
    ----------
    test : str
    design : Design
    df : float, optional
        Degrees of freedom where they are given by the user.
    """

    test: str
    design: Design
    df: float | None = None

    def __str__(self) -> str:
        df = "" if self.df is None else f"(df={self.df:g})"
        return f"{self.test}{df}@{self.design}"

    @property
    def takes(self) -> str:
        """What the test takes, in the words of the catalog."""
        return entry(self.test).data

    @property
    def fits(self) -> int:
        """How many times a learner is trained in one experiment, both learners together."""
        parts = 3 * self.design.parts if self.design.kind == "halves" else self.design.parts
        return 2 * self.design.runs * parts


def study_tests() -> tuple[str, ...]:
    """Return all tests of the catalog that compare two learners on one data set, in its order."""
    return tuple(
        test.name
        for test in catalog()
        if test.group == "one data set" and test.data in DEFAULT_DESIGNS
    )


def plan_experiments(
    tests: Any, designs: Any, *, without: Collection[str] = (), unused: bool = False
) -> tuple[PlannedExperiment, ...]:
    """Return the experiments that tests and designs name.

    Parameters
    ----------
    tests : "all", a name, or several
        With "all" and designs named, those tests that fit one of them.
    designs : design, several, or None
        A test is used with each design that fits it, else with its usual one.
    without : collection of str
        Tests that "all" leaves out: those that take this, in the words of the catalog.
    unused : bool
        Whether there may be designs that no test takes with all their runs. Else they are refused:
        something other than what was named would be run.
    """
    parsed = [parse_design(design) for design in _as_list(designs or ())]
    for design in parsed:
        check_design(design)
    experiments: list[PlannedExperiment] = []
    for text in _as_list(tests if tests is not None else STUDIED):
        every = text == "all"
        names = [name for name in study_tests() if entry(name).data not in without]
        for name in names if every else [text]:
            experiments += _plan_test(str(name), parsed, skip=every and bool(parsed))
    unique = tuple(dict.fromkeys(experiments))
    if not unique:
        raise InputError(
            "No experiment is left to ask about.",
            "Name a test and a design that fit: corrected-cv-t@10x10.",
        )
    if not unused:
        _refuse_unused(parsed, unique)
    return unique


def _refuse_unused(designs: Iterable[Design], experiments: Iterable[PlannedExperiment]) -> None:
    """Refuse a design that no experiment takes with all its runs."""
    taken = list(dict.fromkeys(experiment.design for experiment in experiments))
    for design in designs:
        if design not in taken:
            raise InputError(
                f"None of these tests takes the design {str(design)!r} as it is.",
                f"They take {join_names(map(str, taken))}: leave it out, or add a test that fits.",
            )


def check_design(design: Design) -> None:
    """Refuse a design that no test fits which can be studied."""
    if not any(_fit_design(takes, design, alone=True) for takes in DEFAULT_DESIGNS):
        raise InputError(
            f"No test that can be studied fits the design {str(design)!r}.",
            f"Use for instance {', '.join(dict.fromkeys(DEFAULT_DESIGNS.values()))}.",
        )


def _plan_test(text: str, designs: Sequence[Design], *, skip: bool) -> list[PlannedExperiment]:
    """Return a test with its own design, else with all that fit it, else with its usual one."""
    written = _WRITTEN.fullmatch(text.strip())
    if written is None:
        raise InputError(
            f"{text!r} is not an experiment.",
            "Write a test, as corrected-cv-t, or a test and a design, as cv-t@1x10.",
        )
    name, df, design = written.groups()
    test = entry(name)
    if name not in study_tests():
        raise InputError(
            f"{name!r} does not compare two learners on the splits of one data set.",
            f"Those that do: {', '.join(study_tests()[:4])}, …; 'all' takes them all.",
        )
    if df is not None and name not in TAKES_DF:
        raise InputError(f"{name!r} takes no `df`.", f"Write {name} alone.")
    given_df = None if df is None else _number(df)
    if design is not None:
        parsed = parse_design(design)
        fitting = _fit_design(test.data, parsed, alone=True)
        if fitting is None or fitting.runs < test.least_runs:
            raise InputError(
                f"{name!r} does not fit the design {design!r}: it needs {test.design}.",
                f"Write for instance {name}@{DEFAULT_DESIGNS[test.data]}.",
            )
        if fitting.runs != parsed.runs:  # it would be another experiment than the one written
            raise InputError(
                f"{name!r} takes {test.design}, not all runs of {design!r}.",
                f"Write {name}@{fitting}.",
            )
        return [PlannedExperiment(name, fitting, given_df)]
    alone = not any(_is_reserved(other) for other in designs) or len(designs) == 1
    fits = [_fit_design(test.data, other, alone=alone) for other in designs]
    usable = [fit for fit in fits if fit is not None and fit.runs >= test.least_runs]
    if not usable and not skip:
        usable = [parse_design(DEFAULT_DESIGNS[test.data])]
    return [PlannedExperiment(name, fit, given_df) for fit in usable]


def _fit_design(takes: str, design: Design, *, alone: bool) -> Design | None:
    """Return the part of a design that a test uses, or None where it does not fit."""
    if takes in ("counts", "error-counts"):
        return design if design.kind == "random" and design.runs == 1 else None
    if takes == "splits":
        return design if design.kind == "random" and design.runs > 1 else None
    if takes == "whole-and-halves":
        return design if design.kind == "halves" else None
    if design.kind != "folds":
        return None
    if takes == "five-by-two":
        return replace(design, runs=5) if design.parts == 2 and design.runs >= 5 else None
    if _is_reserved(design) and not alone:
        return None
    return replace(design, runs=1) if takes == "folds-of-one-run" else design


def _is_reserved(design: Design) -> bool:
    """Whether a design among others is meant for the 5x2cv tests."""
    return design.kind == "folds" and design.parts == 2


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not value > 0:
        raise InputError(f"`df` must be larger than zero, got {text!r}.", "Write df=10.")
    return value


def _as_list(value: Any) -> list[Any]:
    if isinstance(value, str):
        return _split_names(value)
    if isinstance(value, Design):
        return [value]
    if not isinstance(value, Iterable):
        raise InputError(
            f"{value!r} names neither tests nor designs.", "Pass texts such as 'cv-t' or '10x10'."
        )
    return [
        part for item in value for part in (_split_names(item) if isinstance(item, str) else [item])
    ]


def _split_names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def share_splits(experiments: Iterable[PlannedExperiment]) -> tuple[Design, ...]:
    """Return the designs whose splits serve all experiments: of each kind the longest."""
    longest: dict[str, Design] = {}
    for experiment in experiments:
        design = experiment.design
        if design.family not in longest or longest[design.family].runs < design.runs:
            longest[design.family] = design
    return tuple(longest.values())
