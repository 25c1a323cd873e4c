"""The pool of processes: every job once, errors sent home, dead workers noticed and blamed."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from twofold.errors import InputError
from twofold.execution import work_folder
from twofold.execution.backends import Processes
from twofold.execution.pool import Pool, WorkersLost
from twofold.execution.worker import Limits
from waits import HangingClock, is_gone


@dataclass
class Squares:
    """Squares numbers; some numbers are trouble."""

    offset: int = 0

    def do(self, job):
        if job == -1:
            raise InputError("No negative numbers.", "Use others.")
        if job == -2:
            os.kill(os.getpid(), signal.SIGKILL)
        if job == -3:
            raise Unsendable(1, 2)
        if job == -4:
            print("this must not get among the answers")
            os.write(1, b"nor this")
        if job == -5:
            time.sleep(600)
        return os.getpid(), job * job + self.offset


@dataclass
class Owned:
    """Jobs are pairs of an owner and what happens; failures are results."""

    folder: str = ""

    def owner(self, job):
        return job[0]

    def fail(self, job, reason, details=""):
        return "failed", reason, details

    def shares_fate(self, failed, job):
        return failed[0] == job[0]

    def do(self, job):
        return getattr(self, f"do_{job[1]}")()

    def do_well(self):
        return os.getpid()

    def do_exit(self):
        print("the last words")
        os._exit(3)

    def do_segfault(self):
        os.kill(os.getpid(), signal.SIGSEGV)

    def do_die_once(self):
        mark = Path(self.folder, "mark")
        if not mark.exists():
            mark.write_text("")
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid()

    def do_hang(self):
        with Path(self.folder, "hanging").open("a") as stream:
            stream.write(f"{os.getpid()}\n")
        time.sleep(600)

    def do_eat(self):
        return len(bytearray(4_000_000_000))

    def do_close(self):
        os.closerange(0, 100)

    def do_vandalise(self):
        import numpy

        numpy.zeros = None
        os.environ["TWOFOLD_VANDAL"] = "was here"
        os.chdir("/")

    def do_look(self):
        import numpy

        return numpy.zeros is None, os.environ.get("TWOFOLD_VANDAL"), os.getcwd()

    def do_read(self):
        return sys.stdin.read(), os.read(0, 10)

    def do_leave_child(self):
        child = [sys.executable, "-c", "import time; time.sleep(600)"]
        daemon = subprocess.Popen(child, start_new_session=True)
        return subprocess.Popen(child).pid, daemon.pid

    def do_fork(self):
        child = os.fork()
        if child:
            os.waitpid(child, 0)  # whoever answers, the copy is first
        return "the worker" if child else "a copy"

    def do_folder(self):
        import tempfile

        return tempfile.gettempdir()


class Unsendable(Exception):
    def __init__(self, a, b):
        super().__init__("cannot be rebuilt from this")


@pytest.fixture
def pool():
    made = Pool(2)
    yield made
    made.close()


def do_owned(pool, *jobs, folder=""):
    return dict(pool.imap(Owned(str(folder)), jobs))


def test_every_job_is_done_once_and_workers_are_used_again(pool):
    work = Squares()
    first = list(pool.imap(work, range(30)))
    assert sorted((job, result) for job, (_, result) in first) == [(i, i * i) for i in range(30)]
    second = dict(pool.imap(work, range(5)))
    assert {pid for _, (pid, _) in first} >= {pid for pid, _ in second.values()}
    assert os.getpid() not in {pid for pid, _ in second.values()}
    other = dict(pool.imap(Squares(offset=7), range(5)))
    assert [other[i][1] for i in range(5)] == [7, 8, 11, 16, 23]


def test_errors_come_home(pool):
    with pytest.raises(InputError, match="No negative") as caught:
        list(pool.imap(Squares(), [1, 2, -1, 3]))
    assert caught.value.remedy == "Use others."
    with pytest.raises(RuntimeError, match="Unsendable: cannot be rebuilt"):
        list(pool.imap(Squares(), [-3]))


def test_prints_do_not_get_among_the_answers(pool, capfd):
    assert [result for _, (_, result) in pool.imap(Squares(), [-4])] == [16]
    assert capfd.readouterr() == ("", "")


def test_work_that_kills_its_workers_is_given_up(pool):
    with pytest.raises(WorkersLost, match="signal 9") as lost:
        list(pool.imap(Squares(), [*range(10), -2, *range(20, 30)]))
    assert lost.value.job == -2
    assert len(list(pool.imap(Squares(), range(4)))) == 4


def test_leaving_early_ends_what_was_begun(pool):
    stream = pool.imap(Squares(), [1, -5, -5, -5])
    job, (pid, _) = next(stream)
    assert job == 1
    stream.close()
    assert is_gone(pid)
    assert len(list(pool.imap(Squares(), range(4)))) == 4


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("exit", "its process ended by itself (exit code 3); it last wrote: the last words"),
        ("segfault", "its process died (signal 11, segmentation fault)"),
        ("close", "its process ended by itself (exit code 0)"),
    ],
)
def test_the_job_that_cost_its_worker_is_blamed_and_no_other(pool, kind, words):
    jobs = [("a", "well", 0), ("b", kind, 0), ("b", kind, 1), ("c", "well", 0), ("a", "well", 1)]
    results = do_owned(pool, *jobs)
    assert results["b", kind, 0][:2] == results["b", kind, 1][:2] == ("failed", words)
    assert len({results["a", "well", 0], results["c", "well", 0]} - {os.getpid()}) == 2


def test_a_job_that_was_killed_once_is_done_again(pool, tmp_path):
    jobs = [("a", "die_once"), ("b", "well"), ("c", "well")]
    results = do_owned(pool, *jobs, folder=tmp_path)
    assert len(set(results.values())) == 3


def test_jobs_are_taken_as_they_are_needed():
    backend = Processes(2)
    taken = []
    jobs = (taken.append(i) or ("a", "well", i) for i in range(100))
    try:
        stream = backend.imap(Owned(), jobs)
        next(stream)
        assert len(taken) < 10
        assert len(list(stream)) == 99
    finally:
        backend.close()


def test_our_own_work_is_done_here_while_others_code_never_is():
    backend = Processes(2)
    jobs = [(owner, "well", i) for i in range(5) for owner in (None, "a", "b")]
    try:
        results = dict(backend.imap(Owned(), jobs))
    finally:
        backend.close()
    here = {job[0] for job, process in results.items() if process == os.getpid()}
    assert here == {None}
    assert len(results) == 15


def test_time_that_is_up_ends_a_job_that_hangs(tmp_path):
    backend = Processes(1)
    work = Owned(str(tmp_path))
    try:
        assert list(backend.imap(work, [("b", "hang")], time.monotonic() + 0.1)) == []
    finally:
        backend.close()


def test_a_task_that_takes_too_long_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("time.monotonic", HangingClock(tmp_path / "hanging"))
    pool = Pool(1, Limits(seconds=0.2))
    jobs = [("a", "hang"), ("b", "well"), ("a", "hang", 2)]
    try:
        results = do_owned(pool, *jobs, folder=tmp_path)
    finally:
        pool.close()
    assert results["a", "hang"][1] == "it did not finish in 0.2 seconds (`task_timeout`)"
    assert isinstance(results["b", "well"], int)


def test_memory_is_limited():
    pool = Pool(1, Limits(memory=2_000_000_000))
    try:
        results = do_owned(pool, ("a", "eat"), ("b", "well"))
    finally:
        pool.close()
    assert results["a", "eat"][1] == "MemoryError: no message"
    assert isinstance(results["b", "well"], int)


def test_what_a_learner_does_to_its_process_harms_no_other(pool):
    pool.count = 1
    results = do_owned(pool, ("a", "vandalise"), ("a", "look"), ("b", "look"))
    assert results["a", "look"] == (True, "was here", "/")
    assert results["b", "look"] == (False, None, os.getcwd())


def test_the_input_is_empty(pool):
    assert do_owned(pool, ("a", "read")) == {("a", "read"): ("", b"")}


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux")
def test_children_of_learners_end_with_them(pool):
    children = do_owned(pool, ("a", "leave_child"))["a", "leave_child"]
    assert not any(map(is_gone, children))
    pool.close()
    assert all(map(is_gone, children))


def test_a_learner_that_forks_answers_once_and_for_its_own_job(pool):
    pool.count = 1
    answers = list(pool.imap(Owned(), [("a", "fork"), ("a", "read")]))
    assert answers == [(("a", "fork"), "the worker"), (("a", "read"), ("", b""))]


def test_folders_of_learners_are_removed(pool, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = Path(do_owned(pool, ("a", "folder"))["a", "folder"])
    assert folder.parent.parent == tmp_path
    assert folder.exists()
    pool.close()
    assert list(tmp_path.iterdir()) == []


def test_folders_of_dead_processes_are_removed_and_no_others(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine = work_folder.make_folder()
    machine, process, start = mine.name.split("-")[1:4]
    dead = tmp_path / f"twofold-{machine}-{process}-{int(start) - 1}-abc"
    elsewhere = tmp_path / f"twofold-00000000-{process}-1-abc"
    strange = tmp_path / "twofold-notes"
    for folder in (dead, elsewhere, strange):
        (folder / "inside").mkdir(parents=True)
    (tmp_path / f"twofold-{machine}-{process}-5-link").symlink_to(strange)
    other = work_folder.make_folder()
    assert not dead.exists()
    assert mine.exists()
    assert other.exists()
    assert elsewhere.exists()
    assert (strange / "inside").exists()


def test_a_server_that_is_killed_is_replaced(pool):
    stream = pool.imap(Squares(), range(30))
    results = [next(stream)]
    pool._server._process.kill()
    results += stream
    assert sorted(job for job, _ in results) == list(range(30))
