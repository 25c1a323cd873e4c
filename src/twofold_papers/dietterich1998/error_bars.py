"""Type I errors as Dietterich draws them: bars with intervals, and a line at the level."""

from __future__ import annotations

from twofold.plots import Panel
from twofold.studies import Estimate
from twofold_papers.figure import build_series

LEVEL = 0.05
TRIALS = 1000
ACCEPTABLE = LEVEL + 1.96 * (LEVEL * (1 - LEVEL) / TRIALS) ** 0.5
"""A higher rate is told from the level by as many trials as the paper had."""


def chart_errors(title: str, rates: dict[str, dict[str, Estimate]]) -> Panel:
    """Return the Type I errors of tests as bars, in one colour for each source or task."""
    tests = tuple(next(iter(rates.values())))
    bars = tuple(
        build_series(name, list(range(len(tests))), list(each.values()), kind="bars")
        for name, each in rates.items()
    )
    return Panel(title, "", "probability of Type I error", bars, ticks=tests, level=LEVEL)
