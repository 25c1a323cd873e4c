"""A comparison in the terminal: verdict first, readable at 80 columns."""

from __future__ import annotations

import textwrap

from twofold.comparison import Comparison
from twofold.comparison.comparison import LEFT_OUT
from twofold.comparison.sentences import describe_secondary, number, p_value, percent
from twofold.comparison.wording import method_in_words
from twofold.report.formatting import (
    direction_tested,
    measured,
    notes,
    uncorrected,
)
from twofold.report.next_calls import for_terminal
from twofold.report.terminal_tables import format_learners, format_pairs

WIDTH = 80


def terminal(comparison: Comparison) -> str:
    """Return the comparison as text of at most 80 columns."""
    blocks = [
        _wrap(comparison.verdict, ""),
        _describe_question(comparison),
        _list_omnibus(comparison),
        format_learners(comparison, WIDTH),
        format_pairs(comparison, WIDTH),
        _list_secondary(comparison),
        _list_notes(comparison),
        _list_calls(comparison),
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
    method = f"{method_in_words(c.method)} at α = {c.alpha:g}. {c.reason}"
    if c.is_one_sided:
        names = (c.pairs[0].a, c.pairs[0].b) if len(c.pairs) == 1 else (str(c.control), "each")
        method += f" One-sided: tested only whether {direction_tested(c, *names)}."
    lines = {
        "Question": c.question,
        "Table": f"{k} learners, {sets}; {measured(c)}, {better} is better",
        "Left out": " ".join(c.left_out),
        "Method": method,
    }
    return "\n".join(_wrap(text, f"{word:<10}", " " * 10) for word, text in lines.items() if text)


def _list_omnibus(c: Comparison) -> str:
    if not c.omnibus:
        return ""
    lines = ["Any difference at all?"]
    dfs = [" and ".join(f"{part:g}" for part in test.df) for test in c.omnibus]
    widest = max(map(len, dfs))
    for test, df in zip(c.omnibus, dfs, strict=True):
        value = number(test.statistic, 4)
        lines.append(f"  {test.method:<16} {value:>8}, df {df:<{widest}}  {p_value(test.pvalue)}")
    if uncorrected(c):
        lines.append(_wrap(uncorrected(c), "  "))
    if c.omnibus_replicability and c.omnibus_replicability.predicted is not None:
        share = percent(c.omnibus_replicability.predicted)
        last = method_in_words(c.omnibus[-1].method)
        text = f"{last} on other data sets alike would decide the same: {share}"
        lines.append(_wrap(text, "  ", "    "))
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
    for note in notes(c):
        if note.code in LEFT_OUT:
            continue  # it stands beside the verdict
        sign = "!" if note.severity == "warning" else "·"
        lines.append(_wrap(f"{sign} {note.title}: {note.detail}", "  ", "    "))
    return "\n".join(["Notes", *lines]) if lines else ""


def _list_calls(c: Comparison) -> str:
    calls = for_terminal(c)
    widest = max(len(call) for call, _ in calls)
    return "\n".join(["Next", *(f"  {call:<{widest}}  {purpose}" for call, purpose in calls)])
