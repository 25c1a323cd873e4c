"""The arguments of `twofold plan`, without loading what it runs: --help stays quick."""

from __future__ import annotations

from typing import Any

from twofold.cli.option_flags import add_options
from twofold.cli.parser import ANSWER, add_quiet
from twofold.planning.plan_options import SITUATIONS, list_options

EXAMPLES = {
    "items": "twofold plan items --difference 0.05 --discordant 0.2; "
    "twofold plan items --pilot items.csv --difference 0.02 --cluster passage",
    "datasets": "twofold plan datasets --difference 0.01 --sd 0.02 --n 20; "
    "twofold plan datasets --pilot scores.csv --difference 0.01 --replicability 0.9",
    "runs": "twofold plan runs --learners nb c45 --data iris --difference 0.02; "
    "twofold plan runs --difference 0.02 --sd 0.03",
    "seeds": "twofold plan seeds --probability 0.75",
}
LEARNERS = "learners"


def add_plan(commands: Any) -> None:
    """Define `twofold plan`."""
    command = commands.add_parser(
        "plan",
        help="how many items, data sets, runs or seeds are enough, before the experiment",
        description="How many are enough to find a difference that matters, or what those at hand "
        "can find: with the power of the test that `compare` would choose. Of n, power (or "
        "replicability) and the difference one is left out: it is the answer.",
        epilog="example: twofold plan items --difference 0.05 --discordant 0.2 --power 0.8",
    )
    kinds = command.add_subparsers(dest="situation", title="what is planned", metavar="WHAT")
    for name, words in SITUATIONS.items():
        kind = kinds.add_parser(
            name, help=words, description=f"Plan {words}.", epilog=f"examples: {EXAMPLES[name]}"
        )
        _add_flags(kind, name)
        kind.set_defaults(parser=kind)


def _add_flags(kind: Any, situation: str) -> None:
    own, question, reading = list_options(situation)
    group = kind.add_argument_group("the plan")
    add_options(group, [option for option in own if option.name != LEARNERS])
    count = next(option for option in own if option.name == LEARNERS)
    group.add_argument(
        "--learners", dest=LEARNERS, nargs="+", metavar=count.metavar, help=count.help
    )
    add_options(kind.add_argument_group("the question"), question)
    if reading:
        add_options(kind.add_argument_group("reading the pilot"), reading)
    output = kind.add_argument_group(ANSWER)
    output.add_argument(
        "--format", choices=("terminal", "json", "markdown", "html"), default="terminal"
    )
    output.add_argument(
        "--plot",
        metavar="FILE",
        action="append",
        default=[],
        help="draw power over n: .svg, .pdf or .png; repeatable",
    )
    output.add_argument(
        "--report",
        metavar="FILE",
        action="append",
        default=[],
        help="a report too: .html, .md, .json, .txt; repeatable",
    )
    add_quiet(output)
