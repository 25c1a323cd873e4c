"""Dask workers and schedulers that come and go, and workers of another build."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import twofold
from torture.attack import Attack, Harm
from torture.dask_cluster import Cluster, extend_path
from twofold.execution.store import open_store
from twofold.scores.write import write_scores

LEARNER = """
import os, time
from sklearn.naive_bayes import GaussianNB
from helper import pause

class Marked(GaussianNB):
    def fit(self, X, y):
        if "MARKS" in os.environ:
            with open(os.environ["MARKS"], "a") as stream:
                stream.write(f"{os.getpid()}\\n")
            time.sleep(pause())
        return super().fit(X, y)
"""
HELPER = "def pause():\n    return 0.02\n"
OTHER_HELPER = "def pause():\n    return 0.03\n"


def _missing() -> str:
    return "" if importlib.util.find_spec("distributed") else "Dask is not installed"


class Run:
    """One `twofold run` on a cluster, and what it said."""

    def __init__(self, folder: Path, address: str, design: str, path: Path | None = None) -> None:
        self.folder, self.design = folder, design
        command = [*("run", f"{folder}/mine.py:Marked", "tree", "--data", "iris")]
        command += ["--design", design, "--on", address, "--store", str(folder / "runs.sqlite")]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "twofold", *command, "-o", str(folder / "scores.csv")],
            env=extend_path(path),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self) -> str:
        """Wait for the end, and return what was printed."""
        out, err = self.process.communicate()
        return out + err

    def check_table(self, said: str) -> list[Harm]:
        """Return what is wrong with a run that should have gone through."""
        if self.process.returncode:
            return [Harm("lost", f"the run ended with {self.process.returncode}: {said[-500:]}")]
        if (self.folder / "scores.csv").read_bytes() != _make_table(self.design):
            return [Harm("wrong", f"the table differs from an undisturbed run's: {said[-500:]}")]
        return _check_words(said)

    def check_end(self, said: str, *words: str) -> list[Harm]:
        """Return what is wrong with a run that should have ended in two lines."""
        harm = _check_words(said)
        if self.process.returncode != 2 or any(word not in said for word in words):
            harm.append(Harm("wrong", f"ended with {self.process.returncode}: {said[-500:]}"))
        return harm


def _write_learner(folder: Path) -> None:
    (folder / "mine.py").write_text(LEARNER, encoding="utf-8")
    (folder / "helper.py").write_text(HELPER, encoding="utf-8")


@cache
def _make_table(design: str) -> bytes:
    """Return the table of a run that nobody disturbs."""
    with tempfile.TemporaryDirectory() as name:
        _write_learner(Path(name))
        return _run_here(Path(name), design, workers=1)


def _run_here(folder: Path, design: str, **options: Any) -> bytes:
    """Run the learners from this process, and return the table as a file."""
    learners = [f"{folder}/mine.py:Marked", "tree"]
    scores = twofold.run(learners, "iris", design=design, store=":memory:", **options)
    write_scores(scores, str(folder / "here.csv"))
    return (folder / "here.csv").read_bytes()


def _check_words(said: str) -> list[Harm]:
    noise = [word for word in ("Traceback", "Exception", "asyncio", "distributed.") if word in said]
    return [Harm("traceback", said[-1000:])] if noise else []


def _wait_for_marks(marks: Path, count: int, run: Run | None = None) -> None:
    """Wait until so many fits were begun, or the run is over before."""
    while _count_marks(marks) < count:
        if run is not None and run.process.poll() is not None:
            return
        time.sleep(0.01)


def _count_marks(marks: Path) -> int:
    return len(marks.read_text().split()) if marks.exists() else 0


def _count_processes(marks: Path) -> int:
    """Return how many of the processes that fitted something are alive."""
    pids = set(marks.read_text().split()) if marks.exists() else set()
    return sum(Path(f"/proc/{pid}").exists() for pid in pids)


def kill_one_worker(random: Random, folder: Path) -> list[Harm]:
    """Kill one of two workers in the middle; no other comes."""
    design, marks = "3x5", folder / "marks.txt"
    _write_learner(folder)
    count = random.randint(1, 8)

    def kill() -> None:
        _wait_for_marks(marks, count)
        cluster.kill_worker(random.randrange(2))

    reference = _make_table(design)
    with patch.dict(os.environ, MARKS=str(marks)), Cluster(folder) as cluster:
        cluster.start_workers(2)
        killer = threading.Thread(target=kill)
        killer.start()
        table = _run_here(folder, design, on=cluster.address)
        killer.join()
    return [] if table == reference else [Harm("wrong", "the table has changed")]


def kill_workers(random: Random, folder: Path) -> list[Harm]:
    """Kill a worker after every few fits and start another, through a whole experiment."""
    design, marks = "40x5", folder / "marks.txt"
    _write_learner(folder)
    _make_table(design)
    with patch.dict(os.environ, MARKS=str(marks)), Cluster(folder) as cluster:
        cluster.start_workers(3, threads=random.choice([1, 1, 2]))
        run = Run(folder, cluster.address, design)
        while run.process.poll() is None:
            # On a busy machine workers would else be killed before they have begun.
            _wait_for_marks(marks, _count_marks(marks) + random.randint(1, 30), run)
            how = random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
            cluster.kill_worker(random.randrange(len(cluster.workers)), how)
            if random.random() < 0.2:  # sometimes there is none for a while
                while cluster.workers:
                    cluster.kill_worker(0)
                time.sleep(random.uniform(0.0, 3.0))
            cluster.start_workers(3 - len(cluster.workers))
        said = run.end()
    time.sleep(1.0)
    harm = run.check_table(said.replace("waiting for Dask workers", ""))
    if _count_processes(marks):
        harm.append(Harm("left-over", f"{_count_processes(marks)} processes"))
    return harm


def kill_scheduler(random: Random, folder: Path) -> list[Harm]:
    """Kill the scheduler: two lines. The same command then goes on with another scheduler."""
    design, marks = "6x5", folder / "marks.txt"
    _write_learner(folder)
    _make_table(design)
    with patch.dict(os.environ, MARKS=str(marks)):
        with Cluster(folder) as cluster:
            cluster.start_workers(2)
            run = Run(folder, cluster.address, design)
            _wait_for_marks(marks, random.randint(1, 40), run)
            cluster.kill_scheduler(random.choice([signal.SIGKILL, signal.SIGTERM]))
            if random.random() < 0.5:  # another takes its place in time
                while cluster.workers:
                    cluster.kill_worker(0)
                cluster.start_scheduler()
                cluster.start_workers(2)
                return run.check_table(run.end())
            said = run.end()
            harm = run.check_end(said, "scheduler", "kept") if run.process.returncode else []
        with open_store(folder / "runs.sqlite") as store:
            before = sum(record.task.learner == "Marked" for record in store.tasks())
        with Cluster(folder) as cluster:
            cluster.start_workers(2)
            fits = _count_marks(marks)
            again = Run(folder, cluster.address, design)
            harm += again.check_table(again.end())
        again_fits = (_count_marks(marks) - fits) // 5
        if again_fits > 6 - before:
            harm.append(Harm("lost", f"{before} of 6 kept, and {again_fits} done again"))
        return harm


def use_another_build(random: Random, folder: Path) -> list[Harm]:
    """Let a worker have another library of the learner's author, or another twofold."""
    _write_learner(folder)
    own, other = folder / "own", folder / "other"
    own.mkdir()
    other.mkdir()
    kind = random.choice(["helper", "twofold"])
    if kind == "helper":
        (folder / "helper.py").rename(own / "helper.py")
        (other / "helper.py").write_text(OTHER_HELPER, encoding="utf-8")
    else:
        source = Path(twofold.__file__).parent
        shutil.copytree(source, other / "twofold", ignore=shutil.ignore_patterns("__pycache__"))
        with (other / "twofold" / "seeds.py").open("a", encoding="utf-8") as file:
            file.write("# changed\n")
    with Cluster(folder) as cluster:
        [address] = cluster.start_workers(path=other)
        run = Run(folder, cluster.address, "2x5", own)
        said = run.end()
        harm: list[Any] = run.check_end(said, "differs", address)
    with open_store(folder / "runs.sqlite") as store:
        kept = [record.task.learner for record in store.tasks()]
    if kind == "helper":
        kept = [learner for learner in kept if learner != "tree"]
    if kept:
        harm.append(Harm("stale", f"kept of a worker of another build: {kept}"))
    return harm


ATTACKS = [
    Attack("kill one of two Dask workers", kill_one_worker, trials=10, missing=_missing),
    Attack("kill Dask workers again and again", kill_workers, 30, 0, _missing),
    Attack("kill the Dask scheduler", kill_scheduler, 20, 0, _missing),
    Attack("Dask workers of another build", use_another_build, 10, 0, _missing),
]
