"""Ctrl-C, and `kill`: the work is stopped once, in order, however often the signal comes."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

PATIENCE = 3.0
"""Seconds in which a second Ctrl-C is taken for the same as the first."""

AGAIN_AFTER = 0.05
"""Seconds until a signal that was swallowed comes again, when whatever swallowed it may be done."""

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Stopped(KeyboardInterrupt):
    """Someone wants the work to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def raise_on_signals(*, for_good: bool) -> Iterator[None]:
    """Raise `Stopped` when asked to stop.

    ``for_good`` says that this process will end with the command: further signals cannot disturb
    it then, once it was stopped.

    Python swallows what is raised while an object is disposed of or C calls back; numba's compiler
    does both all the time. The signal then comes again.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears signals
        return
    last_stop = -PATIENCE

    def stop(number: int, _: FrameType | None) -> None:
        nonlocal last_stop
        now = time.monotonic()
        if now - last_stop > PATIENCE:
            last_stop = now
            raise Stopped(number)

    before: dict[Any, Any] = {number: signal.getsignal(number) for number in SIGNALS}
    # What is ignored from outside, as by nohup, stays ignored.
    handled = [number for number in SIGNALS if before[number] not in (signal.SIG_IGN, None)]
    for number in handled:
        signal.signal(number, stop)
    stopped = False
    report = sys.unraisablehook
    timers: list[threading.Timer] = []

    def come_again(swallowed: Any) -> None:
        nonlocal last_stop
        if not isinstance(swallowed.exc_value, Stopped):
            report(swallowed)
            return
        last_stop = -PATIENCE
        # Not now: this is called where it was swallowed.
        timer = threading.Timer(AGAIN_AFTER, send_to_self, (swallowed.exc_value.number,))
        timer.daemon = True
        timer.start()
        timers.append(timer)

    sys.unraisablehook = come_again
    try:
        yield
    except KeyboardInterrupt:
        stopped = True
        raise
    finally:
        sys.unraisablehook = report
        for timer in timers:
            timer.cancel()
        for number in handled:
            signal.signal(number, signal.SIG_IGN if stopped and for_good else before[number])


def send_to_self(number: int) -> None:
    """Send this process a signal, which also ends what the main thread waits for."""
    if sys.platform == "win32":  # where os.kill ends the process
        signal.raise_signal(number)
    else:
        os.kill(os.getpid(), number)
