"""Several metrics as one HTML page: a table of verdicts, then a section for each metric."""

from __future__ import annotations

from typing import Any

from twofold.comparison import Comparisons
from twofold.report.html import collect_facts
from twofold.report.metric_lines import explain_metrics, tabulate_metrics
from twofold.report.rendering import render_element, render_page, render_part


def write_metrics_page(answers: Comparisons) -> str:
    """Return answers by several metrics as a self-contained HTML page."""
    return render_page("comparisons.html", answers.verdict, **_collect(answers, 1))


def write_metrics_element(answers: Comparisons, heading: int) -> str:
    """Return answers by several metrics as an element that brings its own styles."""
    return render_element("comparisons.html", heading, **_collect(answers, heading))


def _collect(answers: Comparisons, heading: int) -> dict[str, Any]:
    return {
        "answers": answers,
        "question": next(iter(answers.values())).question,
        "table": tabulate_metrics(answers),
        "reading": explain_metrics(answers),
        "sections": {
            metric: render_part("comparison.html", heading + 1, **collect_facts(answer))
            for metric, answer in answers.items()
        },
    }
