"""Several metrics as one HTML page: a table of verdicts, then a section for each metric."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from twofold.comparison import Comparisons
from twofold.report.bibtex import bibtex
from twofold.report.citing import cite_by_author, write_citations
from twofold.report.html import view_comparison
from twofold.report.latex_metrics import write_paragraphs_of_metrics
from twofold.report.metric_lines import (
    explain_metrics,
    explain_places,
    split_notes,
    suggest_for_metrics,
    tabulate_learners_by_metric,
    tabulate_metrics,
)
from twofold.report.metric_paragraphs import (
    describe_methods_of_metrics,
    describe_results_of_metrics,
    list_citations_of_metrics,
)
from twofold.report.rendering import Section, list_notes
from twofold.result import Note
from twofold.stats import papers

SHARED = ("paper", "next", "origin")
"""Sections that stand once on the page, below those of all metrics."""


def view_metrics(
    answers: Comparisons, prefix: str = "", highlight: Sequence[str] = ()
) -> dict[str, Any]:
    """Return all that the template of several metrics shows; ``prefix`` begins names of links."""
    common, own = split_notes(answers)
    urgent = [section for section in list_notes(common) if section.name != "remarks"]
    remarks = [section for section in list_notes(common) if section.name == "remarks"]
    views = {
        metric: view_comparison(
            answer, f"{prefix}metric-{number}-", contents=False, highlight=highlight
        )
        for number, (metric, answer) in enumerate(answers.items(), 1)
    }
    last = next(reversed(views.values()))
    shared = [section for section in last["sections"] if section.name in SHARED]
    below = [*shared[:1], *remarks, *shared[1:]]
    by_metric = [
        Section(f"metric-{number}", f"By {metric}") for number, metric in enumerate(answers, 1)
    ]
    scores = Section("scores", "Scores")
    return {
        "question": next(iter(answers.values())).question,
        "verdict": answers.verdict,
        "prefix": prefix,
        "table": tabulate_metrics(answers),
        "reading": explain_metrics(answers),
        "learners": tabulate_learners_by_metric(answers),
        "learners_reading": explain_places(answers),
        "sections": [*urgent, scores, *by_metric, *below],
        "scores": scores,
        "urgent": urgent,
        "answers": [
            (section, view | {"question": section.title} | _leave_shared(view, own[metric]))
            for section, (metric, view) in zip(by_metric, views.items(), strict=True)
        ],
        "below": below,
        "methods": _write(describe_methods_of_metrics(answers)),
        "results": _write(describe_results_of_metrics(answers)),
        "latex": {"paper": write_paragraphs_of_metrics(answers), "references": bibtex(answers)},
        "references": [papers()[key] for key in list_citations_of_metrics(answers)],
        "next_calls": suggest_for_metrics(answers),
        "python_calls": [f"answers[{metric!r}]" for metric in answers],
        "origin": last["origin"],
    }


def _leave_shared(view: dict[str, Any], notes: list[Note]) -> dict[str, Any]:
    """Return the sections of one metric without what stands once for all of them."""
    own = [
        section for section in view["sections"] if section.name not in SHARED and not section.notes
    ]
    groups = list_notes(notes)
    first = [section for section in groups if section.name != "remarks"]
    last = [section for section in groups if section.name == "remarks"]
    return {"sections": [*first, *own, *last]}


def _write(paragraphs: list[str]) -> str:
    return "\n\n".join(write_citations(text, cite_by_author) for text in paragraphs)
