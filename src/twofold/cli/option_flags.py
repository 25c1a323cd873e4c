"""Flags of the command line, made from the declarations of the options.

Values that Python would refuse are handed on as they were typed, so that Python refuses them: the
same mistake gets the same words here and there.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from twofold.options import Option, Question, Reading, Running, Situation, options_of


def add_options(command: Any, options: Iterable[Option]) -> None:
    """Add the flags of options to a command or to a group of its help."""
    for option in options:
        if option.kind == "switch" and option.flags:
            _add_switch(command, option)
            continue
        for flag in option.flags:
            command.add_argument(
                flag,
                dest=option.name,
                action="append" if option.kind == "names" else "store",
                type={"number": read_number, "count": read_count}.get(option.kind),
                default=None if option.kind == "names" else option.default,
                metavar=f"{{{','.join(option.choices)}}}" if option.choices else option.metavar,
                help=option.help,
            )


def _add_switch(command: Any, option: Option) -> None:
    """Add a flag for each value; several of them exclude each other, and share the help."""
    target = command.add_mutually_exclusive_group() if len(option.flags) > 1 else command
    for (flag, value), help in zip(option.flags.items(), option.help.split(" | "), strict=True):
        target.add_argument(
            flag,
            dest=option.name,
            action="store_const",
            const=value,
            default=option.default,
            help=help,
        )


def keywords_of(
    arguments: argparse.Namespace, situation: Situation | None = None
) -> dict[str, Any]:
    """Return the options on the command line as keywords of `compare` or `run`."""
    keywords = {}
    for group in (Question, Reading, Running):
        for option in options_of(group, situation):
            value = getattr(arguments, option.name, None)
            keywords[option.name] = option.default if value is None else value
    return keywords


def read_number(text: str) -> float | str:
    """Return a number, or the text for Python to refuse."""
    try:
        return float(text)
    except ValueError:
        return text


def read_count(text: str) -> float | str:
    """Return a whole number, or what else it is for Python to refuse."""
    try:
        return int(text)
    except ValueError:
        return read_number(text)
