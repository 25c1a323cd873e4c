"""What a learner may use: time and memory, as people write them."""

from __future__ import annotations

import re

from twofold.errors import InputError
from twofold.execution.worker import UNLIMITED, Limits
from twofold.experiments.adaptive import parse_seconds
from twofold.options import Running

LEAST_MEMORY = 500_000_000
"""Bytes that a worker with scikit-learn needs for itself, and some."""

SIZES = {"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 2**10, "mib": 2**20, "gib": 2**30}


def read_limits(running: Running) -> Limits:
    """Return the limits of workers, or refuse those that nobody could keep."""
    if running.task_timeout is None and running.memory is None:
        return UNLIMITED
    if running.workers == 0 or running.on not in (None, "local"):
        raise InputError(
            "`task_timeout` and `memory` are limits of worker processes on this machine.",
            "Leave them out, or leave out `on` and use one worker or more.",
        )
    timeout, memory = running.task_timeout, running.memory
    return Limits(
        None if timeout is None else parse_seconds(timeout),
        None if memory is None else parse_bytes(memory),
    )


def parse_bytes(size: float | str) -> int:
    """Return a number of bytes, from a number or from text such as 2GB or 500MB."""
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{0,9})?)\s*([a-z]*)", str(size).strip().lower())
    unit = match[2] if match else ""
    factor = 1.0 if not unit else SIZES.get(unit) or SIZES.get(unit + "b")
    if not match or factor is None:
        raise InputError(
            f"{size!r} is not an amount of memory.", "Write for instance 2GB or 800MB."
        )
    count = int(float(match[1]) * factor)
    if count < LEAST_MEMORY:
        raise InputError(
            f"A worker with `memory` {size} could not even start.",
            f"Give it at least {LEAST_MEMORY / 1e6:.0f}MB.",
        )
    return count
