"""What the picture of a calibration shows: Type I error against degrees of freedom."""

from __future__ import annotations

import numpy as np

from twofold.errors import InputError
from twofold.plots.charts import Chart, Line, Panel
from twofold.plots.study_facts import MOST_LINES, MOST_PANELS, chunks
from twofold.stats import wilson
from twofold.studies import Calibrated, Calibration
from twofold.studies.findings_table import label_of

USUAL = 0.05


def df_curves(found: Calibration) -> Chart:
    """Return Type I error against df: a line for each test, or for each number of runs of one.

    Of several designs the longest for each number of folds is shown. Of many tests or designs one
    level is shown, of few all of them.
    """
    if not any(one.rejections for one in found.entries):
        raise InputError(
            "This calibration does not hold Type I errors at every df.", "Calibrate anew."
        )
    entries = list(found.entries)
    tests = list(dict.fromkeys(one.test for one in entries))
    by_runs = len(tests) == 1 and len({one.runs for one in entries}) > 1
    if not by_runs:
        entries = _longest(entries)
    families = list(dict.fromkeys(_family(one) for one in entries))
    levels = sorted({one.alpha for one in entries})
    crowded = len(families) > 1 or (len(tests) > MOST_LINES and not by_runs)
    if crowded and len(levels) > 1:
        levels = [USUAL if USUAL in levels else levels[len(levels) // 2]]
    panels = []
    for level in levels:
        for family in families:
            rows = [one for one in entries if one.alpha == level and _family(one) == family]
            panels += _panels(rows, level, by_runs, len(families) > 1, len(levels) > 1, found)
    if len(panels) > MOST_PANELS:
        raise InputError(
            f"{len(panels)} panels are too many for one picture, which holds {MOST_PANELS}.",
            "Name fewer tests, levels or designs.",
        )
    made = found.made
    designs = ", ".join(dict.fromkeys(one.design for one in entries))
    what = f"{tests[0]}; " if len(tests) == 1 else ""
    caption = (
        f"{what}{designs}; {' against '.join(made['learners'])} on {made['datasets']} data sets of "
        f"{made['rows']} rows of {made['source']}"
        + (f"; α = {levels[0]:g}" if len(levels) == 1 else "")
        + f"; {found.confidence:.0%} intervals; broken line: the level; dot, and number: the df "
        "that is chosen"
    )
    return Chart("Type I error by degrees of freedom", tuple(panels), caption)


def _family(one: Calibrated) -> str:
    return f"{one.folds} folds" if one.folds > 1 else "random splits"


def _longest(entries: list[Calibrated]) -> list[Calibrated]:
    """Return the entries of the most runs, for each test and number of folds."""
    most: dict[tuple[str, str], int] = {}
    for one in entries:
        key = one.test, _family(one)
        most[key] = max(most.get(key, 0), one.runs)
    return [one for one in entries if one.runs == most[one.test, _family(one)]]


def _panels(
    rows: list[Calibrated],
    level: float,
    by_runs: bool,
    say_family: bool,
    say_level: bool,
    found: Calibration,
) -> list[Panel]:
    lines = [_line(one, by_runs, place, found.confidence) for place, one in enumerate(rows)]
    words = [_family(rows[0])] if say_family else []
    words += [f"α = {level:g}"] if say_level else []
    top = min(1.0, max(4 * level, 0.05))
    return [
        Panel(
            title=", ".join(words),
            x_label="degrees of freedom",
            y_label="Type I error",
            lines=tuple(some),
            level=level,
            log=True,
            y_range=(0.0, top),
        )
        for some in chunks(lines)
    ]


def _line(one: Calibrated, by_runs: bool, place: int, confidence: float) -> Line:
    counts = np.array(one.rejections)
    interval = wilson(counts, one.datasets, confidence=confidence)
    name = f"{one.runs} run{'s' if one.runs > 1 else ''}" if by_runs else label_of(one.test, "")
    chosen = "none" if one.df is None else f"{'≥ ' if one.at_most else ''}{one.df:g}"
    mark = None
    if one.df is not None and one.type_one is not None:
        mark = (one.df, one.type_one.value)
    return Line(
        f"{name}: {chosen}",
        tuple(float(one.lowest + i) for i in range(len(counts))),
        tuple((counts / one.datasets).tolist()),
        tuple(np.asarray(interval.low).tolist()),
        tuple(np.asarray(interval.high).tolist()),
        place % MOST_LINES,
        mark,
    )
