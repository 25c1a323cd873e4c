"""The arguments of `compare`, `read`, `run`, `tests` and `data`, without loading what they run."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import Any

from twofold.cli.option_flags import add_options, read_number
from twofold.options import Question, Reading, Running, Situation, options_of

ANSWER = "the answer"
"""The title of the flags that say what is written."""

SHARED = [option for option in options_of(Reading, "run") if "table" in option.situations]
"""Options of reading that tables and data have in common."""


def add_compare(commands: Any) -> None:
    """Define `twofold compare`."""
    compare = commands.add_parser(
        "compare",
        help="compare learners, or rate one: by a table of scores, or by running them on data",
        description="From a table of scores, or from learners and data, to a verdict. Wide tables "
        "have a row per data set and a column per learner; long ones have columns dataset, "
        "learner, value and, where there are any, run, fold, n_train, n_test, metric. With --data "
        "the learners are run first. One learner is not compared: its score has an interval.",
        epilog="examples: twofold compare scores.csv --control baseline; "
        "twofold compare nb c45 --data iris.csv --until 0.95; "
        "twofold compare predictions.csv --predictions; twofold compare experiment.toml",
    )
    compare.add_argument(
        "inputs",
        metavar="FILE or LEARNER",
        nargs="+",
        help="tables: CSV, TSV, JSON, Markdown, Parquet, Excel, - for stdin; files and folders of "
        "other tools (`twofold read --formats`); or learners; or an experiment file, .toml",
    )
    add_options(compare.add_argument_group("the question"), [*options_of(Question), *SHARED])
    reading = [option for option in options_of(Reading, "table") if option not in SHARED]
    add_options(compare.add_argument_group("reading a table"), reading)
    _add_running(compare, "data")
    output = compare.add_argument_group(ANSWER)
    output.add_argument(
        "--format",
        choices=("terminal", "json", "markdown", "latex", "bibtex", "html"),
        default="terminal",
    )
    output.add_argument(
        "--plot",
        metavar="FILE",
        action="append",
        default=[],
        help="draw it: .svg, .pdf, .png or .tex; repeatable",
    )
    output.add_argument(
        "--picture",
        metavar="KIND",
        action="append",
        default=[],
        help="which picture: ranks, matrix, rank-sets, differences, folds, pairs, "
        "posterior, simplex, heatmap, scores; one for all, or one for each --plot",
    )
    output.add_argument(
        "--highlight", metavar="NAME", action="append", default=[], help="emphasise in the picture"
    )
    output.add_argument(
        "--width",
        metavar="INCHES",
        type=read_number,
        help="of the picture: one-column (3.25), text (5.5), two-column (6.75) or inches",
    )
    output.add_argument("--font", metavar="NAME", help="of the picture: serif, sans or a family")
    output.add_argument(
        "--caption",
        action="store_true",
        help="write the picture's caption beside it: FILE.caption.txt, or .caption.tex",
    )
    output.add_argument(
        "--report",
        metavar="FILE",
        action="append",
        default=[],
        help="a report too: .html, .tex (and .bib), .md, .json, .txt, .xlsx; repeatable",
    )
    output.add_argument(
        "--table",
        metavar="FILE",
        action="append",
        default=[],
        help="the results table of a paper, learners by data sets: .tex, .md, .html, .csv, .xlsx; "
        "repeatable",
    )
    _add_saving(output)
    add_quiet(output)
    output.add_argument(
        "--exit-code",
        action="store_true",
        help="end with code 0 where a difference was found, 3 where none could be decided",
    )


def add_read(commands: Any) -> None:
    """Define `twofold read`."""
    read = commands.add_parser(
        "read",
        help="show what files hold, of other tools too, and write it as one long table",
        description="Read tables and files of other tools as `twofold compare` does, say what was "
        "read and what was chosen, and with -o write one long table, which `twofold compare` reads "
        "to the same answer.",
        epilog="examples: twofold read lm-out/*/samples_*.jsonl; twofold read weka.csv -o "
        "scores.csv; twofold read --formats",
    )
    read.add_argument("inputs", metavar="FILE", nargs="*", help="files, and folders of them")
    read.add_argument("-o", "--output", metavar="FILE", help=".csv, .tsv or .json; - for stdout")
    read.add_argument(
        "--formats", action="store_true", help="list the formats of other tools that are known"
    )
    add_quiet(read)
    of_predictions = ("predictions", "truth", "positive")
    reading = [o for o in options_of(Reading, "table") if o.name not in of_predictions]
    add_options(read.add_argument_group("reading"), reading)


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
    run.add_argument(
        "inputs", metavar="LEARNER", nargs="+", help="learners; or an experiment file, .toml"
    )
    output = run.add_argument_group(ANSWER)
    output.add_argument(
        "-o", "--output", metavar="FILE", default="-", help=".csv, .tsv or .json; - for stdout"
    )
    _add_saving(output)
    add_quiet(output)
    add_options(run, [*options_of(Question, "run"), *SHARED])
    _add_running(run, "run")


def _add_saving(command: Any) -> None:
    command.add_argument(
        "--save-experiment",
        metavar="FILE",
        help="write an experiment file that gives the same answer: .toml",
    )


def repeat_data(words: Sequence[str]) -> list[str]:
    """Return a command's words with --data before each file, as shells expand `--data *.csv`.

    Beside learners only files and data sets that have a name are data; a study has nothing else
    there, and takes every word.
    """
    repeated: list[str] = []
    in_data = False
    every = list(words[:1]) == ["study"]
    for i, word in enumerate(words):
        follows = i > 0 and words[i - 1] == "--data"
        goes_on = in_data and not word.startswith("-")
        in_data = follows or (goes_on and (every or os.path.isfile(word) or _names_dataset(word)))
        repeated += ["--data", word] if in_data and not follows else [word]
    return repeated


def _names_dataset(word: str) -> bool:
    from twofold.datasets import BUNDLED, entries

    return word in BUNDLED or any(word == entry.name for entry in entries())


def add_quiet(command: Any) -> None:
    """Add the option that leaves out all but the answer."""
    command.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="show the answer and warnings only: no progress, no names of files, no hints",
    )


def _add_running(command: argparse.ArgumentParser, situation: Situation) -> None:
    """Add what reading data and running learners take."""
    reading = command.add_argument_group("reading data")
    reading.add_argument(
        "--data",
        metavar="FILE",
        action="append",
        help="CSV, TSV, Parquet, ARFF, Orange tab, a folder of them, or iris, wine, …; "
        "several, or repeatable",
    )
    options = options_of(Reading, situation)
    add_options(reading, [option for option in options if option not in SHARED])
    add_options(command.add_argument_group("running learners"), options_of(Running, situation))


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


def add_completion(commands: Any) -> None:
    """Define `twofold completion`."""
    completion = commands.add_parser(
        "completion",
        help="print a script that lets a shell complete commands, options and names",
        description="Print a script for a shell. Once it is loaded, the tab key completes "
        "commands, options, learners, tests, metrics, designs, data sets, files, and the columns "
        "of the file at hand.",
        epilog='In ~/.bashrc: eval "$(twofold completion bash)"; in ~/.zshrc, after compinit: eval '
        '"$(twofold completion zsh)"; for fish: twofold completion fish > '
        "~/.config/fish/completions/twofold.fish",
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help="bash, zsh or fish")
