"""Several metrics in the terminal: a verdict for each first, then what they share, then details."""

from __future__ import annotations

from twofold.comparison import Comparisons
from twofold.comparison.comparison import LEFT_OUT
from twofold.plots.picture_labels import count_columns
from twofold.report.formatting import count_learners, describe_material
from twofold.report.metric_lines import (
    MetricTable,
    describe_methods_used,
    explain_metrics,
    explain_places,
    split_notes,
    suggest_for_metrics,
    tabulate_learners_by_metric,
    tabulate_metrics,
)
from twofold.report.terminal import (
    WIDTH,
    list_notes,
    list_omnibus,
    list_secondary,
    title_lines,
    wrap,
)
from twofold.report.terminal_tables import (
    format_learners,
    format_pairs,
    pad,
    shorten_names,
)

ROOM_FOR_NAMES = (40, 24, 16, 10)
MOST_LEARNERS = 20


def format_metrics(answers: Comparisons, *, next_calls: bool = True) -> str:
    """Return answers by several metrics as text of at most 80 columns."""
    common, own = split_notes(answers)
    blocks = [
        wrap(answers.verdict, ""),
        _format_table(answers),
        _format_learners(answers),
        _describe_common(answers),
        list_notes([note for note in common if note.code not in LEFT_OUT]),
    ]
    for metric, answer in answers.items():
        details = [
            wrap(answer.verdict, ""),
            list_omnibus(answer),
            format_learners(answer, WIDTH),
            format_pairs(answer, WIDTH) if len(answer.pairs) > 1 else "",
            list_secondary(answer),
            list_notes([note for note in own[metric] if note.code not in LEFT_OUT]),
        ]
        heading = f"── {metric} "
        blocks.append(heading + "─" * max(0, WIDTH - count_columns(heading)))
        blocks += [block for block in details if block]
    if next_calls:
        blocks.append(title_lines("Next", suggest_for_metrics(answers)))
    text = "\n\n".join(block for block in blocks if block)
    return "\n".join(line.rstrip() for line in text.splitlines())


def _format_table(answers: Comparisons) -> str:
    table = tabulate_metrics(answers)
    lines = _align(table)
    column = next((i for i, name in enumerate(table.header) if name.endswith("interval")), None)
    if column is not None and not _fit(lines):
        # The verdict of each metric has the interval too.
        rows = [row[:column] + row[column + 1 :] for row in [table.header, *table.rows]]
        lines = _align(MetricTable(rows[0], rows[1:], table.texts))
    return "\n".join([*lines, wrap(explain_metrics(answers), "  ")])


def _format_learners(answers: Comparisons) -> str:
    """Return the learners' scores side by side, where there are several and room for them."""
    table = tabulate_learners_by_metric(answers)
    rows = table.rows[:MOST_LEARNERS]
    lines = _align(table._replace(rows=rows))
    if len(table.rows) < 3 or not _fit(lines):
        return ""
    if len(rows) < len(table.rows):
        lines.append(f"  … {len(table.rows) - len(rows)} more; --format json lists them all")
    return "\n".join(["Mean scores", *lines, wrap(explain_places(answers), "  ")])


def _fit(lines: list[str]) -> bool:
    return max(map(count_columns, lines)) <= WIDTH


def _align(table: MetricTable) -> list[str]:
    """Return the lines of a table, names shortened as far as they must be."""
    lines: list[str] = []
    for room in ROOM_FOR_NAMES:
        rows = [list(row) for row in table.rows]
        for column in range(table.texts):
            names = shorten_names(list(dict.fromkeys(row[column] for row in rows)), room)
            for row in rows:
                row[column] = names[row[column]]
        cells = zip(table.header, *rows, strict=True)
        widths = [max(map(count_columns, column)) for column in cells]
        lines = ["  " + _pad_cells(row, widths, table.texts) for row in [table.header, *rows]]
        if _fit(lines):
            break
    return lines


def _describe_common(answers: Comparisons) -> str:
    first = next(iter(answers.values()))
    sets = describe_material(first)
    methods = describe_methods_used(answers)
    lines = [
        ("Question", first.question),
        ("Table", f"{count_learners(first)}, {sets}; {', '.join(answers)}"),
        ("Left out", " ".join(first.left_out)),
        *(("Method", f"{metric}: {text}".removeprefix(": ")) for metric, text in methods.items()),
    ]
    return "\n".join(wrap(text, f"{word:<10}", " " * 10) for word, text in lines if text)


def _pad_cells(row: list[str], widths: list[int], texts: int) -> str:
    cells = [
        pad(cell, width) if column < texts else " " * (width - count_columns(cell)) + cell
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells)
