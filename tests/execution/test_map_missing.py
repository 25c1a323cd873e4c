"""The engine: what the store has is not done again, what is done is saved, whatever happens."""

import os
import signal
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from twofold.execution import Part, compute_arrays, digest, open_store
from twofold.execution.backends import Serial, open_backend
from twofold.execution.map_missing import map_missing
from twofold.execution.missing_jobs import READ_AT_ONCE
from twofold.seeds import rng


@dataclass(eq=False)
class Draws:
    """Draws numbers; leaves a mark for each job, and may die at one."""

    folder: Path
    dies_at: int = -1

    def do(self, job):
        mark = self.folder / f"job-{job}"
        if job == self.dies_at and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        with open(mark, "a") as stream:
            stream.write("x")
        return {"draws": rng(1, "draws", job).random(5), "job": np.array(job)}

    def describe(self, job):
        return f"job {job}"

    def done(self):
        return {int(mark.name[4:]): len(mark.read_text()) for mark in self.folder.iterdir()}


class Groups(Draws):
    """The same, several jobs at a time."""

    def do(self, job):
        return [super(Groups, self).do(each) for each in job]


@pytest.fixture
def pool_at_once(monkeypatch):
    """Use other processes from the second job on."""
    monkeypatch.setattr("twofold.execution.backends.FIRST_HERE", -1.0)


@pytest.fixture
def work(tmp_path):
    (tmp_path / "marks").mkdir()
    return Draws(tmp_path / "marks")


def parts(count):
    return {job: Part(digest("draws", 1, job), "study", "draws") for job in range(count)}


def map_jobs(work, jobs, store, backend, **options):
    map_missing(work, jobs.items(), store.arrays, backend, total=len(jobs), **options)


def map_arrays(work, jobs, store, backend, **options):
    results = {}
    take = results.__setitem__
    map_jobs(work, jobs, store, backend, reuse=take, take=take, **options)
    return {job: results[job] for job in jobs}


def packed(results):
    return [(job, {name: a.tobytes() for name, a in r.items()}) for job, r in results.items()]


@pytest.mark.usefixtures("pool_at_once")
@pytest.mark.parametrize("workers", [1, 2])
def test_only_what_is_missing_is_done(work, tmp_path, workers):
    store = tmp_path / "kept.sqlite"
    few = compute_arrays(work, parts(4), store=store, workers=workers)
    all_of_them = compute_arrays(work, parts(9), store=store, workers=workers)
    assert work.done() == dict.fromkeys(range(9), 1)
    again = compute_arrays(work, parts(9), store=store, workers=workers)
    assert work.done() == dict.fromkeys(range(9), 1)
    fresh = compute_arrays(work, parts(9), store=":memory:", workers=1)
    assert packed(few) == packed(fresh)[:4]
    assert packed(all_of_them) == packed(again) == packed(fresh)


def test_an_open_store_stays_open(work):
    with open_store(":memory:") as store:
        compute_arrays(work, parts(3), store=store, workers=1)
        compute_arrays(work, parts(3), store=store, workers=1)
        assert len(store.arrays.parts()) == 3
    assert work.done() == dict.fromkeys(range(3), 1)


@pytest.mark.usefixtures("pool_at_once")
def test_a_worker_that_dies_changes_nothing(work, tmp_path):
    work.dies_at = 5
    results = compute_arrays(work, parts(9), store=tmp_path / "kept.sqlite", workers=2)
    assert list(results) == list(range(9))
    assert work.done()[5] >= 1


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_finished_work_is_saved_whatever_ends_it(work, error):
    def take(job, arrays):
        if job == 6:
            raise error
        return True

    store = open_store(":memory:")
    with pytest.raises(error):
        map_jobs(work, parts(9), store, Serial(), reuse=take, take=take)
    assert len(store.arrays.parts()) == 7
    work.dies_at = -1
    map_arrays(work, parts(9), store, Serial())
    assert work.done() == dict.fromkeys(range(9), 1)


@dataclass(eq=False)
class Watched(Draws):
    """Each job but the first waits until another connection sees the one before in the store."""

    store: Path = Path()

    def do(self, job):
        with open_store(self.store) as store:
            key = digest("draws", 1, job - 1)
            while job and not store.arrays.get([key]):
                time.sleep(0.01)
        return super().do(job)


