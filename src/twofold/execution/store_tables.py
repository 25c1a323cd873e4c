"""The tables of a store in a database, and what their rows mean."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

from twofold.errors import InputError
from twofold.execution.store import split_batches
from twofold.execution.task import Outcome, Task, digest

SCHEMA = 3
"""Version 2 added the table of parts, version 3 those of claims; an older store is given the tables
that it lacks when it is opened."""

LAST_MOMENT = 250_000_000_000
"""Seconds from 1970 to the year 9892, after which dates become difficult."""

BATCH = 500
"""Keys named in one statement; some databases take no more than 999."""


@cache
def tables() -> Any:
    """Return the tables of a store."""
    import sqlalchemy as sa

    metadata = sa.MetaData()
    version = sa.Table(
        "twofold_version", metadata, sa.Column("version", sa.Integer, nullable=False)
    )
    # What all runs of one experiment share is written once: it is longer than the predictions.
    series = sa.Table(
        "twofold_series",
        metadata,
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("dataset", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("learner", sa.Text, nullable=False),
        sa.Column("learner_key", sa.Text, nullable=False),
        sa.Column("design", sa.Text, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),  # as text: seeds may be larger than 64 bits
    )
    runs = sa.Table(
        "twofold_runs",
        metadata,
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("series", sa.String(64), nullable=False, index=True),
        sa.Column("run", sa.BigInteger, nullable=False),
        sa.Column("splits", sa.Text, nullable=False),
        sa.Column("saved", sa.Float(53), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary(2**31 - 1), nullable=False),
    )
    parts = sa.Table(
        "twofold_parts",
        metadata,
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("saved", sa.Float(53), nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("data", sa.LargeBinary(2**31 - 1), nullable=False),
    )
    # What processes are doing at this moment; of no use afterwards.
    owners = sa.Table(
        "twofold_owners",
        metadata,
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("beat", sa.BigInteger, nullable=False),
    )
    claims = sa.Table(
        "twofold_claims",
        metadata,
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False, index=True),
    )
    return SimpleNamespace(
        metadata=metadata,
        version=version,
        series=series,
        runs=runs,
        parts=parts,
        owners=owners,
        claims=claims,
    )


def raw_columns(table: Any, *names: str) -> list[Any]:
    """Return columns whose values are what the database has, whatever their type should be."""
    import sqlalchemy as sa

    return [sa.type_coerce(table.c[name], sa.types.NullType()).label(name) for name in names]


def select_data(
    connection: Any, table: Any, keys: Iterable[str], *, lock: bool = False
) -> dict[str, Any]:
    """Return the bytes of the records that are there, by key."""
    import sqlalchemy as sa

    data: dict[str, Any] = {}
    for batch in split_batches(list(dict.fromkeys(keys)), BATCH):
        query = sa.select(*raw_columns(table, "id", "data")).where(table.c.id.in_(batch))
        if lock:
            query = query.order_by(table.c.id).with_for_update()
        data.update((row.id, row.data) for row in connection.execute(query))
    return data


def write_data(
    connection: Any, table: Any, rows: Mapping[str, dict[str, Any]], there: Collection[str]
) -> None:
    """Insert rows, by key; those that are there get new bytes."""
    import sqlalchemy as sa

    now = time.time()
    full = {key: {**row, "saved": now, "size": len(row["data"])} for key, row in rows.items()}
    inserts = [{**row, "id": key} for key, row in full.items() if key not in there]
    if inserts:
        connection.execute(sa.insert(table), inserts)
    changed: dict[str, Any] = {name: sa.bindparam(name) for name in ("data", "size", "saved")}
    updates = [
        {"b_id": key, **{name: row[name] for name in changed}}
        for key, row in full.items()
        if key in there
    ]
    if updates:
        same = table.c.id == sa.bindparam("b_id")
        connection.execute(sa.update(table).where(same).values(changed), updates)


def read_task(shared: Any, row: Any) -> Task | None:
    """Return the task that a row of shared facts and a row of one run describe, if they do."""
    names = ("dataset", "fingerprint", "learner", "learner_key", "design")
    facts = {name: getattr(shared, name) for name in names}
    texts = (*facts.values(), shared.seed, row.splits)
    if type(row.run) is not int or not all(isinstance(text, str) for text in texts):
        return None
    try:
        return Task(**facts, seed=int(shared.seed), run=row.run, splits=row.splits)
    except ValueError:
        return None


def is_listed(row: Any) -> bool:
    """Tell whether a record says when it was saved and how many bytes it takes."""
    return (
        isinstance(row.saved, int | float)
        and 0 <= row.saved < LAST_MOMENT
        and type(row.size) is int
        and row.size >= 0
    )


def describe_damage(row: Any, shared: Any) -> str | None:
    """Return what is wrong with a run, if anything."""
    if shared is None or not isinstance(row.id, str):
        return f"A run of unknown origin: {str(row.id)[:12]}…"
    task = read_task(shared, row)
    if task is None:
        return f"A run that does not say of what: {row.id[:12]}…"
    name = f"{task.learner} on {task.dataset}, {task.design}, run {task.run}"
    if task.key != row.id:
        return f"{name}: the key does not fit the task."
    return describe_bytes(row, name, Outcome.unpack)


def describe_bytes(row: Any, name: object, unpack: Callable[[Any, str], Any]) -> str | None:
    """Return what is wrong with the bytes of a record, if anything."""
    texts = (row.id, name, getattr(row, "kind", ""))
    if not is_listed(row) or not all(isinstance(text, str) for text in texts):
        return f"{name}: its columns hold something else than they should."
    try:
        unpack(row.data, row.id)
    except InputError as error:
        return f"{name}: {error.rule}"
    return None


def series_id(task: Task) -> str:
    """Return the digest of what all runs of one experiment share."""
    return digest(task.fingerprint, task.learner_key, task.design, int(task.seed))
