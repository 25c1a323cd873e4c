"""`twofold run`: from learners and data to a table of scores."""

from __future__ import annotations

import argparse
from typing import Any

from twofold.api import run as run_learners
from twofold.cli.option_flags import keywords_of
from twofold.cli.outputs import (
    check_save,
    list_sources,
    refuse_quiet_and_verbose,
    refuse_same_files,
)
from twofold.cli.shell_words import speak_shell
from twofold.cli.streams import tell
from twofold.errors import InputError
from twofold.options import Running, options_of
from twofold.provenance_record import ProvenanceRecord, record_provenance
from twofold.scores import Scores
from twofold.scores.write import check_output, write_scores


def run(arguments: argparse.Namespace) -> None:
    """Run learners and write their scores."""
    if not arguments.data:
        raise InputError("`twofold run` needs data.", "Name it with --data FILE.")
    refuse_quiet_and_verbose(arguments)
    outputs = [("-o", arguments.output), ("--save-experiment", arguments.save_experiment)]
    refuse_same_files(outputs, list_sources(arguments))
    check_save(arguments)
    check_output(arguments.output)
    options = keywords_of(arguments, "run") | {"metric": read_metric(arguments.metric)}
    if arguments.quiet:
        options["progress"] = False
    sources = arguments.inputs, read_data(arguments.data)
    plan = arguments.experiment
    with record_provenance(arguments.command_line, plan and plan.file) as record:
        scores = run_learners(*sources, **options)
    write_scores(scores, arguments.output)
    tables: list[Scores] = list(scores.values()) if isinstance(scores, dict) else [scores]
    if plan is not None:
        _tell_expected(plan, record, tables, arguments)
    for note in dict.fromkeys(note for table in tables for note in table.notes):
        if note.severity == "warning" or note.code == "positive-class":
            tell(f"{note.title}: {speak_shell(note.detail, arguments.parser)}")
    if arguments.output != "-":
        tell(f"Scores written to {arguments.output}", quiet=arguments.quiet)
    if arguments.save_experiment:
        from twofold.cli.experiment_arguments import save_experiment

        provenance = record.describe(arguments.seed, None)
        save_experiment(arguments, sources, options, provenance, tables)


def _tell_expected(
    plan: Any, record: ProvenanceRecord, tables: list[Scores], arguments: argparse.Namespace
) -> None:
    """Say whether an experiment came out as its file expects, and what of the file is not used."""
    from twofold.experiment_files import note_expected

    for option in options_of(Running):
        if option.name in plan.options and "run" not in option.situations:
            tell(f"{option.name!r} of {plan.file.name} is for `twofold compare`, and is not used.")
    provenance = record.describe(arguments.seed, None)
    for note in note_expected(plan, provenance, tables):
        tell(f"{note.title}: {note.detail}", quiet=arguments.quiet and note.severity == "info")


def read_metric(text: str | None) -> Any:
    """Return a metric, or several that were written with commas between them."""
    if text is None or "," not in text:
        return text
    names = [name.strip() for name in text.split(",") if name.strip()]
    return names if len(names) > 1 else "".join(names)


def read_data(names: list[str]) -> Any:
    """Return the data set that was named, or all of them."""
    return names[0] if len(names) == 1 else names
