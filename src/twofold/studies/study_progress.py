"""What a person sees while a study runs: how far, how long still, what is found so far."""

from __future__ import annotations

import sys
import time
from typing import Any

from twofold.experiments.progress import LINE_EVERY, PATIENCE, clock
from twofold.studies.findings import Findings
from twofold.studies.findings_table import label, short


class Progress:
    """Shows progress on standard error; by default only where a person watches."""

    def __init__(self, wanted: bool | None) -> None:
        self._drawn = sys.stderr.isatty()
        self.wanted = self._drawn if wanted is None else wanted
        self.so_far: Findings | None = None
        self._todo = self._total = self._done = 0
        self._started = self._said = time.monotonic()
        self._live: Any = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def begin(self, todo: int, total: int) -> None:
        """Start a stage: data sets still to do, and in all."""
        self._todo, self._total, self._done = todo, total, 0
        self._started = time.monotonic()

    def add(self, datasets: int) -> None:
        """Note data sets that are done."""
        self._done += datasets
        now = time.monotonic()
        if not self.wanted or now - self._started < PATIENCE:
            return
        if self._drawn:
            self._draw(self.line(now))
        elif now - self._said > LINE_EVERY:
            self._said = now
            print(self.line(now), file=sys.stderr, flush=True)

    def line(self, now: float) -> str:
        """Return the progress in words."""
        reached = self._total - self._todo + self._done
        text = f"{reached} of {self._total} data sets"
        if self._done:
            left = (now - self._started) / self._done * (self._todo - self._done)
            text += f", about {clock(left)} left"
        if self.so_far is not None:
            row = self.so_far.rows[-1]
            low, high = short(row.rejected.low), short(row.rejected.high)
            text += f". So far {label(row)} rejects {short(row.rejected.value)} ({low}–{high})"
        return text

    def _draw(self, line: str) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        if self._live is None:
            self._live = Live(console=Console(stderr=True), refresh_per_second=4, transient=True)
            self._live.start()
        self._live.update(Text(line, overflow="ellipsis", no_wrap=False))