def test_saving_does_not_wait_for_the_next_result(tmp_path):
    (tmp_path / "marks").mkdir()
    work = Watched(tmp_path / "marks", store=tmp_path / "kept.sqlite")
    compute_arrays(work, parts(3), store=work.store, workers=1)
    assert work.done() == dict.fromkeys(range(3), 1)


class WatchedInTurn(Watched):
    """Even jobs run somebody else's code, in a worker; odd ones run here, and wait for them."""

    def owner(self, job):
        return None if job % 2 else "somebody"

    def do(self, job):
        return super().do(job) if job % 2 else super(Watched, self).do(job)


def test_saving_does_not_wait_for_what_is_done_here(tmp_path):
    (tmp_path / "marks").mkdir()
    work = WatchedInTurn(tmp_path / "marks", store=tmp_path / "kept.sqlite")
    compute_arrays(work, parts(4), store=work.store, workers=1)
    assert work.done() == dict.fromkeys(range(4), 1)


def test_saving_does_not_wait_for_a_look(work, tmp_path):
    """The answer so far may take long; what workers finish in the meantime is saved."""
    work.owner = lambda job: "somebody"
    path = tmp_path / "kept.sqlite"
    with open_store(path) as store, open_store(path) as other, closing(open_backend(None, 2)) as b:

        def look(job, arrays):
            while len(other.arrays.parts()) < 2:
                time.sleep(0.01)

        options = {"reuse": lambda job, arrays: True, "take": look}
        map_jobs(work, parts(2), store, b, **options)
    assert work.done() == dict.fromkeys(range(2), 1)


def test_jobs_are_taken_as_they_are_needed(work):
    """A thousand million of them would not fit into memory."""
    store, results, taken = open_store(":memory:"), {}, []

    def list_jobs():
        for job in range(1_000_000_000):
            taken.append(job)
            yield job, Part(digest("draws", 1, job), "study", "draws")

    map_missing(
        work,
        list_jobs(),
        store.arrays,
        Serial(),
        total=1_000_000_000,
        reuse=results.__setitem__,
        take=results.__setitem__,
        stop=lambda: len(results) == 7,
    )
    assert list(results) == list(range(7))
    assert len(taken) <= READ_AT_ONCE


def test_it_stops_when_that_is_enough(work):
    store = open_store(":memory:")
    results = {}

    def stop():
        return len(results) == 3

    take = results.__setitem__
    map_jobs(work, parts(9), store, Serial(), reuse=take, take=take, stop=stop)
    assert set(results) == {0, 1, 2}
    assert len(store.arrays.parts()) == 3


def test_what_will_not_do_is_done_again(work):
    store = open_store(":memory:")
    map_arrays(work, parts(3), store, Serial())
    results = {}
    take = results.__setitem__
    options = {"reuse": lambda job, arrays: job != 1, "take": take}
    map_jobs(work, parts(3), store, Serial(), **options)
    assert set(results) == {1}
    assert work.done() == {0: 1, 1: 2, 2: 1}


def test_jobs_that_share_something_are_done_together(tmp_path):
    (tmp_path / "marks").mkdir()
    work, store = Groups(tmp_path / "marks"), open_store(":memory:")
    map_arrays(work, {1: parts(2)[1]}, store, Serial(), together=lambda job: job // 3)
    backend = open_backend(None, 1)
    results = map_arrays(work, parts(7), store, backend, together=lambda job: job // 3)
    assert work.done() == dict.fromkeys(range(7), 1)
    assert [int(arrays["job"]) for arrays in results.values()] == list(range(7))


class Counting:
    """Notes what it sees."""

    def __init__(self):
        self.seen = []

    def begin(self, done, total):
        self.seen.append((done, total))

    def skip(self, count):
        self.seen.append(count)

    def add(self):
        self.seen.append("done")

    def tell(self, line):
        self.seen.append(line)


def test_progress_knows_what_the_store_had(work):
    store, watch = open_store(":memory:"), Counting()
    map_arrays(work, parts(2), store, Serial())
    map_arrays(work, parts(4), store, Serial(), watch=watch)
    assert watch.seen == [(0, 4), 2, "done", "done"]
