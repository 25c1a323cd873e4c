"""Findings on a table as one page, in the look of a comparison's page."""

from __future__ import annotations

from functools import partial
from typing import Any

from twofold.plots.table_study_facts import table_chart, table_pictures
from twofold.report.rendering import make_prefix, render_element, render_page
from twofold.report.study_html import view_study
from twofold.studies import TableFindings
from twofold.studies.table_sentences import describe_best, describe_bias
from twofold.studies.table_text import describe_group, name_table

CALLS = (
    ("--sizes 6 10 15", "curves over the number of data sets"),
    ("--subsets 3 5", "curves over the number of learners"),
    ("--picture level --plot level.svg", "another picture: power, pvalues, replicability, …"),
    ("-o found.json", "every number, for programs"),
)
MEASURES = {
    "rejected": "rejected",
    "mean_p": "mean p",
    "replicability": "R(e)",
    "replicability_p": "R(p)",
    "any_rejected": "any pair",
}


def table_findings_html(findings: TableFindings) -> str:
    """Return findings on a table as a self-contained page."""
    return render_page("answer.html", findings.verdict, view=view_table_findings(findings))


def table_findings_fragment(findings: TableFindings, *, heading: int = 3) -> str:
    """Return findings on a table as an element that brings its own styles."""
    prefix = make_prefix(findings.made, findings.rows)
    return render_element("answer.html", heading, view=view_table_findings(findings, prefix))


def view_table_findings(findings: TableFindings, prefix: str = "") -> dict[str, Any]:
    """Arrange findings on a table for their template."""
    charts = {kind: partial(table_chart, findings, kind) for kind in table_pictures(findings)}
    groups = findings.group_rows()
    return {
        "question": f"Which test tells most on {name_table(findings)}?",
        "verdict": findings.verdict,
        "scope": f"{describe_bias(findings)} {findings.confidence:.0%} intervals of the draws.",
        "groups": [
            {
                "title": describe_group(group, findings),
                "sentences": describe_best(findings, best),
                "rate": "pairs told apart"
                if best.kind == "pairs" and findings.pair is None
                else "rejected",
                "rows": [row for rows in groups[group].values() for row in rows],
                "columns": {
                    name: title
                    for name, title in MEASURES.items()
                    if name != "rejected"
                    and any(
                        getattr(row, name) is not None
                        for rows in groups[group].values()
                        for row in rows
                    )
                },
            }
            for best in findings.best
            for group in [(best.kind, best.datasets, best.learners, best.alpha)]
        ],
        "interval": f"{findings.confidence:.0%} interval",
        **view_study("table_findings", prefix, charts, findings.notes, findings.made, CALLS),
    }
