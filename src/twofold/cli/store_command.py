"""`twofold store`: what is kept, as a table or CSV; is it whole; removing some of it."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from twofold.cli.store_changes import add_changes, list_reasons
from twofold.cli.streams import open_console, tell
from twofold.errors import InputError
from twofold.escapes import make_visible
from twofold.execution.kept_answers import KINDS
from twofold.execution.store import Store, open_store, split_batches
from twofold.execution.store_overview import (
    format_bytes,
    group_parts,
    group_runs,
    make_groups_visible,
)
from twofold.execution.store_waiting import SHORT_SECONDS
from twofold.writing import format_delimited, write_whole

COLUMNS = "dataset learner design seed run fold n_test seconds".split()
_AGES = {"h": 3600, "d": 86400, "w": 7 * 86400}


def run(arguments: argparse.Namespace) -> None:
    """List, export, check or prune the store."""
    action = arguments.action or "list"
    path = getattr(arguments, "store", None)
    with open_store(path, create=False, patience=SHORT_SECONDS) as store:
        if action == "list":
            _list(store, getattr(arguments, "format", "table"))
        elif action == "export":
            _export(store, arguments.file)
        elif action == "check":
            _check(store)
        else:
            _prune(store, arguments)


def _list(store: Store, form: str) -> None:
    records, parts = store.tasks(), store.arrays.parts()
    groups = make_groups_visible(add_changes(group_runs(records)))
    wholes = make_groups_visible(group_parts(parts))
    if form == "json":
        print(json.dumps([*groups, *wholes], ensure_ascii=False, indent=2))
        return
    path = getattr(store, "where", "memory")
    if not records and not parts:
        print(f"The store {path} is empty.")
        return
    columns = {"data set": "dataset", "learner": "learner", "design": "design", "seed": "seed"}
    if groups:
        _print_table({**columns, "runs": "runs"}, groups)
    _print_reasons(groups)
    if wholes:
        _print_table({"kind": "kind", "name": "name", "parts": "parts"}, wholes)
    summary = []
    if groups:
        learners = _count(len({group["learner"] for group in groups}), "learner")
        datasets = _count(len({group["dataset"] for group in groups}), "data set")
        summary.append(f"{_count(len(records), 'run')} of {learners} on {datasets}")
    for kind, plural in (("study", "studies"), ("reproduction", "reproductions")):
        sizes = [group["parts"] for group in wholes if group["kind"] == kind]
        if sizes:
            summary.append(f"{_count(sum(sizes), 'part')} of {_count(len(sizes), kind, plural)}")
    answers = sum(group["parts"] for group in wholes if group["kind"] in KINDS)
    summary += [_count(answers, "whole answer")] * bool(answers)
    size = format_bytes(sum(group["bytes"] for group in (*groups, *wholes)))
    print(",\n".join(summary) + f", {size}, in\n{path}")


def _print_reasons(groups: Sequence[dict[str, Any]]) -> None:
    """Print why runs were done again: what had changed since the last ones of that name."""
    from rich.table import Table

    reasons, count = list_reasons(groups)
    if not reasons:
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("done again", no_wrap=True)
    for heading in ("learner", "data set", "what had changed"):
        table.add_column(heading, overflow="fold")
    rest = _count(count - len(reasons), "earlier reason")
    remark = f"and {rest}: twofold store list --format json" if count > len(reasons) else ""
    _print_rows(table, [reason.values() for reason in reasons], remark)


def _print_table(columns: dict[str, str], groups: Sequence[dict[str, Any]]) -> None:
    """Print what is there, a row per group; ``columns`` maps headings to fields."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in columns:
        number = heading in ("seed", "runs", "parts")
        wrap = heading not in ("runs", "parts", "kind")
        table.add_column(
            heading, justify="right" if number else "left", no_wrap=not wrap, overflow="fold"
        )
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("last saved", no_wrap=True)
    rows = []
    for group in groups:
        saved = group["last_saved"].replace("T", " ")[:16]
        names = [group[field] for field in columns.values()]
        rows.append([*map(_shorten_splitter, names), format_bytes(group["bytes"]), saved])
    _print_rows(table, rows)


