"""The arguments of `twofold gate`, without loading what it runs."""

from __future__ import annotations

from typing import Any

from twofold.cli.option_flags import add_options
from twofold.options import Option, Question, Reading, options_of

QUESTION = ("alpha", "test", "anytime", "df", "seed")
READING = (
    *(
        "metric",
        "drop",
        "higher_is_better",
        "predictions",
        "truth",
        "items",
        "correct",
        "item",
        "cluster",
        "sample",
    ),
    *("rows", "transpose"),
    *("n_train", "n_test", "test_share"),
)
"""Options of `compare` that a gate takes too."""


def gate_options() -> list[Option]:
    """Return the options that `gate` has in common with `compare`."""
    shared = [option for option in options_of(Question) if option.name in QUESTION]
    return shared + [option for option in options_of(Reading, "table") if option.name in READING]


def add_gate(commands: Any) -> None:
    """Define `twofold gate`."""
    gate = commands.add_parser(
        "gate",
        help="is a candidate good enough to take the place of a baseline, within a margin?",
        description="Tell whether a candidate is good enough: no worse than the baseline by as "
        "much as the margin; or equivalent to it, or better. By the test that `twofold compare` "
        "would use, moved by the margin. Made for continuous integration.",
        epilog="exit codes: 0 good enough; 1 not good enough; 2 bad input; 3 undecided. examples: "
        "twofold gate baseline.csv candidate.csv --margin 0.01; twofold gate scores.csv "
        "--baseline old --candidate new --margin 1%% --equivalence",
    )
    gate.add_argument(
        "inputs",
        metavar="FILE",
        nargs="+",
        help="a table of scores of both; or that of the baseline, then that of the candidate",
    )
    question = gate.add_argument_group("the question")
    question.add_argument(
        "--margin",
        metavar="X",
        help="largest difference that does not matter: 0.01, or 1%% of the baseline's mean",
    )
    question.add_argument("--baseline", metavar="NAME", help="which learner is the baseline")
    question.add_argument("--candidate", metavar="NAME", help="which learner is the candidate")
    goal = question.add_mutually_exclusive_group()
    goal.add_argument(
        "--equivalence",
        action="store_true",
        help="no difference as large as the margin, either way",
    )
    goal.add_argument(
        "--superiority",
        action="store_true",
        help="better, by more than the margin if there is one",
    )
    question.add_argument(
        "--worst-loss",
        metavar="X",
        type=float,
        help="fail where the candidate is worse by more than X on any single data set",
    )
    question.add_argument(
        "--history",
        metavar="FILE",
        help="keep what was seen and decided here, for checks that run again and again; .json",
    )
    shared = gate_options()
    add_options(question, [option for option in shared if option.name in QUESTION])
    reading = gate.add_argument_group("reading a table")
    add_options(reading, [option for option in shared if option.name in READING])
    output = gate.add_argument_group("the answer")
    output.add_argument(
        "--format",
        choices=("terminal", "line", "json", "markdown"),
        default="terminal",
        help="line for logs, json for programs, markdown for a pull request",
    )
