"""`twofold study --table`: its flags, and what becomes of them."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from twofold.cli.option_flags import add_options, read_count, read_number
from twofold.cli.shell_words import notes_in_shell
from twofold.errors import InputError
from twofold.options import Reading, options_of

READING = ("metric", "drop", "higher_is_better", "ranks", "transpose")
"""What is said of a table; its learners and rows have flags that all studies share."""

OWN = ("sizes", "draws", "bias", "towards", "unit", "control", "adjust", "subsets")
OPTIONS = frozenset({*READING, *OWN, "learners", "rows", "tests", "alpha"})
PICTURES = ("power", "pvalues", "replicability", "level", "datasets", "learners")


def add_table_flags(study: argparse.ArgumentParser) -> None:
    """Add the flags of studies of a table."""
    study.add_argument(
        "--table",
        metavar="FILE",
        help="scores of learners on data sets, as `compare` reads them: which test tells most on "
        "such a table? (Demšar 2006, section 4)",
    )
    group = study.add_argument_group("with --table")
    group.add_argument(
        "--sizes", nargs="+", type=read_count, metavar="N", help="data sets of a draw (10)"
    )
    group.add_argument("--draws", type=read_count, metavar="N", help="at each bias (1000)")
    group.add_argument(
        "--bias",
        nargs="+",
        type=read_number,
        metavar="K",
        help="towards a difference d: weight 1/(1 + exp(−K·d)) (0 5 10 15 20)",
    )
    group.add_argument(
        "--towards",
        metavar="A,B",
        help="d is by how much A does better than B, or than the mean of the others",
    )
    group.add_argument(
        "--unit", type=read_number, metavar="X", help="of d (1 for shares, 100 for per cent, …)"
    )
    group.add_argument("--control", metavar="NAME", help="compare each learner with this one")
    group.add_argument(
        "--adjust", nargs="+", metavar="NAME", help="adjustments for several pairs: holm, …"
    )
    group.add_argument(
        "--subsets",
        nargs="+",
        type=read_count,
        metavar="N",
        help="also draw so many of the learners, three or more",
    )
    present = {flag for action in study._actions for flag in action.option_strings}
    reading = [option for option in options_of(Reading, "table") if option.name in READING]
    add_options(group, [option for option in reading if not present & set(option.flags)])


def _refuse_picture(arguments: argparse.Namespace) -> None:
    """Refuse a picture over what does not vary before the work is done."""
    needs = {"datasets": ("sizes", 2), "learners": ("subsets", 1)}
    if arguments.picture in needs:
        flag, fewest = needs[arguments.picture]
        if len(getattr(arguments, flag) or ()) < fewest:
            many = "several" if fewest > 1 else "some"
            raise InputError(
                f"The picture {arguments.picture!r} needs {many} --{flag} to compare.",
                f"Add --{flag}, as --{flag} {'6 10 15' if fewest > 1 else '3 5'}.",
            )


def study_table_file(arguments: argparse.Namespace, keywords: dict[str, Any]) -> Any:
    """Study tests on a table of scores; ``keywords`` say how and where."""
    from twofold.cli.run_command import read_metric
    from twofold.studies import study_table

    _refuse_picture(arguments)
    given = {
        name: value
        for name in (*OWN, *READING, "tests", "alpha")
        if (value := getattr(arguments, name)) is not None
    }
    if arguments.metric is not None:
        given["metric"] = read_metric(arguments.metric)
    if arguments.rows is not None:
        given["rows"] = " ".join(map(str, arguments.rows))
    if arguments.learners is not None:
        given["only"] = arguments.learners
    shared = {name: keywords[name] for name in ("seed", "store", "workers", "on", "progress")}
    findings = study_table(arguments.table, **given, **shared)
    return replace(findings, notes=notes_in_shell(findings.notes, arguments.parser))
