"""Processes share the work: what is claimed is left to its owner for as long as that one lives."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from twofold.errors import InputError
from twofold.execution import Part, claims, digest, life_signs, open_store
from twofold.execution.backends import Serial
from twofold.execution.map_missing import map_missing
from twofold.execution.store_tables import tables
from twofold.processes import describe_process, is_alive

KEYS = [["a"], ["b", "c"], ["d"]]


@pytest.fixture
def store(database):
    return database


@pytest.fixture
def open_claims(store):
    opened = []

    def make():
        opened.append(store.open_claims())
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def count_rows(store):
    import sqlalchemy as sa

    with store.engine.connect() as connection:
        counted = [
            sa.select(sa.func.count()).select_from(t) for t in (tables().claims, tables().owners)
        ]
        return [connection.execute(query).scalar() for query in counted]


def test_each_job_has_one_owner(store, open_claims):
    first, second = open_claims(), open_claims()
    assert first.claim(KEYS, 1) == {"a"}
    assert second.claim(KEYS, 1) == {"b", "c"}
    assert second.claim(KEYS[:2], 5) == {"b", "c"}
    assert first.claim(KEYS[1:], 5) == {"d"}
    assert second.claim([["a"]], 1) == set()
    first.close()
    assert second.claim([["a"]], 1) == {"a"}
    second.close()
    assert count_rows(store) == [0, 0]


def test_what_is_dropped_goes_to_others(open_claims):
    first, second = open_claims(), open_claims()
    first.claim(KEYS, 3)
    first.drop(["a", "c"])
    assert second.claim(KEYS, 3) == set()
    first.claim([["e"]], 1)
    assert second.claim(KEYS, 3) == {"a", "c"}


def test_a_dead_process_of_this_machine_holds_nothing(store, open_claims, monkeypatch):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        described = describe_process(child.pid)
        assert is_alive(described)
    assert not is_alive(described)
    first, second = open_claims(), open_claims()
    with monkeypatch.context() as patch:
        patch.setattr(claims, "describe_process", lambda number: described)
        first.claim(KEYS, 3)
    assert second.claim(KEYS, 3) == {"a", "b", "c", "d"}
    assert count_rows(store) == [4, 1]


def test_a_number_that_is_used_again_is_another_process():
    described = describe_process(os.getpid())
    if described.endswith("-"):
        pytest.skip("the system does not tell when a process was started")
    assert is_alive(described)
    assert not is_alive(described + "1")


def test_without_a_sign_of_life_claims_are_free(open_claims, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(claims, "BEAT_EVERY", 1000.0)
    monkeypatch.setattr(life_signs.time, "monotonic", lambda: clock[0])
    first, second = open_claims(), open_claims()
    with monkeypatch.context() as patch:
        patch.setattr(claims, "name_machine", lambda: "elsewhere")
        first.claim(KEYS, 3)
    assert second.claim(KEYS, 3) == set()
    clock[0] += life_signs.STALE_AFTER
    assert second.claim(KEYS, 3) == set()
    clock[0] += 1
    assert second.claim(KEYS, 3) == {"a", "b", "c", "d"}


def test_who_was_taken_for_dead_registers_again(store, open_claims, monkeypatch):
    import sqlalchemy as sa

    monkeypatch.setattr(claims, "BEAT_EVERY", 0.01)
    first = open_claims()
    first.claim(KEYS, 3)
    with store.engine.begin() as connection:
        connection.execution_options(twofold_writes=True)
        connection.execute(sa.delete(tables().owners))
    while count_rows(store)[1] == 0:
        pass
    assert first.claim([["e"]], 1) == {"e"}


class Doubles:
    """Doubles a number; some jobs fail."""

    def __init__(self, failing=()):
        self.done = []
        self.failing = failing

    def do(self, job):
        self.done.append(job)
        return None if job in self.failing else {"x": np.array(2 * job)}

    def describe(self, job):
        return f"job {job}"


def label(job):
    return Part(digest("doubles", job), "study", "doubles")


class Listener:
    """Does something when it hears that another process is waited for."""

    def __init__(self, react):
        self.react = react
        self.lines = []

    def begin(self, done, total):
        pass

    skip = add = lambda self, count=1: None

    def tell(self, line):
        self.lines.append(line)
        self.react()


@pytest.fixture(autouse=True)
def say_at_once(monkeypatch):
    monkeypatch.setattr("twofold.execution.map_missing.WAITS_IN_SILENCE", 0)


def map_doubles(store, work, watch=None):
    results = {}
    map_missing(
        work,
        ((job, label(job)) for job in range(4)),
        store.arrays,
        Serial(),
        total=4,
        reuse=results.__setitem__,
        take=results.__setitem__,
        watch=watch,
    )
    return results


def test_what_another_process_does_is_waited_for_and_taken(store, open_claims):
    other = open_claims()
    other.claim([[label(1).key]], 1)

    def finish():
        store.arrays.put([(label(1), {"x": np.array(2)})])

    work, watch = Doubles(), Listener(finish)
    results = map_doubles(store, work, watch)
    assert work.done == [0, 2, 3]
    assert {job: int(arrays["x"]) for job, arrays in results.items()} == {0: 0, 2: 4, 3: 6, 1: 2}
    assert len(watch.lines) == 1


def test_what_another_process_leaves_is_done_here(store, open_claims):
    other = open_claims()
    other.claim([[label(1).key]], 1)
    work = Doubles()
    map_doubles(store, work, Listener(other.close))
    assert work.done == [0, 2, 3, 1]
    assert count_rows(store) == [0, 0]


def test_what_was_finished_since_it_was_looked_for_is_not_done_again(store, monkeypatch):
    work = Doubles()
    claim = claims.Claims.claim

    def be_late(self, groups, most):
        store.arrays.put([(label(2), {"x": np.array(4)})])
        return claim(self, groups, most)

    monkeypatch.setattr(claims.Claims, "claim", be_late)
    assert sorted(map_doubles(store, work)) == [0, 1, 2, 3]
    assert work.done == [0, 1, 3]


def test_a_failed_job_is_claimed_no_longer(store, open_claims):
    work = Doubles(failing={0})
    map_doubles(store, work)
    assert open_claims().claim([[label(0).key]], 1) == {label(0).key}


def test_nobody_shares_what_is_in_memory_and_what_can_only_be_read_is_refused(tmp_path):
    with open_store(":memory:") as store:
        assert store.open_claims() is None
    with open_store("sqlite://") as store:
        assert store.open_claims() is None
    file = Path(tmp_path / "s.sqlite")
    open_store(file).close()
    with open_store(f"sqlite:///file:{file}?mode=ro&uri=true") as store:
        own = store.open_claims()
        with pytest.raises(InputError, match="cannot be written to"):
            own.claim(KEYS, 1)
