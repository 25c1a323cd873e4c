"""Several metrics as one HTML page: a table of verdicts, then a section for each metric."""

from __future__ import annotations

from typing import Any

from twofold.comparison import Comparisons
from twofold.report.html import view_comparison
from twofold.report.metric_lines import explain_metrics, tabulate_metrics
from twofold.report.rendering import Section, list_notes


def view_metrics(answers: Comparisons, prefix: str = "") -> dict[str, Any]:
    """Return all that the template of several metrics shows; names of links begin as told."""
    names = {metric: f"metric-{i + 1}" for i, metric in enumerate(answers)}
    notes = list_notes(answers.notes)
    return {
        "question": next(iter(answers.values())).question,
        "verdict": answers.verdict,
        "prefix": prefix,
        "table": tabulate_metrics(answers),
        "reading": explain_metrics(answers),
        "notes": notes,
        "sections": [
            *notes,
            *(Section(name, f"By {metric}") for metric, name in names.items()),
        ],
        "answers": [
            (
                metric,
                view_comparison(answer, f"{prefix}{names[metric]}-", contents=False)
                | {"question": f"By {metric}"},
            )
            for metric, answer in answers.items()
        ],
    }
