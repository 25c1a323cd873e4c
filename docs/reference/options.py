"""Write options.md beside this file from the declarations: python docs/reference/options.py."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, cast

from twofold.cli.study_arguments import add_study
from twofold.cli.study_kinds import KINDS, SHARED
from twofold.options import Option, Question, Reading, Running, options_of
from twofold.planning.plan_options import Planning

PAGE = Path(__file__).with_suffix(".md")
WORDS = """# Options of compare, run, plan and study

Written by `make docs` from `src/twofold/options.py` and `src/twofold/cli`; edit these instead.

`twofold.compare(table, …)` and `twofold compare FILE …` take the options marked "table", and so do `twofold.read` and `twofold read`, but for the question; `twofold.compare(learners, data, …)` and `twofold
compare LEARNER … --data FILE` those marked "data"; `twofold.run` and `twofold run` those marked "run"; `twofold.study` and `twofold study
--source` those marked "study", `twofold.study_data` and `twofold study --data` those marked "study-data". An option in the wrong place, or with
a value that cannot be meant, is refused in Python and on the command line in the same two lines, there with exit code 2."""
TITLES = {
    Question: "The question",
    Reading: "Reading a table, or data",
    Running: "Running learners",
}


PLANS = """`twofold plan WHAT` and `twofold.plan(WHAT, …)` take these, and of the options above `control`, `alpha`, `adjust`, `seed` and those
that say how a pilot is read. [What they do](../how-to/plan.md)."""
STUDIES = """`twofold study` is about one of four things: data sets that are drawn (`--source`, `twofold.study`), your own (`--data`, `twofold.study_data`), your
own table of scores (`--table`, `twofold.study_table`), or a situation like yours (`--like`, `twofold.study_like`). Besides the options above they take these, some of
them with some of the four only. Several values stand one after another (`--alpha 0.01 0.05`), in Python in a list. `--table` takes `metric` and `drop`
of tables, too. [What they do](../how-to/study.md)."""
PYTHON = {
    "no_predictions": "`predictions=False`",
    "learners": "`learners`; of a table `only`",
    **dict.fromkeys(KINDS, "the first argument"),
    **dict.fromkeys(("format", "output", "plot", "report", "picture", "quiet"), ""),
}
"""What flags of a study are called in Python, where it is not their name."""


def write_row(option: Option) -> str:
    """Return a row of the table."""
    flags = ", ".join(f"`{flag}`" for flag in option.flags) or "—"
    default = "" if option.default in (None, ()) else f"`{option.default!r}`"
    places = ", ".join(option.situations)
    text = option.help.replace(" | ", "; ")
    text += f": {', '.join(option.choices)}" if option.choices else ""
    return f"| `{option.name}` | {flags} | {default} | {places} | {text} |"


def list_study_flags() -> list[argparse.Action]:
    """Return the flags of `twofold study` that are not among the options of all commands."""
    commands = argparse.ArgumentParser().add_subparsers()
    add_study(commands)
    declared = {
        option.name
        for group in TITLES
        for situation in ("study", "study-data")
        for option in options_of(group, situation)
    } | {"help"}
    return [action for action in commands.choices["study"]._actions if action.dest not in declared]


def write_study_row(action: argparse.Action) -> str:
    """Return a row on a flag of a study."""
    flags = ", ".join(f"`{flag}`" for flag in action.option_strings)
    kinds = [kind for kind in KINDS if action.dest in KINDS[kind].options]
    places = ", ".join(f"`--{kind}`" for kind in kinds)
    if action.dest in SHARED:
        places = "each"
    python = PYTHON.get(action.dest, f"`{action.dest}`")
    if isinstance(action.const, bool) and action.dest in ("null", "higher_is_better"):
        python = f"`{action.dest}={action.const}`"
    text = (action.help or "").replace("|", "or")
    return f"| {python} | {flags} | {places} | {text} |"


def write_page() -> str:
    """Return the page."""
    parts = [WORDS]
    for group, title in TITLES.items():
        rows = ["| Python | command line | default | for | what |", "|---|---|---|---|---|"]
        rows += map(write_row, options_of(group))
        parts += [f"## {title}", "\n".join(rows)]
    rows = ["| Python | command line | default | for | what |", "|---|---|---|---|---|"]
    rows += map(write_row, options_of(cast(Any, Planning)))
    parts += ["## Plans", PLANS, "\n".join(rows)]
    rows = ["| Python | command line | with | what |", "|---|---|---|---|"]
    rows += map(write_study_row, list_study_flags())
    parts += ["## Studies", STUDIES, "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(write_page(), "utf-8")
