"""Findings as text of at most 80 columns."""

from __future__ import annotations

import textwrap
from math import floor
from typing import TYPE_CHECKING

from twofold.rounding import written
from twofold.stats.cards import format_rate
from twofold.studies.measures import Estimate

if TYPE_CHECKING:
    from twofold.studies.calibration import Calibrated, Calibration
    from twofold.studies.data_findings import PairFinding
    from twofold.studies.findings import Finding, Findings

WIDTH = 80
HEADS = {True: "Type I error", False: "power", None: "rejected"}


def table_of(findings: Findings) -> str:
    """Return a table for each source, size and level."""
    lines = [name_pair(findings.learners)]
    for (source, size, alpha), rows in findings.group_by_point().items():
        lines += ["", *_write_heading(source, size, alpha, rows), *_rows(rows)]
    lines += ["", *_legend(findings)]
    for note in findings.notes:
        lines += textwrap.wrap(f"{note.title}: {note.detail}", WIDTH - 1)
    return "\n".join(lines)


def name_pair(learners: tuple[str, str]) -> str:
    """Return the two learners, with the letters that columns call them by."""
    a, b = learners
    return "A against B" if (a, b) == ("A", "B") else f"{a} (A) against {b} (B)"


def _write_heading(source: str, size: int, alpha: float, rows: list[Finding]) -> list[str]:
    first = rows[0]
    times = "once" if first.repetitions == 1 else f"{first.repetitions} times"
    text = f"{source}, {size} rows, α = {alpha:g}: {first.datasets} data sets, each {times}"
    text += f". Mean difference A − B: {_difference(first.difference)}."
    return textwrap.wrap(text, WIDTH - 1)


def _rows(rows: list[Finding]) -> list[str]:
    name = max([len("experiment"), *(len(label(row)) for row in rows)])
    head = f"{'experiment':<{name}} {HEADS[rows[0].null]:<16} {'for A':>5} {'cons.':>5} {'R':>5}"
    lines = [f"{head} {'pred.':>5} {'fits':>5}"]
    for row in rows:
        text = f"{label(row):<{name}} {format_interval(row.rejected):<16}"
        cells = (row.for_a, row.consistent, row.replicability, row.predicted)
        text += "".join(f" {'' if cell is None else format_rate(cell.value):>5}" for cell in cells)
        lines.append(f"{text} {row.fits:>5}")
    return lines


def label(row: Finding | PairFinding) -> str:
    """Return test and design, shortened where they are long, with the df where it is a choice."""
    chosen = f"({row.df:g})" if row.df is not None and row.chosen_df else ""
    return label_of(row.test, row.design, chosen)


def label_of(test: str, design: str, more: str = "") -> str:
    """Return a test and a design, shortened where they are long."""
    where = (
        design.replace("resample:", "")
        .replace("halves:", "halves ")
        .replace(":", "×")
        .replace("holdout×", "")
    )
    return f"{test.replace('averaged', 'av').replace('corrected', 'corr')}{more} {where}".rstrip()


def _legend(findings: Findings) -> list[str]:
    level = f"{findings.confidence:.0%}"
    text = (
        f"After a rate its {level} interval; after a test the df where it was chosen. "
        "for A: A found better. cons.: data sets on which all repetitions agree. R: chance that "
        "two repetitions agree. pred.: the same, as predicted by single experiments. fits: "
        "trainings in one experiment. The other intervals are in JSON and CSV."
    )
    if not findings.complete:
        text = "Not finished yet. " + text
    return textwrap.wrap(text, WIDTH - 1)


def format_interval(rate: Estimate) -> str:
    """Return a rate with its interval."""
    return f"{format_rate(rate.value)} ({format_rate(rate.low)}–{format_rate(rate.high)})"


def _difference(mean: Estimate) -> str:
    value, low, high = (written(part, 4, plus=True) for part in (mean.value, mean.low, mean.high))
    return f"{value} ({low} to {high})"


def table_of_calibration(calibration: Calibration) -> str:
    """Return a table of degrees of freedom: a line for each test and design, a column per level."""
    lines: dict[str, dict[float, Calibrated]] = {}
    for entry in calibration.entries:
        lines.setdefault(label_of(entry.test, entry.design), {})[entry.alpha] = entry
    levels = list(dict.fromkeys(entry.alpha for entry in calibration.entries))
    name = max([len("test"), *map(len, lines)])
    origin = calibration.made
    learners = " against ".join(origin["learners"])
    about = (
        f"Calibrated degrees of freedom: {learners} on {origin['datasets']} data sets of "
        f"{origin['rows']} rows of {origin['source']}, where neither should win."
    )
    text = textwrap.wrap(about, WIDTH - 1)
    text += ["", f"{'test':<{name}}" + "".join(f" {f'α = {level:g}':>11}" for level in levels)]
    for label_, cells in lines.items():
        texts = (_df(cells[level]) if level in cells else "" for level in levels)
        text.append((f"{label_:<{name}}" + "".join(f" {cell:>11}" for cell in texts)).rstrip())
    legend = (
        f"In brackets {calibration.confidence:.0%} intervals. none: even the lowest df considered "
        "errs too often. ≥: as many as were considered. Type I errors are in to_dict()."
    )
    return "\n".join([*text, "", *textwrap.wrap(legend, WIDTH - 1)])


def _df(entry: Calibrated) -> str:
    if entry.df is None:
        return "none"
    if entry.at_most:
        return f"≥{entry.df:g}"
    return f"{entry.df:g} ({floor(entry.low)}–{floor(entry.high)})"
