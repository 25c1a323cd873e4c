"""lm-evaluation-harness: samples_*.jsonl (a line per item) and results_*.json (means of tasks).

A learner is a model (``model_name``), a data set a task, an item a ``doc_id``. Where there are
samples they are read, and the results beside them say what the model is called and which way is
better.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.choices import choose_metrics, distinguish, keep_latest
from twofold.readers.json_fields import check_record, read_json, take_record, to_score
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart, open_start
from twofold.result import Note, join_first
from twofold.tables import RawTable

TITLE = "lm-evaluation-harness (samples_*.jsonl, results_*.json)"

_TIME = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?"
SAMPLES_NAME = re.compile(rf"samples_(?P<task>.+?)(?:_(?P<time>{_TIME}))?\.jsonl")
RESULTS_NAME = re.compile(rf".+_(?P<time>{_TIME})\.json")
_SAMPLES = re.compile(r'\s*\{\s*"doc_id"\s*:')
_RESULTS = re.compile(r'\s*\{\s*"results"\s*:\s*\{')

DIRECTIONS = {
    **dict.fromkeys(
        "acc acc_norm acc_mutual_info exact_match em f1 bleu chrf rouge1 rouge2 rougeL mcc "
        "pass@1 likelihood_diff contains prompt_level_strict_acc inst_level_strict_acc "
        "prompt_level_loose_acc inst_level_loose_acc".split(),
        True,
    ),
    **dict.fromkeys(
        "perplexity word_perplexity byte_perplexity bits_per_byte brier_score ter loss".split(),
        False,
    ),
}
"""Which way is better, of metrics that come without a results file that says so."""


@dataclass(frozen=True)
class ModelResults:
    """A results file: which model it is of, with what options, and its means by task and metric."""

    path: Path
    time: str
    model: str
    traits: dict[str, str]
    shots: dict[str, Any]
    higher: dict[str, dict[str, bool]]
    means: dict[str, dict[tuple[str, str], float | None]] = field(repr=False)
    groups: set[str] = field(default_factory=set)


def sniff(file: FileStart) -> bool:
    """Tell samples by their first field, results by their first and last ones."""
    if _SAMPLES.match(file.text):
        return True
    return bool(_RESULTS.match(file.text)) and '"lm_eval_version"' in file.text + file.end


def _holds_samples(path: Path) -> bool:
    start = open_start(path)
    return start is not None and bool(_SAMPLES.match(start.text))


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return the scores of items, where there are samples, or of tasks."""
    from twofold.readers.lm_eval_samples import read_samples

    samples = [path for path in files if _holds_samples(path)]
    results = [read_results(path) for path in files if path not in set(samples)]
    if samples:
        return read_samples(samples, results, options)
    return _read_means(results, options)


def read_results(path: Path) -> ModelResults:
    """Read a results file."""
    where = str(path)
    record = check_record(read_json(path), where)
    config = take_record(record, "config", where)
    means = {}
    for task, values in take_record(record, "results", where).items():
        means[task] = _read_task(check_record(values, f"{where}, {task}"), f"{where}, {task}")
    higher = {
        task: {m: b for m, b in check_record(by, where).items() if isinstance(b, bool)}
        for task, by in take_record(record, "higher_is_better", where).items()
        if by is not None
    }
    subtasks = take_record(record, "group_subtasks", where)
    groups = {name for name, tasks in subtasks.items() if tasks}
    match = RESULTS_NAME.fullmatch(path.name)
    model = record.get("model_name") or path.resolve().parent.name
    return ModelResults(
        path,
        match["time"] if match else str(record.get("date", "")),
        str(model),
        {"args": _format_arguments(config.get("model_args"))},
        take_record(record, "n-shot", where),
        higher,
        means,
        groups,
    )


def _read_task(values: dict[str, Any], where: str) -> dict[tuple[str, str], float | None]:
    """Return the means of a task by metric and filter; standard errors and names are left out."""
    means = {}
    for name, value in values.items():
        metric, comma, filter = name.partition(",")
        if not comma or metric.endswith("_stderr") or isinstance(value, str):
            continue  # alias, name, sample_len; "N/A" stands for no mean
        means[metric, filter] = to_score(value, f"{where}, {name!r}")
    return means


def _format_arguments(arguments: Any) -> str:
    if isinstance(arguments, dict):
        return ",".join(f"{name}={value}" for name, value in arguments.items())
    return "" if arguments is None else str(arguments)


