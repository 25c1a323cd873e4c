"""Ctrl-C and kill: what was finished is kept, two lines are printed, no process is left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from twofold.cli import main, signals
from twofold.execution.store import open_store

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")

FILE = Path(__file__).parents[1] / "execution" / "learners_for_tests.py"
FULL = 4
"""Processes of a command with two workers: itself, the workers, and what they are copies of."""

MESSAGE = "twofold: stopped.\nWhat was finished is kept; the same command goes on from there.\n"


def processes(mark):
    """Return the processes that were started, by anyone, with a mark in their environment."""
    numbers = set()
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and mark.encode() in (folder / "environ").read_bytes():
                numbers.add(int(folder.name))
        except OSError:
            continue
    return numbers


def wait_for(condition, seconds):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


def start(folder, *command):
    mark = f"TWOFOLD_TEST_MARK={folder}"
    environment = {**os.environ, "TWOFOLD_TEST_MARK": str(folder)}
    process = subprocess.Popen(
        [sys.executable, "-m", "twofold", *command],
        env=environment,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    return process, mark


def group(process):
    os.killpg(process.pid, signal.SIGINT)


def alone(process):
    process.send_signal(signal.SIGINT)


def often(process):
    for _ in range(20):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(0.01)


def term(process):
    process.send_signal(signal.SIGTERM)


# Each takes minutes: none ends before it is stopped.
COMMANDS = {
    "compare": (
        *("compare", f"slow={FILE}:Slow(delay=0.03)", "majority"),
        *("--data", "iris", "--design", "2000x5"),
    ),
    "study": (
        *("study", "--learners", "tree,majority", "--source", "binary:p=0.5"),
        *("--rows", "60", "--datasets", "20000", "--tests", "cv-t@1x2"),
    ),
    "calibrate": (
        *("calibrate", "--learners", "tree,majority"),
        *("--rows", "60", "--datasets", "100000", "--design", "1x2"),
    ),
    "reproduce": ("reproduce", "dietterich1998", "figure9", "--full"),
}


def records(file):
    """Return how many records a store has; none where it is not there yet."""
    if not file.exists():
        return 0
    with open_store(file) as store:
        return len(store.tasks()) + len(store.arrays.parts())


def workers_save(file, mark):
    """Wait until work of other processes is in the store, and return how many records it has."""
    assert wait_for(lambda: len(processes(mark)) == FULL, 90)
    # With other processes at work, this one does nothing but save.
    before = records(file)
    assert wait_for(lambda: records(file) > before, 90)
    return records(file)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_stopped_in_order(tmp_path, name):
    file = tmp_path / "kept.sqlite"
    process, mark = start(tmp_path, *COMMANDS[name], "--workers", "2", "--store", str(file))
    try:
        before = workers_save(file, mark)
        often(process)
        _, message = process.communicate()
    finally:
        if process.poll() is None:
            process.kill()
    assert message == MESSAGE
    assert process.returncode == 130
    assert wait_for(lambda: not processes(mark), 30), "a process was left behind"
    with open_store(file) as store:
        assert store.check() == []
    assert records(file) >= before


@pytest.mark.parametrize("name", COMMANDS)
def test_workers_end_with_the_process_that_started_them(tmp_path, name):
    process, mark = start(tmp_path, *COMMANDS[name], "--workers", "2", "--store", ":memory:")
    assert wait_for(lambda: len(processes(mark)) == FULL, 90)
    process.kill()
    _, message = process.communicate()
    assert wait_for(lambda: not processes(mark), 30)
    assert message == ""


@pytest.mark.parametrize(
    "time_",
    ["once", *(pytest.param(time, marks=pytest.mark.slow) for time in ("again", "a third"))],
)
@pytest.mark.parametrize(
    ("stop", "code"),
    [
        (group, 130),
        (term, 143),
        pytest.param(alone, 130, marks=pytest.mark.slow),
        pytest.param(often, 130, marks=pytest.mark.slow),
    ],
)
def test_no_more_is_lost_than_what_workers_have_in_hand(tmp_path, stop, code, time_):
    marks, store = tmp_path / "marks.txt", tmp_path / "runs.sqlite"
    process, mark = start(
        tmp_path,
        *("compare", f"slow={FILE}:Slow(delay=0.03, marks='{marks}')", "majority"),
        *("--data", "iris", "--design", "200x5", "--workers", "2", "--store", str(store)),
    )
    try:
        # Fits of two processes, and more than they have in hand: the pool is at work.
        assert wait_for(lambda: marks.exists() and is_under_way(marks.read_text().split()), 60)
        before = len(processes(mark))
        stop(process)
        _, message = process.communicate()
    finally:
        if process.poll() is None:
            process.kill()
    assert before == FULL
    assert message == MESSAGE
    assert process.returncode == code
    assert wait_for(lambda: not processes(mark), 5), "a process was left behind"
    with open_store(store) as opened:
        assert opened.check() == []
        fits = len(marks.read_text().split())
        finished = sum(record.task.learner == "slow" for record in opened.tasks())
        # Every run takes five fits; each of two workers has at most two runs in hand.
        assert fits / 5 - 4 <= finished <= fits / 5
        assert finished > 0


def is_under_way(fits):
    return len(set(fits)) == 2 and len(fits) > 25


def test_signals_are_heard_by_others_again_afterwards():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    main(["tests", "--standing", "unsafe"])
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
    with pytest.raises(signals.Stopped), signals.raise_on_signals(for_good=False):
        os.kill(os.getpid(), signal.SIGTERM)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_a_terminal_that_closes_ends_the_work_and_nohup_does_not():
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with pytest.raises(signals.Stopped) as stopped, signals.raise_on_signals(for_good=False):
            os.kill(os.getpid(), signal.SIGHUP)
        assert stopped.value.number == signal.SIGHUP
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        with signals.raise_on_signals(for_good=False):
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_a_second_signal_is_not_heard_while_things_are_tidied_up():
    # In the background of a shell the tests themselves may have been told to ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    done = []

    def work():
        try:
            os.kill(os.getpid(), signal.SIGINT)
            done.append("more work")
        finally:
            os.kill(os.getpid(), signal.SIGINT)
            done.append("tidied up")

    try:
        with pytest.raises(signals.Stopped), signals.raise_on_signals(for_good=False):
            work()
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == ["tidied up"]
