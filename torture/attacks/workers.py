"""Workers that are killed at random while they work: the table is the same to the last byte."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from random import Random

from torture.attack import Attack, Harm

LEARNERS = ("tree", "sklearn.naive_bayes.GaussianNB", "nb", "lda")
RUNS = 12
COMMAND = (sys.executable, "-m", "twofold", "run", *LEARNERS, "--data", "iris", "--workers", "2")


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Kill a worker, or the process they are copies of, every now and then."""
    scores, store = folder / "scores.csv", folder / "store.sqlite"
    temporary = folder / "tmp"
    temporary.mkdir()
    words = ("--design", f"{RUNS}x10", "--store", str(store), "-o", str(scores))
    environment = {**os.environ, "TMPDIR": str(temporary), "TWOFOLD_TORTURE": str(folder)}
    kills = progress = 0
    with subprocess.Popen(
        [*COMMAND, *words], env=environment, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None:
            time.sleep(random.uniform(0.02, 0.3))
            workers = _list_marked(str(folder)) - {process.pid}
            # Something is finished between two kills: a job that costs two workers has failed.
            if workers and (records := _count_records(store)) > progress + 2:
                progress = records
                with contextlib.suppress(OSError):
                    os.kill(random.choice(sorted(workers)), signal.SIGKILL)
                    kills += 1
        assert process.stderr is not None
        message = process.stderr.read()
    harm = []
    if process.returncode != 0 or "Traceback" in message:
        kind = "traceback" if "Traceback" in message else "lost"
        harm.append(Harm(kind, f"after {kills} kills: {process.returncode}: {message[-500:]}"))
    elif scores.read_text("utf-8") != _make_expected():
        harm.append(Harm("wrong", f"another table after {kills} kills"))
    deadline = time.monotonic() + 10
    while _list_marked(str(folder)) and time.monotonic() < deadline:
        time.sleep(0.02)
    if left := _list_marked(str(folder)):
        harm.append(Harm("left-over", f"processes {left}"))
    if files := [file.name for file in temporary.iterdir()]:
        harm.append(Harm("left-over", f"{files}"))
    return harm


def _count_records(store: Path) -> int:
    from twofold.execution.store import open_store

    if not store.exists():
        return 0
    with open_store(store) as opened:
        return len(opened.tasks())


@cache
def _make_expected() -> str:
    words = (*COMMAND, "--design", f"{RUNS}x10", "--store", ":memory:", "-o", "-")
    run = subprocess.run(words, capture_output=True, text=True, check=True)
    return run.stdout


def _list_marked(mark: str) -> set[int]:
    """Return the processes that were started with a mark in their environment."""
    numbers = set()
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and mark.encode() in (folder / "environ").read_bytes():
                numbers.add(int(folder.name))
        except OSError:
            continue
    return numbers


def _missing() -> str:
    return "" if Path("/proc/self/environ").exists() else "there is no /proc"


ATTACKS = [Attack("kill workers while they work", attempt, trials=40, missing=_missing)]
