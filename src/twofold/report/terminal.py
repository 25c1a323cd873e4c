"""A comparison in the terminal: verdict first, readable at 80 columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from twofold.comparison import Comparison, Comparisons
from twofold.comparison.comparison import LEFT_OUT
from twofold.comparison.sentences import describe_secondary, describe_test
from twofold.report.formatting import (
    count_learners,
    describe_material,
    describe_method,
    describe_metric,
    describe_omnibus,
    sort_notes,
)
from twofold.report.next_calls import suggest_next
from twofold.report.terminal_data_sets import format_data_sets
from twofold.report.terminal_tables import format_classes, format_learners, format_pairs
from twofold.result import Note

WIDTH = 80
DISAGREES = "mean-ranks-disagree"


def terminal(comparison: Comparison | Comparisons, *, next_calls: bool = True) -> str:
    """Return the comparison as text of at most 80 columns, with what to try next."""
    if isinstance(comparison, Comparisons):
        from twofold.report.terminal_metrics import format_metrics

        return format_metrics(comparison, next_calls=next_calls)
    blocks = [
        wrap(comparison.verdict, ""),
        _describe_question(comparison),
        list_omnibus(comparison),
        format_learners(comparison, WIDTH),
        format_classes(comparison, WIDTH),
        format_pairs(comparison, WIDTH),
        format_data_sets(comparison, WIDTH),
        list_secondary(comparison),
        # What was left out, and what another procedure says, stands beside the verdict.
        list_notes([n for n in sort_notes(comparison) if n.code not in (*LEFT_OUT, DISAGREES)]),
        title_lines("Next", suggest_next(comparison)) if next_calls else "",
    ]
    text = "\n\n".join(block for block in blocks if block)
    return "\n".join(line.rstrip() for line in text.splitlines())


def wrap(text: str, first: str, rest: str | None = None) -> str:
    """Return text in lines of the terminal's width, each with its indent."""
    indent = first if rest is None else rest
    return textwrap.fill(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=indent,
        break_on_hyphens=False,  # names have hyphens
    )


def _describe_question(c: Comparison) -> str:
    better = "higher" if c.higher_is_better else "lower"
    sets = describe_material(c)
    lines = {
        "Question": c.question,
        "Table": f"{count_learners(c)}, {sets}; {describe_metric(c)}, {better} is better",
        "Left out": " ".join(c.left_out),
        "Method": describe_method(c),
        "Otherwise": next((note.detail for note in c.notes if note.code == DISAGREES), ""),
    }
    return "\n".join(wrap(text, f"{word:<10}", " " * 10) for word, text in lines.items() if text)


def list_omnibus(c: Comparison) -> str:
    """Return the tests for any difference, a line for each."""
    if not c.omnibus:
        return ""
    lines = ["Any difference at all?"]
    lines += [wrap(describe_test(test), "  ", "    ") for test in c.omnibus]
    lines += [wrap(sentence, "  ") for sentence in describe_omnibus(c)]
    return "\n".join(lines)


def list_secondary(c: Comparison) -> str:
    """Return the other answers about a single pair."""
    lines = []
    for name, (first, *rest) in describe_secondary(c.pairs):
        match name:
            case "Sums of ranks":
                text = first
            case "Replicability":
                text = f"replicability: {first}"
            case _ if rest:
                text = f"{name}, {first[0].lower()}{first[1:]}"
            case _:
                text = f"{name}: {first}"
        lines.append(wrap(text, "  ", "    "))
        lines += [wrap(f"· {line}", "    ", "      ") for line in rest]
    return "\n".join(["Beside it", *lines]) if lines else ""


def list_notes(notes: Sequence[Note]) -> str:
    """Return notes below each other, with a sign for warnings."""
    lines = []
    for note in notes:
        sign = "!" if note.severity == "warning" else "·"
        lines.append(wrap(f"{sign} {note.title}: {note.detail}", "  ", "    "))
    return "\n".join(["Notes", *lines]) if lines else ""


def title_lines(title: str, calls: Sequence[tuple[str, str]]) -> str:
    """Return calls below a title, each with its purpose."""
    widest = max(len(call) for call, _ in calls)
    lines = [title]
    for call, purpose in calls:
        first, *rest = textwrap.wrap(purpose, WIDTH - widest - 4)
        lines.append(f"  {call:<{widest}}  {first}")
        lines += [" " * (widest + 4) + line for line in rest]
    return "\n".join(lines)
