"""`twofold store`: what is kept, as a table or CSV; is it whole; removing some of it."""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import sys
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from twofold.errors import InputError
from twofold.execution.store import Record, Store, open_store
from twofold.writing import write_whole

COLUMNS = "dataset learner design seed run fold n_test seconds".split()
_AGES = {"h": 3600, "d": 86400, "w": 7 * 86400}


def run(arguments: argparse.Namespace) -> None:
    """Do what was asked with the store."""
    action = arguments.action or "list"
    with open_store(getattr(arguments, "store", None), create=False) as store:
        if action == "list":
            _list(store, getattr(arguments, "format", "table"))
        elif action == "export":
            _export(store, arguments.file)
        elif action == "check":
            _check(store)
        else:
            _prune(store, arguments)


def _list(store: Store, form: str) -> None:
    records = store.tasks()
    groups = _grouped(records)
    if form == "json":
        print(json.dumps(groups, ensure_ascii=False, indent=2))
        return
    place = getattr(store, "where", "memory")
    if not records:
        print(f"The store {place} is empty.")
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for name in ("data set", "learner", "design"):
        table.add_column(name, overflow="fold")
    for name in ("seed", "runs", "size"):
        table.add_column(name, justify="right", no_wrap=name != "seed", overflow="fold")
    table.add_column("last saved", no_wrap=True)
    for group in groups:
        words = [group[name] for name in ("dataset", "learner", "design", "seed", "runs")]
        saved = group["last_saved"].replace("T", " ")[:16]
        table.add_row(*(Text(str(one)) for one in [*words, _bytes(group["bytes"]), saved]))
    console = Console(highlight=False)
    console.print(table)
    console.print()
    datasets = len({group["dataset"] for group in groups})
    learners = len({group["learner"] for group in groups})
    print(
        f"{_count(len(records), 'run')} of {_count(learners, 'learner')} on "
        f"{_count(datasets, 'data set')}, {_bytes(sum(one.size for one in records))}, in\n{place}"
    )


def _grouped(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return one entry per data set, learner, design and seed."""
    groups: dict[tuple[Any, ...], list[Record]] = {}
    for one in records:
        task = one.task
        # Data or learners that changed under the same name are different things.
        place = (task.dataset, task.learner, task.design, task.seed)
        groups.setdefault((*place, task.fingerprint, task.learner_key), []).append(one)
    return [
        {
            "dataset": dataset,
            "learner": learner,
            "design": design,
            "seed": seed,
            "runs": len(members),
            "bytes": sum(one.size for one in members),
            "first_saved": _moment(min(one.saved for one in members)),
            "last_saved": _moment(max(one.saved for one in members)),
            "fingerprint": fingerprint,
            "learner_key": key,
        }
        for (dataset, learner, design, seed, fingerprint, key), members in groups.items()
    ]


def _export(store: Store, place: str) -> None:
    records = store.tasks()
    written = 0
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for start in range(0, len(records), 500):
        some = records[start : start + 500]
        outcomes = store.get([one.task.key for one in some])
        for task in (one.task for one in some if one.task.key in outcomes):
            outcome = outcomes[task.key]
            written += 1
            shared = [task.dataset, task.learner, task.design, task.seed, task.run]
            for fold, (size, seconds) in enumerate(
                zip(outcome.sizes.tolist(), outcome.seconds.tolist(), strict=True)
            ):
                writer.writerow([*shared, fold, size, f"{seconds:.6g}"])
    if place == "-":
        sys.stdout.write(stream.getvalue())
    else:
        write_whole(place, stream.getvalue())
        print(f"{_count(written, 'run')} written to {place}", file=sys.stderr)
    if written < len(records):
        print(
            f"{_count(len(records) - written, 'run')} left out: see `twofold store check`",
            file=sys.stderr,
        )


def _check(store: Store) -> None:
    problems = store.check()
    for one in problems:
        print(one.words)
    if problems:
        raise InputError(
            f"{_count(len(problems), 'problem')} in the store {getattr(store, 'where', '')}.",
            "Damaged runs are done again when they are needed, or removed by: "
            "twofold store prune --damaged --yes",
        )
    print(f"{_count(len(store.tasks()), 'run')}, all of them whole.")


def _prune(store: Store, arguments: argparse.Namespace) -> None:
    chosen = {name: getattr(arguments, name) for name in ("dataset", "learner", "design")}
    before = _time(arguments.older_than) if arguments.older_than else None
    narrow = before is not None or any(chosen.values()) or arguments.damaged
    if arguments.everything == narrow:
        raise InputError(
            "Say which runs to remove: --everything alone, or conditions.",
            "Conditions are --learner, --dataset, --design, --older-than and --damaged.",
        )
    records = store.tasks(before=before, **chosen)
    keys = {one.task.key for one in records}
    if arguments.damaged:
        damaged = {one.key for one in store.check() if one.key is not None}
        # A damaged record may not even be listed; with no other condition it goes as well.
        listed = before is not None or any(chosen.values())
        keys = damaged & keys if listed else damaged
    size = _bytes(sum(one.size for one in records if one.task.key in keys))
    if not keys:
        print("No run fits; nothing was removed.")
    elif arguments.yes:
        print(f"{_count(store.forget(keys), 'run')} removed ({size}).")
    else:
        print(f"{_count(len(keys), 'run')} would be removed ({size}). Add --yes to remove them.")


def _time(text: str) -> float:
    """Return the moment that an age or a date means."""
    age = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([hdw])", text.strip().lower())
    if age:
        return time.time() - float(age[1]) * _AGES[age[2]]
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except (ValueError, OverflowError):
        raise InputError(
            f"{text!r} is neither an age nor a date.", "Write 12h, 30d, 8w, or 2026-01-31."
        ) from None


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).isoformat(timespec="seconds")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")


def _bytes(number: float) -> str:
    for unit in ("B", "kB", "MB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} GB"
