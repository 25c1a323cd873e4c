"""Inspect: logs of evaluations, .eval (a zip file) and .json; the summaries, never transcripts.

A learner is a model, a data set a task, an item the id of a sample, a sample an epoch. Grades are
C 1, P 0.5, I and N 0, as Inspect counts them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from twofold.errors import InputError, suggest
from twofold.options import Reading
from twofold.provenance_record import record_file
from twofold.readers.choices import choose_metrics, distinguish, keep_latest, keep_shared
from twofold.readers.json_fields import (
    check_record,
    format_value,
    name_value,
    parse_bytes,
    take_item,
    take_list,
    take_record,
    take_text,
    to_score,
)
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.readers.zip_members import MOST_MEMBER_BYTES, ZipMembers
from twofold.result import Note, join_first
from twofold.tables import RawTable, read_bytes
from twofold.tables.cluster_names import find_cluster_name

TITLE = "Inspect (.eval, .json)"
OPTIONS = ("partial",)

GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Words that Inspect's own metrics take for right and wrong, in small letters."""

_JSON = re.compile(r'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"\w+"\s*,\s*"eval"\s*:')
_JOURNAL = re.compile(r"_journal/summaries/(\d+)\.json")


@dataclass
class InspectLog:
    """What is kept of a log: its model, task and options, and a summary of each sample."""

    path: Path
    model: str
    task: str
    created: str
    traits: dict[str, str]
    values: dict[str, dict[tuple[Any, int], float | None]] = field(default_factory=dict)
    graded: set[str] = field(default_factory=set)
    hashes: dict[Any, str | None] = field(default_factory=dict)
    named: dict[str, dict[Any, Any]] = field(default_factory=dict)
    shapes: dict[str, str] = field(default_factory=dict)
    failed: list[Any] = field(default_factory=list)


