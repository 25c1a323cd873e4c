"""The arguments of `twofold reproduce`, without loading what it runs: --help stays quick."""

from __future__ import annotations

from typing import Any


def add_reproduce(commands: Any) -> None:
    """Define `twofold reproduce`."""
    command = commands.add_parser(
        "reproduce",
        help="run the experiments of the papers again, and compare the numbers",
        description="Run tables and figures of the papers again: the printed numbers beside ours, "
        "each with an interval and a verdict, and the claims of the text as checks that can fail. "
        "Without arguments, list what there is.",
        epilog="examples: twofold reproduce demsar2006 table6; "
        "twofold reproduce bouckaertfrank2004 table3 --data ~/data --full",
    )
    command.add_argument("paper", nargs="?", metavar="PAPER", help="a paper, or all")
    command.add_argument("item", nargs="?", metavar="ITEM", help="a table or figure; all of them")
    size = command.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="the shape, in a minute or so (default)")
    size.add_argument("--full", action="store_true", help="the paper's numbers of trials")
    size.add_argument("--toy", action="store_true", help="as small as it works, to try it")
    command.add_argument("--data", metavar="DIR", help="folder of data sets (TWOFOLD_DATA)")
    command.add_argument("--seed", type=int, default=1, help="for all random numbers (1)")
    command.add_argument(
        "--save", metavar="DIR", help="keep results and figures there; skip what is there already"
    )
    command.add_argument("--again", action="store_true", help="with --save: skip nothing")
    command.add_argument(
        "--gallery", metavar="DIR", help="write index.md there, from the results kept there"
    )
    command.add_argument(
        "--readme", metavar="FILE", help="with --gallery: write the best of it between FILE's marks"
    )
    command.add_argument("--format", choices=("text", "json"), default="text")
    command.add_argument("--workers", type=int, metavar="N", help="processes (all processors)")
    command.add_argument(
        "--store", metavar="FILE", help="where finished work is kept; :memory: for nowhere"
    )
