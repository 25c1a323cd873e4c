"""Samples of lm-evaluation-harness: a line for each item and filter, paired by ``doc_id``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twofold.errors import InputError, suggest
from twofold.options import Reading
from twofold.readers.choices import distinguish, keep_latest, keep_shared
from twofold.readers.json_fields import (
    format_value,
    name_value,
    stream_records,
    take_item,
    take_list,
    to_score,
)
from twofold.readers.lm_eval_results import (
    DIRECTIONS,
    RESULTS_NAME,
    SAMPLES_NAME,
    ModelResults,
    choose_by_task,
    name_metric,
    note_filter,
    read_results,
)
from twofold.readers.long_rows import LongRows
from twofold.result import Note, join_first
from twofold.tables import RawTable
from twofold.tables.cluster_names import find_cluster_name

FIELDS = frozenset(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash "
    "target_hash".split()
)
"""What a line holds besides its metrics."""


@dataclass
class TaskSamples:
    """What is kept of a samples file: scores by metric, filter and item, and digests of items."""

    path: Path
    values: dict[tuple[str, str], dict[Any, float | None]] = field(default_factory=dict)
    hashes: dict[Any, str | None] = field(default_factory=dict)
    prompts: dict[Any, Any] = field(default_factory=dict)
    named: dict[str, dict[Any, Any]] = field(default_factory=dict)
    unusable: set[str] = field(default_factory=set)


def read_samples(
    paths: Sequence[Path], results: Sequence[ModelResults], options: Reading
) -> RawTable:
    """Return a row for each model, task and item."""
    facts = [_find_facts(path, results) for path in paths]
    labels = distinguish(
        [model for model, *_ in facts],
        [traits for _, _, _, traits, _ in facts],
        [task for _, task, *_ in facts],
    )
    keys = [(label, fact[1]) for label, fact in zip(labels, facts, strict=True)]
    latest, notes = keep_latest(keys, [fact[2] for fact in facts], list(map(str, paths)))
    names = [name for name in (options.item, options.cluster) if name not in (None, "doc_id")]
    tables = {i: _read_lines(paths[i], list(map(str, names)), options) for i in latest}
    assumed = keep_shared(table.named for table in tables.values())
    filters = list(dict.fromkeys(f for table in tables.values() for _, f in table.values))
    available: dict[str, list[str]] = {}
    higher: dict[str, dict[str, bool | None]] = {}
    for i, table in tables.items():
        _, task, _, _, result = facts[i]
        for metric, filter in table.values:
            name = name_metric(metric, filter, filters)
            metrics = available.setdefault(task, [])
            metrics += [name] if name not in metrics else []
            stated = result.higher.get(task, {}) if result is not None else {}
            higher.setdefault(task, {})[name] = stated.get(metric, DIRECTIONS.get(metric))
    chosen, joint, more = choose_by_task(available, higher, options)
    notes += more + (note_filter(filters) if options.metric is None else [])
    rows = LongRows(assumed)
    directions: dict[str, bool] = {}
    by_task: dict[str, list[int]] = {}
    for i in latest:
        by_task.setdefault(facts[i][1], []).append(i)
    for task, members in by_task.items():
        group = [tables[i] for i in members]
        notes += _note_prompts(task, group)
        for i in members:
            for (metric, filter), values in tables[i].values.items():
                name = name_metric(metric, filter, filters)
                if name not in chosen[task]:
                    continue
                label = joint or name
                if (way := higher[task][name]) is not None:
                    directions[label] = way
                for item, value in values.items():
                    extra = {n: tables[i].named[n][item] for n in assumed}
                    rows.add(
                        dataset=task, learner=labels[i], item=item, metric=label, value=value,
                        item_hash=tables[i].hashes[item], **extra,
                    )  # fmt: skip
    unusable = sorted({name for table in tables.values() for name in table.unusable})
    if unusable:
        detail = f"Not a number for each item: {join_first(unusable)}. They were left out."
        notes.append(Note("left-out-columns", "Metrics of the whole test set left out", detail))
    kind = "samples of lm-evaluation-harness, a score for each item"
    return rows.build(kind, notes, directions)


def _find_facts(
    path: Path, results: Sequence[ModelResults]
) -> tuple[str, str, str, dict[str, Any], ModelResults | None]:
    """Return model, task, time and options of a samples file, from its name and the results."""
    match = SAMPLES_NAME.fullmatch(path.name)
    task = match["task"] if match else path.stem.removeprefix("samples_")
    time = (match["time"] if match else None) or ""
    result = next((r for r in results if r.time == time and r.path.parent == path.parent), None)
    if result is None and time:
        beside = [p for p in sorted(path.parent.glob(f"*{time}.json")) if p.is_file()]
        named = [p for p in beside if RESULTS_NAME.fullmatch(p.name)]
        result = read_results(named[0]) if named else None
    if result is None:
        return path.resolve().parent.name, task, time, {}, None
    return result.model, task, time, {**result.traits, "shots": result.shots.get(task)}, result


def _read_lines(path: Path, names: Sequence[str], options: Reading) -> TaskSamples:
    """Read a samples file, line by line.

    ``names`` are keys of the docs to keep; where no cluster is named, one that is called as
    clusters are is kept as well.
    """
    table = TaskSamples(path, named={name: {} for name in names})
    for where, line in stream_records(path):
        doc = line.get("doc")
        if not table.hashes and options.cluster is None and isinstance(doc, dict):
            table.named |= {name: {} for name in [find_cluster_name(doc)] if name is not None}
        item = take_item(line, "doc_id", where)
        filter = str(line.get("filter", "none"))
        for metric in _list_metrics(line, where):
            values = table.values.setdefault((metric, filter), {})
            if item in values:
                raise InputError(
                    f"{where}: item {item!r} stands there twice (filter {filter!r}).",
                    "Write the samples of each run to a file of its own.",
                )
            value = line.get(metric)
            if isinstance(value, list | dict | str):
                table.unusable.add(metric)
            values[item] = None if metric in table.unusable else to_score(value, where)
        hashes = [line.get(name) for name in ("doc_hash", "target_hash")]
        table.hashes[item] = None if None in hashes else " ".join(map(str, hashes))
        table.prompts[item] = line.get("prompt_hash")
        for name in list(table.named):
            if name in names:
                table.named[name][item] = _take_named(line, name, where)
            elif isinstance(doc, dict) and isinstance(doc.get(name), str | int):
                table.named[name][item] = doc[name]
            else:  # not every item has it
                del table.named[name]
    table.values = {key: v for key, v in table.values.items() if key[0] not in table.unusable}
    if not table.values:
        raise InputError(f"{str(path)!r} holds no score for each item.", "Name another file.")
    return table


def _list_metrics(line: dict[str, Any], where: str) -> list[str]:
    if "metrics" in line:
        names = take_list(line, "metrics", where)
        if not all(isinstance(name, str) and name not in FIELDS for name in names):
            raise InputError(f"{where}: {format_value(names)} are no metrics.", "Is it edited?")
        return names
    return [name for name in line if name not in FIELDS]


def _take_named(line: dict[str, Any], name: str, where: str) -> str | int | None:
    """Return what the doc of a line has under a name that the caller gave."""
    doc = line.get("doc")
    if not isinstance(doc, dict) or name not in doc:
        keys = list(doc) if isinstance(doc, dict) else []
        raise InputError(
            f"{where}: the doc has no {name!r}.",
            suggest(name, keys, f"It has {join_first(keys, 8) or 'no names'}."),
        )
    return name_value(doc[name])


def _note_prompts(task: str, tables: Sequence[TaskSamples]) -> list[Note]:
    """Say where models were asked the same in other words."""
    first: dict[Any, Any] = {}
    other = {
        item
        for table in tables
        for item, prompt in table.prompts.items()
        if first.setdefault((item, table.hashes[item]), prompt) != prompt
    }
    if not other:
        return []
    detail = (
        f"On {task!r} {len(other)} of {len(first)} items were asked with other prompts (template, "
        "examples) of some models; a difference may be the prompt's."
    )
    return [Note("prompts-differ", "Prompts differ", detail, "warning")]
