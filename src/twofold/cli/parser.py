"""What each command takes. Nothing heavy is loaded here, so that --help is quick."""

from __future__ import annotations

import argparse
from typing import Any


def add_compare(commands: Any) -> None:
    """Define `twofold compare`."""
    compare = commands.add_parser(
        "compare",
        help="compare learners: by a table of scores, or by running them on data",
        description="From a table of scores, or from learners and data, to a verdict. Wide tables "
        "have a row per data set and a column per learner; long ones have columns dataset, "
        "learner, value and, where there are any, run, fold, n_train, n_test, metric. With --data "
        "the learners are run first.",
        epilog="examples: twofold compare scores.csv --control baseline; "
        "twofold compare nb c45 --data iris.csv --until 0.95",
    )
    compare.add_argument(
        "what",
        metavar="FILE or LEARNER",
        nargs="+",
        help="a table: CSV, TSV, JSON, Markdown, Parquet, Excel, - for stdin; or learners",
    )
    question = compare.add_argument_group("the question")
    question.add_argument("--control", metavar="NAME", help="compare each learner with this one")
    question.add_argument("--alpha", type=float, default=0.05, help="level of the tests (0.05)")
    question.add_argument(
        "--adjust",
        metavar="NAME",
        help="adjustment for several pairs: holm, shaffer, bergmann-hommel (up to 12 learners), …",
    )
    question.add_argument("--test", metavar="NAME", help="a test of the catalog")
    question.add_argument("--rope", type=float, metavar="X", help="difference that does not matter")
    question.add_argument(
        "--alternative",
        default="two-sided",
        choices=("two-sided", "less", "greater"),
        help="with --control: has it the greater or the less score than the others?",
    )
    question.add_argument(
        "--df",
        metavar="X",
        help="degrees of freedom on one data set: calibrated, a number, a table of `calibrate`, or "
        "textbook (unsafe for Bouckaert's tests, whose default is calibrated)",
    )
    question.add_argument(
        "--metric", metavar="NAME", help="which metric; with --data also several, A,B"
    )
    question.add_argument("--seed", type=int, default=0, help="for all random numbers (0)")
    reading = compare.add_argument_group("reading a table")
    direction = reading.add_mutually_exclusive_group()
    direction.add_argument("--lower-is-better", action="store_true", help="scores are losses")
    direction.add_argument("--higher-is-better", action="store_true")
    reading.add_argument("--ranks", action="store_true", help="the table holds ranks")
    reading.add_argument(
        "--predictions", action="store_true", help="true labels and a column per classifier"
    )
    reading.add_argument("--truth", metavar="COLUMN", help="the column of true labels")
    reading.add_argument(
        "--drop", metavar="NAME", action="append", default=[], help="leave out a column or a row"
    )
    reading.add_argument(
        "--learners", metavar="A,B,…", action="append", help="compare these and no others"
    )
    reading.add_argument(
        "--rows", choices=("datasets", "folds", "splits"), help="what each row stands for"
    )
    reading.add_argument("--transpose", action="store_true", help="learners stand in rows")
    reading.add_argument("--n-train", type=float, metavar="N", help="training size of each split")
    reading.add_argument("--n-test", type=float, metavar="N", help="test size of each split")
    reading.add_argument("--test-share", type=float, metavar="X", help="share tested on, as 0.1")
    running = _add_running(compare)
    running.add_argument(
        "--until",
        type=float,
        metavar="P",
        help="add runs until the chance that more would not change the verdict is P, as 0.95",
    )
    running.add_argument("--max-runs", type=int, metavar="N", help="with --until: at most (100)")
    running.add_argument(
        "--calibrate",
        action="store_true",
        help="run half samples too, and say what level the test has here",
    )
    output = compare.add_argument_group("the answer")
    output.add_argument(
        "--format",
        choices=("terminal", "json", "markdown", "latex", "bibtex", "html"),
        default="terminal",
    )
    output.add_argument("--plot", metavar="FILE", help="draw it: .svg, .pdf, .png or .tex")
    output.add_argument(
        "--picture",
        metavar="KIND",
        help="which picture: ranks, matrix, differences, folds, pairs, posterior, simplex, heatmap",
    )
    output.add_argument(
        "--highlight", metavar="NAME", action="append", default=[], help="emphasise in the picture"
    )
    output.add_argument(
        "--report",
        metavar="FILE",
        help="a report too: .html, .tex (and .bib), .md, .json, .txt",
    )


