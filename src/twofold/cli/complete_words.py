"""What may follow on a command line: asked by shells while one types, so that little is loaded.

The answer is a line with the kinds of words that fit, which shells know by themselves (files, and
lists in the script of `twofold completion`), then a line for each other word, with what it does.
"""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from twofold.cli.names_at_hand import (
    TableNames,
    label_learners,
    open_experiment,
    read_names,
)
from twofold.options import Question, Reading, Running, options_of

KINDS = {
    "test": "tests",
    "tests": "tests",
    "adjust": "adjustments",
    "across_metrics": "adjustments",
    "metric": "metrics",
    "design": "designs",
    "data": "files datasets",
    "download": "datasets",
    "learners": "learners",
    "source": "sources files",
    "picture": "pictures",
    "df": "files",
    "store": "files",
}
"""Kinds of words for the value of an option."""

OF_COLUMNS = ("truth", "item", "cluster", "sample", "target", "groups", "folds")
"""Options whose value is a column."""

POSITIONS = {
    ("compare", "inputs"): "files learners",
    ("run", "inputs"): "learners files",
    ("read", "inputs"): "files",
    ("tests", "name"): "tests adjustments",
    ("data", "name"): "datasets",
}
"""Kinds of words for what stands without an option, by command."""

WORDS = {"df": ["calibrated", "textbook"], "on": ["dask"], "store": [":memory:"]}
OF_FILES = ("FILE", "DIR")
Word = tuple[str, str]
"""What may be typed, and what it does."""


@dataclass
class CommandLine:
    """What was typed so far."""

    parser: argparse.ArgumentParser
    command: str = ""
    option: argparse.Action | None = None
    values: int = 0
    typed: dict[str, list[str]] = field(default_factory=dict)
    positionals: list[str] = field(default_factory=list)

    def take(self, word: str) -> None:
        """Go on by a word that is complete."""
        action = self.parser._option_string_actions.get(word)
        if action is not None:
            self.option = action if action.nargs != 0 else None
            self.values = 0
            self.typed.setdefault(action.dest, [])
        elif self.option is not None:
            self.typed[self.option.dest].append(word)
            self.values += 1
            if self.option.nargs is None:
                self.option = None
        elif (commands := self.find_commands()) is not None:
            self.parser = commands.choices.get(word, self.parser)
            self.command = self.command or word
        else:
            self.positionals.append(word)

    def find_commands(self) -> Any:
        """Return the commands that may be named here, if any."""
        actions = self.parser._actions
        return next((a for a in actions if isinstance(a, argparse._SubParsersAction)), None)

    def list_words(self, current: str) -> tuple[str, list[Word]]:
        """Return the kinds of words that fit, and other words."""
        if self.option is not None and not (self.values and current.startswith("-")):
            return self._list_values(self.option)
        commands = self.find_commands()
        if current.startswith("-"):
            return "", self._list_options()
        if commands is not None:
            return "", [(entry.dest, entry.help or "") for entry in commands._choices_actions]
        places = [action for action in self.parser._actions if not action.option_strings]
        if not places:
            return "", self._list_options()
        place = places[min(len(self.positionals), len(places) - 1)]
        kinds = POSITIONS.get((self.command, place.dest), "")
        if place.choices:
            return "", [(str(choice), "") for choice in place.choices]
        return kinds or ("files" if place.metavar in OF_FILES else ""), []

    def _list_options(self) -> list[Word]:
        words = []
        for action in self.parser._actions:
            repeatable = isinstance(action, argparse._AppendAction)
            if action.help is argparse.SUPPRESS or (action.dest in self.typed and not repeatable):
                continue
            text = (action.help or "").replace("%%", "%")
            words += [(flag, text) for flag in action.option_strings if flag.startswith("--")]
        return words

    def _list_values(self, action: argparse.Action) -> tuple[str, list[Word]]:
        choices = action.choices or _find_choices(action.dest)
        if choices:
            return "", [(str(choice), "") for choice in choices]
        names = self._list_names(action.dest)
        if names:
            return "", [(name, "") for name in names]
        kinds = KINDS.get(action.dest, "files" if action.metavar in OF_FILES else "")
        return kinds, [(word, "") for word in WORDS.get(action.dest, [])]

    def _list_names(self, dest: str) -> list[str]:
        """Return names in the files at hand, where an option takes a column or a learner."""
        if self.command not in ("compare", "run", "read"):
            return []
        inputs, data = self.positionals, self.typed.get("data", [])
        if len(inputs) == 1 and inputs[0].lower().endswith(".toml"):
            inputs, described = open_experiment(inputs[0])
            data = data or described
        in_data = [read_names(file) for file in data]
        table = read_names(inputs[0]) if inputs and not data else TableNames()
        columns = [*table.columns, *(name for names in in_data for name in names.columns)]
        learners = label_learners(inputs) if data else table.learners
        lists: dict[str, Iterable[str]] = {
            "control": learners,
            "highlight": learners,
            "only": table.learners,
            "drop": [*columns, *table.rows],
            **dict.fromkeys(OF_COLUMNS, columns),
        }
        return list(dict.fromkeys(lists.get(dest, [])))


def _find_choices(dest: str) -> tuple[str, ...]:
    """Return the words that an option takes, which the command line leaves to Python to check."""
    for group in (Question, Reading, Running):
        for option in options_of(group):
            if option.name == dest:
                return option.choices
    return ()


def complete(words: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    """Return the lines for a shell: the kinds of words that fit, then other words.

    ``words`` stand behind the name of the program, the last one is typed; an = between option and
    value stands by itself, as bash has it.
    """
    parts = [word for i, word in enumerate(words) if word != "=" or i == 0]
    current = parts.pop() if parts and words[-1] != "=" else ""
    line = CommandLine(parser)
    for word in parts:
        line.take(word)
    kinds, found = line.list_words(current)
    head, comma, rest = current.rpartition(",")
    if comma and not any(word.startswith(current) for word, _ in found):
        others = [(word, text) for word, text in found if word not in head.split(",")]
        found, current = [(f"{head},{word}", text) for word, text in others], f"{head},{rest}"
    matching = [(word, text) for word, text in found if word.startswith(current)]
    return [kinds, *(f"{word}\t{' '.join(text.split())}".rstrip() for word, text in matching)]


def unquote(word: str) -> str:
    """Return a word as the program will get it; one that is not complete yet as far as it goes."""
    for end in ("", '"', "'"):
        try:
            return "".join(shlex.split(word + end)[:1])
        except ValueError:
            continue
    return word


def answer_shell(words: Sequence[str], parser: argparse.ArgumentParser) -> int:
    """Print the answer for a shell, which is named first."""
    shell, *typed = words
    typed = [os.path.expanduser(unquote(word) if shell == "bash" else word) for word in typed]
    print(*complete(typed, parser), sep="\n")
    return 0
