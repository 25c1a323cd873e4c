"""What a person sees while work is done: how far, how long still, and the answer so far."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

from twofold.execution.work_notices import PostedNotice, WorkFacts, post_notice
from twofold.provenance_record import current_record

PATIENCE = 2.0
"""Seconds before anything is shown; what is done sooner needs no progress."""

LINE_EVERY = 15.0
"""Seconds between lines where there is no terminal to draw on."""

LOOK_EVERY = 1.0
"""Seconds between looks at the answer so far."""

SHARE, UNSEEN_SHARE = 20, 100
"""Looks may take one part in so many of the time: shown here, or only to who looks at the store."""


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
        self.may_end_early = False  # whether the total is an upper bound
        self._look = look
        self._share = SHARE if self._visible or always else None
        self._notice: PostedNotice | None = None
        self._title = self._command = ""
        self._first_started = time.time()
        self._answer = ""
        self._done = self._total = self._fresh = 0
        self._started = time.monotonic()
        self._next_look = self._started + LOOK_EVERY
        self._written = float("-inf")
        self._live: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._notice is not None:
            self._notice.close()
        if self._live is not None:
            self._live.stop()

    def announce(self, store: Any, title: str) -> None:
        """Let others who look into a store see what is done here, until the end."""
        record = current_record()  # of this thread
        self._title, self._command = title, (record and record.command) or ""
        self._notice = post_notice(store, self.describe)
        if self._notice is not None and self._share is None:
            self._share = UNSEEN_SHARE

    def describe(self) -> WorkFacts:
        """Return how far the work is; in any thread."""
        done, total = self._count()
        return WorkFacts(
            title=self._title,
            command=self._command,
            unit=self._unit,
            done=done,
            total=total,
            left=self._estimate_left(time.monotonic()),
            may_end_early=self.may_end_early,
            so_far=self._answer.lstrip(",. "),
            started=self._first_started,
        )

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
        if self._look is not None and self._share is not None and now >= self._next_look:
            self._answer = self._look()
            ended = time.monotonic()
            self._next_look = ended + max(LOOK_EVERY, self._share * (ended - now))
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
        done, total = self._count()
        text = f"{done} of {'at most ' * self.may_end_early}{total} {self._unit}"
        left = self._estimate_left(now)
        if left is not None:
            text += f", about {format_time(left)} left"
        return text + self._answer

    def _count(self) -> tuple[int, int]:
        """Return how many units are done, and of how many."""
        done, total = (self.before + round(self.scale * n) for n in (self._done, self._total))
        return done, total

    def _estimate_left(self, now: float) -> float | None:
        """Return the seconds that the rest takes at the present pace."""
        if not self._fresh:
            return None
        return (now - self._started) / self._fresh * max(0, self._total - self._done)

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
