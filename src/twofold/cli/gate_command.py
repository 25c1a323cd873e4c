"""`twofold gate`: good enough, not good enough, or undecided; the exit code says which."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import Any

from twofold.cli.annotations import annotate
from twofold.cli.gate_arguments import gate_options
from twofold.cli.outputs import refuse_same_files
from twofold.cli.shell_words import notes_in_shell
from twofold.cli.streams import tell
from twofold.errors import InputError
from twofold.gates import Gate, gate
from twofold.report.gate_text import write_gate_line

OWN = ("margin", "baseline", "candidate", "equivalence", "superiority", "worst_loss", "history")


def run(arguments: argparse.Namespace) -> int:
    """Print the answer, and return the exit code that says it."""
    if len(arguments.inputs) > 2:
        raise InputError(
            f"A gate takes one table or two, got {len(arguments.inputs)}.",
            "Name that of the baseline, then that of the candidate.",
        )
    refuse_same_files([("--history", arguments.history)], arguments.inputs)
    keywords: dict[str, Any] = {name: getattr(arguments, name) for name in OWN}
    for option in gate_options():
        value = getattr(arguments, option.name, None)
        keywords[option.name] = option.default if value is None else value
    answer = gate(*arguments.inputs, **keywords)
    notes = notes_in_shell(answer.notes, arguments.parser)
    provenance = answer.provenance
    if provenance is not None:
        provenance = replace(provenance, command=arguments.command_line)
    answer = replace(answer, notes=notes, provenance=provenance)
    print(_write(answer, arguments.format))
    # On standard error, so that JSON stays JSON; runners look at both.
    for line in annotate(answer):
        tell(line)
    return answer.exit_code


def _write(answer: Gate, form: str) -> str:
    if form == "json":
        return json.dumps(answer.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)
    if form == "markdown":
        return answer.to_markdown()
    return write_gate_line(answer) if form == "line" else str(answer)
