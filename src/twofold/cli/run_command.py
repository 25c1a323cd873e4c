"""`twofold run`: from learners and data to a table of scores."""

from __future__ import annotations

import argparse
from typing import Any

from twofold.api import run as run_learners
from twofold.cli.option_flags import keywords_of
from twofold.cli.outputs import refuse_quiet_and_verbose, refuse_same_files
from twofold.cli.shell_words import speak_shell
from twofold.cli.streams import tell
from twofold.errors import InputError
from twofold.scores import Scores
from twofold.scores.write import check_output, write_scores


def run(arguments: argparse.Namespace) -> None:
    """Run learners and write their scores."""
    if not arguments.data:
        raise InputError("`twofold run` needs data.", "Name it with --data FILE.")
    refuse_quiet_and_verbose(arguments)
    refuse_same_files([("-o", arguments.output)], arguments.data)
    check_output(arguments.output)
    options = keywords_of(arguments, "run") | {"metric": read_metric(arguments.metric)}
    if arguments.quiet:
        options["progress"] = False
    scores = run_learners(arguments.inputs, read_data(arguments.data), **options)
    write_scores(scores, arguments.output)
    tables: list[Scores] = list(scores.values()) if isinstance(scores, dict) else [scores]
    for note in dict.fromkeys(note for table in tables for note in table.notes):
        if note.severity == "warning" or note.code == "positive-class":
            tell(f"{note.title}: {speak_shell(note.detail, arguments.parser)}")
    if arguments.output != "-":
        tell(f"Scores written to {arguments.output}", quiet=arguments.quiet)


def read_metric(text: str | None) -> Any:
    """Return a metric, or several that were written with commas between them."""
    if text is None or "," not in text:
        return text
    names = [name.strip() for name in text.split(",") if name.strip()]
    return names if len(names) > 1 else "".join(names)


def read_data(names: list[str]) -> Any:
    """Return the data set that was named, or all of them."""
    return names[0] if len(names) == 1 else names
