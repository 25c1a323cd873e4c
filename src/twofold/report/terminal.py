"""A comparison in the terminal: verdict first, readable at 80 columns."""

from __future__ import annotations

import textwrap

from twofold.comparison import Comparison
from twofold.comparison.comparison import LEFT_OUT
from twofold.comparison.sentences import describe_secondary, describe_test
from twofold.report.formatting import (
    describe_method,
    describe_metric,
    describe_omnibus,
    sort_notes,
)
from twofold.report.next_calls import suggest_next
from twofold.report.terminal_tables import format_learners, format_pairs

WIDTH = 80


def terminal(comparison: Comparison, *, next_calls: bool = True) -> str:
    """Return the comparison as text of at most 80 columns, with what to try next."""
    blocks = [
        _wrap(comparison.verdict, ""),
        _describe_question(comparison),
        _list_omnibus(comparison),
        format_learners(comparison, WIDTH),
        format_pairs(comparison, WIDTH),
        _list_secondary(comparison),
        _list_notes(comparison),
        _list_calls(comparison) if next_calls else "",
    ]
    text = "\n\n".join(block for block in blocks if block)
    return "\n".join(line.rstrip() for line in text.splitlines())


def _wrap(text: str, first: str, rest: str | None = None) -> str:
    indent = first if rest is None else rest
    return textwrap.fill(
        " ".join(text.split()), WIDTH, initial_indent=first, subsequent_indent=indent
    )


def _describe_question(c: Comparison) -> str:
    n, k = len(c.datasets), len(c.learners)
    better = "higher" if c.higher_is_better else "lower"
    sets = f"{n} data sets" if n > 1 else f"one data set ({c.datasets[0]})"
    lines = {
        "Question": c.question,
        "Table": f"{k} learners, {sets}; {describe_metric(c)}, {better} is better",
        "Left out": " ".join(c.left_out),
        "Method": describe_method(c),
    }
    return "\n".join(_wrap(text, f"{word:<10}", " " * 10) for word, text in lines.items() if text)


def _list_omnibus(c: Comparison) -> str:
    if not c.omnibus:
        return ""
    lines = ["Any difference at all?"]
    lines += [_wrap(describe_test(test), "  ", "    ") for test in c.omnibus]
    lines += [_wrap(sentence, "  ") for sentence in describe_omnibus(c)]
    return "\n".join(lines)


def _list_secondary(c: Comparison) -> str:
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
        lines.append(_wrap(text, "  ", "    "))
        lines += [_wrap(f"· {line}", "    ", "      ") for line in rest]
    return "\n".join(["Beside it", *lines]) if lines else ""


def _list_notes(c: Comparison) -> str:
    lines = []
    for note in sort_notes(c):
        if note.code in LEFT_OUT:
            continue  # it stands beside the verdict
        sign = "!" if note.severity == "warning" else "·"
        lines.append(_wrap(f"{sign} {note.title}: {note.detail}", "  ", "    "))
    return "\n".join(["Notes", *lines]) if lines else ""


def _list_calls(c: Comparison) -> str:
    calls = suggest_next(c)
    widest = max(len(call) for call, _ in calls)
    lines = ["Next"]
    for call, purpose in calls:
        first, *rest = textwrap.wrap(purpose, WIDTH - widest - 4)
        lines.append(f"  {call:<{widest}}  {first}")
        lines += [" " * (widest + 4) + line for line in rest]
    return "\n".join(lines)
