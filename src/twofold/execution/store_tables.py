"""The tables of a store in a database, and what their rows mean."""

from __future__ import annotations

import hashlib
import json
import zlib
from functools import cache
from types import SimpleNamespace
from typing import Any

from twofold.errors import InputError
from twofold.execution.task import Outcome, Task

SCHEMA = 1


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
    return SimpleNamespace(metadata=metadata, version=version, series=series, runs=runs)


def unpacked(data: Any) -> Outcome | None:
    """Return the outcome in a record, None where it is damaged."""
    try:
        return Outcome.unpack(bytes(data))
    except InputError as error:
        if "damaged" in error.rule:
            return None
        raise


def task_of(shared: Any, row: Any) -> Task:
    """Return the task that a row of shared facts and a row of one run describe."""
    return Task(
        dataset=shared.dataset,
        fingerprint=shared.fingerprint,
        learner=shared.learner,
        learner_key=shared.learner_key,
        design=shared.design,
        seed=int(shared.seed),
        run=row.run,
        splits=row.splits,
    )


def wrong(row: Any, shared: Any) -> str | None:
    """Return what is wrong with a record, if anything."""
    if shared is None:
        return f"A run of unknown origin: {row.id[:12]}…"
    task = task_of(shared, row)
    name = f"{task.learner} on {task.dataset}, {task.design}, run {task.run}"
    if task.key != row.id:
        return f"{name}: the key does not fit the task."
    try:
        Outcome.unpack(bytes(row.data))
    except (InputError, ValueError, KeyError, zlib.error) as error:
        return f"{name}: {str(error).splitlines()[0]}"
    return None


def series_id(task: Task) -> str:
    """Return the digest of what all runs of one experiment share."""
    parts = [task.fingerprint, task.learner_key, task.design, int(task.seed)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
