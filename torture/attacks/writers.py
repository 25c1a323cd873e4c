"""Eight processes with the same command on one store, one of which is killed.

They share the work: each task is done once, but for those that the killed one took with it, and all
tables are the same.
"""

from __future__ import annotations

import atexit
import signal
import time
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

import torture.postgres
from torture.attack import Attack, Harm
from torture.forked_command import ForkedCommand, make_table, missing
from twofold.execution.store import open_store

WRITERS = 8
RUNS = 24
LEARNERS = ("Logged", "Hanging")


@cache
def start_postgres() -> torture.postgres.PostgresServer:
    """Return a server that ends with this process."""
    server = torture.postgres.PostgresServer()
    atexit.register(server.close)
    return server


def _write_arguments(store: str, table: str) -> tuple[str, ...]:
    names = [f"mine.py:{name}" for name in LEARNERS]
    design = ["--data", "iris", "--design", f"resample:{RUNS}:0.3", "--workers", "0"]
    return ("run", *names, *design, "--store", store, "-o", table)


def _start(folder: Path, store: str, writer: str, pause: float) -> ForkedCommand:
    arguments = _write_arguments(store, f"scores-{writer}.csv")
    return ForkedCommand(folder, arguments, writer=writer, pause=pause)


def share(random: Random, folder: Path, store: str) -> list[Harm]:
    """Start all at once and kill one; return what was lost, wrong, or done twice."""
    open_store(store).close()
    pause = random.choice([0.0, 0.01, 0.05])
    commands = {str(i): _start(folder, store, str(i), pause) for i in range(WRITERS)}
    victim = random.choice(sorted(commands))
    commands[victim].wait_for_first()
    time.sleep(random.uniform(0, RUNS * pause))
    killed = commands[victim].runs()
    if killed:
        commands[victim].signal(signal.SIGKILL)
    harm: list[Harm] = []
    for writer, command in commands.items():
        code = command.wait()
        harm += command.check_left_over()
        if killed and writer == victim:
            continue
        harm += command.check_printed()
        file = folder / f"scores-{writer}.csv"
        if code != 0:
            words = f"writer {writer} ended with {code}: {command.read_printed()[-500:]}"
            harm.append(Harm("lost", words))
        elif file.read_bytes() != make_table(_write_arguments(":memory:", "scores.csv")):
            harm.append(Harm("wrong", f"the table of writer {writer} differs"))
    return harm + _check_fits(commands[victim], victim if killed else "", store)


def _check_fits(command: ForkedCommand, victim: str, store: str) -> list[Harm]:
    """Return tasks that are not in the store, or that were done twice without need."""
    finished = command.list_finished()
    fits = Counter((task.learner, task.content) for task in finished if task.writer != victim)
    tasks = {(task.learner, task.content) for task in finished}
    with open_store(store) as opened:
        saved = len(opened.tasks())
    harm = []
    if len(tasks) != RUNS * len(LEARNERS) or saved != len(tasks):
        harm.append(Harm("lost", f"{len(tasks)} tasks were done, {saved} are saved"))
    again = [task for task, count in fits.items() if count > 1]
    if again:
        harm.append(Harm("wrong", f"{len(again)} of {len(tasks)} tasks were done twice"))
    return harm


def share_sqlite(random: Random, folder: Path) -> list[Harm]:
    """Share a file."""
    return share(random, folder, str(folder / "runs.sqlite"))


def share_postgres(random: Random, folder: Path) -> list[Harm]:
    """Share a database."""
    return share(random, folder, start_postgres().make_url())


def missing_postgres() -> str:
    """Return what this machine lacks for a server and for commands, or an empty text."""
    return missing() or torture.postgres.missing()


ATTACKS = [
    Attack("eight writers on SQLite", share_sqlite, trials=30, missing=missing),
    Attack("eight writers on PostgreSQL", share_postgres, trials=30, missing=missing_postgres),
]
