"""Learners that misbehave: they fail alone, are named, and leave nothing behind."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from torture import bad_learners
from torture.attack import Attack, Harm
from torture.forked_command import missing

FILE = Path(bad_learners.__file__)
COMMON = ("--data", "iris", "--design", "2x3", "--workers", "2")
GOOD = ("tree", "lda")


class Run:
    """A command in this process: its exit code, and what really came out of its streams."""

    def __init__(self, folder: Path, *words: str) -> None:
        from twofold.cli import main

        with _capture(folder / "out.txt", 1), _capture(folder / "err.txt", 2):
            self.code = main(words)
        self.out = (folder / "out.txt").read_text("utf-8", "replace")
        self.err = (folder / "err.txt").read_text("utf-8", "replace")


@contextmanager
def _capture(file: Path, number: int) -> Iterator[None]:
    """Send a stream to a file, whoever writes to it."""
    stream = sys.stdout if number == 1 else sys.stderr
    before = os.dup(number)
    with file.open("w", encoding="utf-8") as target:
        stream.flush()
        os.dup2(target.fileno(), number)
        replaced = os.fdopen(os.dup(number), "w", encoding="utf-8")
        setattr(sys, "stdout" if number == 1 else "stderr", replaced)
        try:
            yield
        finally:
            replaced.close()
            setattr(sys, "stdout" if number == 1 else "stderr", stream)
            os.dup2(before, number)
            os.close(before)


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Run one bad learner beside two good ones."""
    return try_learner(random.choice(bad_learners.CLASSES), folder)


def try_learner(name: str, folder: Path) -> list[Harm]:
    """Run, look at what is said and left, compare with another, and run again."""
    kind: Any = getattr(bad_learners, name)
    temporary = folder / "tmp"
    temporary.mkdir(exist_ok=True)
    store, scores = folder / "store.sqlite", folder / "scores.csv"
    learners = [GOOD[0], f"bad={FILE}:{name}", GOOD[1]]
    options = (*COMMON, "--metric", kind.metric, "--store", str(store), *kind.flags)
    harm = Collector(name)
    with patch.object(tempfile, "tempdir", str(temporary)):
        for again in ("", " again"):
            run = Run(folder, "run", *learners, *options, "-o", str(scores))
            harm.check(run.code == 0, "wrong", f"exit code {run.code}{again}: {run.err[-500:]}")
            harm.check(run.out == "", "wrong", f"{run.out[:100]!r} on standard output")
            harm.check("Traceback" not in run.err, "traceback", run.err[-1000:])
            harm.check("learner prints" not in run.err, "wrong", "prints on standard error")
            if kind.says:
                pattern = rf"bad on iris, run \d(, fold \d)?: .*({kind.says})"
                harm.check(re.search(pattern, run.err) is not None, "wrong", run.err[-1000:])
            if run.code == 0:
                rows = read_others(scores)
                harm.check(rows == make_expected(kind.metric), "wrong", f"others' scores{again}")
            harm.check(not list_left(), "left-over", f"processes {list_left()}")
            # A learner may remove our folder, but none may stay.
            left = list(temporary.iterdir()) if temporary.exists() else []
            harm.check(not left, "left-over", f"{left}")
        if kind.says:
            run = Run(folder, "compare", GOOD[0], learners[1], *options)
            lines = run.err.splitlines()
            harm.check((run.code, len(lines)) == (2, 2), "wrong", f"{run.code}: {run.err[-500:]}")
            named = lines and lines[0].startswith("twofold: A learner failed: bad on iris, run")
            harm.check(bool(named), "wrong", run.err[-500:])
    return harm.found


class Collector:
    """Notes the harm that checks find."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.found: list[Harm] = []

    def check(self, good: bool, kind: Any, words: str) -> None:
        """Note harm where something is not good."""
        if not good:
            self.found.append(Harm(kind, f"{self._name}: {words}"))


@cache
def make_expected(metric: str) -> list[str]:
    """Return the scores of the good learners by themselves."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        scores = Path(folder, "scores.csv")
        words = (*GOOD, *COMMON, "--metric", metric, "--store", ":memory:")
        Run(Path(folder), "run", *words, "-o", str(scores))
        return read_others(scores)


def read_others(file: Path) -> list[str]:
    """Return the lines of a table of scores that are not the bad learner's."""
    return [line for line in file.read_text("utf-8").splitlines() if ",bad," not in line]


def list_left() -> list[str]:
    """Return the processes below this one, but for the server that waits for the next pool."""
    processes = _list_processes()
    return [str((number, processes.get(number)))[:120] for number in list_below()[1]]


def list_below() -> tuple[list[int], list[int]]:
    """Return the servers that workers of this process are copies of, and all that is below them."""
    processes = _list_processes()
    servers = [
        number
        for number, (parent, command) in processes.items()
        if parent == os.getpid() and "fork_server" in command
    ]
    return servers, [number for number, (parent, _) in processes.items() if parent in servers]


def _list_processes() -> dict[int, tuple[int, str]]:
    """Return all processes with their parents and commands."""
    processes = {}
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            text = (folder / "stat").read_text("utf-8", "replace")
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            processes[int(folder.name)] = int(text.rpartition(")")[2].split()[1]), command
    return processes


ATTACKS = [Attack("learners that misbehave", attempt, trials=150, short=1, missing=missing)]
