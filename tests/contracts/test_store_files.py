"""Files of stores: who may read them, files that can only be read, and files made by others."""

import contextlib
import os
import sqlite3
import stat
import tempfile
from pathlib import Path

import numpy as np
import pytest
from test_stores import arrays, outcome, part, task

import twofold
from torture.postgres import may_enter
from twofold.cli import main
from twofold.errors import InputError
from twofold.execution.store import open_store
from twofold.execution.store_sql import SqlStore

posix = pytest.mark.skipif(os.name != "posix", reason="needs permissions of POSIX")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "runs.sqlite"
    with open_store(path) as store:
        store.put([(task(i), outcome(i)) for i in range(3)])
        store.arrays.put([(part(i), arrays(i)) for i in range(2)])
    return path


@posix
def test_only_the_owner_may_read_a_new_store(tmp_path):
    path = tmp_path / "runs.sqlite"
    mask = os.umask(0)
    try:
        with open_store(path) as store:
            store.put([(task(0), outcome(0))])
            files = sorted(tmp_path.iterdir())
            assert [f.name for f in files] == ["runs.sqlite", "runs.sqlite-shm", "runs.sqlite-wal"]
            assert {stat.S_IMODE(f.stat().st_mode) for f in files} == {0o600}
    finally:
        os.umask(mask)


def test_what_is_saved_is_on_the_disk(file):
    with SqlStore(f"sqlite:///{file}") as store, store._begin(writes=True) as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


@posix
def test_permissions_that_were_given_stay(file):
    file.chmod(0o660)
    with open_store(file) as store:
        store.put([(task(9), outcome(9))])
        modes = {stat.S_IMODE(f.stat().st_mode) for f in file.parent.iterdir()}
    assert modes == {0o660}


