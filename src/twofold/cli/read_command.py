"""`twofold read`: what files hold, and one long table of it."""

from __future__ import annotations

import argparse
from dataclasses import replace

from twofold.cli.option_flags import keywords_of
from twofold.cli.outputs import refuse_same_files
from twofold.cli.run_command import read_metric
from twofold.cli.shell_words import notes_in_shell
from twofold.cli.streams import tell
from twofold.errors import InputError
from twofold.options import Reading, collect
from twofold.report.reading_text import describe_reading
from twofold.scores.metric_tables import read_tables
from twofold.scores.write import check_output, write_scores


def run(arguments: argparse.Namespace) -> None:
    """Read, show what was read, and write it."""
    if arguments.formats:
        _list_formats()
        return
    if not arguments.inputs:
        raise InputError(
            "There is nothing to read.", "Name files or folders; --formats lists what is known."
        )
    if arguments.output is not None:
        refuse_same_files([("-o", arguments.output)], arguments.inputs)
        check_output(arguments.output)
    options = keywords_of(arguments, "table") | {"metric": read_metric(arguments.metric)}
    source = arguments.inputs[0] if len(arguments.inputs) == 1 else arguments.inputs
    table = read_tables(source, collect(Reading, options))
    tables = list(table.values()) if isinstance(table, dict) else [table]
    text = "\n\n".join(
        describe_reading(replace(each, notes=notes_in_shell(each.notes, arguments.parser)))
        for each in tables
    )
    if arguments.output == "-":
        tell(text, quiet=arguments.quiet)
    else:
        print(text, flush=True)
    if arguments.output is not None:
        write_scores(table, arguments.output)
        if arguments.output != "-":
            tell(f"Scores written to {arguments.output}", quiet=arguments.quiet)


def _list_formats() -> None:
    """Print the formats of other tools that can be read."""
    from twofold.readers import list_readers

    names = list_readers()
    width = max(len(name) for name, _ in names)
    for name, title in names:
        print(f"{name.replace('_', '-'):<{width}}  {title}")