def name_metric(metric: str, filter: str, filters: Sequence[str]) -> str:
    """Return what a metric is called: with its filter, where there are several."""
    return metric if filter == choose_filter(filters) else f"{metric} ({filter})"


def choose_filter(filters: Sequence[str]) -> str:
    """Return the filter that is read by default: none, or the first."""
    return "none" if "none" in filters or not filters else filters[0]


def note_filter(filters: Sequence[str]) -> list[Note]:
    """Say which of several filters was taken."""
    if len(filters) < 2:
        return []
    chosen = choose_filter(filters)
    remaining = [name for name in filters if name != chosen]
    detail = (
        f"Answers were scored after several filters; {chosen!r} was taken. Also there: "
        f"{join_first(remaining)}. `metric='METRIC ({remaining[0]})'` chooses another."
    )
    return [Note("filter-chosen", "One of several filters", detail, "warning")]


def choose_by_task(
    available: dict[str, list[str]], higher: dict[str, dict[str, bool | None]], options: Reading
) -> tuple[dict[str, list[str]], str | None, list[Note]]:
    """Return the metrics to read of each task, the name that stands for them, and notes.

    Tasks may have different metrics. Without a metric that is asked for, each task has its first
    one, and they are called "score" together; that needs one direction for all.
    """
    every = list(dict.fromkeys(metric for metrics in available.values() for metric in metrics))
    firsts = {task: metrics[0] for task, metrics in available.items() if metrics}
    if options.metric is not None or len(set(firsts.values())) == 1:
        chosen, notes = choose_metrics(every, options)
        return {task: [m for m in chosen if m in ms] for task, ms in available.items()}, None, notes
    if not firsts:
        choose_metrics([], options)
    ways = {higher.get(task, {}).get(metric) for task, metric in firsts.items()}
    listed = join_first([f"{metric} on {task}" for task, metric in firsts.items()])
    if len(ways) > 1:
        raise InputError(
            f"Tasks have different metrics, of which higher is not always better: {listed}.",
            f"Choose one, for instance `metric={every[0]!r}`.",
        )
    detail = f"Each task has its own: {listed}. `metric=NAME` chooses one for all."
    note = Note("metrics-by-data-set", "Metrics differ by data set", detail, "warning")
    return {task: [metric] for task, metric in firsts.items()}, "score", [note]


def _read_means(results: Sequence[ModelResults], options: Reading) -> RawTable:
    """Return the means of each model and task."""
    pairs = [(r, task) for r in results for task in r.means if task not in r.groups]
    grouped = list(dict.fromkeys(task for r in results for task in r.means if task in r.groups))
    labels = distinguish(
        [r.model for r, _ in pairs],
        [{**r.traits, "shots": r.shots.get(task)} for r, task in pairs],
        [task for _, task in pairs],
    )
    keys = [(label, task) for label, (_, task) in zip(labels, pairs, strict=True)]
    latest, notes = keep_latest(keys, [r.time for r, _ in pairs], [str(r.path) for r, _ in pairs])
    filters = list(dict.fromkeys(f for i in latest for _, f in pairs[i][0].means[pairs[i][1]]))
    available: dict[str, list[str]] = {}
    higher: dict[str, dict[str, bool | None]] = {}
    for i in latest:
        result, task = pairs[i]
        for metric, filter in result.means[task]:
            name = name_metric(metric, filter, filters)
            metrics = available.setdefault(task, [])
            metrics += [name] if name not in metrics else []
            way = result.higher.get(task, {}).get(metric, DIRECTIONS.get(metric))
            higher.setdefault(task, {})[name] = way
    chosen, joint, more = choose_by_task(available, higher, options)
    rows = LongRows()
    directions: dict[str, bool] = {}
    for i in latest:
        result, task = pairs[i]
        for (metric, filter), value in result.means[task].items():
            name = name_metric(metric, filter, filters)
            if name in chosen[task]:
                metric_name = joint or name
                rows.add(dataset=task, learner=labels[i], metric=metric_name, value=value)
                if (way := higher[task][name]) is not None:
                    directions[metric_name] = way
    notes += more + (note_filter(filters) if options.metric is None else [])
    if grouped:
        detail = f"Left out, since their tasks are there: {join_first(grouped)}."
        notes.append(Note("left-out-rows", "Groups of tasks left out", detail))
    return rows.build("results of lm-evaluation-harness, a mean for each task", notes, directions)
