"""The pool of processes: every job once, errors sent home, dead workers noticed."""

import os
import signal
import time
from dataclasses import dataclass

import pytest

from twofold.errors import InputError
from twofold.execution.pool import Pool, WorkersLost


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


class Unsendable(Exception):
    def __init__(self, a, b):
        super().__init__("cannot be rebuilt from this")


@pytest.fixture
def pool():
    made = Pool(2)
    yield made
    made.close()


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
    assert capfd.readouterr().out == ""


def test_a_lost_worker_is_reported_with_the_jobs_that_are_left(pool):
    done = []
    stream = pool.imap(Squares(), [*range(10), -2, *range(20, 30)])
    with pytest.raises(WorkersLost) as lost:
        done.extend(job for job, _ in stream)
    assert len(done) == lost.value.done
    assert sorted(done + lost.value.left) == sorted([*range(10), -2, *range(20, 30)])
    assert -2 in lost.value.left
    assert len(list(pool.imap(Squares(), range(4)))) == 4


def test_leaving_early_ends_what_was_begun(pool):
    stream = pool.imap(Squares(), [1, -5, -5, -5])
    job, (pid, _) = next(stream)
    assert job == 1
    stream.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert len(list(pool.imap(Squares(), range(4)))) == 4
