"""Findings on data sets of one's own as a page, in the look of the other studies."""

from __future__ import annotations

from functools import partial
from typing import Any

from twofold.plots import data_study_chart
from twofold.report.rendering import make_prefix, render_element, render_page
from twofold.report.study_html import view_study
from twofold.studies import DataFindings
from twofold.studies.data_findings_table import count_outcomes
from twofold.studies.data_sentences import (
    describe_rows,
    describe_scope,
    name_data,
    name_group,
    summarize_data,
)
from twofold.studies.findings_table import label

CALLS = (
    ("--picture rejections --plot map.svg", "the map of rejections alone"),
    ("--alpha 0.01 0.05 0.1", "further levels, which need no fit"),
    ("-o found.json", "every number, for programs"),
)
MOST_PAIRS = 45
"""Pairs that have tables of their own on a page, those of ten learners; files have more."""

COLUMNS = {
    "rejected": "reject",
    "agreement": "agree",
    "predicted": "predicted",
    "replicability_p": "R(p)",
}


def data_findings_html(findings: DataFindings) -> str:
    """Return findings as a self-contained page."""
    return render_page("answer.html", summarize_data(findings), view=view_data_findings(findings))


def data_findings_fragment(findings: DataFindings, *, heading: int = 3) -> str:
    """Return findings as an element that brings its own styles."""
    prefix = make_prefix(findings.made, findings.rows)
    return render_element("answer.html", heading, view=view_data_findings(findings, prefix))


def view_data_findings(findings: DataFindings, prefix: str = "") -> dict[str, Any]:
    """Arrange findings on data for their template."""
    pairs = findings.pairs
    few = len(pairs) <= MOST_PAIRS
    charts = {kind: partial(data_study_chart, findings, kind) for kind in _list_pictures(findings)}
    origin = dict(findings.made)
    origin["datasets"] = [f"{each['name']} ({each['rows']} rows)" for each in origin["datasets"]]
    return {
        "question": f"Do tests agree with themselves on {name_data(findings)}?",
        "verdict": summarize_data(findings),
        "scope": f"{describe_scope(findings)}; {findings.confidence:.0%} intervals over data sets.",
        "columns": COLUMNS,
        "interval": f"{findings.confidence:.0%} interval",
        "label": label,
        "groups": [
            {
                "title": f"{name_group(findings, pair)}, α = {alpha:g}",
                "sentences": describe_rows(rows),
                "rows": rows,
            }
            for (pair, alpha), rows in findings.group_by_pair().items()
            if few or pair is None
        ],
        "maps": [_view_pair(findings, *pair) for pair in pairs] if few else [],
        "left_out": "" if few else f"{len(pairs)} pairs: each of them is in JSON and CSV.",
        **view_study(
            "data_findings",
            prefix,
            charts,
            findings.notes,
            origin,
            CALLS,
        ),
    }


def _list_pictures(findings: DataFindings) -> list[str]:
    return ["replicability", "rejections"] if findings.rows else []


def _view_pair(findings: DataFindings, a: str, b: str) -> dict[str, Any]:
    """Return the table of one pair at the first level: data sets by experiments."""
    alpha = findings.levels[0]
    rows = [row for row in findings.datasets if (row.a, row.b, row.alpha) == (a, b, alpha)]
    labels = {row.experiment: label(row) for row in findings.rows if row.alpha == alpha}
    cells = {(row.dataset, row.experiment): row for row in rows}
    sizes = {row.dataset: row.rows for row in rows}
    return {
        "title": f"{name_group(findings, (a, b))}, α = {alpha:g}",
        "heads": list(labels.values()),
        "lines": [
            {
                "name": name,
                "rows": sizes[name],
                "cells": [cells.get((name, experiment)) for experiment in labels],
            }
            for name in findings.names
            if name in sizes
        ],
        "count": count_outcomes,
    }
