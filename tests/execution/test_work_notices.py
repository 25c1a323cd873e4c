"""What processes are doing in a store is seen by others, and gone when they end or die."""

import json
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

import twofold
from twofold.execution import life_signs, open_store, work_notices
from twofold.execution.progress import Progress
from twofold.execution.store_tables import tables
from twofold.execution.work_notices import WorkFacts, list_notices, notice_table, post_notice
from waits import wait_until

FACTS = WorkFacts("nb on iris", "twofold compare …", "runs", 3, 20, 12.0, True, "So far: …", 5.0)


@pytest.fixture
def store(database):
    return database


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(work_notices, "FIRST_AFTER", 0.0)
    monkeypatch.setattr(work_notices, "BEAT_EVERY", 0.01)


def test_a_notice_is_seen_kept_up_to_date_and_taken_down(store):
    facts = [FACTS]
    notice = post_notice(store, lambda: facts[0])
    wait_until(lambda: list_notices(store))
    (seen,) = list_notices(store)
    assert seen.is_here
    assert seen.facts == FACTS
    facts[0] = replace(FACTS, done=4, left=None)
    wait_until(lambda: list_notices(store)[0].facts == facts[0])
    notice.close()
    assert list_notices(store) == []


def test_work_that_is_done_at_once_leaves_the_store_as_it_was(store, monkeypatch):
    import sqlalchemy as sa

    monkeypatch.setattr(work_notices, "FIRST_AFTER", 1000.0)
    post_notice(store, lambda: FACTS).close()
    assert not sa.inspect(store.engine).has_table(notice_table().name)
    assert list_notices(store) == []


def test_a_killed_process_is_not_shown_and_the_next_one_removes_its_notice(tmp_path):
    where = tmp_path / "s.sqlite"
    code = (
        "from twofold.execution import open_store, work_notices as w\n"
        "w.FIRST_AFTER = 0\n"
        f"n = w.post_notice(open_store({str(where)!r}), w.WorkFacts)\n"
        "input()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE)
    with open_store(where) as store:
        wait_until(lambda: list_notices(store), process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert list_notices(store) == []
        assert count_rows(store) == 1
        notice = post_notice(store, lambda: FACTS)
        wait_until(lambda: list_notices(store))
        assert count_rows(store) == 1
        notice.close()


def count_rows(store):
    import sqlalchemy as sa

    with store.engine.connect() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(notice_table())).scalar()


def test_a_process_elsewhere_is_gone_after_a_while_without_a_sign_of_life(store, monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(work_notices, "BEAT_EVERY", 1000.0)
    monkeypatch.setattr(life_signs.time, "monotonic", lambda: clock[0])
    with monkeypatch.context() as patch:
        patch.setattr(work_notices, "name_machine", lambda: "elsewhere")
        notice = post_notice(store, lambda: FACTS)
        wait_until(lambda: list_notices(store))
    assert [each.is_here for each in list_notices(store)] == [False]
    clock[0] += life_signs.STALE_AFTER + 1
    assert list_notices(store) == []
    notice.close()


def write_row(store, **values):
    import sqlalchemy as sa

    row = {"id": "x", "host": "h", "process": "1-1", "beat": 0, "facts": "{}"} | values
    with store.engine.connect().execution_options(twofold_writes=True) as connection:
        notice_table().create(connection, checkfirst=True)
        connection.execute(sa.delete(notice_table()))
        connection.execute(sa.insert(notice_table()), row)
        connection.commit()


@pytest.mark.parametrize(
    "facts",
    [
        "no JSON",
        "[]",
        '{"path": "/etc"}',
        '{"done": -1}',
        '{"done": "many"}',
        '{"done": true}',
        '{"left": 1e300}',
        '{"started": "now"}',
        '{"title": 3}',
        '{"may_end_early": 1}',
        json.dumps({"title": "x" * 3000}),
    ],
)
def test_what_somebody_else_wrote_is_not_shown(tmp_path, facts):
    with open_store(tmp_path / "s.sqlite") as store:
        write_row(store)
        assert len(list_notices(store)) == 1
        write_row(store, facts=facts)
        assert list_notices(store) == []


def test_a_view_in_place_of_the_notices_is_refused(tmp_path):
    where = tmp_path / "s.sqlite"
    with open_store(where) as store, store.engine.connect() as connection:
        connection.exec_driver_sql("CREATE VIEW twofold_notices AS SELECT 1 AS id")
        connection.commit()
    with pytest.raises(twofold.InputError, match="damaged"):
        open_store(where)


def test_a_store_that_cannot_be_written_keeps_nothing_and_stops_nobody(tmp_path):
    where = tmp_path / "s.sqlite"
    open_store(where).close()
    where.chmod(0o400)
    with open_store(where) as store:
        post_notice(store, lambda: FACTS).close()
        assert list_notices(store) == []
    assert post_notice(open_store(":memory:"), lambda: FACTS) is None
    assert post_notice(None, lambda: FACTS) is None


class Slow:
    """A learner that waits until it was seen."""

    seen = threading.Event()

    def fit(self, X, y):
        Slow.seen.wait()
        self.classes_ = sorted(set(y))
        return self

    def predict(self, X):
        return [self.classes_[len(x) % 2] for x in X]

    def get_params(self, deep=True):
        return {}


def test_an_experiment_says_what_it_does(tmp_path):
    """A real experiment, in this process, with a learner that waits until it was looked at."""
    where = str(tmp_path / "s.sqlite")
    options = {"design": "4x2", "store": where, "workers": 0, "progress": False}
    Slow.seen.clear()
    thread = threading.Thread(
        target=twofold.run, args=(["majority", Slow()], "iris"), kwargs=options
    )
    with open_store(where) as store:
        thread.start()
        wait_until(lambda: any(each.facts.total for each in list_notices(store)))
        (notice,) = list_notices(store)
        assert notice.facts.title == "majority, Slow on iris, 4x2"
        assert (notice.facts.unit, notice.facts.total) == ("runs", 8)
        Slow.seen.set()
        thread.join()
        assert list_notices(store) == []
        assert len(tables().metadata.tables) == 6  # the form of a store is what it was


def test_the_answer_so_far_is_looked_at_for_others_too(store):
    with Progress(False, "runs", lambda: ", 1 failed. So far: A is better.") as watch:
        watch.announce(store, "A and B")
        watch.may_end_early = True
        watch._next_look = 0.0
        watch.begin(0, 10)
        watch.add()
        wait_until(lambda: list_notices(store) and list_notices(store)[0].facts.done == 1)
        facts = list_notices(store)[0].facts
        assert facts.so_far == "1 failed. So far: A is better."
        assert facts.left is not None
        assert "1 of at most 10 runs" in watch.line(watch._started + 1)
