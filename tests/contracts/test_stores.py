"""What every store must do, in memory, in a file and in PostgreSQL."""

import multiprocessing
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from twofold.errors import InputError, TwofoldError
from twofold.execution.store import MemoryStore, Part, Store, open_store
from twofold.execution.store_sql import SqlStore, file_url
from twofold.execution.task import Outcome, Task

SHARED = ["file", "postgresql"]
KINDS = ["memory", "sqlite://", *SHARED]


def make_url(kind, request):
    if kind == "sqlite://":
        return kind
    if kind == "postgresql":
        return request.getfixturevalue("postgres_url")
    return file_url(request.getfixturevalue("tmp_path") / "it is.sqlite").render_as_string()


@pytest.fixture(params=KINDS)
def store(request):
    memory = request.param == "memory"
    with MemoryStore() if memory else SqlStore(make_url(request.param, request)) as opened:
        yield opened


@pytest.fixture(params=SHARED)
def url(request):
    url = make_url(request.param, request)
    SqlStore(url).close()
    return url


def task(run=0, **changes):
    plain = Task("iris", "f1", "nb", "GaussianNB()", "10x10 cv", 1, run, f"splits of {run}")
    return replace(plain, **changes)


def outcome(run=0, **more):
    rng = np.random.default_rng(run)
    responses = {"predict": rng.integers(0, 3, 30), **more}
    return Outcome(responses, np.full(10, 3), rng.random(10))


def same(one, other):
    assert list(one.responses) == list(other.responses)
    for name, values in one.responses.items():
        assert values.dtype == other.responses[name].dtype
        assert values.shape == other.responses[name].shape
        assert values.tobytes() == other.responses[name].tobytes()
    assert one.sizes.tobytes() == other.sizes.tobytes()
    assert one.seconds.tobytes() == other.seconds.tobytes()
    return True


def test_it_is_a_store(store):
    assert isinstance(store, Store)
    assert open_store(store) is store


def test_what_was_put_comes_back_bit_for_bit(store):
    odd = np.array([[0.1, -0.0], [np.nextafter(1, 2), np.inf], [5e-324, np.nan]] * 10)
    store.put([(task(0), outcome(0, predict_proba=odd)), (task(1), outcome(1))])
    got = store.get([task(1).key, "nothing", task(0).key])
    assert set(got) == {task(0).key, task(1).key}
    assert same(got[task(0).key], outcome(0, predict_proba=odd))
    assert same(got[task(1).key], outcome(1))
    assert store.check() == []


def part(number=0, **changes):
    return replace(Part(f"{number:064x}", "study", "coins"), **changes)


def arrays(number=0):
    rng = np.random.default_rng(number)
    return {
        "counts": rng.integers(0, 300, (2, 3), dtype=np.int32),
        "values": np.array([0.1, -0.0, np.nan, np.nextafter(1, 2), number]),
        "single": np.array(number, dtype=np.uint16),
        "flags": np.array([True, False]),
        "empty": np.zeros((0, 4), dtype=np.int64),
    }


def test_arrays_come_back_with_the_same_types_and_bits(store):
    store.arrays.put([(part(0), arrays(0)), (part(1), arrays(1))])
    got = store.arrays.get([part(1).key, "nothing", part(0).key])
    assert set(got) == {part(0).key, part(1).key}
    for name, values in arrays(1).items():
        back = got[part(1).key][name]
        assert (back.dtype, back.shape) == (values.dtype, values.shape)
        assert back.tobytes() == values.tobytes()
    assert store.get([part(0).key]) == {}
    assert store.tasks() == []
    assert store.check() == []


