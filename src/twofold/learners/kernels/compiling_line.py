"""The line that says what is being compiled; on a terminal it counts the seconds down."""

from __future__ import annotations

import sys
import threading
import time

MOST_SECONDS = 180.0
"""Seconds after which a line counts no more, whatever became of the work."""


class CompilingLine:
    """A line on standard error.

    Parameters
    ----------
    text : str
        What is compiled.
    seconds : int
        What it takes about.
    """

    def __init__(self, text: str, seconds: int) -> None:
        self._text, self._seconds = text, seconds
        self._started = time.monotonic()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        if _is_terminal():
            self._thread = threading.Thread(target=self._count, daemon=True)
            self._thread.start()
        else:
            _write(f"{text}: about {seconds} s …\n")

    def format(self, passed: float) -> str:
        """Return the line after so many seconds."""
        left = round(self._seconds - passed)
        return f"{self._text}: " + (f"about {left} s left …" if left > 0 else "a moment more …")

    def _count(self) -> None:
        passed = 0.0
        while passed < MOST_SECONDS:
            _write(f"\r\x1b[K{self.format(passed)}")
            if self._ended.wait(1.0):
                break
            passed = time.monotonic() - self._started
        _write("\r\x1b[K")

    def end(self) -> None:
        """Take the line away where it counts."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()


def _is_terminal() -> bool:
    """Tell whether standard error is a terminal; what stands in its place takes whole lines."""
    stream = sys.__stderr__
    return stream is not None and stream is sys.stderr and not stream.closed and stream.isatty()


def _write(text: str) -> None:
    """Write to standard error; the work goes on where that is closed."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        pass
