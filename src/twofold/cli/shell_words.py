"""Messages in the words of the shell.

Errors and notes speak Python: an option stands between backquotes as one would write it in a call,
`rows='folds'`, or by its name alone, `rows`. Here, and nowhere else, they become the flags of the
command that was called, `--rows folds`.
"""

from __future__ import annotations

import argparse
import ast
import re
import shlex
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from twofold.options import Question, Reading, Running, options_of

if TYPE_CHECKING:
    from twofold.result import Note

_BACKQUOTED = re.compile(r"`([^`]+)`")
_RUNNING = "compare(learners, data"


def speak_shell(text: str, parser: argparse.ArgumentParser) -> str:
    """Return a message with the flags of a command instead of keywords of Python."""
    return _BACKQUOTED.sub(partial(_translate, parser=parser), text)


def notes_in_shell(notes: Iterable[Note], parser: argparse.ArgumentParser) -> tuple[Note, ...]:
    """Return notes with the flags of a command instead of keywords of Python."""
    return tuple(replace(note, detail=speak_shell(note.detail, parser)) for note in notes)


def _translate(match: re.Match[str], parser: argparse.ArgumentParser) -> str:
    words = _find_words(match[1], parser)
    return match[0] if words is None else f"`{words}`"


def _find_words(text: str, parser: argparse.ArgumentParser) -> str | None:
    """Return what is typed instead of a piece of Python; None where it names no option."""
    if text.isidentifier():
        flags = [_longest(action) for action in _find_actions(text, parser)]
        return flags[0] if len(flags) == 1 and flags[0].startswith("-") else None
    prefix = ""
    if text.startswith(_RUNNING) and text.endswith(")"):
        prefix, text = "twofold compare A B --data FILE", text[len(_RUNNING) : -1].lstrip(", ")
    try:
        call = ast.parse(f"call({text})", mode="eval").body
    except SyntaxError:
        return None
    if not isinstance(call, ast.Call) or call.args or not (call.keywords or prefix):
        return None
    parts = [_find_flag(keyword, parser) for keyword in call.keywords]
    return None if None in parts else " ".join([prefix] * bool(prefix) + [*filter(None, parts)])


def _find_flag(keyword: ast.keyword, parser: argparse.ArgumentParser) -> str | None:
    """Return the flag for a keyword of Python, with its value as it is typed."""
    value = keyword.value
    for action in _find_actions(keyword.arg or "", parser):
        if not action.option_strings:
            continue
        flag = _longest(action)
        if action.nargs != 0:
            names = value.elts if isinstance(value, ast.List | ast.Tuple) else [value]
            texts = [_read(name) for name in names]
            if action.nargs == "+":
                return " ".join([flag, *map(_quote, texts)])
            return " ".join(_join_names(flag, texts))
        if isinstance(value, ast.Constant) and value.value is action.const:
            return flag
    return None


def _find_actions(name: str, parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return what a command has for an option: by its name, else by the flags it has elsewhere."""
    named = [action for action in parser._actions if action.dest == name]
    groups = (Question, Reading, Running)
    options = [each for group in groups for each in options_of(group) if each.name == name]
    flags = {flag for option in options for flag in option.flags}
    return named or [each for each in parser._actions if flags & set(each.option_strings)]


def _read(value: ast.expr) -> str:
    """Return a value as it is typed; FILE and X stand for a value, and ... for more of them."""
    if not isinstance(value, ast.Constant):
        return ast.unparse(value)
    return "…" if value.value is ... else str(value.value)


def _join_names(flag: str, names: list[str]) -> list[str]:
    """Return names with commas between them; one with a comma of its own needs its own flag."""
    if len(names) > 1 and any("," in name for name in names):
        return [f"{flag} {_quote(name)}" for name in names]
    return [f"{flag} {_quote(','.join(names))}"]


def _quote(text: str) -> str:
    return text if text.endswith("…") else shlex.quote(text)


def _longest(action: argparse.Action) -> str:
    return max(action.option_strings, key=len, default="")
