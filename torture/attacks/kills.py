"""The main process is killed, or asked to end, at a random moment of a run.

What was finished a quarter of a second before is in the store, the same command goes on to the
same table, and nothing is left behind. On a busy machine everything takes longer: a quarter of a
second is counted from the moment at which a thread of that machine would have woken up four times
and written to the disk, by the longest that this took during the trial.
"""

from __future__ import annotations

import signal
import time
from pathlib import Path
from random import Random

from torture.attack import Attack, Harm
from torture.forked_command import Delays, ForkedCommand, count_saved, make_table, missing
from twofold.execution.work_folder import remove_remains

PROMISED = 0.25
WAKE_UPS = 4
RUNS = 60
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _write_arguments(runs: int, *options: str) -> tuple[str, ...]:
    table = ["--design", f"resample:{runs}:0.3", "-o", "scores.csv", "--store", "runs.sqlite"]
    return ("run", "mine.py:Logged", "mine.py:Hanging", "--data", "iris", *table, *options)


def _resume(folder: Path, runs: int) -> list[Harm]:
    """Let the same command go on; return what is wrong with the table, or left of the first one."""
    command = ForkedCommand(folder, _write_arguments(runs), writer="b")
    code = command.wait()
    if code != 0:
        return [Harm("lost", f"going on ended with {code}: {command.read_printed()[-500:]}")]
    harm = command.check_printed()
    if (folder / "scores.csv").read_bytes() != make_table(_write_arguments(runs)):
        harm.append(Harm("wrong", "the table differs from that of an undisturbed run"))
    if all(task.writer != "b" for task in command.list_finished()):
        remove_remains(command.temporary)  # as the next process does that has work for workers
    left = [path.name for path in command.temporary.iterdir()]
    left += [path.name for path in folder.iterdir() if path.name.startswith("runs.sqlite-")]
    left += [path.name for path in folder.iterdir() if path.name.endswith(".part")]
    return harm + [Harm("left-over", f"files are left: {left}")] * bool(left)


def _disturb(random: Random, folder: Path, number: int) -> tuple[ForkedCommand, list[Harm]]:
    """Send a signal at a random moment; return what was lost."""
    pause = random.choice([0.0, 0.005, 0.02, 0.1, 0.4])
    options = ["--workers", random.choice(["1", "2"])]
    delays = Delays(folder)
    command = ForkedCommand(folder, _write_arguments(RUNS, *options), pause=pause)
    delays.start()
    if random.random() < 0.9:
        command.wait_for_first()
    moment = time.monotonic() + random.uniform(0, 2.5)
    while command.runs() and time.monotonic() < moment:
        time.sleep(0.005)
    if not command.runs():
        command.wait()
        delays.stop()
        return command, []
    sent = command.signal(number)
    command.wait()
    latest = sent - PROMISED - WAKE_UPS * delays.stop()
    due = sum(task.time < latest for task in command.list_finished())
    saved = count_saved(folder / "runs.sqlite")
    if saved < due:
        return command, [Harm("lost", f"{due} tasks were finished in time, {saved} are saved")]
    return command, []


def kill(random: Random, folder: Path) -> list[Harm]:
    """Kill the main process."""
    command, harm = _disturb(random, folder, signal.SIGKILL)
    return harm + command.check_left_over() + _resume(folder, RUNS)


def ask_to_end(random: Random, folder: Path) -> list[Harm]:
    """Send a signal that a user, a system or a terminal sends."""
    number = random.choice(SIGNALS)
    command, harm = _disturb(random, folder, number)
    code = command.wait()
    if code not in (0, 128 + number):
        words = f"{number.name} ended it with {code}: {command.read_printed()[-500:]}"
        harm.append(Harm("wrong", words))
    left = [path.name for path in command.temporary.iterdir()]
    harm += [Harm("left-over", f"temporary files are left: {left}")] * bool(left)
    return harm + command.check_printed() + command.check_left_over() + _resume(folder, RUNS)


def kill_while_one_hangs(random: Random, folder: Path) -> list[Harm]:
    """Wait until a finished task is in the store while the next one hangs; then kill."""
    wait = folder / "log.wait"
    wait.touch()
    command = ForkedCommand(folder, _write_arguments(2, "--workers", "1"))
    while command.runs() and not count_saved(folder / "runs.sqlite"):
        time.sleep(0.01)
    command.signal(signal.SIGKILL)
    command.wait()
    wait.unlink()
    harm = command.check_left_over()
    if not command.list_finished():
        harm.append(Harm("wrong", f"nothing was done: {command.read_printed()[-500:]}"))
    return harm + _resume(folder, 2)


ATTACKS = [
    Attack("kill the main process", kill, trials=200, short=0, missing=missing),
    Attack("ask the main process to end", ask_to_end, trials=60, short=0, missing=missing),
    Attack("kill while a task hangs", kill_while_one_hangs, trials=20, missing=missing),
]
