"""What the picture of a calibration shows: Type I error against degrees of freedom."""

from __future__ import annotations

import numpy as np

from twofold.errors import InputError
from twofold.plots.charts import Chart, Panel, Series
from twofold.plots.study_facts import MOST_LINES, check_count, split_evenly
from twofold.stats import wilson
from twofold.studies import Calibrated, Calibration
from twofold.studies.findings_table import label_of

USUAL = 0.05


def chart_df(calibration: Calibration) -> Chart:
    """Return Type I error against df: a line for each test, or for each number of runs of one.

    Of several designs the longest for each number of folds is shown. Of many tests or designs one
    level is shown, of few all of them.
    """
    if not any(entry.rejections for entry in calibration.entries):
        raise InputError(
            "This calibration does not hold Type I errors at every df.", "Calibrate anew."
        )
    entries = list(calibration.entries)
    tests = list(dict.fromkeys(entry.test for entry in entries))
    by_runs = len(tests) == 1 and len({entry.runs for entry in entries}) > 1
    if not by_runs:
        entries = _select_longest(entries)
    families = list(dict.fromkeys(map(_family, entries)))
    levels = sorted({entry.alpha for entry in entries})
    crowded = len(families) > 1 or (len(tests) > MOST_LINES and not by_runs)
    if crowded and len(levels) > 1:
        levels = [USUAL if USUAL in levels else levels[len(levels) // 2]]
    panels = []
    for level in levels:
        for family in families:
            rows = [row for row in entries if row.alpha == level and _family(row) == family]
            words = [family] * (len(families) > 1) + [f"α = {level:g}"] * (len(levels) > 1)
            panels += [
                Panel(
                    title=", ".join(words),
                    x_label="degrees of freedom",
                    y_label="Type I error",
                    series=chunk,
                    level=level,
                    x_log=True,
                    y_range=(0.0, min(1.0, max(4 * level, 0.05))),
                )
                for chunk in split_evenly(
                    [_make_line(row, by_runs, calibration.confidence) for row in rows]
                )
            ]
    check_count(len(panels), "tests, levels or designs")
    caption = _caption(calibration, entries, tests, levels)
    return Chart("Type I error by degrees of freedom", tuple(panels), caption)


def _caption(
    calibration: Calibration, entries: list[Calibrated], tests: list[str], levels: list[float]
) -> str:
    origin = calibration.made
    parts = [
        tests[0] if len(tests) == 1 else "",
        ", ".join(dict.fromkeys(entry.design for entry in entries)),
        f"{' against '.join(origin['learners'])} on {origin['datasets']} data sets of "
        f"{origin['rows']} rows of {origin['source']}",
        f"α = {levels[0]:g}" if len(levels) == 1 else "",
        f"{calibration.confidence:.0%} intervals",
        "broken line: the level",
        "dot, and number: the df that is chosen",
    ]
    return "; ".join(filter(None, parts))


def _family(entry: Calibrated) -> str:
    return f"{entry.folds} folds" if entry.folds > 1 else "random splits"


def _select_longest(entries: list[Calibrated]) -> list[Calibrated]:
    """Return the entries of the most runs, for each test and number of folds."""
    most: dict[tuple[str, str], int] = {}
    for entry in entries:
        key = entry.test, _family(entry)
        most[key] = max(most.get(key, 0), entry.runs)
    return [entry for entry in entries if entry.runs == most[entry.test, _family(entry)]]


def _make_line(entry: Calibrated, by_runs: bool, confidence: float) -> Series:
    counts = np.array(entry.rejections)
    interval = wilson(counts, entry.datasets, confidence=confidence)
    name = label_of(entry.test, "")
    if by_runs:
        name = f"{entry.runs} run{'s' if entry.runs > 1 else ''}"
    chosen = "none" if entry.df is None else f"{'≥ ' if entry.at_most else ''}{entry.df:g}"
    mark = None
    if entry.df is not None and entry.type_one is not None:
        mark = (entry.df, entry.type_one.value)
    return Series(
        f"{name}: {chosen}",
        tuple(float(entry.lowest + i) for i in range(len(counts))),
        tuple((counts / entry.datasets).tolist()),
        tuple(np.asarray(interval.low).tolist()),
        tuple(np.asarray(interval.high).tolist()),
        mark=mark,
    )
