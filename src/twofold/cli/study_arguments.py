"""The arguments of `twofold study` and `twofold calibrate`, without loading what they run."""

from __future__ import annotations

import argparse
from typing import Any

from twofold.cli.option_flags import add_options, read_count
from twofold.cli.parser import add_quiet
from twofold.cli.table_study import PICTURES as TABLE_PICTURES
from twofold.cli.table_study import add_table_flags
from twofold.options import Option, Question, Reading, Running, options_of

SOURCE_PICTURES = ("rates", "power", "replicability", "qq", "predicted")
DATA_PICTURES = ("replicability", "rejections")


def add_study(commands: Any) -> None:
    """Define `twofold study`."""
    study = commands.add_parser(
        "study",
        help="how often do tests err, find a difference, and agree with themselves?",
        description="Say for each test how often it finds a difference, how replicable it is and "
        "what it costs. With --source data sets are drawn, and two learners run on each; with "
        "--data two or more learners are run on data sets of your own; with --like a table or an "
        "experiment file says what your situation is. Everything is repeated with other splits. "
        "Fits are shared by all tests and levels. A study that was stopped goes on from there.",
        epilog="examples: twofold study --source binary:p=0.5 --learners nb,c45 --null; "
        "twofold study --source task1:q=0.25 task1:q=0.27 --rows 1000 10000; "
        "twofold study --source letter.csv --learners c45,knn --damage --plot power.svg; "
        "twofold study --data FOLDER --learners nb,c45,forest; "
        "twofold study --like scores.csv; "
        "twofold study --table scores.csv --plot power.svg",
    )
    study.add_argument(
        "--data",
        metavar="FILE",
        action="append",
        help="your own: a folder, files, or iris, wine, …; several, or repeatable",
    )
    study.add_argument(
        "--like",
        metavar="FILE",
        help="a situation like yours: a table of scores, or an experiment.toml; by the protocol "
        "that fits it",
    )
    _add_source(study)
    study.add_argument(
        "--disagree",
        type=float,
        metavar="X",
        help="with --like and scores of folds: the share of rows on which just one learner errs "
        "(from the spread of differences)",
    )
    study.add_argument("--repetitions", type=int, metavar="N", help="on each data set (10)")
    study.add_argument(
        "--tests",
        nargs="+",
        metavar="TEST",
        help="all, or names, or tests with designs such as cv-t@1x10 and "
        "'use-all-data(df=10)@10x10'",
    )
    study.add_argument(
        "--design", nargs="+", metavar="D", help="10x10, 5x2, holdout:1/3, resample:100:0.1, …"
    )
    study.add_argument("--alpha", nargs="+", type=float, metavar="A", help="levels (0.05)")
    truth = study.add_mutually_exclusive_group()
    truth.add_argument(
        "--null",
        action="store_true",
        default=None,
        help="neither learner is better: call rejections Type I errors",
    )
    truth.add_argument(
        "--not-null",
        action="store_false",
        default=None,
        dest="null",
        help="one is better: call them power",
    )
    study.add_argument(
        "--damage",
        nargs="?",
        const="errors",
        metavar="KIND",
        help="make the better learner worse until both are equally good, then open the difference "
        "in steps (Dietterich 1998): errors at random (default), or bad weights of columns",
    )
    study.add_argument(
        "--differences",
        nargs="+",
        type=float,
        metavar="D",
        help="with --damage: the steps, as 0 0.02 0.05 (five up to the learners' own difference)",
    )
    study.add_argument(
        "--precision",
        type=float,
        metavar="X",
        help="add data sets until all intervals of rates are ±X or narrower, as 0.01",
    )
    study.add_argument(
        "--max-datasets", type=int, metavar="N", help="with --precision: at most (20000)"
    )
    study.add_argument(
        "--no-predictions",
        action="store_true",
        help="leave out what single experiments predict of their replicability",
    )
    add_options(study.add_argument_group("with --data"), list_data_options())
    add_table_flags(study)
    _add_work(study)
    _add_answer(study)
    study.add_argument(
        "--picture",
        metavar="KIND",
        choices=list(dict.fromkeys((*SOURCE_PICTURES, *DATA_PICTURES, *TABLE_PICTURES))),
        help="which one: rates, power, replicability, qq, predicted (by what varies); with --data "
        "replicability or rejections; with --table power, pvalues, replicability, level, "
        "datasets or learners",
    )


def list_data_options() -> list[Option]:
    """Return the options that studies of data take, and no other study."""
    return [
        option
        for group in (Reading, Running)
        for option in options_of(group, "study-data")
        if "study" not in option.situations
    ]


def add_calibrate(commands: Any) -> None:
    """Define `twofold calibrate`."""
    calibrate = commands.add_parser(
        "calibrate",
        help="find the degrees of freedom with which tests keep their level",
        description="Run two learners on data on which neither should win, and find for each test "
        "the degrees of freedom at which its Type I error is closest to the level and not above "
        "it (Bouckaert 2003).",
        epilog="example: twofold calibrate --datasets 1000 --design 10x10 -o calibration.json",
    )
    _add_source(calibrate, source=["binary:p=0.5:various=1"], learners=["nb,c45"])
    calibrate.set_defaults(rows=[300], datasets=1000)
    calibrate.add_argument(
        "--tests", nargs="+", default=["all"], metavar="TEST", help="those to calibrate (all)"
    )
    calibrate.add_argument(
        "--design", nargs="+", default=["10x10"], metavar="D", help="10x10, resample:100:0.1, …"
    )
    calibrate.add_argument(
        "--runs",
        nargs="+",
        type=int,
        metavar="N",
        help="also for so many runs of the design (1 2 3 5 10)",
    )
    calibrate.add_argument(
        "--alpha",
        nargs="+",
        type=float,
        default=[0.01, 0.025, 0.05, 0.1],
        metavar="A",
        help="levels (0.01 0.025 0.05 0.1)",
    )
    calibrate.add_argument("--most", type=int, default=100, metavar="DF", help="highest df (100)")
    _add_work(calibrate)
    _add_answer(calibrate)


def _add_answer(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--plot",
        metavar="FILE",
        action="append",
        default=[],
        help="draw it: .svg, .pdf or .png; repeatable",
    )
    command.add_argument(
        "--report",
        metavar="FILE",
        action="append",
        default=[],
        help="a page with everything: .html; also .json, .csv, .txt; repeatable",
    )
    add_quiet(command)


def _add_source(
    command: argparse.ArgumentParser,
    *,
    source: list[str] | None = None,
    learners: list[str] | None = None,
) -> None:
    command.add_argument(
        "--source",
        nargs="+",
        default=source,
        metavar="S",
        help="what data sets are drawn from" + (f" ({source[0]})" if source else ""),
    )
    command.add_argument(
        "--learners",
        nargs="+",
        default=learners,
        metavar="A,B",
        help="two learners, as for `twofold run`"
        + (
            f" ({learners[0]})"
            if learners
            else "; none for task1, errors and epsilon; with --data any number"
        ),
    )
    command.add_argument(
        "--rows",
        nargs="+",
        type=read_count,
        metavar="N",
        help="of each data set (300)"
        + ("" if learners else "; with --table what its rows are, as for `compare`"),
    )
    command.add_argument("--datasets", type=int, metavar="N", help="how many are drawn (1000)")


def _add_work(command: argparse.ArgumentParser) -> None:
    add_options(command, [*options_of(Question, "study"), *options_of(Running, "study")])
    command.add_argument(
        "--format", choices=("table", "json", "csv"), default="table", help="of what is shown"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write it there instead")
