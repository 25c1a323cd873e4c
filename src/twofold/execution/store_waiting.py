"""Waiting for a store that is locked, or whose database does not answer."""

from __future__ import annotations

import contextlib
import math
import os
import random
import time
from collections.abc import Callable
from typing import TypeVar

from twofold.errors import InputError, StoreUnavailable
from twofold.execution.progress import LINE_EVERY, PATIENCE, format_time, write_line

VARIABLE = "TWOFOLD_STORE_WAIT"

DEFAULT_SECONDS = 600.0
"""How long a run waits for its store."""

SHORT_SECONDS = 10.0
"""How long commands wait that only look at a store."""

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0

Value = TypeVar("Value")


def keep_trying(
    call: Callable[[], Value],
    *,
    patience: float | None = None,
    tell: Callable[[str], object] | None = None,
    pause: Callable[[float], object] = time.sleep,
) -> Value:
    """Return what ``call`` returns, calling it again while the store is not available.

    Parameters
    ----------
    call : function
        Raises `StoreUnavailable` where it is worth another try. It may have done its work and not
        know it, so that doing it twice must do no harm.
    patience : float, optional
        Seconds after which to give up; None for what the variable TWOFOLD_STORE_WAIT says, else ten
        minutes.
    tell : function, optional
        Takes a line about the waiting; by default it is written to standard error.
    pause : function
        Waits for so many seconds.
    """
    patience = read_patience() if patience is None else patience
    tell = tell or write_line
    started = time.monotonic()
    length, last_line = FIRST_PAUSE, -math.inf
    while True:
        try:
            value = call()
        except StoreUnavailable as error:
            now = time.monotonic()
            left = started + patience - now
            if left <= 0:
                tried = f"Tried for {format_time(now - started)}. " if patience else ""
                raise StoreUnavailable(error.rule, tried + error.remedy) from None
            if now - started > PATIENCE and now - last_line > LINE_EVERY:
                last_line = now
                tell(f"{error.rule} Trying again for {format_time(left)}.")
        else:
            if last_line > started:
                tell("The store answers again.")
            return value
        # A little chance, so that many who wait for one server do not come back all at once.
        pause(min(length * random.uniform(0.5, 1.5), left))
        length = min(2 * length, LONGEST_PAUSE)


def read_patience() -> float:
    """Return how long to wait for a store, in seconds."""
    text = os.environ.get(VARIABLE)
    if not text:
        return DEFAULT_SECONDS
    with contextlib.suppress(ValueError):
        seconds = float(text)
        if 0 <= seconds < math.inf:
            return seconds
    raise InputError(
        f"{VARIABLE} is {text!r}, which is no number of seconds.",
        f"Set it to a number, such as {DEFAULT_SECONDS:.0f}, or unset it.",
    )