def sniff(file: FileStart) -> bool:
    """Tell a log by the ending .eval, or by its first fields."""
    return file.path.suffix.lower() == ".eval" or bool(_JSON.match(file.text))


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a row for each model, task, item and epoch."""
    names = [name for name in (options.item, options.cluster) if name not in (None, "id")]
    notes: list[Note] = []
    logs = [_read_log(path, [str(name) for name in names], options, notes) for path in files]
    labels = distinguish(
        [log.model for log in logs], [log.traits for log in logs], [log.task for log in logs]
    )
    keys = [(label, log.task) for label, log in zip(labels, logs, strict=True)]
    latest, more = keep_latest(keys, [log.created for log in logs], [str(log.path) for log in logs])
    notes += more
    logs, labels = [logs[i] for i in latest], [labels[i] for i in latest]
    available = list(dict.fromkeys(metric for log in logs for metric in log.values))
    metrics, more = choose_metrics(available, options)
    notes += more + _note_traits(logs)
    assumed = keep_shared(log.named for log in logs)
    rows = LongRows(assumed)
    epochs = {epoch for log in logs for values in log.values.values() for _, epoch in values}
    for task in dict.fromkeys(log.task for log in logs):
        members = [i for i, log in enumerate(logs) if log.task == task]
        for i in members:
            for metric in metrics:
                for (item, epoch), value in logs[i].values.get(metric, {}).items():
                    extra = {name: logs[i].named[name][item] for name in assumed}
                    rows.add(
                        dataset=task, learner=labels[i], item=item, metric=metric, value=value,
                        sample=epoch if len(epochs) > 1 else None,
                        item_hash=logs[i].hashes[item], **extra,
                    )  # fmt: skip
    for log, label in zip(logs, labels, strict=True):
        if log.failed:
            failed = list(dict.fromkeys(map(repr, log.failed)))  # in one epoch or several
            count = f"{len(failed)} item{'s' * (len(failed) > 1)}"
            detail = (
                f"{label} on {log.task!r}: {count} ended in an error; the score is missing, not "
                f"wrong: {join_first(failed)}."
            )
            notes.append(Note("items-failed", "Items without a score", detail, "warning"))
    graded = {metric: True for metric in metrics if any(metric in log.graded for log in logs)}
    return rows.build("logs of Inspect, a score for each item", notes, graded)


def _read_log(path: Path, names: list[str], options: Reading, notes: list[Note]) -> InspectLog:
    """Read the summaries of a log."""
    header, summaries, partial = (
        _open_archive(path) if path.suffix.lower() == ".eval" else _open_json(path)
    )
    where = str(path)
    status = header.get("status", "started")
    if (status != "success" or partial or header.get("invalidated")) and not options.partial:
        state = (
            "invalidated"
            if header.get("invalidated")
            else f"of an evaluation with status {status!r}"
        )
        raise InputError(
            f"{where!r} is the log {state}, which was not finished or must not count.",
            "Leave it out; to compare what it holds nevertheless, say `partial=True`.",
        )
    if status != "success" or partial:
        detail = f"{path.name} is of an evaluation with status {status!r}; what it holds was read."
        notes.append(Note("partial-log", "An unfinished log", detail, "warning"))
    facts = take_record(header, "eval", where)
    log = InspectLog(
        path,
        take_text(facts, "model", where),
        take_text(facts, "task", where),
        str(facts.get("created", "")),
        _list_traits(facts, where),
        named={name: {} for name in names},
    )
    if options.cluster is None:
        log.named |= _find_clusters(summaries)
    for number, summary in enumerate(summaries, 1):
        _add_summary(log, check_record(summary, f"{where}, sample {number}"), number)
    if not any(log.values.values()):
        raise InputError(f"{where!r} holds no scores.", "Was it scored? Try `inspect score`.")
    return log


def _open_archive(path: Path) -> tuple[dict[str, Any], list[Any], bool]:
    """Return header and summaries of a zip file, and whether they are those of a journal."""
    with ZipMembers(path) as archive:
        names = set(archive.names)
        where = f"{path}, header"
        if "header.json" in names:
            header = check_record(parse_bytes(archive.read("header.json"), where), where)
        elif "_journal/start.json" in names:
            start = archive.read("_journal/start.json")
            header = {"status": "started", **check_record(parse_bytes(start, where), where)}
        else:
            raise InputError(f"{str(path)!r} is no log of Inspect.", "It has no header.json.")
        if "summaries.json" in names:
            parts, partial = ["summaries.json"], False
        else:
            journals = [match for name in names if (match := _JOURNAL.fullmatch(name))]
            parts = [match[0] for match in sorted(journals, key=lambda match: int(match[1]))]
            partial = True
        summaries: list[Any] = []
        for name in parts:
            part = parse_bytes(archive.read(name), f"{path}, {name}")
            summaries += take_list({"summaries": part}, "summaries", f"{path}, {name}")
    record_file(path)
    return header, summaries, partial


def _open_json(path: Path) -> tuple[dict[str, Any], list[Any], bool]:
    size = path.stat().st_size
    if size > MOST_MEMBER_BYTES:
        raise InputError(
            f"{str(path)!r} holds {size:,} bytes with all transcripts.",
            "Convert it, and name the result: `inspect log convert` into .eval",
        )
    log = check_record(parse_bytes(read_bytes(path), str(path)), str(path))
    return log, take_list(log, "samples", str(path)), False


def _list_traits(facts: dict[str, Any], where: str) -> dict[str, str]:
    """Return the options of an evaluation, by which runs of one model may differ."""
    traits = {}
    for group in ("task_args", "model_args", "model_generate_config"):
        for name, value in take_record(facts, group, where).items():
            traits[name] = format_value(value) if isinstance(value, dict | list) else str(value)
    for name in ("solver", "task_version"):
        if facts.get(name) is not None:
            traits[name] = str(facts[name])
    return traits


def _add_summary(log: InspectLog, summary: dict[str, Any], number: int) -> None:
    """Add the scores of one sample."""
    where = f"{log.path}, sample {number}"
    item, epoch = take_item(summary, "id", where), summary.get("epoch", 1)
    if not isinstance(epoch, int) or isinstance(epoch, bool):
        raise InputError(f"{where}: the epoch is no number.", "Check that the file is complete.")
    where = f"{log.path}, sample {item!r}, epoch {epoch}"
    scores = take_record(summary, "scores", where)
    if not scores and summary.get("error"):
        log.failed.append(item)
    for scorer, score in scores.items():
        value = check_record(score, where).get("value")
        _check_shape(log, scorer, value, where)
        for metric, part in _split_value(scorer, value):
            values = log.values.setdefault(metric, {})
            if (item, epoch) in values:
                raise InputError(f"{where}: it stands there twice.", "Write the log anew.")
            values[item, epoch] = _to_number(part, where)
            if isinstance(part, str):
                log.graded.add(metric)
    texts = [summary.get(name) for name in ("input", "target")]
    known = [text if isinstance(text, str) else "" for text in texts]
    log.hashes[item] = sha256("\0".join(known).encode()).hexdigest() if any(known) else None
    metadata = take_record(summary, "metadata", where)
    for name, cells in log.named.items():
        if item in cells:
            continue  # in an earlier epoch, or found beforehand
        if name not in metadata:
            listed = join_first(list(metadata), 8) or "nothing"
            raise InputError(
                f"{where}: the metadata has no {name!r}.",
                suggest(name, metadata, f"It has {listed}."),
            )
        cells[item] = name_value(metadata[name])


def _check_shape(log: InspectLog, scorer: str, value: Any, where: str) -> None:
    """Refuse a scorer that gives single values here and several at once there."""
    if value is None:
        return
    shape = "a record" if isinstance(value, dict) else "a single value"
    shape = "a list" if isinstance(value, list) else shape
    first = log.shapes.setdefault(scorer, shape)
    if first != shape:
        raise InputError(
            f"{where}: {scorer!r} gives {shape}, and {first} before.",
            "Score the log anew, with one kind of value.",
        )


def _find_clusters(summaries: Sequence[Any]) -> dict[str, dict[Any, Any]]:
    """Return the cluster of each item, where all have metadata that is called as clusters are."""
    metadata = [s.get("metadata") if isinstance(s, dict) else None for s in summaries]
    if not metadata or not isinstance(metadata[0], dict):
        return {}
    name = find_cluster_name(metadata[0])
    cells = [each.get(name) if isinstance(each, dict) else None for each in metadata]
    items = [s.get("id") for s in summaries if isinstance(s, dict)]
    if name is None or not all(isinstance(cell, str | int) for cell in (*cells, *items)):
        return {}
    return {name: dict(zip(items, cells, strict=True))}


def _split_value(scorer: str, value: Any) -> list[tuple[str, Any]]:
    """Return the single scores of a value, each with the name of its metric."""
    if isinstance(value, dict) and value:
        return [(f"{scorer}.{key}", part) for key, part in value.items()]
    if isinstance(value, list) and value:
        return [(f"{scorer}.{i}", part) for i, part in enumerate(value)]
    return [(scorer, value)]


def _to_number(value: Any, where: str) -> float | None:
    """Return a grade or a number as a score; other words are refused."""
    if isinstance(value, str):
        if value in GRADES:
            return GRADES[value]
        if value.strip().lower() in WORDS:
            return WORDS[value.strip().lower()]
        try:
            return to_score(float(value), where)
        except ValueError:
            pass
    return to_score(value, where)


def _note_traits(logs: Sequence[InspectLog]) -> list[Note]:
    """Say in which options of the task the models differ: a difference may be theirs."""
    differing: dict[str, list[str]] = {}
    for task in dict.fromkeys(log.task for log in logs):
        members = [log for log in logs if log.task == task]
        for key in dict.fromkeys(key for log in members for key in log.traits):
            values = list(dict.fromkeys(log.traits.get(key, "none") for log in members))
            if len(values) > 1:
                differing[key] = values
    if not differing:
        return []
    listed = "; ".join(f"{key} {join_first(values)}" for key, values in differing.items())
    detail = f"Not all logs were made with the same options: {listed}."
    return [Note("options-differ", "Options differ between logs", detail, "warning")]
