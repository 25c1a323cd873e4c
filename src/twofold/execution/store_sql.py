"""A store in a database: an SQLite file by default, any that SQLAlchemy speaks to."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, Self

from twofold.errors import InputError, StoreUnavailable, first_line
from twofold.execution import store_postgres, store_sqlite
from twofold.execution.claims import Claims
from twofold.execution.packing import unpack_arrays
from twofold.execution.side_connection import DATABASES, SideConnection
from twofold.execution.store import Problem, Record, sort_records, split_batches
from twofold.execution.store_errors import explain_error, explain_errors
from twofold.execution.store_parts import SqlArrays
from twofold.execution.store_tables import (
    BATCH,
    SCHEMA,
    describe_bytes,
    describe_damage,
    is_listed,
    raw_columns,
    read_task,
    select_data,
    series_id,
    tables,
    write_data,
)
from twofold.execution.store_waiting import keep_trying
from twofold.execution.stored_values import StoredValues, unpack_or_none
from twofold.execution.task import Outcome, Task
from twofold.execution.work_notices import notice_table
from twofold.extras import require

TRIES = 20

ROWS_AT_ONCE = 50
"""Records that are looked at together by a check."""


def file_url(file: Path) -> Any:
    """Return the URL of an SQLite file, whatever characters its name has."""
    require("run", "A store", "sqlalchemy")
    from sqlalchemy import URL

    # Not as text: before SQLAlchemy 2.1 a question mark in a name was read as the end of it.
    # On Windows and elsewhere: relative paths stay relative only until the folder changes.
    return URL.create("sqlite", database=str(file.absolute()))


class SqlStore:
    """A store in a database, for several processes at once.

    It may be sent to another process: each makes a connection of its own.
    """

    def __init__(
        self,
        url: Any,
        *,
        wait: float = store_sqlite.WAIT_SECONDS,
        patience: float | None = None,
    ) -> None:
        require("run", "A store", "sqlalchemy")
        self._url = store_sqlite.prepare_file(_parse_url(url))
        self._file = store_sqlite.identify_file(self._url)
        self._wait = wait
        self._made: tuple[int, Any] | None = None
        self._lock = threading.RLock()
        self.where = _hide_password(_parse_url(url))
        self._opened = False
        try:
            self._form = keep_trying(self._make_tables, patience=patience)
        except BaseException:
            self.close()
            raise
        self._opened = True

    @property
    def arrays(self) -> SqlArrays:
        """Parts of studies and reproductions."""
        return SqlArrays(self._begin, self._change, self.open_claims, there=self._form > 1)

    def open_claims(self) -> Claims | None:
        """Return what processes share their work by; None where none can be written."""
        side = self.open_side()
        return None if side is None else Claims(side)

    def open_side(self) -> SideConnection | None:
        """Return a connection for what matters only while processes live, where others see it."""
        if self._in_memory or self.engine.dialect.name not in DATABASES:
            return None
        return SideConnection(self.engine.connect, self.where)

    @property
    def engine(self) -> Any:
        """The engine of this process; connections do not survive a fork."""
        if self._made is not None and self._made[0] != os.getpid():
            self._made[1].dispose(close=False)  # they belong to the parent
            self._made, self._lock = None, threading.RLock()
        with self._lock:
            if self._made is None:
                self._made = (os.getpid(), self._new_engine())
            return self._made[1]

    def get(self, keys: Sequence[str]) -> Mapping[str, Outcome]:
        """Return the outcomes that are here. Damaged ones count as not here."""
        with self._begin() as connection:
            packed = select_data(connection, tables().runs, keys)
        return StoredValues(packed, Outcome.unpack)

    def put(self, items: Sequence[tuple[Task, Outcome]]) -> None:
        """Save outcomes, all or none. Twice is no harm; more responses are added."""
        new: dict[str, tuple[Task, Outcome]] = {}
        for task, outcome in items:
            there = new.get(task.key)
            new[task.key] = (task, there[1].merge(outcome) if there else outcome)
        if not new:
            return
        # In one order for all, so that two writers cannot wait for each other.
        entries = sorted(new.items())
        self._change(lambda connection: self._write(connection, entries))

    def _change(self, change: Callable[[Any], None]) -> None:
        """Carry out a change, all of it or nothing."""
        from sqlalchemy.exc import IntegrityError

        for attempt in range(TRIES):
            try:
                with self._begin(writes=True) as connection:
                    change(connection)
                return
            except IntegrityError:
                # Another process wrote one of them in the meantime; look again, and add to it.
                time.sleep(0.01 * attempt)
        raise InputError(
            f"The store {self.where!r} keeps refusing records.",
            "Look at it with `twofold store check`.",
        )

    def tasks(self) -> list[Record]:
        """List what is here, by data set, learner, design, seed and run."""
        import sqlalchemy as sa

        series, runs = tables().series, tables().runs
        shared = ("dataset", "fingerprint", "learner", "learner_key", "design", "seed")
        query = sa.select(
            *raw_columns(series, *shared), *raw_columns(runs, "run", "splits", "saved", "size")
        ).join_from(runs, series, runs.c.series == series.c.id)
        with self._begin() as connection:
            rows = connection.execute(query).all()
        tasks = ((read_task(row, row), row) for row in rows if is_listed(row))
        return sort_records(
            Record(task, float(row.saved), row.size) for task, row in tasks if task is not None
        )

    def forget(self, keys: Iterable[str]) -> int:
        """Remove tasks and parts; return how many were here."""
        import sqlalchemy as sa

        series, runs = tables().series, tables().runs
        removed = 0
        with self._begin(writes=True) as connection:
            for batch in split_batches(sorted(set(keys)), BATCH):
                for table in (runs, tables().parts):
                    gone = sa.delete(table).where(table.c.id.in_(batch))
                    removed += connection.execute(gone).rowcount
            used = sa.select(runs.c.series).where(runs.c.series == series.c.id)
            connection.execute(sa.delete(series).where(~used.exists()))
        if removed and self.engine.dialect.name == "sqlite":
            store_sqlite.compact(self.engine)
        return removed

    def check(self) -> list[Problem]:
        """Look at every record, and return what is wrong."""

        problems: list[Problem] = []

        def add(words: str | None, key: Any = None) -> None:
            if words is not None:
                problems.append(Problem(first_line(words), key if isinstance(key, str) else None))

        try:
            with self._begin() as connection:
                if self.engine.dialect.name == "sqlite":
                    for words in store_sqlite.damage(connection):
                        add(words)
                series = {row.id: row for row in self._rows(connection, tables().series)}
                for row in self._rows(connection, tables().runs):
                    add(describe_damage(row, series.get(row.series)), row.id)
                for row in self._rows(connection, tables().parts) if self._form > 1 else ():
                    add(describe_bytes(row, row.name, unpack_arrays), row.id)
        except StoreUnavailable:
            raise
        except InputError as error:  # damage that keeps the rest from being read
            add(error.rule)
        return problems

    def _rows(self, connection: Any, table: Any) -> Iterator[Any]:
        """Yield all rows of a table, some at a time, with whatever their columns hold."""
        import sqlalchemy as sa

        columns = raw_columns(table, *(column.name for column in table.columns))
        yield from connection.execution_options(yield_per=ROWS_AT_ONCE).execute(sa.select(*columns))

    def close(self) -> None:
        """Let go of files and connections."""
        if self._made is not None and self._made[0] == os.getpid():
            self._made[1].dispose()
            self._made = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        if self._in_memory:
            raise InputError(
                "A store in memory cannot be shared with another process.",
                "Use a file: `store='runs.sqlite'`.",
            )
        return {k: v for k, v in self.__dict__.items() if k not in ("_made", "_lock")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _made=None, _lock=threading.RLock())

    @property
    def _in_memory(self) -> bool:
        sqlite = self._url.get_backend_name() == "sqlite"
        return sqlite and self._url.database in (None, "", ":memory:")

    def _new_engine(self) -> Any:
        import sqlalchemy as sa
        from sqlalchemy.pool import StaticPool

        options: dict[str, Any] = {}
        if self._in_memory:
            # Another connection would see another database.
            options = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
        elif self._url.get_backend_name() != "sqlite":
            options = store_postgres.engine_options(self._url)
        with explain_errors(self.where, opened=self._opened):
            try:
                engine = sa.create_engine(self._url, **options)
            except ImportError as error:
                raise InputError(
                    f"The store {self.where!r} needs a driver that is not installed: {error.name}.",
                    f"Install it with: pip install {error.name}",
                ) from None
        if engine.dialect.name == "sqlite":
            store_sqlite.arrange(engine, wait=self._wait)
        elif engine.dialect.name == "postgresql":
            store_postgres.arrange(engine)
        return engine

    @contextlib.contextmanager
    def _begin(self, *, writes: bool = False) -> Iterator[Any]:
        """Run a transaction: all of it happens, or nothing."""
        engine = self.engine
        if writes and store_sqlite.identify_file(self._url) != self._file:
            # SQLite would go on writing to a file that nobody can find any more.
            raise InputError(
                f"The store {self.where!r} was removed or replaced while it was in use.",
                "Leave it in its place and run again; what was saved is where the file is now.",
            )
        # Threads that write take turns; in memory there is one connection for all.
        turn = self._lock if writes or self._in_memory else contextlib.nullcontext()
        with turn, explain_errors(self.where, opened=self._opened):
            connection = engine.connect().execution_options(twofold_writes=writes)
            with connection, connection.begin():
                yield connection

    def _make_tables(self) -> int:
        """Make the tables that are missing, and return the version of the store."""
        import sqlalchemy as sa
        from sqlalchemy.exc import IntegrityError

        versions, metadata = tables().version, tables().metadata
        version = 0
        for attempt in range(TRIES):
            try:
                with self._begin() as connection:
                    if connection.dialect.name == "sqlite" and not store_sqlite.is_plain(
                        connection, {**metadata.tables, notice_table().name: notice_table()}
                    ):
                        self._refuse_damaged()
                    ready = sa.inspect(connection).has_table("twofold_version")
                    query = sa.select(*raw_columns(versions, "version"))
                    version = (connection.execute(query).scalar() if ready else None) or 0
                    if type(version) is not int:
                        self._refuse_damaged()
                    if version == SCHEMA:
                        there = sa.inspect(connection).get_table_names()
                        if not set(metadata.tables) <= set(there):
                            self._refuse_damaged()
                if version >= SCHEMA:
                    break
                with self._begin(writes=True) as connection:
                    metadata.create_all(connection)
                    if connection.execute(sa.select(versions)).first() is None:
                        connection.execute(sa.insert(versions), {"version": SCHEMA})
                    else:
                        connection.execute(sa.update(versions).values(version=SCHEMA))
                return SCHEMA
            except (IntegrityError, InputError) as error:
                if version and "cannot be written" in str(error):
                    return version  # an older store that can only be read
                # Two processes may make the tables at once; the loser finds them on looking again.
                raced = isinstance(error, IntegrityError) or "already exists" in str(error)
                if not raced or attempt == TRIES - 1:
                    raise
                time.sleep(0.05)
        if version > SCHEMA:
            raise InputError(
                f"The store {self.where!r} was made by a newer twofold (form {version}, this one "
                f"knows {SCHEMA}).",
                "Install a newer twofold, or use another store: `store=FILE`.",
            )
        return version

    def _refuse_damaged(self) -> NoReturn:
        raise explain_error("not a database", self.where)

    def _write(self, connection: Any, entries: list[tuple[str, tuple[Task, Outcome]]]) -> None:
        runs = tables().runs
        self._write_series(connection, [task for _, (task, _) in entries])
        there = select_data(connection, runs, [key for key, _ in entries], lock=True)
        rows = {}
        for key, (task, outcome) in entries:
            old = unpack_or_none(Outcome.unpack, there[key], key) if key in there else None
            merged = old.replace(outcome) if old is not None else outcome
            if merged is not old:
                row = {"series": series_id(task), "run": int(task.run), "splits": task.splits}
                rows[key] = {**row, "data": merged.pack(key)}
        write_data(connection, runs, rows, there)

    def _write_series(self, connection: Any, tasks: list[Task]) -> None:
        """Write what runs share; the names are those that were used last."""
        import sqlalchemy as sa

        series = tables().series
        by_series = {series_id(task): task for task in tasks}
        names: dict[str, tuple[str, str]] = {}
        for batch in split_batches(sorted(by_series), BATCH):
            query = sa.select(series.c.id, series.c.dataset, series.c.learner)
            for row in connection.execute(query.where(series.c.id.in_(batch))):
                names[row.id] = (row.dataset, row.learner)
        for key, task in sorted(by_series.items()):
            called = {"dataset": task.dataset, "learner": task.learner}
            if key not in names:
                facts = {"fingerprint": task.fingerprint, "learner_key": task.learner_key}
                facts |= {"design": task.design, "seed": str(int(task.seed)), "id": key}
                connection.execute(sa.insert(series), {**facts, **called})
            elif names[key] != (task.dataset, task.learner):
                connection.execute(sa.update(series).where(series.c.id == key).values(called))


def _parse_url(url: Any) -> Any:
    """Return a URL that SQLAlchemy understands."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        raise InputError(
            f"{url.partition('://')[0]}://… is not the URL of a database.",
            "Write for instance sqlite:///runs.sqlite or postgresql+psycopg://host/name.",
        ) from None


def _hide_password(url: Any) -> str:
    """Return the store's place for people, without a password."""
    if url.get_backend_name() == "sqlite" and url.database:
        return str(url.database)
    return str(url.render_as_string(hide_password=True))
