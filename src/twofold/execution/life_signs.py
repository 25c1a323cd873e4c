"""Which processes that left their names in a store are still there. Clocks are not compared."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from twofold.processes import describe_machine, is_alive

BEAT_EVERY = 2.0
"""Seconds after which a process shows again that it lives."""

STALE_AFTER = 20.0
"""Seconds without a sign of life after which a process counts as dead."""


class LifeSigns:
    """What was seen of processes: rows with an id, a host, a process, and a beat that is raised."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, float]] = {}

    def is_dead(self, row: Any) -> bool:
        """Tell whether a process is gone, or has shown no sign of life while we looked."""
        if row.host == name_machine() and not is_alive(row.process):
            return True
        now = time.monotonic()
        beat, since = self._seen.get(row.id, (None, now))
        if beat != row.beat:
            since = now
        self._seen[row.id] = (row.beat, since)
        return now - since > STALE_AFTER


@cache
def name_machine() -> str:
    """Return what tells this machine, until it is restarted, from others of its name."""
    boot = ""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return f"{describe_machine()} {boot}"
