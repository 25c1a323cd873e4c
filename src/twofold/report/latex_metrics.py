r"""Several metrics as LaTeX: paragraphs, a table of verdicts, and each metric's tables."""

from __future__ import annotations

import re

from twofold.comparison import Comparisons
from twofold.escapes import escape_latex
from twofold.report.latex import MOST_PAIRS, latex, write_float, write_paragraph, write_table
from twofold.report.metric_lines import (
    MetricTable,
    explain_metrics,
    explain_places,
    tabulate_learners_by_metric,
    tabulate_metrics,
)
from twofold.report.metric_paragraphs import (
    describe_methods_of_metrics,
    describe_results_of_metrics,
)

ARROWS = {"↑": r"$\uparrow$", "↓": r"$\downarrow$"}


def write_metrics_latex(answers: Comparisons, bibliography: str) -> str:
    r"""Return answers by several metrics as LaTeX for ``\input``."""
    documents = {
        metric: latex(answer, bibliography=bibliography) for metric, answer in answers.items()
    }
    # The comments say what the preamble needs; a metric with a diagram needs most.
    heads = [document.partition("\n\n")[0] for document in documents.values()]
    parts = [
        max(heads, key=len),
        write_paragraphs_of_metrics(answers),
        _tabulate_metrics(answers),
        _tabulate_learners(answers),
        *(_take_floats(document, metric) for metric, document in documents.items()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def write_paragraphs_of_metrics(answers: Comparisons) -> str:
    """Return how the learners were compared by several metrics, and what was found."""
    methods, results = (
        "\n\n".join(map(write_paragraph, describe(answers)))
        for describe in (describe_methods_of_metrics, describe_results_of_metrics)
    )
    return f"\\paragraph{{Statistical comparison.}} {methods}\n\n\\paragraph{{Results.}} {results}"


def _tabulate_metrics(answers: Comparisons) -> str:
    caption = f"The verdict by each metric. {explain_metrics(answers)}"
    return _write_metric_table(tabulate_metrics(answers), caption, "tab:metrics")


def _tabulate_learners(answers: Comparisons) -> str:
    table = tabulate_learners_by_metric(answers)
    caption = f"Mean scores by each metric. {explain_places(answers)}"
    if len(table.rows) > MOST_PAIRS:
        caption += f" The best {MOST_PAIRS} of {len(table.rows)} learners."
    table = table._replace(rows=table.rows[:MOST_PAIRS])
    return _write_metric_table(table, caption, "tab:metric-scores")


def _write_metric_table(table: MetricTable, caption: str, label: str) -> str:
    columns = "l" * table.texts + "r" * (len(table.header) - table.texts)
    body = write_table(columns, list(map(escape_latex, table.header)), table.rows)
    text = write_float("table", escape_latex(caption), label, body)
    for arrow, command in ARROWS.items():
        text = text.replace(arrow, command)
    return text


def _take_floats(document: str, metric: str) -> str:
    """Return the figures and tables of one metric, which captions and labels name."""
    # They follow the comments on top and the two paragraphs.
    text = document.split("\n\n", 3)[3].rstrip()
    plain = re.sub(r"[^a-zA-Z0-9]+", "-", metric).strip("-")
    text = re.sub(r"\\label\{([^}]*)\}", lambda match: rf"\label{{{match[1]}-{plain}}}", text)
    named = escape_latex(metric)
    return re.sub(r"\\caption\{", lambda _: rf"\caption{{By {named}. ", text)
