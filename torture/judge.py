"""The command line in this process, and what of its ending is harm.

A command ends with an answer (code 0) or is refused in two lines (code 2). It never ends in a
traceback, lets no warning of a library through, and leaves no file half-written.
"""

from __future__ import annotations

import io
import json
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from torture.attack import Harm
from twofold.cli import main

NOTICES = ("Picture written to ", "Report written to ", "Written to ", "Scores written to ")
"""How lines of standard error begin that say what was done."""

HIDDEN = (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)
"""Warnings that Python does not show to users."""

ENDS = {
    ".html": b"</html>",
    ".htm": b"</html>",
    ".svg": b"</svg>",
    ".png": b"IEND\xaeB`\x82",
    ".pdf": b"%%EOF",
}
"""How a whole file ends."""


@dataclass(frozen=True)
class Ending:
    """How a command ended: its exit code, what it printed, warnings, and a traceback if any."""

    code: int
    out: str
    err: str
    warned: tuple[str, ...]
    traceback: str


class _Input(io.TextIOWrapper):
    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8")


@contextmanager
def _replace_streams(stdin: bytes) -> Iterator[tuple[Any, Any]]:
    streams = sys.stdin, sys.stdout, sys.stderr
    # Strict, as a terminal is: what cannot be encoded must have been replaced before.
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "oe")
    sys.stdin, sys.stdout, sys.stderr = _Input(stdin), out, err
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams


def run_command(arguments: Sequence[str], stdin: bytes = b"") -> Ending:
    """Run the command line here, and return how it ended."""
    failure = ""
    with (
        warnings.catch_warnings(record=True) as caught,
        _replace_streams(stdin) as (out, err),
    ):
        warnings.resetwarnings()
        warnings.simplefilter("always")
        for category in HIDDEN:
            warnings.simplefilter("ignore", category)
        try:
            code = main(list(arguments))
        except SystemExit as ending:
            code = ending.code if isinstance(ending.code, int) else 1
        except Exception:
            code, failure = 1, traceback.format_exc(limit=-5)
        out.flush()
        err.flush()
    texts = [stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err)]
    shown = tuple(f"{w.category.__name__}: {w.message} ({w.filename}:{w.lineno})" for w in caught)
    return Ending(code, texts[0], texts[1], shown, failure)


def judge(ending: Ending, files: Sequence[Path] = (), *, silent: bool = False) -> list[Harm]:
    """Return the harm that a command did; ``files`` are those that it was to write.

    ``silent`` says that an answer may have no text, as where it goes to a file.
    """
    harm = [Harm("traceback", text) for text in (ending.traceback, *ending.warned) if text]
    if harm:
        return harm
    lines = [line for line in ending.err.splitlines() if not line.startswith(NOTICES)]
    if ending.code == 0:
        if not ending.out.strip() and not silent:
            harm.append(Harm("wrong", f"no answer; on standard error: {ending.err!r}"))
        harm += [
            Harm("lost", f"{file.name} was not written") for file in files if not file.exists()
        ]
    elif ending.code != 2:
        harm.append(Harm("traceback", f"exit code {ending.code}: {ending.err!r}"))
    elif len(lines) != 2 or not all(line.strip() for line in lines):
        harm.append(Harm("traceback", f"{len(lines)} lines on standard error: {ending.err!r}"))
    if "Traceback (most recent call last)" in ending.err:
        harm.append(Harm("traceback", ending.err))
    for file in files:
        if file.is_file():
            harm += check_file(file)
    folders = {file.parent for file in files}
    for folder in folders:
        if folder.is_dir():
            parts = [file.name for file in folder.iterdir() if file.name.endswith(".part")]
            harm += [Harm("left-over", f"a part of a file is left: {name}") for name in parts]
    return harm


def check_file(file: Path) -> list[Harm]:
    """Return harm where a file is not whole."""
    content, suffix = file.read_bytes(), file.suffix.lower()
    if not content:
        return [Harm("lost", f"{file.name} is empty")]
    if not content.rstrip().endswith(ENDS.get(suffix, b"")):
        return [Harm("lost", f"{file.name} ends in the middle")]
    if suffix == ".json":
        try:
            json.loads(content, parse_constant=_refuse_constant)
        except ValueError as error:
            return [Harm("wrong", f"{file.name} is not JSON: {error}")]
    return []


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")
