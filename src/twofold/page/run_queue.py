"""Experiments that were started from the page: one at a time, each in a process of its own."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from twofold.errors import InputError
from twofold.page import page_limits
from twofold.page.run_process import JOB, REPLY, RunJob
from twofold.processes import describe_process

Status = Literal["waiting", "running", "stopping", "stopped", "refused", "failed", "done"]

GOING = ("waiting", "running", "stopping")
START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from twofold.page.run_process import main; main(sys.argv[2])"
)


@dataclass
class PageRun:
    """An experiment that was started: how it stands, and what came of it."""

    key: str
    title: str
    query: str
    job: RunJob
    status: Status = "waiting"
    problem: tuple[str, str] | None = None
    answer: bytes = b""
    process: str = ""
    _popen: subprocess.Popen[bytes] | None = None

    @property
    def is_going(self) -> bool:
        """Whether it waits or runs."""
        return self.status in GOING


class RunQueue:
    """Starts experiments one after another, and stops them."""

    def __init__(self) -> None:
        self._runs: OrderedDict[str, PageRun] = OrderedDict()
        self._lock = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._folder = ""

    def open(self, folder: str) -> None:
        """Say where files may be written on the way."""
        self._folder = folder

    def find(self, key: str) -> PageRun | None:
        """Return an experiment that was started."""
        return self._runs.get(key)

    def list_runs(self) -> list[PageRun]:
        """Return what was started, the last first."""
        with self._lock:
            return list(reversed(self._runs.values()))

    def count_before(self, run: PageRun) -> int:
        """Return how many experiments come before one that waits."""
        with self._lock:
            going = [each for each in self._runs.values() if each.is_going]
            return going.index(run) if run in going else 0

    def start(self, run: PageRun) -> PageRun:
        """Have an experiment run; one that goes on already, or has an answer, is left as it is."""
        with self._lock:
            known = self._runs.get(run.key)
            if known is not None and (known.is_going or known.status == "done"):
                return known
            if sum(each.is_going for each in self._runs.values()) > page_limits.MOST_WAITING:
                raise InputError(
                    "Too many experiments wait already.", "Stop one of them, or wait for the first."
                )
            self._runs.pop(run.key, None)
            self._runs[run.key] = run
            self._forget_oldest()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="runs", daemon=True)
                self._thread.start()
            self._lock.notify_all()
            return run

    def stop(self, key: str) -> None:
        """Stop an experiment, if it goes on; what is finished is kept."""
        with self._lock:
            run = self._runs.get(key)
            if run is None or run.status not in ("waiting", "running"):
                return
            if run.status == "waiting":
                run.status = "stopped"
                return
            run.status = "stopping"
            popen = run._popen
            if popen is not None:
                _cut_line(popen)
                timer = threading.Timer(page_limits.STOPPING_SECONDS, popen.kill)
                timer.daemon = True
                timer.start()

    def close(self) -> None:
        """Stop all of them, and wait until the last process is gone."""
        with self._lock:
            self._is_closed = True
            keys = [run.key for run in self._runs.values() if run.is_going]
            self._lock.notify_all()
        for key in keys:
            self.stop(key)
        if self._thread is not None:
            self._thread.join()

    def _forget_oldest(self) -> None:
        ended = [run.key for run in self._runs.values() if not run.is_going]
        for key in ended[: max(0, len(ended) - page_limits.MOST_ENDED)]:
            del self._runs[key]

    def _work(self) -> None:
        """Do what waits, one after another, until it is closed."""
        while True:
            with self._lock:
                while True:
                    waiting = [run for run in self._runs.values() if run.status == "waiting"]
                    if self._is_closed:
                        return
                    if waiting:
                        break
                    self._lock.wait()
                run = waiting[0]
                folder = Path(tempfile.mkdtemp(prefix="run-", dir=self._folder))
                (folder / JOB).write_bytes(pickle.dumps(run.job))
                run._popen = _start_process(folder)
                run.process = describe_process(run._popen.pid)
                run.status = "running"
            code = run._popen.wait()
            with self._lock:
                _cut_line(run._popen)
                run._popen = None
                _take_reply(run, folder, code)
                run.job = replace(run.job, files=())  # whoever starts it again brings them along
            shutil.rmtree(folder, ignore_errors=True)


def list_path() -> list[str]:
    """Return where modules are looked for, by names that do not depend on the folder.

    The process of an experiment changes to the folder of uploaded files, of which none is code.
    """
    return list(dict.fromkeys(map(os.path.abspath, sys.path)))


def _start_process(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        # -P: what lies in the current folder is not run unless it was on our own path.
        [sys.executable, "-P", "-c", START, json.dumps(list_path()), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,  # Ctrl-C is for us; it hears of it by its lifeline
    )


def _cut_line(popen: subprocess.Popen[bytes]) -> None:
    if popen.stdin is not None:
        with suppress(OSError):
            popen.stdin.close()


def _take_reply(run: PageRun, folder: Path, code: int) -> None:
    """Note what came of an experiment."""
    try:
        verb, *facts = pickle.loads((folder / REPLY).read_bytes())
    except (OSError, EOFError, pickle.UnpicklingError):
        verb, facts = ("stopped", []) if run.status == "stopping" else ("lost", [])
    run.status = verb if verb in ("done", "refused", "stopped") else "failed"
    if verb == "done":
        (run.answer,) = facts
    elif verb == "refused":
        run.problem = (facts[0], facts[1])
    elif verb == "failed":
        run.problem = (f"This should not happen: {facts[0]}.", "Please report it, with the data.")
    elif verb == "lost":
        reason = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        run.problem = (
            f"The process of the experiment ended before its time, {reason}.",
            "What was finished is kept; start it again to go on.",
        )
