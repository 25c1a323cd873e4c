"""`twofold completion`: a script that lets a shell complete commands, options and names."""

from __future__ import annotations

import argparse
from pathlib import Path

from twofold.options import Running, options_of


def run(arguments: argparse.Namespace) -> None:
    """Print the script for a shell."""
    script = Path(__file__).with_name("shells") / f"twofold.{arguments.shell}"
    assign = "set -g _twofold_{} '{}'" if arguments.shell == "fish" else "_twofold_{}='{}'"
    lists = [assign.format(kind, " ".join(words)) for kind, words in list_words().items()]
    print(script.read_text("utf-8").replace("@LISTS@", "\n".join(lists)), end="")


def list_words() -> dict[str, list[str]]:
    """Return the words of each kind that are the same everywhere, from where they are declared."""
    from twofold.datasets.bundled import BUNDLED
    from twofold.datasets.dataset_catalog import entries
    from twofold.execution.scoring import ALIASES, FOR_NUMBERS
    from twofold.learners import BUILTIN
    from twofold.plots.comparison_plots import PICTURES
    from twofold.simulation.parse_source import KINDS
    from twofold.stats.catalog import catalog

    tests = [test for test in catalog() if test.group != "interval"]
    return {
        "learners": [*BUILTIN],
        "tests": [test.name for test in tests if test.group != "adjustment"],
        "adjustments": [test.name for test in tests if test.group == "adjustment"],
        "metrics": sorted({"accuracy", "error", "balanced_accuracy", *ALIASES, *FOR_NUMBERS}),
        "designs": list_designs(),
        "datasets": list(dict.fromkeys([*BUNDLED, *(entry.name for entry in entries())])),
        "sources": [*KINDS],
        "pictures": [*PICTURES],
    }


def list_designs() -> list[str]:
    """Return the designs that the help names."""
    (design,) = [option for option in options_of(Running) if option.name == "design"]
    return [part.split()[0] for part in design.help.split(", ")]
