"""The AutoML benchmark (amlb): results.csv, a row for each job.

A learner is a framework, with constraint or version where one framework has several on a task.
``result`` is turned so that higher is better (neg_logloss), but not in older files (logloss). A
job that failed has no score: it is missing, never zero.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.choices import choose_metrics, distinguish, fold_name, keep_latest
from twofold.readers.column_tables import (
    list_column_names,
    list_rows,
    read_columns,
    take_cell,
    take_score,
)
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.result import Note, join_first
from twofold.tables import RawTable

TITLE = "the AutoML benchmark (results.csv)"
OPTIONS = ("impute",)

NEEDED = ("id", "task", "framework", "constraint", "fold", "result", "metric")
LOSSES = frozenset("logloss rmse mae mse rmsle mape smape mase wql nrmse".split())
GAINS = frozenset("acc auc auc_ovo auc_ovr balacc f1 pac r2 sql ndcg".split())
TURNED = "neg_"
"""What stands before a loss whose sign was turned."""

CLOSE = 1e-4
"""How far a result may lie from the same metric in its own column: both are rounded."""


@dataclass(frozen=True, slots=True)
class BenchmarkJob:
    """A framework on a fold of a task."""

    task: str
    framework: str
    fold: str
    metric: str
    result: float | None
    utc: str
    info: str
    traits: dict[str, object]
    measures: dict[str, float | None]
    where: str


def sniff(file: FileStart) -> bool:
    """Tell results by the names of their columns."""
    return knows_columns(list_column_names(file))


def knows_columns(names: Collection[str]) -> bool:
    """Tell a table of results by the names of its columns."""
    return set(NEEDED) <= set(names) and ("info" in names or "utc" in names)


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return a row for each framework, task and fold."""
    return convert(read_columns(files), options)


def convert(raw: RawTable, options: Reading) -> RawTable:
    """Return a row for each framework, task and fold of a table of results."""
    notes = list(raw.notes)
    jobs = _list_jobs(raw)
    labels = distinguish(
        [job.framework for job in jobs], [job.traits for job in jobs], [job.task for job in jobs]
    )
    keys = [(label, job.task, job.fold) for label, job in zip(labels, jobs, strict=True)]
    latest_jobs, more = keep_latest(keys, [job.utc for job in jobs], [job.where for job in jobs])
    notes += more
    jobs, labels = [jobs[i] for i in latest_jobs], [labels[i] for i in latest_jobs]
    result, more = _name_result(jobs)
    measures = list(dict.fromkeys(name for job in jobs for name in job.measures))
    filled = [n for n in measures if any(job.measures.get(n) is not None for job in jobs)]
    remaining = [name for name in filled if name != result]
    metrics, chosen = choose_metrics([result, *remaining], options, result)
    rows = LongRows()
    directions: dict[str, bool] = {}
    for metric in metrics:
        optimised = metric == result
        for job in jobs if optimised else ():
            _check_sign(job)
        values = [_find_score(job, metric, optimised, result) for job in jobs]
        directions[metric] = _is_gain(metric)
        failed = _list_failed(jobs, labels, values)
        if options.impute is not None:
            notes += _impute(jobs, labels, values, options.impute)
        else:
            notes += _drop_failed(jobs, labels, values, failed)
        for job, label, value in zip(jobs, labels, values, strict=True):
            rows.add(dataset=job.task, learner=label, fold=job.fold, metric=metric, value=value)
        notes += more if optimised else []
    return rows.build("results of the AutoML benchmark", [*notes, *chosen], directions)


def _list_jobs(raw: RawTable) -> list[BenchmarkJob]:
    names = list(raw.columns)
    measures = names[names.index("info") + 1 :] if "info" in names else []
    jobs = []
    for where, cells in list_rows(raw):
        for key in ("task", "framework", "fold", *(["metric"] if cells["result"] else [])):
            take_cell(cells, key, where)
        jobs.append(
            BenchmarkJob(
                cells["task"],
                cells["framework"],
                cells["fold"],
                cells["metric"],
                take_score(cells, "result", where),
                cells.get("utc", ""),
                cells.get("info", ""),
                {key: cells[key] for key in ("constraint", "version") if key in cells},
                {key: take_score(cells, key, where) for key in measures},
                where,
            )
        )
    return jobs


def _is_gain(metric: str) -> bool:
    """Tell whether higher is better."""
    return metric not in LOSSES


