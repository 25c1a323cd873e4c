"""Errors, in two lines: the rule that was broken, and the remedy.

TwofoldError            everything twofold raises on purpose
├── InputError          the caller's data or options cannot be used (also a ValueError)
│   └── StoreUnavailable    the store is locked or does not answer; later it may
└── LearnerError        learners raised, and too few are left for an answer
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from twofold.escapes import make_visible

LONGEST_LINE = 2000
"""Letters of a rule or a remedy; names in a table may be of any length."""

LONGEST_MESSAGE = 300
"""Letters of someone else's message that are repeated."""

LONGEST_TEXT = 20_000
"""Letters of someone else's text that are looked at."""

_COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


class TwofoldError(Exception):
    """An error with a rule that was broken and a remedy to try."""

    def __init__(self, rule: str, remedy: str) -> None:
        self.rule = _keep_on_one_line(rule)
        self.remedy = _keep_on_one_line(remedy)
        super().__init__(f"{self.rule}\n{self.remedy}")

    def __reduce__(self) -> tuple[type[TwofoldError], tuple[str, str]]:
        # Exceptions are rebuilt from their arguments when a worker process sends them home.
        return type(self), (self.rule, self.remedy)


def _keep_on_one_line(text: str) -> str:
    """Write out line ends and control characters, which names from a table may hold."""
    text = make_visible(text)
    return text if len(text) <= LONGEST_LINE else text[: LONGEST_LINE - 1] + "…"


class InputError(TwofoldError, ValueError):
    """The data or an option given by the caller cannot be used."""


class StoreUnavailable(InputError):
    """The store is locked by someone else, or its database does not answer; later it may."""


class LearnerError(TwofoldError):
    """Learners raised errors, and what is left of them cannot answer."""


def suggest(word: object, words: Iterable[str], otherwise: str, cutoff: float = 0.5) -> str:
    """Return the remedy for an unknown word: the one of ``words`` that looks most like it, if any.

    >>> suggest("Holmes", ["nemenyi", "holm"], "Pass a name.")
    "Did you mean 'holm'?"
    """
    import difflib

    lowered = {name.lower(): name for name in words}
    close = difflib.get_close_matches(str(word).lower(), list(lowered), n=1, cutoff=cutoff)
    return f"Did you mean {lowered[close[0]]!r}?" if close else otherwise


def describe_error(error: BaseException) -> str:
    r"""Return the type and first line of an error that someone else's code raised.

    The text may be anything: of many lines, with colours for a terminal, or raise itself.

    >>> describe_error(ValueError("\x1b[31mtoo short.\x1b[0m\nTry more rows."))
    'ValueError: too short'
    >>> describe_error(MemoryError())
    'MemoryError: no message'
    """
    if isinstance(error, TwofoldError):
        return first_line(error.rule)
    return f"{type(error).__name__}: {error_message(error) or 'no message'}"


def error_message(error: BaseException) -> str:
    """Return the first line of what an error says, nothing where it says nothing."""
    try:
        return first_line(str(error)[:LONGEST_TEXT])
    except (Exception, SystemExit, GeneratorExit):
        return ""


def format_traceback(error: BaseException) -> str:
    """Return the traceback of an error that someone else's code raised, as far as it has one."""
    import traceback

    try:
        return "".join(traceback.format_exception(error))[-LONGEST_TEXT:]
    except (Exception, SystemExit, GeneratorExit):  # some errors have no text
        return "".join(traceback.format_tb(error.__traceback__))[-LONGEST_TEXT:]


def first_line(text: str) -> str:
    """Return the first line that says something, of printable characters, without a full stop."""
    for line in _COLOURS.sub("", text).splitlines():
        printable = "".join(letter if letter.isprintable() else " " for letter in line)
        words = " ".join(printable.split())
        if len(words) > LONGEST_MESSAGE:
            return words[: LONGEST_MESSAGE - 1] + "…"
        if words:
            return words.rstrip(".")
    return ""
