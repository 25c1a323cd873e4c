"""The command line: one verb per job. Errors are two lines on standard error, exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from twofold.errors import TwofoldError

DESCRIPTION = "Which learning algorithm is better, and would the answer come out the same twice?"


class _Parser(argparse.ArgumentParser):
    """A parser whose errors have two lines: the rule and the remedy."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\nTry: {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that lacks a Greek letter shows a question mark, not a traceback.
            stream.reconfigure(errors="replace")
    arguments = _parser().parse_args(argv)
    try:
        if arguments.command is None:
            _parser().print_help()
            return 0
        # Each command lives in its own module, so that --help loads none of them.
        from twofold.cli.tests import show

        show(arguments.name, arguments.format, arguments.standing)
        sys.stdout.flush()
    except TwofoldError as error:
        print(f"twofold: {error.rule}\n{error.remedy}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("twofold: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader went away, as in `twofold tests | head`; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return 0


def _parser() -> argparse.ArgumentParser:
    from twofold import __version__

    parser = _Parser(prog="twofold", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"twofold {__version__}")
    commands = parser.add_subparsers(dest="command", title="commands", metavar="COMMAND")
    tests = commands.add_parser(
        "tests",
        help="list every statistical test, or explain one",
        description="List the catalog of tests, or show one as a page.",
        epilog="example: twofold tests corrected-cv-t",
    )
    tests.add_argument("name", nargs="?", metavar="NAME", help="explain this test")
    tests.add_argument(
        "--format",
        choices=("table", "json", "markdown"),
        default="table",
        help="table for people (default), json for programs, markdown for documents",
    )
    tests.add_argument(
        "--standing",
        choices=("recommended", "acceptable", "unsafe"),
        help="list only tests of this standing",
    )
    return parser
