"""`twofold study`: from what is studied to how tests behave on it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from twofold.cli.keep_answers import keep
from twofold.cli.outputs import check_picture, refuse_same_files
from twofold.cli.streams import tell
from twofold.cli.study_kinds import choose_kind
from twofold.errors import InputError
from twofold.plots.canvas import SUFFIXES
from twofold.provenance_record import record_provenance
from twofold.report import save_study_report, study_json
from twofold.report.save import find_writer
from twofold.report.save_study import WRITERS
from twofold.writing import check_target, write_whole


def run(arguments: argparse.Namespace) -> None:
    """Study tests, and show or write the findings."""
    kind = choose_kind(arguments)
    check_targets(arguments)
    with record_provenance(arguments.command_line):
        findings = kind.run(arguments)
    write(findings, arguments)


def check_targets(arguments: argparse.Namespace) -> None:
    """Refuse names of files that cannot be written before hours are spent."""
    if getattr(arguments, "picture", None) and not arguments.plot:
        raise InputError("--picture says what to draw, but not where.", "Add --plot FILE.")
    _refuse_picture(arguments)
    pictures = [("--plot", path) for path in arguments.plot]
    reports = [("--report", path) for path in arguments.report]
    table = getattr(arguments, "table", None)
    inputs = [] if table is None else [table]
    refuse_same_files([("-o", arguments.output), *pictures, *reports], inputs)
    for path in arguments.plot:
        check_picture(path, SUFFIXES)
    for path in arguments.report:
        find_writer(Path(path), WRITERS)
        check_target(path)
    if arguments.output not in (None, "-"):
        check_target(arguments.output)


def _refuse_picture(arguments: argparse.Namespace) -> None:
    """Refuse a picture of something that the study will not look at."""
    lacks = {
        "replicability": (getattr(arguments, "repetitions", None) or 2) < 2
        and "--repetitions of 2 or more",
        "qq": getattr(arguments, "null", None) is False and "data on which neither is better",
        "predicted": getattr(arguments, "no_predictions", False) and "predictions",
    }.get(getattr(arguments, "picture", None) or "")
    if lacks:
        raise InputError(f"The picture `{arguments.picture}` needs {lacks}.", "Draw another.")


def draw_and_report(findings: Any, arguments: argparse.Namespace) -> None:
    """Write the pictures and reports."""
    for path in arguments.plot:
        findings.plot(path, kind=getattr(arguments, "picture", None))
        tell(f"Picture written to {path}", quiet=arguments.quiet)
    for path in arguments.report:
        save_study_report(findings, path)
        tell(f"Report written to {path}", quiet=arguments.quiet)


def write(findings: Any, arguments: argparse.Namespace) -> None:
    """Show the findings or write them to a file, with picture and report where requested."""
    match _format(arguments):
        case "json":
            text = study_json(findings)
        case "csv":
            text = findings.to_csv().rstrip("\n")
        case _:
            text = str(findings)
    if arguments.output is None or arguments.output == "-":
        print(text, flush=True)
    else:
        write_whole(arguments.output, text + "\n")
        tell(f"Written to {arguments.output}", quiet=arguments.quiet)
    draw_and_report(findings, arguments)
    keep(findings, arguments)


def _format(arguments: argparse.Namespace) -> str:
    """Return the format: that of the file's name where none is requested."""
    ending = Path(arguments.output or "").suffix.lstrip(".")
    if arguments.format == "table" and ending in ("json", "csv"):
        return ending
    return str(arguments.format)
