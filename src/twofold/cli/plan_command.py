"""`twofold plan`: how much is enough."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from twofold.cli.outputs import check_picture, refuse_same_files
from twofold.cli.shell_words import notes_in_shell
from twofold.cli.streams import tell
from twofold.errors import InputError
from twofold.planning import Plan, plan
from twofold.planning.plan_options import SITUATIONS, list_options
from twofold.report.plan_files import PLAN_WRITERS, plan_json
from twofold.report.plan_html import plan_html
from twofold.report.plan_text import format_plan, plan_markdown
from twofold.report.save import find_writer
from twofold.writing import check_target

FORMATS = {
    "terminal": format_plan,
    "json": plan_json,
    "markdown": plan_markdown,
    "html": plan_html,
}


def run(arguments: argparse.Namespace) -> None:
    """Plan, and show or write the answer."""
    if arguments.situation is None:
        raise InputError(
            "What is to be planned?", f"Say one of {', '.join(SITUATIONS)}: twofold plan items …"
        )
    _check_files(arguments)
    keywords = _read_keywords(arguments)
    answer = plan(arguments.situation, **keywords)
    answer = replace(answer, notes=notes_in_shell(answer.notes, arguments.parser))
    print(FORMATS[arguments.format](answer), flush=True)
    _write_files(answer, arguments)


def _read_keywords(arguments: argparse.Namespace) -> dict[str, Any]:
    keywords = {}
    for group in list_options(arguments.situation):
        for option in group:
            value = getattr(arguments, option.name, None)
            keywords[option.name] = option.default if value is None else value
    # `--learners 6` is a number, `--learners nb c45` are names.
    names = keywords["learners"]
    if names is not None and len(names) == 1 and names[0].lstrip("-").isdigit():
        keywords["learners"] = int(names[0])
    return keywords


def _check_files(arguments: argparse.Namespace) -> None:
    from twofold.plots.canvas import SUFFIXES

    pictures = [("--plot", path) for path in arguments.plot]
    reports = [("--report", path) for path in arguments.report]
    pilot = getattr(arguments, "pilot", None)
    refuse_same_files([*pictures, *reports], [] if pilot is None else [pilot])
    for path in arguments.plot:
        check_picture(path, SUFFIXES)
    for path in arguments.report:
        find_writer(Path(path), PLAN_WRITERS)
        check_target(path)


def _write_files(answer: Plan, arguments: argparse.Namespace) -> None:
    for path in arguments.plot:
        answer.plot(path)
        tell(f"Picture written to {path}", quiet=arguments.quiet)
    for path in arguments.report:
        answer.save(path)
        tell(f"Report written to {path}", quiet=arguments.quiet)
