"""Several metrics as Markdown: a table of verdicts, what they share, and a section for each."""

from __future__ import annotations

import re

from twofold.comparison import Comparisons
from twofold.escapes import escape_markdown
from twofold.report.citing import cite_by_author, write_citations
from twofold.report.markdown import markdown, write_table
from twofold.report.metric_lines import (
    explain_metrics,
    explain_places,
    tabulate_learners_by_metric,
    tabulate_metrics,
)
from twofold.report.metric_paragraphs import (
    describe_methods_of_metrics,
    describe_results_of_metrics,
    list_citations_of_metrics,
)
from twofold.stats import papers


def write_metrics_markdown(answers: Comparisons) -> str:
    """Return answers by several metrics as one Markdown document."""
    table = tabulate_metrics(answers)
    first = next(iter(answers.values()))
    parts = [f"# {escape_markdown(first.question)}", escape_markdown(answers.verdict)]
    parts += [write_table(list(map(escape_markdown, table.header)), table.rows)]
    parts += [escape_markdown(explain_metrics(answers))]
    by_learner = tabulate_learners_by_metric(answers)
    parts += [
        write_table(list(map(escape_markdown, by_learner.header)), by_learner.rows),
        escape_markdown(explain_places(answers)),
    ]
    parts += ["## Method", *map(_write, describe_methods_of_metrics(answers))]
    parts += ["## Results", *map(_write, describe_results_of_metrics(answers))]
    if answers.notes:
        lines = [
            f"- **{escape_markdown(note.title)}.** {escape_markdown(note.detail)}"
            for note in answers.notes
        ]
        parts += ["## Notes", "\n".join(lines)]
    for metric, answer in answers.items():
        parts += [f"## {escape_markdown(metric)}", _lower_headings(markdown(answer))]
    lines = [f"- {escape_markdown(papers()[key])}" for key in list_citations_of_metrics(answers)]
    return "\n\n".join([*filter(None, parts), "## Papers", "\n".join(lines)])


def _write(text: str) -> str:
    return escape_markdown(write_citations(text, cite_by_author))


def _lower_headings(text: str) -> str:
    """Return a document as a section: without title, paragraphs and papers, which stand once."""
    _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    verdict = text.split("\n\n")[1]
    own = [part for part in sections if not part.startswith(("Method\n", "Papers\n"))]
    for index, part in enumerate(own):
        title, _, rest = part.partition("\n\n")
        if title == "Results":
            own[index] = rest.partition("\n\n")[2]  # the paragraph stands above, the tables here
        else:
            own[index] = f"### {title}\n\n{rest}"
    return "\n\n".join(part.strip() for part in [verdict, *own] if part.strip())
