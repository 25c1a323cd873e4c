"""Workers that are killed at random while they work: the table is the same to the last byte."""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
import threading
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

from torture.attack import Attack, Harm
from torture.attacks.learners import Run, list_below, list_left
from torture.forked_command import count_saved, missing

LEARNERS = ("tree", "sklearn.naive_bayes.GaussianNB", "nb", "lda")
COMMON = (*LEARNERS, "--data", "iris", "--workers", "2", "--design", "8x10")

MOST_KILLS = 3


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Kill a worker, or the process they are copies of, every now and then."""
    expected = _make_expected()
    scores, store, temporary = folder / "scores.csv", folder / "store.sqlite", folder / "tmp"
    temporary.mkdir()
    done = threading.Event()
    kills: list[int] = []
    killer = threading.Thread(target=_kill_often, args=(random, store, done, kills))
    killer.start()
    try:
        with patch.object(tempfile, "tempdir", str(temporary)):
            run = Run(folder, "run", *COMMON, "--store", str(store), "-o", str(scores))
    finally:
        done.set()
        killer.join()
    harm = []
    if run.code != 0 or "Traceback" in run.err:
        kind = "traceback" if "Traceback" in run.err else "lost"
        harm.append(Harm(kind, f"{len(kills)} kills: {run.code}: {run.err[-500:]}"))
    elif scores.read_text("utf-8") != expected:
        harm.append(Harm("wrong", f"another table after {len(kills)} kills"))
    if left := list_left():
        harm.append(Harm("left-over", f"processes {left}"))
    if files := [file.name for file in temporary.iterdir()]:
        harm.append(Harm("left-over", f"{files}"))
    return harm


def _kill_often(random: Random, store: Path, done: threading.Event, kills: list[int]) -> None:
    """Kill now and then; something is finished between: a job that costs two workers has failed."""
    progress = 0
    while len(kills) < MOST_KILLS and not done.wait(random.uniform(0.01, 0.2)):
        servers, workers = list_below()
        records = count_saved(store)
        if workers and records > progress + 2:
            progress = records
            with contextlib.suppress(OSError):
                chosen = random.choice([*servers, *workers, *workers])
                os.kill(chosen, signal.SIGKILL)
                kills.append(chosen)


@cache
def _make_expected() -> str:
    with tempfile.TemporaryDirectory() as folder:
        scores = Path(folder, "scores.csv")
        Run(Path(folder), "run", *COMMON, "--store", ":memory:", "-o", str(scores))
        return scores.read_text("utf-8")


ATTACKS = [Attack("kill workers while they work", attempt, trials=100, missing=missing)]
