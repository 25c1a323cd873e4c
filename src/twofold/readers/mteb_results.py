"""MTEB: a JSON file per model and task, ``<model>/<revision>/<Task>.json``.

A learner is a model, a data set a task; its score is the mean of ``main_score`` over the subsets
(languages) of the test split.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.choices import choose_metrics, distinguish
from twofold.readers.json_fields import check_record, read_json, take_record, to_score
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.result import Note, join_first
from twofold.tables import RawTable

TITLE = "MTEB (MODEL/REVISION/TASK.json)"

MAIN = "main_score"
SPLITS = ("test", "validation", "dev")
"""Splits that are read, the first of those that a task has."""


@dataclass(frozen=True)
class TaskResult:
    """The scores of a model on a task, by subset and metric."""

    path: Path
    model: str
    revision: str
    task: str
    split: str
    subsets: dict[str, dict[str, float]]


def sniff(file: FileStart) -> bool:
    """Tell a result by its fields."""
    text = file.text + file.end
    named = '"task_name"' in text or '"mteb_dataset_name"' in text
    return file.text.lstrip()[:1] == "{" and '"mteb_version"' in text and named


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a score for each model and task."""
    results = [_read_file(path) for path in files]
    tasks = [result.task for result in results]
    labels = distinguish(
        [result.model for result in results],
        [{"revision": result.revision} for result in results],
        tasks,
    )
    by_task: dict[str, dict[str, TaskResult]] = {}
    for label, result in zip(labels, results, strict=True):
        own = by_task.setdefault(result.task, {})
        if label in own:
            raise InputError(
                f"{str(own[label].path)!r} and {str(result.path)!r} are of one model and task.",
                "Name one of them.",
            )
        own[label] = result
    every = dict.fromkeys(
        metric for result in results for scores in result.subsets.values() for metric in scores
    )
    available = [MAIN, *(metric for metric in every if metric != MAIN)]
    metrics, notes = choose_metrics(available, options, MAIN)
    rows = LongRows()
    other_splits, other_subsets = [], []
    for task, models in by_task.items():
        splits = {result.split for result in models.values()}
        if len(splits) > 1:
            raise InputError(
                f"On {task!r} some models were scored on {join_first(sorted(splits))}.",
                "Compare scores on one split.",
            )
        other_splits += [f"{task} ({split})" for split in splits if split != SPLITS[0]]
        shared = set.intersection(*(set(result.subsets) for result in models.values()))
        if not shared:
            raise InputError(f"Models share no subset of {task!r}.", "Leave one of them out.")
        if any(set(result.subsets) != shared for result in models.values()):
            other_subsets.append(task)
        for label, result in models.items():
            for metric in metrics:
                values = [result.subsets[name].get(metric) for name in sorted(shared)]
                present = [value for value in values if value is not None]
                value = sum(present) / len(present) if len(present) == len(values) else None
                rows.add(dataset=task, learner=label, metric=metric, value=value)
    if other_splits:
        detail = f"There is no test split of {join_first(other_splits)}; that one was read."
        notes.append(Note("split-chosen", "Not the test split", detail, "warning"))
    if other_subsets:
        detail = (
            f"Not all models have all subsets of {join_first(other_subsets)}; means are over "
            "those that all have."
        )
        notes.append(Note("subsets-differ", "Subsets left out", detail, "warning"))
    return rows.build("results of MTEB", notes, {MAIN: True})


def _read_file(path: Path) -> TaskResult:
    where = str(path)
    record = check_record(read_json(path), where)
    task = record.get("task_name") or record.get("mteb_dataset_name")
    splits = record if "mteb_dataset_name" in record else take_record(record, "scores", where)
    split = next((name for name in SPLITS if splits.get(name)), None)
    if not isinstance(task, str) or split is None:
        raise InputError(f"{where!r} has no scores on {join_first(SPLITS)}.", "Leave the file out.")
    subsets = {
        name: _list_scores(scores, f"{where}, {name}")
        for name, scores in _list_subsets(splits[split], where)
    }
    if not all(MAIN in scores for scores in subsets.values()) or not subsets:
        raise InputError(f"{where!r} has no main_score.", "Leave the file out, or make it anew.")
    model, revision = _name_model(path)
    return TaskResult(path, model, revision, task, split, subsets)


def _list_subsets(scores: Any, where: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the subsets of a split: records with a name, or one record for all in older files."""
    if isinstance(scores, list):
        records = [check_record(entry, where) for entry in scores]
        names = [str(entry.get("hf_subset", "default")) for entry in records]
        if len(set(names)) < len(names):
            raise InputError(f"{where!r} has a subset twice.", "Make it anew.")
        return list(zip(names, records, strict=True))
    record = check_record(scores, where)
    if MAIN in record:
        return [("default", record)]
    return [(name, value) for name, value in record.items() if isinstance(value, dict)]


def _list_scores(record: dict[str, Any], where: str) -> dict[str, float]:
    scores = {}
    for name, value in record.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            score = to_score(value, where)
            if score is not None:
                scores[name] = score
    return scores


def _name_model(path: Path) -> tuple[str, str]:
    """Return the model and its revision, from the file beside, or from the names of the folders."""
    beside = path.parent / "model_meta.json"
    if beside.is_file():
        record = check_record(read_json(beside), str(beside))
        if isinstance(record.get("name"), str):
            return record["name"], str(record.get("revision") or path.parent.name)
    folder = path.resolve().parent
    return folder.parent.name.replace("__", "/"), folder.name
