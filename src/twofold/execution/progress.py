"""What a person sees while work is done: how far, how long still, and the answer so far."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

PATIENCE = 2.0
"""Seconds before anything is shown; what is done sooner needs no progress."""

LINE_EVERY = 15.0
"""Seconds between lines where there is no terminal to draw on."""

LOOK_EVERY = 1.0
"""Seconds between looks at the answer so far; they may take a twentieth of the time."""


class Watch(Protocol):
    """Sees how far the work is; `Progress` is one."""

    def begin(self, done: int, total: int) -> None:
        """See how many jobs there are, and how many of them the store had."""

    def skip(self, count: int) -> None:
        """See that the store had so many more of the jobs."""

    def add(self) -> None:
        """See that another job is done."""

    def tell(self, line: str) -> None:
        """Hear what is being waited for; in any thread."""


class Progress:
    """Shows progress on standard error; by default only where a person watches.

    Parameters
    ----------
    visible : bool, optional
        Whether to show it; None for where standard error is a terminal.
    unit : str
        What is counted: "runs", "data sets".
    look : function, optional
        Returns the answer so far, to be written behind the numbers.
    always : bool
        Whether to look even if nothing is shown.
    """

    def __init__(
        self,
        visible: bool | None,
        unit: str,
        look: Callable[[], str] | None = None,
        *,
        always: bool = False,
    ) -> None:
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._visible = self._terminal if visible is None else visible
        self._silent = visible is False
        self._unit = unit
        self.scale = 1.0  # units that a job counts for
        self.before = 0  # units that were done in earlier stages
        self._look = look if self._visible or always else None
        self._answer = ""
        self._done = self._total = self._fresh = 0
        self._started = time.monotonic()
        self._next_look = self._started + LOOK_EVERY
        self._written = float("-inf")
        self._live: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def begin(self, done: int, total: int) -> None:
        """Start a stage: how much there is, and how much of it was done before."""
        self._done, self._total = done, total
        if not self._fresh:
            self._started = time.monotonic()

    def add(self, count: int = 1) -> None:
        """Count what is done, and show it."""
        self._done += count
        self._fresh += count
        now = time.monotonic()
        if self._look is not None and now >= self._next_look:
            self._answer = self._look()
            ended = time.monotonic()
            self._next_look = ended + max(LOOK_EVERY, 20 * (ended - now))
        if not self._visible or now - self._started < PATIENCE:
            return
        if self._terminal:
            self._draw(self.line(now))
        elif now - self._written > LINE_EVERY:
            self._written = now
            write_line(self.line(now))

    def skip(self, count: int) -> None:
        """Count what was done before."""
        self._done += count

    def tell(self, line: str) -> None:
        """Write a line about something that is waited for, unless nothing is to be shown."""
        if self._silent:
            return
        if self._live is not None:
            self._live.console.print(line, markup=False, highlight=False)
        else:
            write_line(line)

    def line(self, now: float) -> str:
        """Return the progress in words."""
        done, total = (self.before + round(self.scale * n) for n in (self._done, self._total))
        text = f"{done} of {total} {self._unit}"
        if self._fresh:
            left = (now - self._started) / self._fresh * (self._total - self._done)
            text += f", about {format_time(left)} left"
        return text + self._answer

    def _draw(self, line: str) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        if self._live is None:
            self._live = Live(console=Console(stderr=True), refresh_per_second=4, transient=True)
            self._live.start()
        self._live.update(Text(line, overflow="ellipsis", no_wrap=False))


def write_line(line: str) -> None:
    """Write a line to standard error; the work goes on where that is closed or none."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def format_time(seconds: float) -> str:
    """Return a time as people say it: 12 s, 3:05 min, 2:10 h."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02d} h"
