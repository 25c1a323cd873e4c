"""Commands of twofold in processes of their own, forked from one that has imported all they need.

So they start in a moment and can be killed like any other. Their learners write a line when they
have finished a task (a random split each), by which one sees what must be in the store.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from torture.attack import Harm
from twofold.execution.store import open_store

LEARNERS = """
import hashlib
import os
import time

import numpy as np
from sklearn.naive_bayes import GaussianNB


class Logged(GaussianNB):
    def fit(self, X, y):
        self.content_ = hashlib.sha256(np.ascontiguousarray(X).tobytes()).hexdigest()
        return super().fit(X, y)

    def predict(self, X):
        predicted = super().predict(X)
        time.sleep(float(os.environ["TORTURE_PAUSE"]))
        words = os.environ["TORTURE_WRITER"], type(self).__name__, self.content_, time.time()
        log = os.open(os.environ["TORTURE_LOG"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(log, (" ".join(map(str, words)) + chr(10)).encode())
        os.close(log)
        return predicted


class Hanging(Logged):
    def fit(self, X, y):
        while os.path.exists(os.environ["TORTURE_LOG"] + ".wait"):
            time.sleep(0.01)
        return super().fit(X, y)
"""

PRELOADED = [
    "twofold.cli",
    "twofold.cli.run_command",
    "twofold.experiments.context",
    "twofold.execution.store_sql",
    "sklearn.compose",
    "sklearn.naive_bayes",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.pysqlite",
    "torture.forked_command",
]


class Finished(NamedTuple):
    """A task that a learner finished: in which command, which learner, which rows, and when."""

    writer: str
    learner: str
    content: str
    time: float


def missing() -> str:
    """Return what this machine lacks, or an empty text."""
    return "" if Path("/proc/self/environ").exists() else "processes are looked for in /proc"


@cache
def _context() -> Any:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


class ForkedCommand:
    """`twofold …` in a process of its own, in a folder with learners that log what they finish.

    Parameters
    ----------
    folder : Path
        Where to run; the learners, the log and temporary files are there.
    arguments : sequence of str
    writer : str
        A name for the log.
    pause : float
        Seconds that a task takes.
    """

    def __init__(
        self, folder: Path, arguments: Sequence[str], *, writer: str = "a", pause: float = 0.0
    ) -> None:
        self.folder = folder
        self.log = folder / "log"
        self.mark = uuid.uuid4().hex
        self.printed = folder / f"printed-{writer}"
        self.temporary = folder / "temporary"
        self.temporary.mkdir(exist_ok=True)
        if not (folder / "mine.py").exists():  # another command may be reading it
            (folder / "mine.py").write_text(LEARNERS, encoding="utf-8")
        environment = {
            "TORTURE_PAUSE": str(pause),
            "TORTURE_LOG": str(self.log),
            "TORTURE_WRITER": writer,
            "TORTURE_MARK": self.mark,
            "TMPDIR": str(self.temporary),
            "TWOFOLD_STORE_WAIT": "30",  # should the server end with a trial that takes too long
        }
        parts = (str(folder), list(arguments), environment, str(self.printed))
        self._process = _context().Process(target=_run, args=parts)
        self._process.start()

    def signal(self, number: int) -> float:
        """Send a signal; return the time before."""
        before = time.time()
        os.kill(self._process.pid, number)
        return before

    def runs(self) -> bool:
        """Tell whether the process is there."""
        return bool(self._process.is_alive())

    def wait(self) -> int:
        """Wait for the end; return the exit code."""
        self._process.join()
        return int(self._process.exitcode)

    def wait_for_first(self) -> None:
        """Wait until a task is finished, or the command has ended."""
        while self.runs() and not self.log.exists():
            time.sleep(0.005)

    def read_printed(self) -> str:
        """Return what was printed so far."""
        return self.printed.read_text(encoding="utf-8", errors="replace")

    def check_printed(self) -> list[Harm]:
        """Return what must not be printed."""
        text = self.read_printed()
        return [Harm("traceback", text[-1000:])] if "Traceback" in text else []

    def list_finished(self) -> list[Finished]:
        """Return what the learners finished so far."""
        if not self.log.exists():
            return []
        lines = [line.split() for line in self.log.read_text(encoding="ascii").splitlines()]
        return [Finished(*line[:3], float(line[3])) for line in lines if len(line) == 4]

    def check_left_over(self) -> list[Harm]:
        """Return processes that outlive the command: they get minutes to notice its end."""
        deadline = time.monotonic() + 300
        while left := self._list_processes():
            if time.monotonic() > deadline:
                return [Harm("left-over", f"{len(left)} processes outlive the command: {left}")]
            time.sleep(0.02)
        return []

    def _list_processes(self) -> list[str]:
        numbers = []
        for folder in Path("/proc").iterdir():
            try:
                inside = folder.name.isdigit() and (folder / "environ").read_bytes()
                state = folder.name.isdigit() and (folder / "stat").read_text().rpartition(")")[2]
            except OSError:
                continue
            if inside and self.mark.encode() in inside and state.split()[0] not in "ZX":
                numbers.append(folder.name)
        return numbers


def _run(folder: str, arguments: list[str], environment: dict[str, str], printed: str) -> None:
    from twofold.cli import main

    # The address space of a forked process does not show its environment; its children's does.
    os.chdir(folder)
    os.environ.update(environment)
    file = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    for stream in (1, 2):
        os.dup2(file, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.argv = ["twofold", *arguments]
    sys.exit(main())


def count_saved(store: Path) -> int:
    """Return how many runs a store has, which need not be there yet."""
    if not store.exists():
        return 0
    with open_store(store) as opened:
        return len(opened.tasks())


@cache
def make_table(arguments: tuple[str, ...]) -> bytes:
    """Return the table, scores.csv, of a command that nobody disturbs."""
    with tempfile.TemporaryDirectory() as name:
        command = ForkedCommand(Path(name), arguments)
        assert command.wait() == 0, command.read_printed()
        return (Path(name) / "scores.csv").read_bytes()


class Delays(threading.Thread):
    """Measures how late this machine wakes a thread that sleeps and writes to the disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__(daemon=True)
        self._file = folder / "delays"
        self._over = threading.Event()
        self.worst = 0.0

    def run(self) -> None:
        """Measure until `stop`."""
        with self._file.open("wb", buffering=0) as file:
            while not self._over.is_set():
                before = time.monotonic()
                self._over.wait(0.01)
                file.write(b".")
                os.fsync(file.fileno())
                self.worst = max(self.worst, time.monotonic() - before - 0.01)

    def stop(self) -> float:
        """Return the longest delay so far, in seconds."""
        self._over.set()
        self.join()
        return self.worst
