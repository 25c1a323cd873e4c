"""What `twofold study` can be about: exactly one flag names it.

Each kind has a function that does the study, the options that go with it, and the pictures that
can be drawn of it. A further kind is a function and an entry of `KINDS`, and its flag in
`study_arguments.py`.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from twofold.cli import table_study
from twofold.cli.option_flags import keywords_of
from twofold.cli.outputs import refuse_quiet_and_verbose
from twofold.cli.shell_words import notes_in_shell
from twofold.cli.study_arguments import DATA_PICTURES, SOURCE_PICTURES, list_data_options
from twofold.cli.table_study import study_table_file
from twofold.errors import InputError
from twofold.options import Situation
from twofold.result import join_names

SHARED = frozenset(
    {"seed", "store", "workers", "on", "format", "output", "plot", "picture", "report", "quiet"}
)
"""What every kind of study takes."""


@dataclass(frozen=True, slots=True)
class StudyKind:
    """One kind of study.

    Attributes
    ----------
    example : str
        What to give on the command line, for errors.
    run : function
        From the arguments to findings.
    options : frozenset of str
        Arguments that go with this kind, besides those of every kind.
    pictures : tuple of str
        What ``--picture`` takes.
    """

    example: str
    run: Callable[[argparse.Namespace], Any]
    options: frozenset[str]
    pictures: tuple[str, ...]


def _study_source(arguments: argparse.Namespace) -> Any:
    """Study tests on data sets that are drawn from sources."""
    from twofold.studies import study

    return study(
        arguments.source,
        read_learner_names(arguments),
        predictions=not arguments.no_predictions,
        **list_given(
            arguments,
            *("rows", "datasets", "repetitions", "tests", "design", "alpha"),
            *("null", "damage", "differences", "precision", "max_datasets"),
        ),
        **study_keywords(arguments),
    )


def _study_data(arguments: argparse.Namespace) -> Any:
    """Study tests on data sets of one's own."""
    from twofold.cli.run_command import read_metric
    from twofold.studies import study_data

    learners = read_learner_names(arguments)
    if learners is None:
        raise InputError("A study of data needs learners.", "Name them with --learners A,B,….")
    refuse_quiet_and_verbose(arguments)
    keywords = study_keywords(arguments, "study-data")
    findings = study_data(
        arguments.data[0] if len(arguments.data) == 1 else arguments.data,
        learners,
        predictions=not arguments.no_predictions,
        **list_given(arguments, "repetitions", "tests", "design", "alpha"),
        **keywords | {"metric": read_metric(arguments.metric)},
    )
    return replace(findings, notes=notes_in_shell(findings.notes, arguments.parser))


def _study_like(arguments: argparse.Namespace) -> Any:
    """Study tests in a situation like that of a file."""
    from twofold.studies import study_like

    given = list_given(
        arguments,
        *("rows", "disagree", "datasets", "draws", "repetitions", "tests", "design", "alpha"),
    )
    if len(given.get("rows", ())) > 1:
        raise InputError("`--rows` of --like is one number.", "Name one.")
    if "rows" in given:
        (given["rows"],) = given["rows"]
    keywords = study_keywords(arguments)
    keywords.pop("stratify", None)
    if not keywords.get("seed"):
        keywords.pop("seed", None)  # an experiment file may have its own
    findings = study_like(
        arguments.like, learners=read_learner_names(arguments), **given, **keywords
    )
    return replace(findings, notes=notes_in_shell(findings.notes, arguments.parser))


KINDS: dict[str, StudyKind] = {
    "source": StudyKind(
        "--source binary:p=0.5",
        _study_source,
        frozenset(
            "learners rows datasets repetitions tests design alpha null damage differences "
            "precision max_datasets no_predictions stratify".split()
        ),
        ("rates", "power", "replicability", "qq", "predicted"),
    ),
    "data": StudyKind(
        "--data FOLDER --learners nb,c45",
        _study_data,
        frozenset(
            ["learners", "repetitions", "tests", "design", "alpha", "stratify", "no_predictions"]
            + [option.name for option in list_data_options()]
        ),
        ("replicability", "rejections"),
    ),
    "like": StudyKind(
        "--like scores.csv",
        _study_like,
        frozenset("learners rows disagree datasets draws repetitions tests design alpha".split()),
        tuple(dict.fromkeys((*SOURCE_PICTURES, *DATA_PICTURES, *table_study.PICTURES))),
    ),
    "table": StudyKind(
        "--table scores.csv",
        lambda arguments: study_table_file(arguments, study_keywords(arguments)),
        table_study.OPTIONS,
        table_study.PICTURES,
    ),
}


def choose_kind(arguments: argparse.Namespace) -> StudyKind:
    """Return what is studied; refuse none, several, and options that do not go with it."""
    named = [name for name in KINDS if getattr(arguments, name) is not None]
    if len(named) > 1:
        flags = join_names([f"--{name}" for name in named])
        raise InputError(f"A study is about one thing, and {flags} are given.", "Give one of them.")
    if not named:
        examples = "; ".join(kind.example for kind in KINDS.values())
        raise InputError(
            "`twofold study` needs to know what to study.", f"Give one of: {examples}."
        )
    kind = KINDS[named[0]]
    _refuse_options(arguments, named[0])
    if arguments.picture is not None and arguments.picture not in kind.pictures:
        raise InputError(
            f"There is no picture `{arguments.picture}` of a study of --{named[0]}.",
            f"These fit: {', '.join(kind.pictures)}.",
        )
    return kind


def _refuse_options(arguments: argparse.Namespace, name: str) -> None:
    """Refuse options that go with other kinds only."""
    for action in arguments.parser._actions:
        fitting = action.dest in KINDS or action.dest in SHARED | KINDS[name].options
        value = getattr(arguments, action.dest, action.default)
        switched_otherwise = action.nargs == 0 and value != action.const
        if fitting or value == action.default or switched_otherwise:
            continue
        flag = max(action.option_strings, key=len)
        others = [f"--{kind}" for kind in KINDS if action.dest in KINDS[kind].options]
        raise InputError(
            f"{flag} does not go with --{name}.",
            f"Leave it out; it goes with {join_names(others)}.",
        )


def list_given(arguments: argparse.Namespace, *names: str) -> dict[str, Any]:
    """Return the arguments of these names that were given, as keywords."""
    values = {name: getattr(arguments, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def study_keywords(arguments: argparse.Namespace, situation: Situation = "study") -> dict[str, Any]:
    """Return the options of running a study, as keywords."""
    keywords = keywords_of(arguments, situation)
    return keywords | {"progress": False} if arguments.quiet else keywords


def read_learner_names(arguments: argparse.Namespace) -> list[str] | None:
    """Return learners, which may be written with commas between them."""
    if arguments.learners is None:
        return None
    return [name for text in arguments.learners for name in split_at_commas(text)]


def split_at_commas(text: str) -> list[str]:
    """Split a text at commas that stand outside of brackets and quotes."""
    parts, depth, quote, start = [], 0, "", 0
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]
