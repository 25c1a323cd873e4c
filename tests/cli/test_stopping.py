"""Ctrl-C and kill: what was finished is kept, two lines are printed, no process is left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from twofold import signals
from twofold.cli import main
from twofold.execution.store import open_store
from waits import wait_until

pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="reads /proc")

FILE = Path(__file__).parents[1] / "execution" / "learners_for_tests.py"
FULL = 4
"""Processes of a command with two workers: itself, the workers, and what they are copies of."""

MESSAGE = "twofold: stopped.\nWhat was finished is kept; the same command goes on from there.\n"


def without_compiling(message):
    """What was said, but for kernels that no test before had compiled."""
    lines = message.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("Compiling "))


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


def pick(fast, *slow):
    """Return parameters: the first are tried each time, the others in the slow lane."""
    return [*fast, *(pytest.param(*values, marks=pytest.mark.slow) for values in slow)]


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
    "study --data": (
        *("study", "--learners", f"slow={FILE}:Slow(delay=0.03),majority", "--data", "iris"),
        *("--tests", "cv-t@1x5", "--repetitions", "2000"),
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
    wait_until(lambda: len(processes(mark)) == FULL)
    # With other processes at work, this one does nothing but save.
    before = records(file)
    wait_until(lambda: records(file) > before)
    return records(file)


@pytest.mark.parametrize(
    ("name", "stop", "code"),
    pick(
        [("compare", often, 130), ("study", term, 143)],
        ("study --data", often, 130),
        ("calibrate", often, 130),
        ("reproduce", often, 130),
    ),
)
def test_every_command_is_stopped_in_order(tmp_path, name, stop, code):
    file = tmp_path / "kept.sqlite"
    process, mark = start(tmp_path, *COMMANDS[name], "--workers", "2", "--store", str(file))
    try:
        before = workers_save(file, mark)
        stop(process)
        _, message = process.communicate()
    finally:
        if process.poll() is None:
            process.kill()
    assert without_compiling(message) == MESSAGE
    assert process.returncode == code
    wait_until(lambda: not processes(mark))
    with open_store(file) as store:
        assert store.check() == []
    assert records(file) >= before


@pytest.mark.parametrize(
    "name", pick(["compare"], *((name,) for name in COMMANDS if name != "compare"))
)
def test_workers_end_with_the_process_that_started_them(tmp_path, name):
    process, mark = start(tmp_path, *COMMANDS[name], "--workers", "2", "--store", ":memory:")
    wait_until(lambda: len(processes(mark)) == FULL)
    process.kill()
    _, message = process.communicate()
    wait_until(lambda: not processes(mark))
    assert message == ""


@pytest.mark.parametrize("time_", pick(["once"], ("again",), ("a third",)))
@pytest.mark.parametrize(
    ("stop", "code"), pick([(group, 130)], (term, 143), (alone, 130), (often, 130))
)
def test_no_more_is_lost_than_what_workers_have_in_hand(tmp_path, stop, code, time_):
    marks, store = tmp_path / "marks", tmp_path / "runs.sqlite"
    (tmp_path / "hold").touch()
    process, mark = start(
        tmp_path,
        *("compare", f"marking={FILE}:Marking(folder='{tmp_path}')", "majority"),
        *("--data", "iris", "--design", "200x5", "--workers", "2", "--store", str(store)),
    )
    try:
        # Fits of two processes, and more than they have in hand.
        wait_until(lambda: marks.exists() and is_under_way(marks.read_text().split()), process)
        before = len(processes(mark))
        stop(process)
        _, message = process.communicate()
    finally:
        if process.poll() is None:
            process.kill()
    assert before == FULL
    assert without_compiling(message) == MESSAGE
    assert process.returncode == code
    wait_until(lambda: not processes(mark))
    with open_store(store) as opened:
        assert opened.check() == []
        fits = len(marks.read_text().split())
        finished = sum(record.task.learner == "marking" for record in opened.tasks())
        # Every run takes five fits; each of two workers has at most two runs in hand.
        assert fits / 5 - 4 <= finished <= fits / 5
        assert finished > 0


def is_under_way(fits):
    return len(set(fits)) == 2 and len(fits) >= 20  # with twenty of them both wait


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
    done = []

    def work():
        try:
            os.kill(os.getpid(), signal.SIGINT)
            done.append("more work")
        finally:
            os.kill(os.getpid(), signal.SIGINT)
            done.append("tidied up")

    with pytest.raises(signals.Stopped), signals.raise_on_signals(for_good=False):
        work()
    assert done == ["tidied up"]


class Disposed:
    """Sends a signal, or fails, when it is disposed of."""

    def __init__(self, do):
        self.do = do

    def __del__(self):
        self.do()


def test_a_signal_that_python_swallows_comes_again(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda swallowed: told.append(swallowed.exc_type))

    def work():
        Disposed(lambda: signal.raise_signal(signal.SIGTERM))
        Disposed(lambda: 1 / 0)  # is told of as ever
        while True:
            time.sleep(0.01)

    with pytest.raises(signals.Stopped) as caught, signals.raise_on_signals(for_good=False):
        work()
    assert caught.value.number == signal.SIGTERM
    assert told == [ZeroDivisionError]
