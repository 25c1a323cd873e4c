"""A comparison as Markdown; names are text, whatever signs they hold."""

from __future__ import annotations

from twofold.comparison import Comparison, Comparisons
from twofold.comparison.wording import describe_intervals
from twofold.escapes import escape_markdown
from twofold.report import formatting
from twofold.report.class_table import explain_classes, tabulate_classes
from twofold.report.paragraphs import list_citations, write_methods, write_results
from twofold.report.results_table import tabulate_for_report
from twofold.report.results_writers import write_results_markdown
from twofold.report.score_table import shows_groups, tabulate_scores
from twofold.stats import papers

MOST_PAIRS = 300
TEXTS = {
    "learner",
    "class",
    "group",
    "a",
    "b",
    "better",
    "any difference?",
    "statistic",
    "metric",
    "first",
}
"""Columns that hold words."""


def markdown(c: Comparison | Comparisons) -> str:
    """Return the comparison as a Markdown document."""
    if isinstance(c, Comparisons):
        from twofold.report.markdown_metrics import write_metrics_markdown

        return write_metrics_markdown(c)
    parts = [f"# {escape_markdown(c.question)}", escape_markdown(c.verdict)]
    parts += ["## Method", escape_markdown(write_methods(c))]
    parts += ["## Results", escape_markdown(write_results(c))]
    parts += [*_tabulate_omnibus(c), *_tabulate_learners(c), *_tabulate_classes(c)]
    parts += [*_tabulate_results(c), *_tabulate_pairs(c)]
    if c.notes:
        lines = [
            f"- **{escape_markdown(note.title)}.** {escape_markdown(note.detail)}"
            for note in formatting.sort_notes(c)
        ]
        parts += ["## Notes", "\n".join(lines)]
    lines = [f"- {escape_markdown(papers()[key])}" for key in list_citations(c)]
    return "\n\n".join([*parts, "## Papers", "\n".join(lines)])


def _tabulate_omnibus(c: Comparison) -> list[str]:
    if not c.omnibus:
        return []
    header = ["any difference?", "statistic", "p"]
    ties = formatting.describe_uncorrected(c)
    table = write_table(header, formatting.tabulate_omnibus(c))
    return [table, escape_markdown(ties)] if ties else [table]


def _tabulate_learners(c: Comparison) -> list[str]:
    table = tabulate_scores(c)
    header = ["learner", *map(escape_markdown, table.columns)]
    caption = f"{table.title}: {table.reading}. {table.explanation}"
    columns = [c.ranking, *table.columns.values()]
    if shows_groups(c):
        letters = formatting.assign_letters(c)
        header.append("group")
        columns.append([letters[learner] for learner in c.ranking])
        caption += f" {formatting.SHARED_LETTER}"
    rows = [list(row) for row in zip(*columns, strict=True)]
    return [write_table(header, rows), escape_markdown(caption.strip())]


def _tabulate_classes(c: Comparison) -> list[str]:
    if not c.class_scores:
        return []
    header, rows = tabulate_classes(c)
    return [write_table(header, rows), escape_markdown(explain_classes(c))]


def _tabulate_results(c: Comparison) -> list[str]:
    table = tabulate_for_report(c)
    return [] if table is None else [write_results_markdown(table)]


def _tabulate_pairs(c: Comparison) -> list[str]:
    if not c.pairs:
        return []
    pairs = formatting.select_pairs(c, MOST_PAIRS)
    p = "p" if c.adjustment is None else f"p, {formatting.name_adjustment(c)}"
    decimals = formatting.count_decimals(pairs)
    interval = f"{c.pair_interval_level} interval"
    repeats = formatting.shows_repeats(pairs)
    header = ["a", "b", "a − b", interval, p, "wins/ties/losses", "better"] + ["repeats"] * repeats
    rows = [
        [pair.a, pair.b, *formatting.tabulate_pair(pair, pair.better, decimals, repeats=repeats)]
        for pair in pairs
    ]
    parts = [write_table(header, rows)]
    caption = f"a − b: {formatting.describe_estimate(c)}."
    if c.adjustment is not None:
        caption += f" Intervals are {describe_intervals(c)}."
    if repeats:
        caption += f" {formatting.explain_repeats(c, pairs)}"
    parts.append(escape_markdown(caption))
    if len(pairs) < len(c.pairs):
        parts.append(f"{len(c.pairs) - len(pairs)} more pairs are left out; JSON has them all.")
    return parts


def write_table(header: list[str], rows: list[list[str]]) -> str:
    """Return rows as a table; cells are escaped, the header is Markdown; numbers stand right."""
    sides = ["---" if head in TEXTS else "---:" for head in header]
    cells = [header, sides, *(list(map(escape_markdown, row)) for row in rows)]
    return "\n".join("| " + " | ".join(row) + " |" for row in cells)