def test_parts_are_listed_and_forgotten(store):
    start = time.time() - 1
    store.put([(task(0), outcome(0))])
    store.arrays.put([(part(i), arrays(i)) for i in range(600)])
    store.arrays.put(
        [(part(600, kind="reproduction", name="λ ' %"), arrays()), (part(0), arrays())]
    )
    records = store.arrays.parts()
    assert [record.part.name for record in records[:2]] == ["λ ' %", "coins"]
    assert len(records) == 601
    assert all(start < r.saved < time.time() + 1 and r.size > 0 for r in records)
    assert store.forget([part(3).key, task(0).key, "nothing"]) == 2
    assert len(store.arrays.get([part(i).key for i in range(601)])) == 600
    assert store.tasks() == []


def test_nothing_in_nothing_out(store):
    store.put([])
    assert store.get([]) == {}
    assert store.get(["nothing"]) == {}
    assert store.tasks() == []
    assert store.forget([]) == 0
    assert store.check() == []


def test_many_keys_at_once(store):
    store.put([(task(i), outcome(i)) for i in range(1201)])
    got = store.get([task(i).key for i in range(2000)])
    assert len(got) == 1201
    assert same(got[task(1200).key], outcome(1200))
    assert len(store.tasks()) == 1201


def test_the_same_key_twice_is_fine(store):
    twice = [(task(), outcome())] * 2
    store.put(twice)
    store.put(twice)
    assert len(store.tasks()) == 1
    assert same(store.get([task().key])[task().key], outcome())


def test_further_responses_are_added_and_none_is_lost(store):
    chances, values = np.full((30, 2), 0.5), np.arange(30.0)
    store.put([(task(), outcome())])
    store.put([(task(), outcome(0, predict_proba=chances))])
    store.put([(task(), outcome(0, decision_function=values))])
    store.put([(task(), outcome())])
    (got,) = store.get([task().key]).values()
    assert set(got.responses) == {"predict", "predict_proba", "decision_function"}
    assert np.array_equal(got.responses["predict_proba"], chances)
    assert np.array_equal(got.responses["decision_function"], values)


def test_all_or_nothing(store):
    store.put([(task(1), outcome(1))])
    other_folds = Outcome({"predict": np.zeros(30)}, np.full(5, 6), np.zeros(5))
    with pytest.raises(TwofoldError, match="different sizes"):
        store.put([(task(0), outcome(0)), (task(2), outcome(2)), (task(2), other_folds)])
    assert set(store.get([task(i).key for i in range(3)])) == {task(1).key}


def test_what_was_made_anew_replaces_what_differs(store):
    proba = np.full((30, 3), 1 / 3)
    other_folds = Outcome({"predict": np.zeros(30)}, np.full(5, 6), np.zeros(5))
    for old in (other_folds, outcome(1), outcome(1, predict_proba=proba)):
        store.put([(task(), old)])
        store.put([(task(), outcome(0))])
        assert same(store.get([task().key])[task().key], outcome(0))
    store.put([(task(), outcome(0, predict_proba=-proba))])
    store.put([(task(), outcome(0, predict_proba=proba))])
    assert same(store.get([task().key])[task().key], outcome(0, predict_proba=proba))
    store.arrays.put([(part(), arrays(1))])
    store.arrays.put([(part(), arrays(2))])
    assert store.arrays.get([part().key])[part().key]["single"] == 2


def test_names_are_for_people_and_the_last_ones_show(store):
    store.put([(task(0), outcome(0))])
    renamed = task(0, dataset="flowers", learner="bayes")
    assert set(store.get([renamed.key])) == {task(0).key}
    store.put([(task(1, dataset="flowers", learner="bayes"), outcome(1))])
    assert ("flowers", "bayes") in {(r.task.dataset, r.task.learner) for r in store.tasks()}


def test_listing(store):
    start = time.time() - 1
    many = [task(run, learner=label, learner_key=label) for run in (1, 0) for label in "ba"]
    store.put([(one, outcome(one.run)) for one in many])
    store.put([(task(0, fingerprint="f2", dataset="glass", design="5x2 cv"), outcome())])
    records = store.tasks()
    listed = [(r.task.dataset, r.task.learner, r.task.run) for r in records]
    assert listed == [
        ("glass", "nb", 0),
        ("iris", "a", 0),
        ("iris", "a", 1),
        ("iris", "b", 0),
        ("iris", "b", 1),
    ]
    assert all(r.task.key in {one.key for one in many} for r in records[1:])
    assert all(start < r.saved < time.time() + 1 and r.size > 0 for r in records)


