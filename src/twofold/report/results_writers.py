"""The results table as Markdown, CSV and HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from twofold.escapes import escape_markdown
from twofold.report.rendering import render_page
from twofold.report.results_latex import write_results_latex
from twofold.report.results_table import ResultCell, ResultsTable
from twofold.writing import format_delimited

MOST_COLUMNS = 10
"""Columns of a table in Markdown; more go into further tables."""

MOST_HEADS = 12
"""Learners that stand beside each other on a page, where data sets are fewer."""


def turn_for_screen(table: ResultsTable) -> ResultsTable:
    """Return the table with its longer side down, where it would be wide otherwise."""
    fewer = len(table.rows) - table.summary_rows < len(table.heads)
    return table.transpose() if fewer and len(table.heads) > MOST_HEADS else table


def write_results_markdown(table: ResultsTable) -> str:
    """Return the table as Markdown, in parts where it is wide."""
    turned = turn_for_screen(table)
    parts = [
        _write_markdown_part(turned.take_columns(slice(start, start + MOST_COLUMNS)))
        for start in range(0, len(turned.heads), MOST_COLUMNS)
    ]
    below = escape_markdown(" ".join(table.footnotes))
    return "\n\n".join(filter(None, [escape_markdown(table.caption), *parts, below]))


def _write_markdown_part(table: ResultsTable) -> str:
    lines = [[table.corner, *map(escape_markdown, table.heads)]]
    lines.append(["---", *["---:"] * len(table.heads)])
    for name, cells in table.rows:
        lines.append([escape_markdown(name), *map(_write_markdown_cell, cells)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _write_markdown_cell(cell: ResultCell) -> str:
    text = f"**{cell.text}**" if cell.best else cell.text
    spread = f" ± {cell.spread}" if cell.spread else ""
    return f"{text}{spread}" + (f" {escape_markdown(cell.sign)}" if cell.mark else "")


def write_results_csv(table: ResultsTable) -> str:
    """Return the table as CSV for programs: numbers in full, each learner's sd and mark beside."""
    header, rows = list_cells(table.split_records())
    values = [[cell.value if isinstance(cell, ResultCell) else cell for cell in r] for r in rows]
    return format_delimited([header, *values])


def write_metrics_csv(tables: Mapping[str, ResultsTable]) -> str:
    """Return the tables of several metrics as one CSV: the metric stands before each row."""
    records = []
    for metric, table in tables.items():
        header, rows = list_cells(table.split_records())
        for row in rows:
            values = [cell.value if isinstance(cell, ResultCell) else cell for cell in row]
            # Learners stand in another order by each metric.
            record: dict[str, Any] = {"metric": metric}
            records.append(record | dict(zip(header, values, strict=True)))
    heads = list(dict.fromkeys(head for record in records for head in record))
    return format_delimited([heads, *([record.get(head) for head in heads] for record in records)])


def list_cells(
    table: ResultsTable,
) -> tuple[list[str], list[list[ResultCell | str | float | None]]]:
    """Return a header and rows for programs: a cell, its standard deviation, and its mark.

    The latter two have columns where there are any.
    """
    every = [cell for _, cells in table.rows for cell in cells]
    spread, marks = any(cell.sd is not None for cell in every), any(cell.mark for cell in every)
    header = [table.corner]
    for head in table.heads:
        header += [head, *[f"{head} sd"] * spread, *[f"{head} mark"] * marks]
    rows: list[list[ResultCell | str | float | None]] = []
    for name, cells in table.rows:
        row: list[ResultCell | str | float | None] = [name]
        for cell in cells:
            row += [cell, *[cell.sd] * spread, *[cell.mark or None] * marks]
        rows.append(row)
    return header, rows


def write_results_html(tables: Sequence[ResultsTable]) -> str:
    """Return tables as a page of their own."""
    views = [view_table(table, folded=False) for table in tables]
    return render_page("table_page.html", tables[0].caption, views=views)


def view_table(table: ResultsTable, *, folded: bool) -> dict[str, Any]:
    """Return what the template of a results table shows."""
    latex = write_results_latex([table])
    return {"table": turn_for_screen(table), "folded": folded, "table_latex": latex}
