"""What a person sees while learners run: how far, how long still, and the verdict so far."""

from __future__ import annotations

import sys
import time
from typing import Any

from twofold.comparison import Comparison
from twofold.execution.experiment import Experiment

PATIENCE = 2.0
"""Seconds before anything is shown; what is done sooner needs no progress."""

LINE_EVERY = 15.0
"""Seconds between lines where there is no terminal to draw on."""


class Progress:
    """Shows progress on standard error; by default only where a person watches."""

    def __init__(self, wanted: bool | None, experiment: Experiment) -> None:
        self._drawn = sys.stderr.isatty()
        self.wanted = self._drawn if wanted is None else wanted
        self._experiment = experiment
        self._started = self._said = time.monotonic()
        self._before = 0
        self._live: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def told(self, done: int, total: int, answer: Comparison | None) -> None:
        """Show how far the work is."""
        now = time.monotonic()
        if done <= self._experiment.reused:
            self._before, self._started = done, now
        if now - self._started < PATIENCE:
            return
        if self._drawn:
            self._draw(done, total, answer, now)
        elif now - self._said > LINE_EVERY or self._said == self._started:
            self._said = now
            print(self.line(done, total, answer, now), file=sys.stderr, flush=True)

    def _draw(self, done: int, total: int, answer: Comparison | None, now: float) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        text = Text(self.line(done, total, answer, now), overflow="ellipsis", no_wrap=False)
        if self._live is None:
            self._live = Live(console=Console(stderr=True), refresh_per_second=4, transient=True)
            self._live.start()
        self._live.update(text)

    def line(self, done: int, total: int, answer: Comparison | None, now: float) -> str:
        """Return the progress in words."""
        fresh = done - self._before
        text = f"{done} of {total} runs"
        if fresh > 0:
            left = (now - self._started) / fresh * (total - done)
            text += f", about {clock(left)} left"
        if self._experiment.failures:
            text += f", {len(self._experiment.failures)} failed"
        if answer is not None:
            text += f". So far: {answer.verdict}"
        return text


def clock(seconds: float) -> str:
    """Return a time as people say it: 12 s, 3:05 min, 2:10 h."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02d} h"
