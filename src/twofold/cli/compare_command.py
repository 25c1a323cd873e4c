"""`twofold compare`: from a table of scores, or from learners and data, to a verdict."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

from twofold.api import compare_as
from twofold.cli.option_flags import keywords_of
from twofold.cli.outputs import check_picture, refuse_same_files
from twofold.cli.run_command import read_data, read_metric
from twofold.cli.streams import tell
from twofold.comparison import Comparison, Comparisons
from twofold.comparison.metric_agreement import join_names
from twofold.errors import InputError
from twofold.execution.progress import Progress
from twofold.report import bibtex, html, latex, markdown, save_report, terminal
from twofold.report.json_text import json_parts
from twofold.report.save import check_report
from twofold.stats.blocks import watch_blocks

FORMATS = {
    "terminal": terminal,
    "markdown": markdown,
    "latex": latex,
    "bibtex": bibtex,
    "html": html,
}


def run(arguments: argparse.Namespace) -> None:
    """Answer, and write what was asked for."""
    _refuse_misfits(arguments)
    _check_outputs(arguments)
    options = keywords_of(arguments) | {"metric": read_metric(arguments.metric)}
    table, data = arguments.inputs[0], None
    if arguments.data:
        table, data = arguments.inputs, read_data(arguments.data)
    look = partial(_check_picture, arguments=arguments) if arguments.plot else None
    with _show_pairs() if data is None else nullcontext():
        answer = compare_as(table, data, None, options, look)
    _write(answer, arguments)


@contextmanager
def _show_pairs() -> Iterator[None]:
    """Show how many pairs of a wide table are compared, where that takes long."""
    with Progress(None, "pairs") as progress:
        before = 0

        def count(done: int, total: int) -> None:
            nonlocal before
            before = min(before, done)  # pairs are gone through more than once
            progress.begin(before, total)
            progress.add(done - before)
            before = done

        with watch_blocks(count):
            yield


def _check_picture(answer: Comparison | Comparisons, arguments: argparse.Namespace) -> None:
    """Refuse a picture that does not fit the answer."""
    from twofold.plots.comparison_plots import check_plot

    for each in answer.values() if isinstance(answer, Comparisons) else [answer]:
        check_plot(each, arguments.plot, kind=arguments.picture, highlight=arguments.highlight)


def _refuse_misfits(arguments: argparse.Namespace) -> None:
    """Refuse options of the output that would be ignored, and a second table."""
    if arguments.picture and not arguments.plot:
        raise InputError("--picture says what to draw, but not where.", "Add --plot FILE.")
    if arguments.highlight and not arguments.plot:
        raise InputError("--highlight is for a picture, and none is drawn.", "Add --plot FILE.")
    if not arguments.data and len(arguments.inputs) > 1:
        listed = " ".join(arguments.inputs[:4])
        raise InputError(
            f"One table can be read, and {len(arguments.inputs)} names were given.",
            f"To run learners, name the data: twofold compare {listed} --data FILE",
        )


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse files that could not be written when there is an answer."""
    outputs = {"--plot": arguments.plot, "--report": arguments.report}
    report = Path(arguments.report or "")
    if report.suffix.lower() == ".tex":
        outputs["the references of --report"] = str(report.with_suffix(".bib"))
    refuse_same_files(outputs, [*(arguments.data or ()), *arguments.inputs])
    if arguments.plot:
        from twofold.plots.canvas import SUFFIXES, TEX

        check_picture(arguments.plot, (*SUFFIXES, *TEX))
    if arguments.report:
        check_report(arguments.report)


def _write(answer: Comparison | Comparisons, arguments: argparse.Namespace) -> None:
    """Show the answer first: should a file fail, hours of work are not lost."""
    if arguments.plot:
        _check_picture(answer, arguments)
    if arguments.format == "json":
        sys.stdout.writelines(json_parts(answer))
        sys.stdout.flush()
    else:
        print(FORMATS[arguments.format](answer), flush=True)
    if arguments.plot:
        files = answer.plot(arguments.plot, kind=arguments.picture, highlight=arguments.highlight)
        if isinstance(answer, Comparisons):
            tell(f"Pictures written to {join_names(map(str, files))}")
        else:
            tell(f"Picture written to {arguments.plot}")
    if arguments.report:
        save_report(answer, arguments.report)
        tell(f"Report written to {arguments.report}")