@contextlib.contextmanager
def as_somebody():
    """Be someone whom permissions hold back."""
    if os.geteuid() != 0:
        yield
        return
    if not all(may_enter(Path(module.__file__).parent) for module in (twofold, np)):
        pytest.skip("root's, in a folder that others may not enter")
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def shelf():
    """A folder that everybody may enter, as pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
        Path(folder).chmod(0o755)


@posix
@pytest.mark.parametrize("left", [False, True], ids=["closed", "left by a killed process"])
def test_a_file_in_a_folder_that_can_only_be_read(shelf, left, capsys, monkeypatch):
    file = shelf / "runs.sqlite"
    monkeypatch.setenv("TWOFOLD_STORE", str(file))
    scores = twofold.run(["nb"], "iris", design="2x3", workers=0)
    with open_store(file) as store:
        store.put([(task(0), outcome(0))])
        if left:
            for name in ("", "-wal", "-shm"):
                copy = shelf / f"copy.sqlite{name}"
                copy.write_bytes((shelf / f"runs.sqlite{name}").read_bytes())
    if left:
        file = shelf / "copy.sqlite"
        monkeypatch.setenv("TWOFOLD_STORE", str(file))
    for each in shelf.iterdir():
        each.chmod(0o444)
    shelf.chmod(0o555)
    before = sorted(shelf.iterdir())
    with as_somebody():
        assert main(["store"]) == 0
        assert "3 runs of 1 learner" in capsys.readouterr().out
        assert main(["store", "check"]) == 0
        assert main(["store", "export", "-"]) == 0
        capsys.readouterr()
        assert main(["store", "prune", "--everything", "--yes"]) == 2
        assert "cannot be written to" in capsys.readouterr().err
        again = twofold.run(["nb"], "iris", design="2x3", workers=0)
        assert np.array_equal(again.value, scores.value)
        monkeypatch.setattr("twofold.execution.fit_task.TaskContext.do", None)
        with pytest.raises(InputError, match="cannot be written to"):
            twofold.run(["nb"], "iris", design="3x3", workers=0)
    assert sorted(shelf.iterdir()) == before


def change(file, *statements):
    raw = sqlite3.connect(file, isolation_level=None)
    raw.execute("PRAGMA writable_schema = ON")
    for statement in statements:
        raw.execute(statement)
    raw.close()


HOSTILE = {
    "a view": (
        "DROP TABLE twofold_runs",
        "CREATE VIEW twofold_runs AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) "
        "SELECT i id, i series, i run, i splits, i saved, i size, i data FROM n",
    ),
    "a version without end": (
        "DROP TABLE twofold_version",
        "CREATE VIEW TWOFOLD_version AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 "
        "FROM n) SELECT max(i) AS version FROM n",
    ),
    "a trigger": (
        "CREATE TRIGGER t AFTER INSERT ON twofold_runs BEGIN DELETE FROM twofold_series; END",
    ),
    "a computed column": (
        "DROP TABLE twofold_parts",
        "CREATE TABLE twofold_parts (id, kind, name, saved, size, data AS (zeroblob(1000000000)))",
    ),
    "a virtual table": (
        "DROP TABLE twofold_parts",
        "CREATE VIRTUAL TABLE twofold_parts USING fts5(id, kind, name, saved, size, data)",
    ),
    "a table that is missing": ("DROP TABLE twofold_series",),
    "a column that is missing": ("ALTER TABLE twofold_runs DROP COLUMN size",),
    "no version": ("DROP TABLE twofold_version", "CREATE TABLE twofold_version (v)"),
    "a version in words": (
        "DROP TABLE twofold_version",
        "CREATE TABLE twofold_version (version)",
        "INSERT INTO twofold_version VALUES ('new')",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_with_other_tables_is_refused(file, name, capsys):
    change(file, *HOSTILE[name])
    with pytest.raises(InputError, match="damaged, or is not a store") as caught:
        open_store(file)
    assert len(str(caught.value).splitlines()) == 2
    assert main(["store", "check", "--store", str(file)]) == 2


def test_tables_of_others_beside_ours_are_left_alone(file):
    change(file, "CREATE TABLE mine (x)", "CREATE VIEW theirs AS SELECT * FROM mine")
    with open_store(file) as store:
        assert len(store.tasks()) == 3


VALUES = ["NULL", "7", "-1", "9223372036854775807", "1e300", "-9e999", "''", "'text'"]
VALUES += ["x'80ff'", "zeroblob(100000)", "CAST(x'80ff' AS TEXT)", "'1' || char(0) || '2'"]
COLUMNS = {
    "twofold_runs": ("id", "series", "run", "splits", "saved", "size", "data"),
    "twofold_series": ("id", "dataset", "fingerprint", "learner", "learner_key", "design", "seed"),
    "twofold_parts": ("id", "kind", "name", "saved", "size", "data"),
}


@pytest.mark.parametrize("table", COLUMNS)
def test_columns_that_hold_something_else(file, table, capsys):
    """Nothing crashes, the rest is there, and what was changed is named or plain text."""
    raw = sqlite3.connect(file, isolation_level=None)
    schema = raw.execute("SELECT sql FROM sqlite_master WHERE name = ?", [table]).fetchone()[0]
    rows = raw.execute(f"SELECT * FROM {table} ORDER BY id").fetchall()
    raw.execute(f"DROP TABLE {table}")
    # As SQLite takes them, without types and rules.
    raw.execute(f"CREATE TABLE {table} ({', '.join(COLUMNS[table])})")
    assert "NOT NULL" in schema
    with SqlStore(f"sqlite:///{file}") as store:
        for column in COLUMNS[table]:
            for value in VALUES:
                raw.execute(f"DELETE FROM {table}")
                marks = ", ".join("?" * len(COLUMNS[table]))
                raw.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)
                raw.execute(f"UPDATE {table} SET {column} = {value} WHERE id = ?", [rows[0][0]])
                problems = store.check()
                listed = len(store.tasks()), len(store.arrays.parts())
                got = store.get([task(i).key for i in range(3)])
                parts = store.arrays.get([part(i).key for i in range(2)])
                assert len(got) + len(parts) >= 4
                if value == "NULL":
                    assert problems
                if column == "data":
                    assert len(got) + len(parts) == 4
                if table == "twofold_runs":
                    assert listed[0] >= 2
                assert all(problem.words.isprintable() for problem in problems)
    raw.close()
    for command in (["list"], ["check"], ["export", "-"], ["prune", "--damaged", "--yes"]):
        assert main(["store", *command, "--store", str(file)]) in (0, 2)
    capsys.readouterr()


@posix
def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match=r"pipe' is not a file\."):
        open_store(tmp_path / "pipe")


@posix
@pytest.mark.parametrize("replace", [Path.mkdir, Path.touch, None])
def test_a_file_that_is_removed_or_replaced_takes_nothing_in_silence(tmp_path, replace):
    file = tmp_path / "runs.sqlite"
    with open_store(file) as store:
        store.put([(task(0), outcome(0))])
        file.rename(tmp_path / "moved.sqlite")
        if replace:
            replace(file)
        with pytest.raises(InputError, match="was removed or replaced while it was in use"):
            store.put([(task(1), outcome(1))])


def test_a_store_stays_where_it_was_when_the_folder_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_store("sqlite:///runs.sqlite") as store:
        (tmp_path / "other").mkdir()
        monkeypatch.chdir(tmp_path / "other")
        store.put([(task(0), outcome(0))])
        assert store.get([task(0).key])
    assert not list((tmp_path / "other").iterdir())
