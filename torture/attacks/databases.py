"""Databases that are stopped, killed, locked or full in the middle of a run.

The run waits, goes on, and ends with the table of an undisturbed one; only a full disk ends it, in
two lines, and the same command goes on when there is space again.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random

from torture.attack import Attack, Harm
from torture.attacks.writers import missing_postgres, start_postgres
from torture.forked_command import ForkedCommand, make_table, missing
from twofold.execution.store import open_store

RUNS = 40


def _write_arguments(store: str) -> tuple[str, ...]:
    design = ["--data", "iris", "--design", f"resample:{RUNS}:0.3", "--workers", "1"]
    return ("run", "mine.py:Logged", *design, "--store", store, "-o", "scores.csv")


def _start(folder: Path, store: str, writer: str = "a", pause: float = 0.0) -> ForkedCommand:
    return ForkedCommand(folder, _write_arguments(store), writer=writer, pause=pause)


def _check_end(command: ForkedCommand, store: str) -> list[Harm]:
    """Wait for the end; return what is wrong with it."""
    code = command.wait()
    harm = command.check_printed() + command.check_left_over()
    if code != 0:
        return [*harm, Harm("lost", f"the run ended with {code}: {command.read_printed()[-500:]}")]
    if (command.folder / "scores.csv").read_bytes() != make_table(_write_arguments(":memory:")):
        harm.append(Harm("wrong", "the table differs from that of an undisturbed run"))
    with open_store(store) as opened:
        saved, problems = len(opened.tasks()), opened.check()
    if saved != RUNS or problems:
        harm.append(Harm("lost", f"{saved} of {RUNS} tasks are in the store; {problems}"))
    return harm


def disturb_postgres(random: Random, folder: Path) -> list[Harm]:
    """End connections, and stop, crash or kill the server, again and again."""
    server = start_postgres()
    store = server.make_url()
    command = _start(folder, store, pause=random.choice([0.01, 0.03]))
    command.wait_for_first()
    for _ in range(random.randint(1, 4)):
        time.sleep(random.uniform(0, 0.3))
        disturb = random.choice([server.stop, server.crash, server.kill, server.end_connections])
        if command.runs():
            disturb()
            time.sleep(random.uniform(0, 0.5))
            server.start()
    return _check_end(command, store)


def _hold(random: Random, folder: Path, longest: float) -> list[Harm]:
    """Hold the file of a run, for writing or for oneself alone."""
    store = folder / "runs.sqlite"
    command = _start(folder, str(store), pause=0.01)
    command.wait_for_first()
    holder = sqlite3.connect(store, isolation_level=None, timeout=10)
    for _ in range(random.randint(1, 3)):
        holder.execute(f"BEGIN {random.choice(['IMMEDIATE', 'EXCLUSIVE'])}")
        time.sleep(random.uniform(0, longest))
        holder.execute("ROLLBACK")
        time.sleep(random.uniform(0, 0.2))
    holder.close()
    return _check_end(command, str(store))


def hold_sqlite(random: Random, folder: Path) -> list[Harm]:
    """Hold the file for moments."""
    return _hold(random, folder, 0.6)


def hold_sqlite_long(random: Random, folder: Path) -> list[Harm]:
    """Hold the file for longer than one attempt to write waits."""
    return _hold(random, folder, 25)


@contextmanager
def _mount_small_disk(folder: Path, size: int) -> Iterator[Path]:
    """Mount a disk of so many bytes."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill_disk(random: Random, folder: Path) -> list[Harm]:
    """Let the disk of the store become full, then make space."""
    with _mount_small_disk(folder / "disk", random.randrange(20, 90) * 4096) as disk:
        store = disk / "runs.sqlite"
        command = _start(folder, str(store), pause=random.choice([0.0, 0.02]))
        code = command.wait()
        harm = command.check_printed() + command.check_left_over()
        printed = command.read_printed()
        if code not in (0, 2) or (code == 2 and len(printed.strip().splitlines()) != 2):
            harm.append(Harm("traceback", f"code {code} on a full disk: {printed[-500:]}"))
        subprocess.run(["mount", "-o", "remount,size=50m", disk], check=True)
        return harm + _check_end(_start(folder, str(store), "b"), str(store))


@cache
def _missing_disk() -> str:
    if os.name != "posix" or os.geteuid() != 0 or shutil.which("mount") is None:
        return "only root can mount a small disk"
    try:
        with tempfile.TemporaryDirectory() as name, _mount_small_disk(Path(name) / "disk", 4096):
            return missing()
    except subprocess.CalledProcessError:
        return "this system does not let a small disk be mounted"


ATTACKS = [
    Attack("PostgreSQL lost and back", disturb_postgres, trials=60, missing=missing_postgres),
    Attack("SQLite held by others", hold_sqlite, trials=60, missing=missing),
    Attack("SQLite held for long", hold_sqlite_long, trials=5, short=0, missing=missing),
    Attack("a full disk", fill_disk, trials=60, missing=_missing_disk),
]
