"""Waiting for events, however long they take: whoever runs the tests says how long that may be."""

import time

from twofold.processes import read_state


def wait_until(condition, process=None):
    """Wait until a condition holds; an error where a process ends before that."""
    while not condition():
        assert process is None or process.poll() is None, "it ended too early"
        time.sleep(0.02)


def is_gone(process):
    """Tell whether a process, by its number, has ended."""
    return read_state(process)[0] in ("", "Z")  # Z: its new parent has not noticed yet


class HangingClock:
    """A clock that goes on only while a process hangs: nothing else can be late by it.

    Processes that hang write their numbers to ``marks``, a line each.
    """

    def __init__(self, marks):
        self.marks = marks
        self.now = 0.0

    def __call__(self):
        lines = self.marks.read_text().split("\n")[:-1] if self.marks.exists() else []
        if any(not is_gone(int(line)) for line in lines):
            self.now += 0.3
        return self.now
