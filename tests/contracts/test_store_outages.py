"""Databases that stop, die, lock and come back: nothing is lost."""

import socket
import sqlite3
import threading

import psycopg
import pytest
from test_stores import outcome, part, same, task

import twofold
from twofold.errors import InputError, StoreUnavailable
from twofold.execution import store_postgres
from twofold.execution.store import open_store
from twofold.execution.store_sql import SqlStore, file_url
from twofold.execution.store_waiting import keep_trying


@pytest.fixture
def store(postgres_url):
    with SqlStore(postgres_url) as opened:
        opened.put([(task(0), outcome(0))])
        yield opened


def check_whole(store, runs):
    assert [record.task.run for record in store.tasks()] == list(range(runs))
    assert all(same(store.get([task(i).key])[task(i).key], outcome(i)) for i in range(runs))
    assert store.check() == []


def test_connections_that_were_ended_in_the_meantime_are_replaced(store, postgres):
    postgres.end_connections()
    store.put([(task(1), outcome(1))])
    postgres.stop()
    postgres.start()
    check_whole(store, 2)


@pytest.mark.parametrize("end", ["end_connections", "stop", "crash"])
def test_a_connection_lost_within_a_transaction_changes_nothing(store, postgres, end):
    lost = []

    def change(connection):
        store._write(connection, [(task(1).key, (task(1), outcome(1)))])
        if not lost:
            lost.append(getattr(postgres, end)())

    with pytest.raises(StoreUnavailable, match="does not answer") as caught:
        store._change(change)
    assert len(str(caught.value).splitlines()) == 2
    postgres.start()
    check_whole(store, 1)
    keep_trying(lambda: store._change(change))
    check_whole(store, 2)


def test_a_server_that_is_gone_is_waited_for(store, postgres):
    postgres.crash()
    waiting = threading.Event()

    def restart():
        waiting.wait()
        postgres.start()

    thread = threading.Thread(target=restart)
    thread.start()
    call = lambda: store.put([(task(1), outcome(1))])  # noqa: E731
    keep_trying(call, pause=lambda seconds: waiting.set() or thread.join(seconds))
    assert waiting.is_set()
    thread.join()
    check_whole(store, 2)


def test_a_row_that_another_process_holds(postgres_url, postgres, monkeypatch):
    monkeypatch.setattr(store_postgres, "LOCK_SECONDS", 0.2)
    with SqlStore(postgres_url) as store, SqlStore(postgres_url) as other:
        store.put([(task(0), outcome(0))])
        with other._begin(writes=True) as holder:
            holder.exec_driver_sql("SELECT * FROM twofold_runs FOR UPDATE")
            with pytest.raises(StoreUnavailable, match="holds the store"):
                store.put([(task(0), outcome(0, more=outcome(0).responses["predict"]))])
        store.put([(task(1), outcome(1))])
        check_whole(store, 2)


def test_a_server_that_cannot_be_reached_at_first_is_refused_at_once(postgres, postgres_url):
    for url in (
        "postgresql+psycopg://me@127.0.0.1:1/name",
        postgres_url.replace("/postgres?", "/nothing?"),
        postgres_url.replace("//postgres@", "//nobody@"),
        postgres_url.replace(str(postgres.folder), "/nowhere"),
    ):
        with pytest.raises(InputError, match="cannot be used") as caught:
            open_store(url)
        assert not isinstance(caught.value, StoreUnavailable)
        assert len(str(caught.value).splitlines()) == 2


def test_a_full_server_is_waited_for(postgres, postgres_url):
    connections = []
    with pytest.raises(psycopg.OperationalError):  # noqa: PT012
        while True:
            connections.append(postgres.connect())
    with pytest.raises(StoreUnavailable, match="too many clients"):
        open_store(postgres_url, patience=0)
    for connection in connections:
        connection.close()
    open_store(postgres_url).close()


def test_a_server_that_is_starting_is_waited_for_at_first_too(tmp_path):
    fields = b"SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0"
    calls = []

    def answer(server):
        with server:
            for _ in range(3):
                client, _ = server.accept()
                with client:
                    calls.append(client.recv(1000))
                    client.sendall(b"E" + (len(fields) + 4).to_bytes(4, "big") + fields)

    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]
    thread = threading.Thread(target=answer, args=(server,))
    thread.start()
    with pytest.raises(InputError):
        # After three calls nobody listens, which is not waited for.
        open_store(f"postgresql+psycopg://me@127.0.0.1:{port}/x?sslmode=disable")
    thread.join()
    assert len(calls) == 3


def test_a_file_that_another_process_holds(tmp_path):
    file = tmp_path / "runs.sqlite"
    with SqlStore(file_url(file), wait=0.1) as store:
        store.put([(task(0), outcome(0))])
        holder = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        holder.execute("BEGIN IMMEDIATE")
        for put in (
            lambda: store.put([(task(1), outcome(1))]),
            lambda: store.arrays.put([(part(1), {"x": outcome(1).seconds})]),
            lambda: store.forget([task(0).key]),
        ):
            with pytest.raises(StoreUnavailable, match="holds the store"):
                put()
        check_whole(store, 1)  # reading goes on
        release = lambda _: holder.execute("ROLLBACK") if holder.in_transaction else None  # noqa: E731
        keep_trying(lambda: store.put([(task(1), outcome(1))]), pause=release)
        holder.close()
        check_whole(store, 2)


def test_a_file_that_is_held_when_it_is_opened(tmp_path):
    file = tmp_path / "runs.sqlite"
    open_store(file).close()
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreUnavailable, match="holds the store"):
        SqlStore(file_url(file), wait=0.1, patience=0)
    holder.close()
    open_store(file).close()


def test_a_run_whose_store_stays_away_ends_in_two_lines_and_goes_on_later(tmp_path, monkeypatch):
    monkeypatch.setenv("TWOFOLD_STORE_WAIT", "0.3")
    options = {"design": "2x3", "workers": 0}
    right = twofold.run(["nb"], "iris", store=":memory:", **options)
    file = tmp_path / "runs.sqlite"
    with SqlStore(file_url(file), wait=0.05) as store:
        holder = sqlite3.connect(file, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="holds the store") as caught:
            twofold.run(["nb"], "iris", store=store, **options)
        assert len(str(caught.value).splitlines()) == 2
        holder.execute("ROLLBACK")
        holder.close()
        again = twofold.run(["nb"], "iris", store=store, **options)
        assert again.value.tolist() == right.value.tolist()
        assert len(store.tasks()) == 2
