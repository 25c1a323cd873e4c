"""The command line: one verb per job. Errors are two lines on standard error, exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

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
        if arguments.command == "compare":
            from twofold.cli.compare import run

            run(arguments)
        else:
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
    _add_compare(commands)
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


def _add_compare(commands: Any) -> None:
    compare = commands.add_parser(
        "compare",
        help="compare learners by a table of their scores",
        description="From a table of scores to a verdict. Wide tables have a row per data set and "
        "a column per learner; long ones have columns dataset, learner, value and, where there "
        "are any, run, fold, n_train, n_test, metric.",
        epilog="example: twofold compare scores.csv --control baseline",
    )
    compare.add_argument("file", metavar="FILE", help="CSV, TSV, JSON, Parquet, Excel; - for stdin")
    compare.add_argument("--control", metavar="NAME", help="compare each learner with this one")
    compare.add_argument("--alpha", type=float, default=0.05, help="level of the tests (0.05)")
    compare.add_argument("--adjust", metavar="NAME", help="adjustment for several pairs")
    compare.add_argument("--test", metavar="NAME", help="a test of the catalog")
    compare.add_argument("--rope", type=float, metavar="X", help="difference that does not matter")
    compare.add_argument(
        "--alternative", default="two-sided", choices=("two-sided", "less", "greater")
    )
    compare.add_argument("--metric", metavar="NAME", help="which metric, where there are several")
    direction = compare.add_mutually_exclusive_group()
    direction.add_argument("--lower-is-better", action="store_true", help="scores are losses")
    direction.add_argument("--higher-is-better", action="store_true")
    compare.add_argument("--ranks", action="store_true", help="the table holds ranks")
    compare.add_argument(
        "--predictions", action="store_true", help="true labels and a column per classifier"
    )
    compare.add_argument("--truth", metavar="COLUMN", help="the column of true labels")
    compare.add_argument("--seed", type=int, default=0, help="for resampling (0)")
    compare.add_argument(
        "--format", choices=("terminal", "json", "markdown", "latex"), default="terminal"
    )
    compare.add_argument("--plot", metavar="FILE", help="draw it: .svg, .pdf, .png or .tex")
    compare.add_argument(
        "--picture",
        metavar="KIND",
        help="which picture: ranks, matrix, differences, folds, pairs, posterior, simplex, heatmap",
    )
    compare.add_argument(
        "--highlight", metavar="NAME", action="append", default=[], help="emphasise in the picture"
    )
    compare.add_argument("--report", metavar="FILE", help="also write a report, an HTML page")