def _print_rows(table: Any, rows: Iterable[Iterable[str]], remark: str = "") -> None:
    """Print a table with these rows, and a remark below it."""
    from rich.text import Text

    for cells in rows:
        table.add_row(*map(Text, cells))
    console = open_console()
    console.print(table)
    if remark:
        console.print(remark)
    console.print()


def _shorten_splitter(text: object) -> str:
    """Cut the key of a splitter, which names its module and every parameter, to its beginning."""
    short = re.sub(r"^splitter:(\w+\.)*", "", str(text))
    cut = short != str(text) and len(short) > 28
    return short[:27] + "…" if cut else short


def _export(store: Store, path: str) -> None:
    records = store.tasks()
    written = 0
    rows: list[list[Any]] = [COLUMNS]
    for batch in split_batches(records, 500):
        outcomes = store.get([record.task.key for record in batch])
        for task in (record.task for record in batch if record.task.key in outcomes):
            outcome = outcomes[task.key]
            written += 1
            names = map(make_visible, (task.dataset, task.learner, task.design))
            shared = [*names, task.seed, task.run]
            for fold, (size, seconds) in enumerate(
                zip(outcome.sizes.tolist(), outcome.seconds.tolist(), strict=True)
            ):
                rows.append([*shared, fold, size, f"{seconds:.6g}"])
    text = format_delimited(rows)
    if path == "-":
        sys.stdout.write(text)
    else:
        write_whole(path, text)
        tell(f"{_count(written, 'run')} written to {path}")
    if written < len(records):
        tell(f"{_count(len(records) - written, 'run')} left out: see `twofold store check`")


def _check(store: Store) -> None:
    problems = store.check()
    for problem in problems:
        print(make_visible(problem.words))
    if problems:
        raise InputError(
            f"{_count(len(problems), 'problem')} in the store {getattr(store, 'where', '')}.",
            "Damaged records are made again when they are needed, or removed by: "
            "twofold store prune --damaged --yes",
        )
    counts = [_count(len(store.tasks()), "run")]
    parts = len(store.arrays.parts())
    counts += [f"{_count(parts, 'part')} of studies and reproductions"] if parts else []
    print(f"{' and '.join(counts)}, all of them whole.")


def _prune(store: Store, arguments: argparse.Namespace) -> None:
    sizes = _choose(store, arguments)
    size, count = format_bytes(sum(sizes.values())), _count(len(sizes), "record")
    if not sizes:
        print("No record fits; nothing was removed.")
    elif arguments.yes:
        print(f"{_count(store.forget(sizes), 'record')} removed ({size}).")
    else:
        print(f"{count} would be removed ({size}). Add --yes to remove them.")


def _choose(store: Store, arguments: argparse.Namespace) -> dict[str, int]:
    """Return the keys and sizes of the records that all conditions choose."""
    of_runs = {name: getattr(arguments, name) for name in ("dataset", "learner", "design")}
    before = _time(arguments.older_than) if arguments.older_than else None
    kind, name = arguments.kind, arguments.name
    narrow = before is not None or any((*of_runs.values(), kind, name))
    if arguments.everything == (narrow or arguments.damaged):
        raise InputError(
            "Say which records to remove: --everything alone, or conditions.",
            "Conditions are --learner, --dataset, --design, --kind, --name, --older-than and "
            "--damaged.",
        )
    sizes = {}
    if kind in (None, "run") and name is None:
        sizes = {
            record.task.key: record.size
            for record in store.tasks()
            if all(value in (None, getattr(record.task, n)) for n, value in of_runs.items())
            and (before is None or record.saved < before)
        }
    if kind != "run" and not any(of_runs.values()):
        sizes |= {
            record.part.key: record.size
            for record in store.arrays.parts()
            if kind in (None, record.part.kind)
            and name in (None, record.part.name)
            and (before is None or record.saved < before)
        }
    if not arguments.damaged:
        return sizes
    damaged = [problem.key for problem in store.check() if problem.key is not None]
    # A damaged record may not even be listed; with no other condition it goes as well.
    return {key: sizes.get(key, 0) for key in damaged if key in sizes or not narrow}


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


def _count(number: int, word: str, plural: str | None = None) -> str:
    return f"{number:,} {word if number == 1 else plural or word + 's'}"
