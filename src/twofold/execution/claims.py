"""Claims: processes that work on one store at once share the work, and do nothing twice.

A process claims a few jobs before it begins them, and others leave those to it. It shows that it
lives by a number that it raises every few seconds. Claims of a process that does so no longer are
free; on the same machine they are free as soon as it is dead. Clocks are not compared. A claim
that is lost costs a fit that is done twice, never a result.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import islice
from typing import Any

from twofold.errors import InputError, StoreUnavailable
from twofold.execution.life_signs import BEAT_EVERY, LifeSigns, name_machine
from twofold.execution.side_connection import SideConnection
from twofold.execution.store import split_batches
from twofold.execution.store_tables import BATCH, tables
from twofold.processes import describe_process

TRIES = 5
"""How often a claim is tried anew that got into the way of another."""


class Claims:
    """The claims of this process on the jobs of a store.

    Parameters
    ----------
    side : SideConnection
    """

    def __init__(self, side: SideConnection) -> None:
        self._side = side
        self._name = uuid.uuid4().hex
        self._lock = threading.Lock()
        self._dropped: deque[str] = deque()
        self._signs = LifeSigns()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._broken = False

    def claim(self, groups: Sequence[Sequence[str]], most: int) -> set[str]:
        """Claim the keys of the first groups that others do not hold; return the keys.

        Where the database does not answer, work goes on without claims. Where nothing can be
        written to it, the work would be lost, and is refused.
        """
        if not self._broken:
            try:
                keys: set[str] = self._change(lambda c: self._write_claims(c, groups, most))
            except StoreUnavailable:
                self._broken = True
            else:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._beat, name="claims", daemon=True)
                    self._thread.start()
                return keys
        return {key for group in groups[:most] for key in group}

    def drop(self, keys: Iterable[str]) -> None:
        """Leave jobs to others, or to the store; written with the next claim or sign of life."""
        self._dropped.extend(keys)  # without a lock: whoever saves must not wait for claims

    def close(self) -> None:
        """Leave all jobs to others."""
        if self._thread is None:
            return
        self._closing.set()
        self._thread.join()
        self._dropped.clear()
        with suppress(InputError):  # otherwise they are free some time after the last sign of life
            self._change(lambda connection: self._remove(connection, [self._name]))
        self._side.close()

    def _beat(self) -> None:
        """Show every few seconds that this process lives."""
        import sqlalchemy as sa

        owners = tables().owners
        raised = sa.update(owners).where(owners.c.id == self._name).values(beat=owners.c.beat + 1)

        def show(connection: Any) -> None:
            if connection.execute(raised).rowcount == 0:
                self._register(connection)  # someone took this process for dead

        while not self._closing.wait(BEAT_EVERY):
            with suppress(InputError):
                self._change(show)

    def _change(self, change: Callable[[Any], Any]) -> Any:
        """Carry out a change in a transaction, in which dropped claims go as well."""
        from sqlalchemy.exc import IntegrityError

        for attempt in range(TRIES):
            with self._lock:
                # Here and not before: what is dropped may be claimed again in this transaction.
                dropped = [self._dropped.popleft() for _ in range(len(self._dropped))]
                try:
                    with self._side.begin() as connection:
                        self._delete(connection, dropped)
                        return change(connection)
                except (IntegrityError, InputError):
                    self._dropped.extend(dropped)
                    if attempt == TRIES - 1:
                        raise
            time.sleep(0.1 * attempt)

    def _register(self, connection: Any) -> None:
        """Say who we are; remove those that are dead."""
        import sqlalchemy as sa

        owners = tables().owners
        rows = connection.execute(sa.select(owners)).all()
        self._remove(connection, [row.id for row in rows if self._signs.is_dead(row)])
        process = {"host": name_machine(), "process": describe_process(os.getpid())}
        connection.execute(sa.insert(owners), {"id": self._name, "beat": 0, **process})

    def _write_claims(
        self, connection: Any, groups: Sequence[Sequence[str]], most: int
    ) -> set[str]:
        if self._thread is None:
            self._register(connection)
        mine: set[str] = set()
        remaining = iter(groups)
        while most > 0 and (chosen := list(islice(remaining, most))):
            holders = self._insert(connection, [key for group in chosen for key in group])
            dead = self._find_dead(connection, set(holders.values()) - {self._name})
            if dead:
                self._remove(connection, dead)
                holders |= self._insert(connection, [k for k in holders if holders[k] in dead])
            mine.update(key for key, owner in holders.items() if owner == self._name)
            most -= sum(any(key in mine for key in group) for group in chosen)
        return mine

    def _insert(self, connection: Any, keys: list[str]) -> dict[str, str]:
        """Claim keys that nobody holds; return who holds each."""
        import sqlalchemy as sa

        claims = tables().claims
        dialect = import_module(f"sqlalchemy.dialects.{connection.dialect.name}")
        # In one order, so that no two processes wait for each other.
        rows = [{"id": key, "owner": self._name} for key in sorted(keys)]
        connection.execute(dialect.insert(claims).on_conflict_do_nothing(), rows)
        holders: dict[str, str] = {}
        for batch in split_batches(keys, BATCH):
            query = sa.select(claims.c.id, claims.c.owner).where(claims.c.id.in_(batch))
            holders.update((row.id, row.owner) for row in connection.execute(query))
        return holders

    def _find_dead(self, connection: Any, names: set[str]) -> list[str]:
        """Return which of these processes are dead; one that is not registered is."""
        import sqlalchemy as sa

        owners = tables().owners
        if not names:
            return []
        rows = connection.execute(sa.select(owners).where(owners.c.id.in_(names))).all()
        alive = {row.id for row in rows if not self._signs.is_dead(row)}
        return sorted(names - alive)

    def _delete(self, connection: Any, keys: Sequence[str]) -> None:
        import sqlalchemy as sa

        claims = tables().claims
        for batch in split_batches(sorted(keys), BATCH):
            mine = claims.c.owner == self._name
            connection.execute(sa.delete(claims).where(mine, claims.c.id.in_(batch)))

    def _remove(self, connection: Any, names: Sequence[str]) -> None:
        """Remove processes and all that they claim."""
        import sqlalchemy as sa

        owners, claims = tables().owners, tables().claims
        if names:
            connection.execute(sa.delete(claims).where(claims.c.owner.in_(names)))
            connection.execute(sa.delete(owners).where(owners.c.id.in_(names)))
