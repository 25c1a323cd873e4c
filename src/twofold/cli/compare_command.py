"""`twofold compare`: from a table of scores, or from learners and data, to a verdict."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from twofold.api import compare_as, hold_against, list_tables
from twofold.cli.answer_files import check_files, check_pictures, write_files
from twofold.cli.option_flags import keywords_of
from twofold.cli.outputs import refuse_quiet_and_verbose
from twofold.cli.run_command import read_data, read_metric
from twofold.cli.shell_words import notes_in_shell
from twofold.cli.streams import tell
from twofold.comparison import Comparison, Comparisons
from twofold.errors import InputError
from twofold.execution.progress import Progress
from twofold.provenance_record import record_provenance
from twofold.report import bibtex, html, latex, markdown, terminal
from twofold.report.json_text import json_parts
from twofold.report.provenance_text import format_provenance
from twofold.stats.blocks import watch_blocks

FORMATS = {
    "markdown": markdown,
    "latex": latex,
    "bibtex": bibtex,
    "html": html,
}
Answer = TypeVar("Answer", Comparison, Comparisons)
NOTHING_DECIDED = 3
"""The exit code for an answer that found no difference, with --exit-code."""


def run(arguments: argparse.Namespace) -> int:
    """Answer, write what was requested, and return the exit code."""
    _refuse_learners_alone(arguments)
    refuse_quiet_and_verbose(arguments)
    check_files(arguments)
    options = keywords_of(arguments) | {"metric": read_metric(arguments.metric)}
    table, data = arguments.inputs[0] if len(arguments.inputs) == 1 else arguments.inputs, None
    if arguments.data:
        table, data = arguments.inputs, read_data(arguments.data)
    else:
        options["verbose"] = False  # no learner runs that could fail
    if arguments.quiet and data is not None:
        options["progress"] = False
    look = partial(check_pictures, arguments=arguments) if arguments.plot else None
    progress = _show_pairs(arguments.quiet) if data is None else nullcontext()
    plan = arguments.experiment
    if arguments.exit_code and data is not None and len(arguments.inputs) == 1:
        _refuse_exit_code()
    with progress, record_provenance(arguments.command_line, plan and plan.file):
        answer = compare_as(table, data, None, options, look)
    if plan is not None:
        answer = hold_against(plan, answer)
    if arguments.exit_code and not _list_pairs(answer):
        _refuse_exit_code()
    _write(phrase_answer(answer, arguments.parser), arguments)
    if arguments.save_experiment:
        _save(answer, arguments, (table, data), options)
    return NOTHING_DECIDED if arguments.exit_code and not _find_difference(answer) else 0


@contextmanager
def _show_pairs(quiet: bool) -> Iterator[None]:
    """Show how many pairs of a wide table are compared, where that takes long."""
    with Progress(False if quiet else None, "pairs") as progress:
        before = 0

        def count(done: int, total: int) -> None:
            nonlocal before
            before = min(before, done)  # pairs are gone through more than once
            progress.begin(before, total)
            progress.add(done - before)
            before = done

        with watch_blocks(count):
            yield


def _refuse_learners_alone(arguments: argparse.Namespace) -> None:
    """Refuse several names of which none is a file: they are learners, without data."""
    if arguments.data or len(arguments.inputs) == 1 or any(map(os.path.exists, arguments.inputs)):
        return
    listed = " ".join(arguments.inputs[:4])
    raise InputError(
        f"{len(arguments.inputs)} names were given, and there are no files of these names.",
        f"To run learners, name the data: twofold compare {listed} --data FILE",
    )


def _write(answer: Comparison | Comparisons, arguments: argparse.Namespace) -> None:
    """Show the answer first: should a file fail, hours of work are not lost."""
    check_pictures(answer, arguments)
    if arguments.format == "json":
        sys.stdout.writelines(json_parts(answer))
        sys.stdout.flush()
    elif arguments.format == "terminal":
        print(terminal(answer, next_calls=not arguments.quiet), flush=True)
    else:
        print(FORMATS[arguments.format](answer), flush=True)
    if arguments.verbose and answer.provenance is not None:
        tell(*format_provenance(answer.provenance))
    write_files(answer, arguments)


def _save(answer: Answer, arguments: argparse.Namespace, sources: Any, options: Any) -> None:
    """Write the experiment file."""
    from twofold.cli.experiment_arguments import save_experiment

    assert answer.provenance is not None
    save_experiment(arguments, sources, options, answer.provenance, list_tables(answer))


def phrase_answer(answer: Answer, parser: argparse.ArgumentParser) -> Answer:
    """Return the answer with notes in the words of the shell."""
    notes = notes_in_shell(answer.notes, parser)
    if isinstance(answer, Comparisons):
        answers = {metric: phrase_answer(each, parser) for metric, each in answer.items()}
        return replace(answer, notes=notes, answers=answers)
    return replace(answer, notes=notes)


def _list_pairs(answer: Comparison | Comparisons) -> list[Any]:
    answers = answer.values() if isinstance(answer, Comparisons) else [answer]
    return [pair for each in answers for pair in each.pairs]


def _refuse_exit_code() -> None:
    raise InputError(
        "`--exit-code` says whether a difference was found, and there is one learner.",
        "Leave it out, or name a second learner.",
    )


def _find_difference(answer: Comparison | Comparisons) -> bool:
    """Tell whether a difference was found, among all learners or between two of them."""
    if isinstance(answer, Comparisons):
        return any(map(_find_difference, answer.values()))
    return answer.omnibus_rejects or any(pair.differs for pair in answer.pairs)
