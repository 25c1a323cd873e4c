"""Processes told apart, so that what a dead one left behind is not taken for what is in use."""

from __future__ import annotations

import hashlib
import os
import socket
import sys
from functools import cache
from pathlib import Path


@cache
def describe_machine() -> str:
    """Return in eight letters whose processes we see; elsewhere their numbers mean others."""
    try:
        container = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        container = 0
    return hashlib.sha256(f"{socket.gethostname()} {container}".encode()).hexdigest()[:8]


def describe_process(number: int) -> str:
    """Return the number of a process and when it was started: numbers are used again."""
    return f"{number}-{read_state(number)[1]}"


def is_alive(process: str) -> bool:
    """Tell whether a process of this machine is there; True where that cannot be known."""
    number, _, start = process.partition("-")
    if not number.isdecimal():
        return False  # no process of ours wrote that
    if sys.platform == "win32":
        return True  # there, asking by a signal would end it
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # it belongs to someone else
    state, started = read_state(int(number))
    return state not in ("Z", "X") and started in ("", start)


def read_state(number: int) -> tuple[str, str]:
    """Return a letter for what a process does and when it was started, where the system says so."""
    try:
        text = Path(f"/proc/{number}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "", ""
    fields = text.rpartition(")")[2].split()
    return fields[0], fields[19]
