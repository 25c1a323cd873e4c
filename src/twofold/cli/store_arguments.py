"""The arguments of `twofold store`, without loading what it runs: --help stays quick."""

from __future__ import annotations

import argparse
from typing import Any


def add_arguments(commands: Any) -> None:
    """Add the command to the command line."""
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument(
        "--store",
        metavar="FILE",
        default=argparse.SUPPRESS,
        help="a file or the URL of a database; else TWOFOLD_STORE, else your cache folder",
    )
    command = commands.add_parser(
        "store",
        parents=[where],
        help="show, export, check or prune finished work",
        description="Finished runs, and parts of studies, calibrations and reproductions, are "
        "kept, so that nothing is done twice. Show what is there.",
        epilog="example: twofold store prune --learner nb --older-than 30d --yes",
    )
    actions = command.add_subparsers(dest="action", title="actions", metavar="ACTION")
    show = actions.add_parser("list", parents=[where], help="show what is there (default)")
    show.add_argument("--format", choices=("table", "json"), default="table")
    export = actions.add_parser(
        "export", parents=[where], help="write a row per fold of all runs as CSV"
    )
    export.add_argument("file", metavar="FILE", help="- for standard output")
    actions.add_parser("check", parents=[where], help="look at every record")
    prune = actions.add_parser(
        "prune",
        parents=[where],
        help="remove records",
        description="Remove the records that all given conditions choose. Nothing is removed "
        "without --yes: first you see what would be.",
    )
    prune.add_argument("--learner", metavar="NAME", help="runs of this learner")
    prune.add_argument("--dataset", metavar="NAME", help="runs on this data set")
    prune.add_argument("--design", metavar="TEXT", help="runs of this design")
    prune.add_argument(
        "--kind",
        choices=("run", "study", "reproduction", "findings", "result"),
        help="only of this kind",
    )
    prune.add_argument("--name", metavar="NAME", help="parts of this study or reproduction")
    prune.add_argument("--older-than", metavar="AGE", help="12h, 30d, 8w or a date: 2026-01-31")
    prune.add_argument("--damaged", action="store_true", help="records that cannot be read")
    prune.add_argument("--everything", action="store_true", help="all records")
    prune.add_argument("--yes", action="store_true", help="really remove them")
