"""Findings of a study, and calibrations, as one page each; in the look of a comparison's page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from twofold.errors import InputError
from twofold.plots import calibration_chart, chart_svg, study_chart, study_pictures
from twofold.plots.charts import Chart
from twofold.report.pictures import isolate_svg
from twofold.report.rendering import render_element, render_page
from twofold.report.study_sentences import (
    describe_calibration,
    describe_point,
    list_erring,
    summarize,
)
from twofold.studies import Calibration, Finding, Findings
from twofold.studies.findings_table import HEADS, name_pair

COLUMNS = {
    "for_a": "A better",
    "for_b": "B better",
    "consistent": "consistent",
    "replicability": "R",
    "replicability_p": "R(p)",
    "agreement": "agree",
    "predicted": "predicted",
}
STUDY_CALLS = (
    ("--picture qq --plot qq.svg", "another picture: rates, power, replicability, …"),
    ("--precision 0.01", "more data sets, until intervals are that narrow"),
    ("-o found.json", "every number, for programs"),
)
CALIBRATION_CALLS = (
    ("-o own.json", "the table, for `twofold compare --df own.json`"),
    ("--plot df.svg", "the picture alone"),
)


def findings_html(findings: Findings) -> str:
    """Return findings as a self-contained page."""
    return render_page("study.html", summarize(findings), **_collect_findings(findings))


def findings_fragment(findings: Findings, *, heading: int = 3) -> str:
    """Return findings as an element that brings its own styles."""
    return render_element("study.html", heading, **_collect_findings(findings))


def calibration_html(calibration: Calibration) -> str:
    """Return a calibration as a self-contained page."""
    title = describe_calibration(calibration)[0]
    return render_page("study.html", title, **_collect_calibration(calibration))


def calibration_fragment(calibration: Calibration, *, heading: int = 3) -> str:
    """Return a calibration as an element that brings its own styles."""
    return render_element("study.html", heading, **_collect_calibration(calibration))


def _collect_findings(findings: Findings) -> dict[str, Any]:
    too_often = list_erring(findings.rows)
    return {
        "question": f"How do tests behave on {name_pair(findings.learners)}?",
        "verdict": summarize(findings),
        "scope": _describe_scope(findings),
        "charts": [
            _draw(kind, f"s{i}-", partial(study_chart, findings, kind))
            for i, kind in enumerate(study_pictures(findings))
        ],
        "tables": "findings.html",
        "points": [
            {
                "title": f"{source}, {rows} rows, α = {alpha:g}",
                "size": _describe_difference(group[0]),
                "sentences": describe_point(group, too_often),
                "rate": HEADS[group[0].null],
                "rows": group,
            }
            for (source, rows, alpha), group in findings.group_by_point().items()
        ],
        "columns": COLUMNS,
        "interval": f"{findings.confidence:.0%} interval",
        "provenance": _describe_provenance(findings.made),
        "notes": findings.notes,
        "calls": STUDY_CALLS,
    }


def _collect_calibration(calibration: Calibration) -> dict[str, Any]:
    provenance, entries = calibration.made, calibration.entries
    learners = " against ".join(map(str, provenance["learners"]))
    return {
        "question": "With how many degrees of freedom do tests keep their level?",
        "verdict": " ".join(describe_calibration(calibration)),
        "scope": "{} on {datasets} data sets of {rows} rows of {source}, where neither should win; "
        "{:.0%} intervals.".format(learners, calibration.confidence, **provenance),
        "charts": [_draw("df", "s0-", partial(calibration_chart, calibration))],
        "tables": "calibration.html",
        "size": f"{len({entry.alpha for entry in entries})} levels, {len(entries)} entries",
        "entries": entries,
        "provenance": _describe_provenance(provenance),
        "notes": (),
        "calls": CALIBRATION_CALLS,
    }


def _draw(kind: str, prefix: str, make: Callable[[], Chart]) -> dict[str, str]:
    try:
        chart = make()
        return {"title": chart.title, "svg": isolate_svg(chart_svg(chart), prefix), "refusal": ""}
    except InputError as error:
        # Too many panels, or no matplotlib: the page has its tables.
        return {"kind": kind, "refusal": error.rule}


def _describe_scope(findings: Findings) -> str:
    unfinished = "" if findings.complete else " Not finished yet."
    if not findings.rows:
        return unfinished
    row, count = findings.rows[0], len(findings.group_by_point())
    times = "once" if row.repetitions == 1 else f"{row.repetitions} times"
    many = f"{count} combinations of source, size and level; " if count > 1 else ""
    return f"{many}{row.datasets} data sets each, every experiment {times} on each.{unfinished}"


def _describe_difference(row: Finding) -> str:
    gap = row.difference
    between = f"({gap.low:+.4f} to {gap.high:+.4f})"
    return f"Mean difference of accuracy A − B: {gap.value:+.4f} {between}.".replace("-", "−")


def _describe_provenance(provenance: Mapping[str, Any]) -> dict[str, str]:
    """Return what the numbers depend on."""
    return {
        name.replace("_", " "): _plain(value)
        for name, value in provenance.items()
        if value not in ([], None)
    }


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {item}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
