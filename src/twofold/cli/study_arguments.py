"""The arguments of `twofold study` and `twofold calibrate`, without loading what they run."""

from __future__ import annotations

import argparse
from typing import Any

from twofold.cli.option_flags import add_options
from twofold.cli.parser import add_quiet
from twofold.options import Question, Running, options_of


def add_study(commands: Any) -> None:
    """Define `twofold study`."""
    study = commands.add_parser(
        "study",
        help="how often do tests err, find a difference, and agree with themselves?",
        description="Draw data sets from a source, run two learners on each with all designs that "
        "the tests need, repeat it with other splits, and say for each test how often it finds a "
        "difference, how replicable it is and what it costs. Fits are shared by all tests and "
        "levels. A study that was stopped goes on from there.",
        epilog="examples: twofold study --source binary:p=0.5 --learners nb,c45 --null; "
        "twofold study --source task1:q=0.25 task1:q=0.27 --rows 1000 10000",
    )
    _add_data(study)
    study.add_argument(
        "--repetitions", type=int, default=10, metavar="N", help="on each data set (10)"
    )
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
    study.add_argument(
        "--alpha", nargs="+", type=float, default=[0.05], metavar="A", help="levels (0.05)"
    )
    truth = study.add_mutually_exclusive_group()
    truth.add_argument(
        "--null",
        action="store_true",
        default=None,
        help="neither learner is better: call rejections Type I errors",
    )
    truth.add_argument(
        "--not-null", action="store_false", dest="null", help="one is better: call them power"
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
    _add_work(study)
    _add_answer(study)
    study.add_argument(
        "--picture",
        metavar="KIND",
        choices=("rates", "power", "replicability", "qq", "predicted"),
        help="which one: rates, power, replicability, qq, predicted (by what varies)",
    )


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
    _add_data(calibrate, source=["binary:p=0.5:various=1"], learners=["nb,c45"])
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


def _add_data(
    command: argparse.ArgumentParser,
    *,
    source: list[str] | None = None,
    learners: list[str] | None = None,
) -> None:
    command.add_argument(
        "--source",
        nargs="+",
        default=source,
        required=source is None,
        metavar="S",
        help="what data sets are drawn from" + (f" ({source[0]})" if source else ""),
    )
    command.add_argument(
        "--learners",
        nargs="+",
        default=learners,
        metavar="A,B",
        help="two learners, as for `twofold run`"
        + (f" ({learners[0]})" if learners else "; none for task1, which brings its own"),
    )
    command.add_argument(
        "--rows", nargs="+", type=int, default=[300], metavar="N", help="of each data set (300)"
    )
    command.add_argument(
        "--datasets", type=int, default=1000, metavar="N", help="how many are drawn (1000)"
    )


def _add_work(command: argparse.ArgumentParser) -> None:
    add_options(command, [*options_of(Question, "study"), *options_of(Running, "study")])
    command.add_argument(
        "--format", choices=("table", "json", "csv"), default="table", help="of what is shown"
    )
    command.add_argument("-o", "--output", metavar="FILE", help="write it there instead")
