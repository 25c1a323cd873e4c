"""Notices: what processes are doing in a store right now, for whoever looks into it.

A process whose work takes longer than a second leaves a notice in a table of the store, brings it
up to date every two seconds, and takes it down when it ends. Notices of killed processes are
recognised as claims are, and the next process removes them. They are a courtesy: where one cannot
be written, the work goes on without.
"""

from __future__ import annotations

import json
import os
import threading
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any

from twofold.errors import InputError
from twofold.execution.life_signs import BEAT_EVERY, LifeSigns, name_machine
from twofold.execution.side_connection import SideConnection
from twofold.execution.store_errors import explain_errors
from twofold.execution.store_tables import raw_columns
from twofold.processes import describe_process

FIRST_AFTER = 1.0
"""Seconds after which a notice is written; what is done sooner needs none."""

LONGEST_TEXT = 2000
"""Letters of a text in a notice."""


@dataclass(frozen=True, slots=True)
class WorkFacts:
    """How far some work is.

    Attributes
    ----------
    title, command : str
        What is done in a few words, and the command line, where there is one.
    unit : str
        What is counted.
    done, total : int
    left : float or None
        Seconds until the end at this pace; None before anything is known.
    may_end_early : bool
        Whether ``total`` and ``left`` are upper bounds.
    so_far : str
        What the finished part says.
    started : float
        Seconds since 1970, by the clock of that machine.
    """

    title: str = ""
    command: str = ""
    unit: str = ""
    done: int = 0
    total: int = 0
    left: float | None = None
    may_end_early: bool = False
    so_far: str = ""
    started: float = 0.0


@dataclass(frozen=True, slots=True)
class WorkNotice:
    """What a process is doing; ``process`` is its number and start, ``is_here`` on this machine."""

    process: str
    is_here: bool
    facts: WorkFacts


@cache
def notice_table() -> Any:
    """Return the table of notices.

    It is none of those that make a store: it is made where it is needed, so that older versions
    of twofold may go on using the store.
    """
    import sqlalchemy as sa

    return sa.Table(
        "twofold_notices",
        sa.MetaData(),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("beat", sa.BigInteger, nullable=False),
        sa.Column("facts", sa.Text, nullable=False),
    )


class PostedNotice:
    """The notice of this process, from its making until it is closed.

    Parameters
    ----------
    side : SideConnection
    describe : function
        Returns how far the work is; called in a thread of its own.
    """

    def __init__(self, side: SideConnection, describe: Callable[[], WorkFacts]) -> None:
        self._side, self._describe = side, describe
        self._name = uuid.uuid4().hex
        self._beat = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="notice", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Take the notice down."""
        self._closing.set()
        self._thread.join()

    def _keep(self) -> None:
        """Write the notice again and again, and remove it at the end."""
        import sqlalchemy as sa
        from sqlalchemy.exc import SQLAlchemyError

        table = notice_table()
        wait = FIRST_AFTER
        # A store that refuses is not asked again: the work itself says what is wrong with it.
        with suppress(InputError, SQLAlchemyError):
            while not self._closing.wait(wait):
                wait = BEAT_EVERY
                with self._side.begin() as connection:
                    self._write(connection)
            if self._beat:
                with self._side.begin() as connection:
                    connection.execute(sa.delete(table).where(table.c.id == self._name))
        self._side.close()

    def _write(self, connection: Any) -> None:
        import sqlalchemy as sa

        table = notice_table()
        if not self._beat:
            table.create(connection, checkfirst=True)
            self._remove_dead(connection)
        facts = asdict(self._describe())
        row = {
            "id": self._name,
            "host": name_machine(),
            "process": describe_process(os.getpid()),
            "beat": self._beat,
            "facts": json.dumps({name: _shorten(value) for name, value in facts.items()}),
        }
        mine = table.c.id == self._name
        if connection.execute(sa.update(table).where(mine).values(row)).rowcount == 0:
            connection.execute(sa.insert(table), row)
        self._beat += 1

    def _remove_dead(self, connection: Any) -> None:
        import sqlalchemy as sa

        table = notice_table()
        columns = raw_columns(table, "id", "host", "process", "beat")
        dead = [row.id for row in connection.execute(sa.select(*columns)) if _is_dead(row)]
        connection.execute(sa.delete(table).where(table.c.id.in_(dead)))


def post_notice(store: Any, describe: Callable[[], WorkFacts]) -> PostedNotice | None:
    """Leave a notice in a store; None where others could not see it."""
    open_side = getattr(store, "open_side", None)
    side = None if open_side is None else open_side()
    return None if side is None else PostedNotice(side, describe)


def list_notices(store: Any) -> list[WorkNotice]:
    """Return what processes are doing in a store, what was begun first at the beginning."""
    import sqlalchemy as sa

    if getattr(store, "open_side", lambda: None)() is None:
        return []
    table = notice_table()
    with explain_errors(store.where), store.engine.connect() as connection:
        if not sa.inspect(connection).has_table(table.name):
            return []
        columns = raw_columns(table, *(column.name for column in table.columns))
        rows = connection.execute(sa.select(*columns)).all()
    notices = [
        WorkNotice(row.process, row.host == name_machine(), facts)
        for row in rows
        if all(isinstance(text, str) for text in (row.id, row.host, row.process, row.facts))
        and not _is_dead(row)
        and (facts := _read_facts(row.facts)) is not None
    ]
    return sorted(notices, key=lambda notice: (notice.facts.started, notice.process))


_signs = LifeSigns()
"""Of the stores that this process looks into; ids are never the same in two of them."""


def _is_dead(row: Any) -> bool:
    return not isinstance(row.process, str) or _signs.is_dead(row)


def _read_facts(text: str) -> WorkFacts | None:
    """Return the facts in a notice; None where somebody else wrote it."""
    try:
        given = json.loads(text)
        known = {field.name for field in fields(WorkFacts)}
        if not isinstance(given, Mapping) or not given.keys() <= known:
            return None
        facts = WorkFacts(**given)
        numbers = (facts.done, facts.total)
        if any(type(number) is not int or number < 0 for number in numbers):
            return None
        texts = (facts.title, facts.command, facts.unit, facts.so_far)
        if any(not isinstance(text, str) or len(text) > LONGEST_TEXT for text in texts):
            return None
        times = (facts.started, 0.0 if facts.left is None else facts.left)
        if any(not isinstance(value, int | float) or not 0 <= value < 1e11 for value in times):
            return None
    except ValueError:
        return None
    return facts if isinstance(facts.may_end_early, bool) else None


def _shorten(value: Any) -> Any:
    long = isinstance(value, str) and len(value) > LONGEST_TEXT
    return value[: LONGEST_TEXT - 1] + "…" if long else value
