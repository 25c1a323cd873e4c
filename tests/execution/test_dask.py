"""Work on Dask: who does it has the sender's code, and what is lost is done again."""

import pickle
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from twofold.datasets import read_datasets
from twofold.designs import parse_design
from twofold.errors import TwofoldError
from twofold.execution import dask_worker
from twofold.execution.backends import open_backend
from twofold.execution.fit_task import Job, TaskContext
from twofold.execution.parcel import Difference, Unreadable, make_order, pack_work
from twofold.execution.worker import Limits
from twofold.learners import read_learners

pytest.importorskip("distributed")


@dataclass(eq=False)
class Squares:
    """Squares numbers; ends its process at some of them."""

    fatal: int = -1

    def do(self, job):
        if job == self.fatal:
            import os

            print("a last word", flush=True)
            os._exit(1)
        if job < -1:
            raise ValueError("no negative numbers")
        return job * job

    def describe(self, job):
        return f"the square of {job}"


class Forgiving(Squares):
    """Gives a result where there is none."""

    def fail(self, job, reason, details=""):
        return f"{job}: {reason}"


@dataclass(eq=False)
class Waiting(Forgiving):
    """Never ends when it is first tried."""

    file: str = ""

    def do(self, job):
        path = Path(self.file)
        if path.exists():
            return super().do(job)
        path.touch()
        threading.Event().wait()


class Foreign:
    """Cannot be read anywhere."""

    def __reduce__(self):
        return int, ("not a number",)


@pytest.fixture(scope="module")
def backend():
    backend = open_backend("dask", 2)
    yield backend
    backend.close()


def make_context():
    design = parse_design("2x5")
    return TaskContext(read_datasets("iris"), read_learners(["nb", "tree"]), design, 0)


def send(work):
    return pickle.loads(pickle.dumps(pack_work(work, Limits())))


def test_a_parcel_does_what_is_inside():
    context = make_context()
    (done,) = send(context).do(make_order(context, (Job(0, 0, 0),)))
    assert done.outcome is not None
    assert send(Squares()).do(make_order(Squares(), 3)) == 9


def test_other_software_is_refused():
    for name in ("Python", "numpy", "the source of twofold"):
        parcel = send(Squares())
        parcel.software = {**parcel.software, name: "1.0"}
        with pytest.raises(Difference, match=rf"{name}: 1\.0 here, "):
            parcel.do(make_order(Squares(), 3))


def test_other_code_of_a_learner_is_refused():
    context = make_context()
    order = make_order(context, (Job(0, 1, 0),))
    other = replace(order, key=order.key.replace("scikit-learn ", "scikit-learn 0.1"))
    with pytest.raises(Difference, match=r"'tree' on 'iris'.*scikit-learn .* → "):
        send(context).do(other)
    with pytest.raises(Difference, match="'tree' on 'iris'"):
        send(context).do(replace(order, key=None))


def test_what_cannot_be_read_is_refused():
    with pytest.raises(Unreadable, match="not a number"):
        send(Foreign()).do(make_order(Squares(), 3))


def test_results_come_as_jobs_are_taken(backend):
    taken = []

    def jobs():
        for job in range(1000):
            taken.append(job)
            yield job

    stream = backend.imap(Squares(), jobs())
    job, result = next(stream)
    assert result == job * job
    assert len(taken) < 20
    stream.close()
    assert dict(backend.imap(Squares(), range(5))) == {0: 0, 1: 1, 2: 4, 3: 9, 4: 16}


def test_a_job_that_kills_its_process_harms_no_other(backend):
    results = dict(backend.imap(Forgiving(fatal=2), range(5)))
    failure = results.pop(2)
    assert results == {0: 0, 1: 1, 3: 9, 4: 16}
    assert failure.startswith("2: its process")
    with pytest.raises(TwofoldError, match="the square of 2"):
        dict(backend.imap(Squares(fatal=2), range(5)))


def test_a_job_that_dask_recalled_is_done_again(backend, tmp_path):
    file = tmp_path / "begun"

    def drop():
        while not file.exists():
            time.sleep(0.01)
        for busy in list(dask_worker._BUSY.values()):
            busy.drop()

    thread = threading.Thread(target=drop)
    thread.start()
    assert dict(backend.imap(Waiting(file=str(file)), [3])) == {3: 9}
    thread.join()


def test_errors_of_the_work_come_home(backend):
    with pytest.raises(ValueError, match="no negative numbers"):
        dict(backend.imap(Squares(), [-2]))
