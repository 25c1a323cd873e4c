"""Reports of skore: cross-validation reports by name, or a comparison report of them.

skore is never imported: a report has `metrics.summarize()`, and knows its splits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from twofold.errors import InputError
from twofold.scores.sklearn_results import from_cross_validate
from twofold.tables import RawTable

LEFT_OUT = ("default_score", "fit_time", "predict_time")
"""What a summary has besides metrics: the score by another name, and times."""

_REMEDY = "Pass {'tree': CrossValidationReport(...), 'forest': CrossValidationReport(...)}."


def is_report(table: Any) -> bool:
    """Tell whether this is a report of skore."""
    return hasattr(getattr(table, "metrics", None), "summarize")


def are_reports(table: Any) -> bool:
    """Tell whether these are reports, by name or in a list."""
    reports = table.values() if isinstance(table, Mapping) else table
    return bool(table) and all(map(is_report, reports))


def from_reports(table: Any, rows: str | None) -> RawTable:
    """Return a row for each learner, split and metric of reports by name, in a list, or of one."""
    named = _name_reports(table)
    results: dict[str, dict[str, Any]] = {}
    directions: dict[str, bool] = {}
    for name, report in named.items():
        if not hasattr(report, "split_indices"):
            raise InputError(
                f"The report on {name} has one split: a single score, which varies with the split.",
                "Use CrossValidationReport with the same splitter for every learner; or pass true "
                "labels and a column of predictions for each, with `predictions=True`.",
            )
        train, test = zip(*report.split_indices, strict=True)
        results[name] = {"indices": {"train": train, "test": test}}
        for metric, values, higher in _read_summary(report, len(test)):
            results[name][f"test_{metric}"] = values
            directions[metric] = higher
    raw = from_cross_validate({None: results}, rows, kind="reports of skore")
    return replace(raw, directions=directions)


def _name_reports(table: Any) -> dict[str, Any]:
    """Return reports by name."""
    if is_report(table):
        inner = getattr(table, "reports_", None)
        if not isinstance(inner, Mapping):
            raise InputError("This is the report on one learner; comparing needs two.", _REMEDY)
        table = inner
    if isinstance(table, Mapping):
        named = {str(name): report for name, report in table.items()}
    else:
        named = {str(report.estimator_name_): report for report in table}
    if len(named) < len(table):
        raise InputError("Two reports have the same name.", _REMEDY)
    if len(named) < 2:
        raise InputError("This is the report on one learner; comparing needs two.", _REMEDY)
    return named


def _read_summary(report: Any, count: int) -> list[tuple[str, list[float], bool]]:
    """Return name, values on the splits and direction of each metric; not those of each class."""
    frame = getattr(report.metrics.summarize(), "summary", None)
    if frame is None or not {"name", "score", "split", "greater_is_better"} <= set(frame.columns):
        raise InputError(
            "The summary of this report has another form than that of skore 0.28.",
            "Pass a frame with columns learner, fold and value.",
        )
    metrics: dict[str, dict[int, float]] = {}
    directions: dict[str, bool] = {}
    for row in frame.to_dict("records"):
        name, apart = str(row["name"]), (row.get("label"), row.get("output"))
        if name in LEFT_OUT or row.get("data_source") == "train" or not all(map(_is_empty, apart)):
            continue
        metrics.setdefault(name, {})[int(row["split"])] = float(row["score"])
        directions[name] = bool(row["greater_is_better"])
    return [
        (name, [scores[i] for i in range(count)], directions[name])
        for name, scores in metrics.items()
        if set(scores) == set(range(count))
    ]


def _is_empty(cell: Any) -> bool:
    return str(cell) in ("None", "nan", "<NA>")
