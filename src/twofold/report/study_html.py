"""Findings of a study, and calibrations, as one page each; in the look of a comparison's page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from twofold.errors import InputError
from twofold.plots import calibration_chart, data_study_svg, study_chart, study_pictures
from twofold.plots.charts import Chart
from twofold.plots.data_study_facts import RejectionMap
from twofold.report.day import format_day
from twofold.report.pictures import DrawnPicture, PictureLeftOut, isolate_svg
from twofold.report.rendering import (
    Section,
    list_notes,
    make_prefix,
    render_element,
    render_page,
)
from twofold.report.study_sentences import (
    describe_calibration,
    describe_point,
    list_erring,
    summarize,
)
from twofold.result import Note
from twofold.rounding import percentage, written
from twofold.studies import Calibration, Finding, Findings
from twofold.studies.damaged_learners import DAMAGES
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
    return render_page("answer.html", summarize(findings), view=view_findings(findings))


def findings_fragment(findings: Findings, *, heading: int = 3) -> str:
    """Return findings as an element that brings its own styles."""
    prefix = make_prefix(findings.made, findings.rows)
    return render_element("answer.html", heading, view=view_findings(findings, prefix))


def calibration_html(calibration: Calibration) -> str:
    """Return a calibration as a self-contained page."""
    title = describe_calibration(calibration)[0]
    return render_page("answer.html", title, view=view_calibration(calibration))


def calibration_fragment(calibration: Calibration, *, heading: int = 3) -> str:
    """Return a calibration as an element that brings its own styles."""
    prefix = make_prefix(calibration.made, calibration.entries)
    return render_element("answer.html", heading, view=view_calibration(calibration, prefix))


def view_findings(findings: Findings, prefix: str = "") -> dict[str, Any]:
    """Arrange findings for their template."""
    too_often = list_erring(findings.rows)
    charts = {kind: partial(study_chart, findings, kind) for kind in study_pictures(findings)}
    return {
        "question": f"How do tests behave on {name_pair(findings.learners)}?",
        "verdict": summarize(findings),
        "scope": _describe_scope(findings),
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
        "damage": findings.damage,
        "damage_words": DAMAGES[findings.damage[0].kind] if findings.damage else "",
        "interval": f"{findings.confidence:.0%} interval",
        **view_study(
            "findings",
            prefix,
            charts,
            findings.notes,
            findings.made,
            STUDY_CALLS,
            (Section("damage", "Damage", bool(findings.damage)),),
        ),
    }


def view_calibration(calibration: Calibration, prefix: str = "") -> dict[str, Any]:
    """Arrange a calibration for its template."""
    provenance, entries = calibration.made, calibration.entries
    learners = " against ".join(map(str, provenance["learners"]))
    charts = {"df": partial(calibration_chart, calibration)}
    return {
        "question": "With how many degrees of freedom do tests keep their level?",
        "verdict": " ".join(describe_calibration(calibration)),
        "scope": "{} on {datasets} data sets of {rows} rows of {source}, where neither should win; "
        "{} intervals.".format(learners, percentage(calibration.confidence), **provenance),
        "size": f"{len({entry.alpha for entry in entries})} levels, {len(entries)} entries",
        "entries": entries,
        **view_study("calibration", prefix, charts, (), provenance, CALIBRATION_CALLS),
    }


def view_study(
    template: str,
    prefix: str,
    charts: Mapping[str, Callable[[], Chart | RejectionMap]],
    notes: Iterable[Note],
    made: Mapping[str, Any],
    calls: Sequence[tuple[str, str]],
    more: Sequence[Section] = (),
) -> dict[str, Any]:
    """Return what pages of all studies have alike; a template has the tables."""
    pictures, refusals = _draw(charts, prefix)
    sections = [
        *list_notes(notes),
        Section("pictures", "Pictures" if len(charts) > 1 else "Picture", bool(charts)),
        Section(template, "Results"),
        *more,
        Section("next", "Next steps"),
        Section("origin", "How this was made", bool(made)),
    ]
    return {
        "prefix": prefix,
        "contents": True,
        "sections": [section for section in sections if section.is_filled],
        "cards": (),
        "crowded": False,
        "pictures": pictures,
        "pictures_left_out": refusals,
        "next_calls": calls,
        "origin": [("date", format_day()), *_describe_provenance(made).items()],
    }


def _draw(
    charts: Mapping[str, Callable[[], Chart | RejectionMap]], prefix: str
) -> tuple[list[DrawnPicture], list[PictureLeftOut]]:
    pictures, refusals = [], []
    for i, (kind, make) in enumerate(charts.items()):
        try:
            chart = make()
            svg = isolate_svg(data_study_svg(replace(chart, caption="")), f"{prefix}s{i}-")
        except InputError as error:
            # Too many panels, or no matplotlib: the page has its tables.
            refusals.append(PictureLeftOut(kind, error.rule))
        else:
            pictures.append(DrawnPicture(kind, chart.title, svg, chart.caption))
    return pictures, refusals


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
    between = f"({written(gap.low, 4, plus=True)} to {written(gap.high, 4, plus=True)})"
    return (
        f"Mean difference of accuracy A − B: {written(gap.value, 4, plus=True)} {between}.".replace(
            "-", "−"
        )
    )


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