def add_run(commands: Any) -> None:
    """Define `twofold run`."""
    run = commands.add_parser(
        "run",
        help="run learners on data, and write the table of their scores",
        description="Run learners on data and write a long table of scores, for `twofold compare` "
        "or other tools. Learners are names (nb, c45, nn, logistic, forest, …), import paths "
        "such as 'sklearn.svm.SVC(C=10)', or file.py:object; label=… in front gives a name.",
        epilog="example: twofold run nb c45 --data iris.csv -o scores.csv",
    )
    run.add_argument("what", metavar="LEARNER", nargs="+", help="learners")
    run.add_argument(
        "-o", "--output", metavar="FILE", default="-", help=".csv, .tsv or .json; - for stdout"
    )
    run.add_argument(
        "--metric", metavar="NAME", help="accuracy, f1, auc, r2, rmse, …; or several, A,B"
    )
    run.add_argument("--seed", type=int, default=0, help="for all random numbers (0)")
    run.add_argument(
        "--drop", metavar="NAME", action="append", default=[], help="leave a column out"
    )
    _add_running(run)


def _add_running(command: argparse.ArgumentParser) -> Any:
    """Add what making scores takes."""
    running = command.add_argument_group("running learners")
    running.add_argument(
        "--data",
        metavar="FILE",
        action="append",
        help="CSV, TSV, Parquet, ARFF, Orange tab, a folder of them, or iris, wine, …; repeatable",
    )
    running.add_argument("--target", metavar="COLUMN", help="what is predicted")
    running.add_argument(
        "--positive",
        metavar="LABEL",
        action="append",
        help="the class that f1, precision, recall, … look for, of two (the rarer one); repeatable",
    )
    running.add_argument("--groups", metavar="COLUMN", help="groups that are never split")
    running.add_argument("--folds", metavar="COLUMN", help="folds that the data brings along")
    running.add_argument("--task", choices=("classification", "regression"))
    running.add_argument(
        "--drop-unlabelled", action="store_true", help="leave out rows without a target"
    )
    running.add_argument(
        "--design",
        default=None,
        metavar="D",
        help="10x10 (default), 5x2, 1x10, holdout:1/3, resample:100:0.1, loo, disjoint:10:1/3",
    )
    running.add_argument(
        "--no-stratify", action="store_true", help="do not spread classes evenly over folds"
    )
    running.add_argument("--budget", metavar="TIME", help="stop by the clock, as 90s, 10m or 1.5h")
    running.add_argument("--workers", type=int, metavar="N", help="processes (all processors)")
    running.add_argument("--on", metavar="WHERE", help="dask, or the address of a Dask scheduler")
    running.add_argument(
        "--store", metavar="FILE", help="where finished work is kept; :memory: for nowhere"
    )
    return running


def add_tests(commands: Any) -> None:
    """Define `twofold tests`."""
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


def add_data(commands: Any) -> None:
    """Define `twofold data`."""
    data = commands.add_parser(
        "data",
        help="list the data sets of the papers, check a folder of them, fetch one",
        description="List the data sets that the papers used, and say which of them a folder "
        "holds. The folder is named by --folder or by TWOFOLD_DATA.",
        epilog="example: twofold data --folder ~/data --download iris",
    )
    data.add_argument("name", nargs="?", metavar="NAME", help="tell about this data set only")
    data.add_argument("--folder", metavar="DIR", help="where the files are")
    data.add_argument("--download", metavar="NAME", help="fetch it from OpenML into the folder")
    data.add_argument(
        "--format", choices=("table", "json"), default="table", help="json is for programs"
    )
