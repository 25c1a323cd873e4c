"""Standard streams that are closed, full, or lack a letter: none of them ends in a traceback."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

from twofold.escapes import make_visible


def prepare_streams() -> None:
    """Open streams that are closed, and let all of them show a question mark for a letter.

    Without that the next file to be opened, such as the store, would get the number of standard
    output, and whatever a library prints would be written into it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def tell(*lines: str, quiet: bool = False) -> None:
    """Write lines to standard error, whether anybody hears them or not."""
    if quiet:
        return
    try:
        print(*map(make_visible, lines), sep="\n", file=sys.stderr, flush=True)
    except OSError:
        let_go(sys.stderr)


@contextmanager
def tell_warnings() -> Iterator[None]:
    """Write warnings as lines for a person, without the lines of code they come from."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    for warning in caught:
        tell(*str(warning.message).splitlines())


def let_go(stream: TextIO) -> None:
    """Keep the end of the process from trying once more to write what could not be written."""
    with suppress(OSError):  # a stream without a number is not written at the end
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def open_console() -> Any:
    """Return what prints tables; a reader that goes away is an error like anywhere else."""
    from rich.console import Console

    class StrictConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return StrictConsole(highlight=False)
