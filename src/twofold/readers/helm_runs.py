"""HELM: a folder per run, with run_spec.json and per_instance_stats.json.

A learner is a model, a data set the run's name without the model, an item an instance, a sample a
trial. Instances and statistics that were perturbed are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.choices import choose_metrics
from twofold.readers.json_fields import (
    check_record,
    read_json,
    take_item,
    take_list,
    take_record,
    take_text,
    to_score,
)
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.result import Note
from twofold.tables import RawTable

TITLE = "HELM (per_instance_stats.json)"

USUAL = ("exact_match", "quasi_exact_match", "f1_score", "rouge_l", "ndcg@10", "RR@10")
"""Metrics that stand for a scenario, the first of those that there are."""

HIGHER = frozenset(USUAL)
SPLIT = "test"


@dataclass
class InstanceStats:
    """The statistics of a run, by metric, instance and trial."""

    path: Path
    model: str
    dataset: str
    values: dict[str, dict[tuple[Any, Any], float | None]] = field(default_factory=dict)


def sniff(file: FileStart) -> bool:
    """Tell statistics of instances by the name of the file and their first field."""
    return file.path.name == "per_instance_stats.json" and '"instance_id"' in file.text


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a row for each model, scenario, instance and trial."""
    runs = [_read_run(path) for path in files]
    seen: dict[tuple[str, str], Path] = {}
    for run in runs:
        if (run.model, run.dataset) in seen:
            raise InputError(
                f"{str(seen[run.model, run.dataset])!r} and {str(run.path)!r} are of one model and "
                "scenario.",
                "Name one of them.",
            )
        seen[run.model, run.dataset] = run.path
    available = list(dict.fromkeys(metric for run in runs for metric in run.values))
    default = next((name for name in USUAL if name in available), None)
    metrics, notes = choose_metrics(available, options, default)
    trials = {trial for run in runs for values in run.values.values() for _, trial in values}
    rows = LongRows()
    for run in runs:
        for metric in metrics:
            for (item, trial), value in run.values.get(metric, {}).items():
                rows.add(
                    dataset=run.dataset, learner=run.model, item=item, metric=metric, value=value,
                    sample=trial if len(trials) > 1 else None,
                )  # fmt: skip
        lacking = [metric for metric in metrics if metric not in run.values]
        if lacking:
            detail = f"{run.model} on {run.dataset!r} has no {lacking[0]}."
            notes.append(Note("metric-missing", "A metric is missing", detail, "warning"))
    directions = {metric: True for metric in metrics if metric in HIGHER}
    return rows.build("runs of HELM, a score for each instance", notes, directions)


def _read_run(path: Path) -> InstanceStats:
    beside = path.parent / "run_spec.json"
    if not beside.is_file():
        raise InputError(
            f"Beside {str(path)!r} there is no run_spec.json, which names the model.",
            "Keep the files of a run together.",
        )
    spec = check_record(read_json(beside), str(beside))
    adapter = take_record(spec, "adapter_spec", str(beside))
    model = take_text(adapter, "model", str(beside))
    name = take_text(spec, "name", str(beside))
    run = InstanceStats(path, model, re.sub(r"[,:]model=[^,]*", "", name))
    for number, entry in enumerate(take_list({"all": read_json(path)}, "all", str(path)), 1):
        _add_instance(run, check_record(entry, f"{path}, entry {number}"), number)
    if not run.values:
        raise InputError(f"{str(path)!r} holds no statistics of the test split.", "Leave it out.")
    return run


def _add_instance(run: InstanceStats, entry: dict[str, Any], number: int) -> None:
    where = f"{run.path}, entry {number}"
    if entry.get("perturbation"):
        return
    item = take_item(entry, "instance_id", where)
    trial = take_item({"train_trial_index": 0, **entry}, "train_trial_index", where)
    for statistic in take_list(entry, "stats", where):
        record = check_record(statistic, where)
        name = take_record(record, "name", where)
        if name.get("perturbation") or name.get("split") not in (None, SPLIT):
            continue
        metric = take_text(name, "name", where)
        values = run.values.setdefault(metric, {})
        if (item, trial) in values:
            raise InputError(
                f"{where}: {metric!r} of instance {item!r} stands there twice.",
                "Write the run anew.",
            )
        values[item, trial] = to_score(record.get("mean"), f"{where}, {metric!r}")