def _name_result(jobs: Sequence[BenchmarkJob]) -> tuple[str, list[Note]]:
    """Return what the optimised metric is called: its name, or "result" where tasks differ."""
    names = list(dict.fromkeys(job.metric for job in jobs if job.metric))
    bare = {name.removeprefix(TURNED) for name in names}
    if len(bare) < 2:
        return (names[0] if len(names) == 1 else TURNED + "".join(bare) if bare else "result"), []
    by_task = dict.fromkeys((job.metric.removeprefix(TURNED), job.task) for job in jobs)
    parts = [
        f"{metric} on {join_first([t for m, t in by_task if m == metric])}"
        for metric in dict.fromkeys(metric for metric, _ in by_task if metric)
    ]
    detail = (
        f"{'; '.join(parts)}. Losses have their sign turned. Ranks over data sets do not mind; "
        "means and differences over data sets mix units."
    )
    return "result", [Note("metrics-by-data-set", "Metrics differ by data set", detail, "warning")]


def _check_sign(job: BenchmarkJob) -> None:
    """Refuse a result whose sign contradicts its metric, or the column of that metric."""
    value, bare = job.result, job.metric.removeprefix(TURNED)
    if value is None:
        return
    if bare == job.metric and bare not in LOSSES | GAINS:
        raise InputError(
            f"{job.where}: {bare!r} is not a metric known here, nor which way is better.",
            "Choose a column of the file by its name, `metric=NAME`.",
        )
    sign = -1.0 if bare != job.metric else 1.0
    if bare in LOSSES and value * sign < 0:
        raise InputError(
            f"{job.where}: {job.metric} is {value:g}, with a sign that it cannot have.",
            "Was the file edited? A loss is positive, and negative where it is called neg_.",
        )
    own = job.measures.get(bare)
    if own is not None and abs(value * sign - own) > CLOSE * max(1.0, abs(own)):
        raise InputError(
            f"{job.where}: result {value:g} is not the {bare} of its own column, {own:g}.",
            "Was the file edited?",
        )


def _find_score(job: BenchmarkJob, metric: str, optimised: bool, result: str) -> float | None:
    """Return the score of a job by a metric; results of several metrics are turned."""
    if not optimised:
        return job.measures.get(metric)
    if job.result is None or result in LOSSES:
        return job.result
    return -job.result if job.metric in LOSSES else job.result


def _list_failed(
    jobs: Sequence[BenchmarkJob], labels: Sequence[str], values: Sequence[float | None]
) -> dict[tuple[str, str], list[str]]:
    """Return why jobs have no score, by learner and task."""
    failed: dict[tuple[str, str], list[str]] = {}
    for job, label, value in zip(jobs, labels, values, strict=True):
        if value is None:
            failed.setdefault((label, job.task), []).append(job.info.split("\n")[0])
    return failed


def _drop_failed(
    jobs: Sequence[BenchmarkJob],
    labels: Sequence[str],
    values: list[float | None],
    failed: dict[tuple[str, str], list[str]],
) -> list[Note]:
    """Leave out a learner on tasks of which it failed a fold: means over other folds mislead."""
    for i, (job, label) in enumerate(zip(jobs, labels, strict=True)):
        if (label, job.task) in failed:
            values[i] = None
    if not failed:
        return []
    parts = [
        f"{label} on {task} ({len(reasons)} fold{'s' * (len(reasons) > 1)}"
        f"{': ' + reasons[0][:60] if reasons[0] else ''})"
        for (label, task), reasons in failed.items()
    ]
    detail = (
        f"{join_first(parts, 6)}. Where a fold is missing, the learner counts as missing on that "
        "task. `impute=NAME` takes the scores of another learner instead, as of a constant "
        "predictor."
    )
    return [Note("failed-jobs", "Jobs failed", detail, "warning")]


def _impute(
    jobs: Sequence[BenchmarkJob], labels: Sequence[str], values: list[float | None], name: str
) -> list[Note]:
    """Put the scores of one learner where remaining have none."""
    found = [label for label in dict.fromkeys(labels) if fold_name(label) == fold_name(name)]
    if not found:
        raise InputError(
            f"There is no learner {name!r} to take scores from.",
            f"The file has {join_first(list(dict.fromkeys(labels)), 8)}.",
        )
    stand_in = {
        (job.task, job.fold): value
        for job, label, value in zip(jobs, labels, values, strict=True)
        if label == found[0]
    }
    filled: dict[str, int] = {}
    for i, (job, label) in enumerate(zip(jobs, labels, strict=True)):
        if values[i] is None and label != found[0]:
            values[i] = stand_in.get((job.task, job.fold))
            if values[i] is None:
                raise InputError(
                    f"{found[0]!r} has no score on {job.task!r}, fold {job.fold}, to stand in for "
                    f"{label!r}.",
                    "Name another learner, or leave out `impute`.",
                )
            filled[f"{label} on {job.task}"] = filled.get(f"{label} on {job.task}", 0) + 1
    if not filled:
        return []
    parts = [f"{where} ({count} fold{'s' * (count > 1)})" for where, count in filled.items()]
    detail = f"Scores of {found[0]} stand in for jobs that failed: {join_first(parts, 6)}."
    return [Note("imputed", "Scores were imputed", detail, "warning")]