def test_forgetting(store):
    store.put([(task(i), outcome(i)) for i in range(4)])
    assert store.forget([task(1).key, task(2).key, task(2).key, "nothing"]) == 2
    assert [r.task.run for r in store.tasks()] == [0, 3]
    assert store.get([task(1).key]) == {}
    store.put([(task(1), outcome(1))])
    assert len(store.tasks()) == 3
    assert store.check() == []


def test_large_seeds_and_odd_names(store):
    odd = task(0, seed=2**80, dataset="naïve % ' \" ; --", learner="λ\n")
    store.put([(odd, outcome())])
    (record,) = store.tasks()
    assert record.task == odd


def test_threads_share_a_store(store):
    def work(start):
        for i in range(start, start + 10):
            store.put([(task(i), outcome(i))])

    threads = [threading.Thread(target=work, args=(10 * k,)) for k in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(store.get([task(i).key for i in range(30)])) == 30


def write(url, mine, shared):
    with SqlStore(url) as store:
        for i in range(20):
            more = {f"response {mine}": np.full(30, float(mine))}
            store.put([(task(1000 * mine + i), outcome(i)), (task(i), outcome(i, **more))])
            store.arrays.put([(part(1000 * mine + i), arrays(i)), (part(i), arrays(i))])
    return len(shared)


@pytest.mark.parametrize("kind", SHARED)
def test_four_processes_make_a_store_and_write_at_once_and_nothing_is_lost(kind, request):
    url = make_url(kind, request)
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        pool.starmap(write, [(url, mine, "all") for mine in (1, 2, 3, 4)])
    with SqlStore(url) as store:
        got = store.get([task(i).key for i in range(20)])
        assert len(store.tasks()) == len(store.arrays.parts()) == 20 + 4 * 20
        for one in got.values():
            assert one.has(["predict", *(f"response {mine}" for mine in (1, 2, 3, 4))])
        assert store.check() == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_by_fork_makes_its_own_connection(url):
    with SqlStore(url) as store:
        store.put([(task(0), outcome(0))])
        child = os.fork()
        if child == 0:
            try:
                store.put([(task(1), outcome(1))])
                os._exit(0 if len(store.tasks()) == 2 else 1)
            finally:
                os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
        assert len(store.tasks()) == 2


def test_a_store_can_be_sent_to_another_process(url):
    with SqlStore(url) as store:
        store.put([(task(0), outcome(0))])
        with pickle.loads(pickle.dumps(store)) as other:
            assert len(other.tasks()) == 1
    for memory in (MemoryStore(), SqlStore("sqlite://")):
        with memory, pytest.raises(InputError, match="cannot be shared"):
            pickle.dumps(memory)


KILLED = """
import itertools
import sys
import numpy as np
from twofold.execution.store_sql import SqlStore
from twofold.execution.task import Outcome, Task
store = SqlStore(sys.argv[1])
one = Outcome({"predict": np.arange(200_000)}, [200_000], [0.0])
for batch in itertools.count():
    tasks = [Task("d", "f", "l", "k", "x", 1, 3 * batch + i, "s") for i in range(3)]
    store.put([(task, one) for task in tasks])
    print(batch, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill")
def test_a_writer_that_is_killed_leaves_whole_records_only(url):
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, url], stdout=subprocess.PIPE, text=True
    ) as writer:
        said = [int(writer.stdout.readline()) for _ in range(4)]
        time.sleep(0.02)
        writer.send_signal(signal.SIGKILL)
        said += [int(line) for line in writer.stdout if line.endswith("\n")]
    assert writer.returncode == -signal.SIGKILL
    with SqlStore(url) as store:
        assert store.check() == []
        runs = [record.task.run for record in store.tasks()]
        # Every batch that was reported is whole; one more may have been finished unreported.
        assert runs == list(range(len(runs)))
        assert len(runs) in (3 * len(said), 3 * len(said) + 3)
        store.put([(task(0), outcome(0))])


def test_a_damaged_record_counts_as_not_there_and_is_replaced(tmp_path):
    file = tmp_path / "runs.sqlite"
    with open_store(file) as store:
        store.put([(task(i), outcome(i)) for i in range(3)])
        store.arrays.put([(part(i), arrays(i)) for i in range(2)])
    with sqlite3.connect(file) as raw:
        data = raw.execute("SELECT data FROM twofold_runs WHERE id = ?", [task(1).key]).fetchone()[
            0
        ]
        broken = data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]
        raw.execute("UPDATE twofold_runs SET data = ? WHERE id = ?", [broken, task(1).key])
        raw.execute("UPDATE twofold_runs SET run = 77 WHERE id = ?", [task(2).key])
        raw.execute("UPDATE twofold_parts SET data = x'00' WHERE id = ?", [part(1).key])
    raw.close()
    with open_store(file) as store:
        assert set(store.arrays.get([part(0).key, part(1).key])) == {part(0).key}
        store.arrays.put([(part(1), arrays(1))])
        assert set(store.arrays.get([part(0).key, part(1).key])) == {part(0).key, part(1).key}
        assert task(1).key not in store.get([task(i).key for i in range(3)])
        problems = {problem.key: problem.words for problem in store.check()}
        assert set(problems) == {task(1).key, task(2).key}
        assert "checksum" in problems[task(1).key]
        assert "key does not fit" in problems[task(2).key]
        store.put([(task(1), outcome(1))])
        assert same(store.get([task(1).key])[task(1).key], outcome(1))


def test_bytes_under_another_key_count_as_not_there(tmp_path):
    """A damaged index of a database may give out the bytes of another record."""
    file = tmp_path / "runs.sqlite"
    with open_store(file) as store:
        store.put([(task(i), outcome(i)) for i in range(3)])
        store.arrays.put([(part(i), arrays(i)) for i in range(3)])
    with sqlite3.connect(file) as raw:
        for table, label in (("twofold_runs", task), ("twofold_parts", part)):
            raw.execute(
                f"UPDATE {table} SET data = (SELECT data FROM {table} WHERE id = ?) WHERE id = ?",
                [label(0).key, label(1).key],
            )
    raw.close()
    with open_store(file) as store:
        assert set(store.get([task(i).key for i in range(3)])) == {task(0).key, task(2).key}
        assert set(store.arrays.get([part(i).key for i in range(3)])) == {part(0).key, part(2).key}
        assert {problem.key for problem in store.check()} == {task(1).key, part(1).key}


def refused(where, words, **options):
    with pytest.raises(InputError) as caught:
        open_store(where, **options).put([(task(99), outcome(99))])
    assert len(str(caught.value).splitlines()) == 2
    assert words in str(caught.value)


def test_what_is_not_a_store(tmp_path):
    text = tmp_path / "text.sqlite"
    text.write_text("this is not a database, but it is long enough to be taken for one\n" * 9)
    refused(text, "damaged, or is not a store")
    refused(tmp_path, "is a folder")
    refused(tmp_path / "missing.sqlite", "There is no store", create=False)
    refused(text / "below.sqlite", "cannot be made")
    refused("nonsense://somewhere", "cannot be used")
    refused("://", "is not the URL")
    refused("", "is no name of a store")
    refused(3, "cannot be opened from int")
    refused("sqlite:////no/such/folder/x.sqlite", "cannot be opened")


def read_all(file):
    with open_store(file) as store:
        return store.get([task(i).key for i in range(200)])


def test_a_truncated_file(tmp_path):
    file = tmp_path / "runs.sqlite"
    with open_store(file) as store:
        store.put([(task(i), outcome(i)) for i in range(200)])
    raw = sqlite3.connect(file)
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 3])
    with pytest.raises(InputError, match="damaged") as caught:
        read_all(file)
    assert len(str(caught.value).splitlines()) == 2


def test_a_newer_store_is_left_alone(tmp_path):
    file = tmp_path / "runs.sqlite"
    open_store(file).close()
    with sqlite3.connect(file) as raw:
        raw.execute("UPDATE twofold_version SET version = 99")
    raw.close()
    refused(file, "newer twofold")


def make_old(file):
    """Make a store as twofold did before there were parts."""
    with open_store(file) as store:
        store.put([(task(0), outcome(0))])
    with sqlite3.connect(file) as raw:
        raw.execute("DROP TABLE twofold_parts")
        raw.execute("UPDATE twofold_version SET version = 1")
    raw.close()


def test_an_older_store_is_given_a_table_of_parts(tmp_path):
    file = tmp_path / "runs.sqlite"
    make_old(file)
    with open_store(file) as store:
        assert same(store.get([task(0).key])[task(0).key], outcome(0))
        store.arrays.put([(part(0), arrays(0))])
    with open_store(file) as store:
        assert len(store.arrays.parts()) == len(store.tasks()) == 1
        assert store.check() == []


def test_an_older_store_that_can_only_be_read(tmp_path):
    file = tmp_path / "runs.sqlite"
    make_old(file)
    with open_store(f"sqlite:///file:{file}?mode=ro&uri=true") as store:
        assert len(store.get([task(0).key])) == 1
        assert store.arrays.get([part(0).key]) == {}
        assert store.arrays.parts() == []
        assert store.check() == []


def test_a_store_that_can_only_be_read(tmp_path):
    file = tmp_path / "runs.sqlite"
    with open_store(file) as store:
        store.put([(task(0), outcome(0))])
    with open_store(f"sqlite:///file:{file}?mode=ro&uri=true") as store:
        assert len(store.get([task(0).key])) == 1
        with pytest.raises(InputError, match="cannot be written"):
            store.put([(task(1), outcome(1))])


def test_a_store_that_another_process_holds(tmp_path):
    file = tmp_path / "runs.sqlite"
    with SqlStore(file_url(file), wait=0.2) as store:
        store.put([(task(0), outcome(0))])
        holder = sqlite3.connect(file, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="holds the store"):
            store.put([(task(1), outcome(1))])
        assert len(store.get([task(0).key])) == 1  # reading goes on
        holder.execute("ROLLBACK")
        holder.close()
        store.put([(task(1), outcome(1))])
        assert len(store.tasks()) == 2


def test_a_full_disk_loses_nothing_that_was_finished(tmp_path):
    from sqlalchemy import event

    with open_store(tmp_path / "runs.sqlite") as store:
        store.put([(task(0), outcome(0))])
        store.engine.dispose()
        event.listen(
            store.engine, "connect", lambda c, _: c.execute("PRAGMA max_page_count = 20").close()
        )
        big = Outcome({"predict": np.random.default_rng(0).random(50_000)}, [50_000], [0.0])
        with pytest.raises(InputError, match="no space left"):
            store.put([(task(1), big)])
        assert [record.task.run for record in store.tasks()] == [0]
        assert store.check() == []


def test_the_place_of_the_store(tmp_path, monkeypatch):
    monkeypatch.setenv("TWOFOLD_STORE", str(tmp_path / "a b?#%" / "mine.sqlite"))
    with open_store() as store:
        store.put([(task(0), outcome(0))])
    assert (tmp_path / "a b?#%" / "mine.sqlite").exists()
    monkeypatch.setenv("TWOFOLD_STORE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    open_store().close()
    assert (tmp_path / "cache" / "twofold" / "store.sqlite").exists()
    assert isinstance(open_store(":memory:"), MemoryStore)


def test_a_password_is_not_shown():
    with pytest.raises(InputError) as caught:
        open_store("postgresql+nodriver://me:secret@host/name")
    assert "secret" not in str(caught.value)
