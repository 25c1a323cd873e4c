"""Experiment files on the command line: read in place of flags, and written from them."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from twofold.cli.parser import ANSWER, add_compare, add_run, repeat_data
from twofold.cli.streams import tell
from twofold.errors import InputError
from twofold.experiment_files import (
    ExperimentPlan,
    describe_expected,
    format_experiment,
    read_experiment,
)
from twofold.experiment_files.file_names import join_folder, leave_folder
from twofold.experiment_files.toml_text import format_value
from twofold.options import (
    LOCAL,
    Question,
    Reading,
    Running,
    collect,
    options_of,
    options_to_cite,
)
from twofold.provenance_record import Provenance
from twofold.scores import Scores
from twofold.writing import write_whole

OF_ONE_CALL = {"quiet", "exit_code", "save_experiment"}
"""What concerns a single call, and is no part of an experiment."""


def apply_experiment(arguments: argparse.Namespace, words: Sequence[str]) -> argparse.Namespace:
    """Return arguments with what the experiment file says, where the command line says nothing."""
    if len(arguments.inputs) > 1:
        raise InputError(
            "An experiment file says what is compared, and there are other names beside it.",
            "Name the file alone, or write what is compared into it.",
        )
    outputs = _list_outputs()
    plan = read_experiment(arguments.inputs[0], outputs)
    typed = _parse_typed(arguments.parser, words)
    table, data = plan.sources
    if data is None and (arguments.command == "run" or arguments.data):
        raise InputError(
            f"{plan.file.name!r} compares a table of scores; there are no learners to run.",
            "Write learners and data into it instead.",
        )
    single = isinstance(table, str)  # the name of a table, or of one learner
    values = {"inputs": [table] if single else table, "data": list(plan.data) or None}
    values |= {name: _to_typed(name, value) for name, value in plan.options.items()}
    for name, value in plan.output.items():
        values[name] = _read_output(outputs[name], value, plan)
    typed.pop("inputs")
    overridden = tuple(
        f"{name} = {format_value(value)}" for name, value in typed.items() if _is_part(name)
    )
    plan = replace(plan, file=replace(plan.file, overridden=overridden))
    return argparse.Namespace(**{**vars(arguments), **values, **typed, "experiment": plan})


def _parse_typed(parser: argparse.ArgumentParser, words: Sequence[str]) -> dict[str, Any]:
    """Return what was typed, without the defaults."""
    for action in parser._actions:
        action.default = argparse.SUPPRESS
    typed = vars(parser.parse_args(repeat_data(words[1:])))
    typed.pop("parser", None)
    return typed


def _to_typed(name: str, value: Any) -> Any:
    """Return the value of an option as the command line has it."""
    return ",".join(value) if name == "metric" and isinstance(value, list) else value


def _is_part(name: str) -> bool:
    """Tell what decides an answer from outputs, and from where and how work is done."""
    names = {option.name for group in (Question, Reading, Running) for option in options_of(group)}
    return name == "data" or name in names - LOCAL


def _list_outputs() -> dict[str, argparse.Action]:
    """Return the flags of `compare` and `run` that say what is written, by name."""
    commands = argparse.ArgumentParser().add_subparsers()
    add_compare(commands)
    add_run(commands)
    return {
        action.dest: action
        for command in commands.choices.values()
        for group in command._action_groups
        if group.title == ANSWER
        for action in group._group_actions
        if action.dest not in OF_ONE_CALL
    }


def _read_output(action: argparse.Action, value: Any, plan: ExperimentPlan) -> Any:
    """Return what an output of the file stands for, as the command line has it."""
    several = isinstance(action, argparse._AppendAction)
    items = value if several and isinstance(value, list) else [value]
    kind = bool if action.nargs == 0 else str | int | float
    wrong = [item for item in items if not isinstance(item, kind)]
    wrong += [item for item in items if action.choices and item not in action.choices]
    if wrong:
        choices = f"one of {', '.join(action.choices)}" if action.choices else "a text"
        words = "true or false" if action.nargs == 0 else choices
        raise InputError(
            f"{plan.file.name!r}: {action.dest!r} in [output] must be {words}, got {wrong[0]!r}.",
            f"Write {action.dest} = … with {words}.",
        )
    if action.nargs == 0:
        return value
    texts = [item if isinstance(item, str) else format_value(item) for item in items]
    if action.metavar == "FILE":
        texts = [join_folder(plan.folder, text) for text in texts]
    read: Any = [action.type(text) if callable(action.type) else text for text in texts]
    return read if several else read[0]


def save_experiment(
    arguments: argparse.Namespace,
    sources: tuple[Any, Any],
    options: Mapping[str, Any],
    provenance: Provenance,
    tables: Iterable[Scores],
) -> None:
    """Write the experiment file that gives the same answer."""
    path = arguments.save_experiment
    folder = os.path.dirname(path)
    output = {}
    for name, action in _list_outputs().items():
        value = getattr(arguments, name, action.default)
        if value == action.default:
            continue
        if action.metavar == "FILE":
            several = isinstance(value, list)
            files = [leave_folder(folder, file) for file in (value if several else [value])]
            value = files if several else files[0]
        output[name] = value
    groups = (collect(Question, options), collect(Reading, options), collect(Running, options))
    text = format_experiment(
        path,
        sources=sources,
        options=options_to_cite(groups),
        output=output,
        expected=describe_expected(folder, provenance, tables),
    )
    write_whole(path, text)
    tell(f"Experiment written to {path}", quiet=arguments.quiet)
