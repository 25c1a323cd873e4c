"""The answer of a gate as text: a line for logs, a page for the terminal, Markdown."""

from __future__ import annotations

import textwrap

from twofold.escapes import escape_markdown
from twofold.gates.gate_answer import Gate
from twofold.gates.gate_notes import count_changes
from twofold.gates.gate_sentences import write_margin
from twofold.rounding import number
from twofold.stats import entry

WIDTH = 80
WORDS = {"good enough": "PASS", "not good enough": "FAIL", "undecided": "UNDECIDED"}
MOST_LISTED = 50
"""Names of changed items that Markdown lists."""


def write_gate_line(gate: Gate) -> str:
    """Return the answer in one line, for logs."""
    line = write_headline(gate)
    changed = count_changes(gate.changes)
    if changed:
        line += f" ({', '.join(changed)})"
    return f"{line} {gate.needed.text}" if gate.needed is not None else line


def write_headline(gate: Gate) -> str:
    """Return the finding with the decision in front, said once.

    "PASS: new is no worse …", "UNDECIDED whether new is worse …".
    """
    word = WORDS[gate.decision]
    if gate.sentence.upper().startswith(word):
        return word + gate.sentence[len(word) :]
    return f"{word}: {gate.sentence}"


def write_gate(gate: Gate) -> str:
    """Return the answer for a terminal: what was decided first, then what it rests on."""
    parts = [_wrap(write_headline(gate))]
    if gate.needed is not None:
        parts.append(_wrap(gate.needed.text))
    parts.append(
        "\n".join(_wrap(f"{name:<11}{value}", " " * 11) for name, value in list_facts(gate))
    )
    if gate.notes:
        lines = [
            _wrap(f"{'!' if note.severity == 'warning' else '·'} {note.title}. {note.detail}", "  ")
            for note in sorted(gate.notes, key=lambda note: note.severity != "warning")
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def list_facts(gate: Gate) -> list[tuple[str, str]]:
    """Return what the answer rests on, a name and a value each."""
    methods = [test.method for test in gate.tests] or [gate.method]
    tests = [f"{entry(method).title} ({method})" for method in methods]
    level = f"{gate.alpha:g}".removeprefix("0")
    facts = [
        ("Asked", f"{gate.goal}, margin {write_margin(gate)}, level {level}"),
        ("Tests" if len(tests) > 1 else "Test", f"{' and '.join(tests)}, {gate.n:,} {gate.unit}"),
        ("Baseline", f"{gate.baseline}, mean {number(gate.baseline_mean, 4)}"),
        ("Candidate", f"{gate.candidate}, mean {number(gate.candidate_mean, 4)}"),
    ]
    if gate.worst_loss is not None:
        floor = f"no data set worse by more than {number(gate.worst_loss)}"
        facts.insert(1, ("Floor", floor))
    if gate.looks:
        facts.append(("Looks", f"{len(gate.looks)} so far; the first that decides counts"))
    return facts


def write_gate_markdown(gate: Gate) -> str:
    """Return the answer as Markdown, for a pull request."""
    word = WORDS[gate.decision]
    rest = write_headline(gate).removeprefix(word)
    colon = ":" if rest.startswith(":") else ""
    parts = [f"**{word}**{colon} {escape_markdown(rest.lstrip(': '))}"]
    if gate.needed is not None:
        parts.append(escape_markdown(gate.needed.text))
    rows = [f"| {name} | {escape_markdown(value)} |" for name, value in list_facts(gate)]
    parts.append("\n".join(["| | |", "|---|---|", *rows]))
    for title, names in (("New", gate.changes.new), ("Removed", gate.changes.removed)):
        if names:
            more = f" and {len(names) - MOST_LISTED} more" * (len(names) > MOST_LISTED)
            listed = ", ".join(escape_markdown(name) for name in names[:MOST_LISTED])
            parts.append(f"{title} {gate.unit}: {listed}{more}")
    if gate.changes.renamed:
        pairs = [
            f"{escape_markdown(old)} → {escape_markdown(new)}" for old, new in gate.changes.renamed
        ]
        parts.append(f"Perhaps renamed: {', '.join(pairs)}")
    lines = [
        f"- **{escape_markdown(note.title)}.** {escape_markdown(note.detail)}"
        for note in gate.notes
        if note.code not in ("gate-new", "gate-removed", "gate-renamed")
    ]
    if lines:
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _wrap(text: str, indent: str = "") -> str:
    return textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
