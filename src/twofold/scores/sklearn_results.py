"""scikit-learn's own results: `cross_validate` of several learners, and searches."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.result import Note
from twofold.scores.nested import from_records
from twofold.scores.splits import (
    describe_count,
    describe_indices,
    describe_splitter,
    leave_one_out_error,
    note_time_series,
    same_splits,
)
from twofold.tables import RawTable

SELECTION = Note(
    "search-candidates",
    "Candidates of a search",
    "The search chose the best candidate by these very scores: its own score is too good on "
    "average. To compare tuned learners, pass cross_validate of each whole search.",
)

DEFAULT_SCORES = {"ClassifierMixin.score": "accuracy", "RegressorMixin.score": "r2"}
"""What estimators of scikit-learn measure unless they are told otherwise."""
SCORERS = {"score": True}
"""What scikit-learn calls a score is higher where it is better: its scorers turn losses round."""
_OWN = re.compile(r"fit_time|score_time|estimator|indices|(test|train)_\w+")


def is_one_result(table: Any) -> bool:
    """Tell whether these are the columns of a single `cross_validate`."""
    names = [str(name) for name in table]
    return any(name.startswith("test_") for name in names) and all(map(_OWN.fullmatch, names))


def single_result_error() -> InputError:
    """Return the error for the result of one model alone."""
    return InputError(
        "This is the result of cross_validate for one model, and does not tell its name.",
        "Pass results by name: {'tree': cross_validate(...)}, with {…, 'forest': …} to compare.",
    )


def is_cross_validate(table: Mapping[Any, Any]) -> bool:
    """Tell whether these are results of `cross_validate`, by learner."""
    return bool(table) and all(_is_result(value) for value in table.values())


def is_cross_validate_by_data_set(table: Mapping[Any, Any]) -> bool:
    """Tell whether these are results of `cross_validate`, by data set and learner."""
    return bool(table) and all(
        isinstance(value, Mapping) and not _is_result(value) and is_cross_validate(value)
        for value in table.values()
    )


def _is_result(value: Any) -> bool:
    if not (isinstance(value, Mapping) or hasattr(value, "columns")):
        return False
    return is_one_result(list(value)) and all(
        hasattr(value[key], "__len__") for key in value if str(key).startswith("test_")
    )


def is_grid_search(names: Any) -> bool:
    """Tell whether these are the names of a `cv_results_`."""
    names = [str(name) for name in names]
    return "params" in names and any(re.fullmatch(r"split0_test_\w+", name) for name in names)


def learner_name(key: Any) -> str:
    """Return a name for what a result is called by: a text, or an estimator."""
    return type(key).__name__ if hasattr(key, "get_params") else str(key)


def is_score_lists(table: Mapping[Any, Any]) -> bool:
    """Tell whether this is {data set: {learner: [score, score, …]}}."""
    if not table or not all(isinstance(row, Mapping) and row for row in table.values()):
        return False
    cells = [cell for row in table.values() for cell in row.values()]
    return all(isinstance(c, Sequence | np.ndarray) and not isinstance(c, str) for c in cells)


def from_score_lists(table: Mapping[Any, Mapping[Any, Any]], rows: str | None) -> RawTable:
    """Return the table of lists of scores by data set and learner."""
    results = {
        dataset: {name: {"test_score": values} for name, values in row.items()}
        for dataset, row in table.items()
    }
    kind = "lists of scores by data set and learner"
    return from_cross_validate(results, rows, kind=kind, directions={})


def from_cross_validate(
    table: Mapping[Any, Mapping[Any, Mapping[str, Any]]],
    rows: str | None,
    *,
    kind: str = "results of cross_validate",
    directions: Mapping[str, bool] = SCORERS,
) -> RawTable:
    """Return a row for each data set, learner, split and metric; the only data set may be None."""
    records: list[dict[str, Any]] = []
    notes: list[Note] = []
    for dataset, results in table.items():
        first: Mapping[str, Any] | None = None
        counts = {learner_name(k): _count(result) for k, result in results.items()}
        if len(set(counts.values())) > 1:
            raise InputError(
                "The learners have different numbers of splits: "
                + ", ".join(f"{name} {count}" for name, count in counts.items())
                + ".",
                "Give cross_validate the same cv for every learner.",
            )
        if len(counts) < len(results):
            raise InputError(
                "Two results have the same name.", "Name each: {'tree': ..., 'deep tree': ...}."
            )
        for key, result in results.items():
            indices = result.get("indices") if isinstance(result, Mapping) else None
            if first is not None and not same_splits(first, indices):
                raise InputError(
                    "The learners were scored on different splits.",
                    "Give cross_validate the same cv, with a random_state, for every learner.",
                )
            first = first or indices
            records += _records(dataset, key, result, indices, rows, len(table) > 1, notes)
    return from_records(records, notes=tuple(notes), kind=kind, directions=directions)


def _count(result: Any) -> int:
    return next(len(result[key]) for key in result if str(key).startswith("test_"))


def _records(
    dataset: Any,
    key: Any,
    result: Any,
    indices: Any,
    rows: str | None,
    several: bool,
    notes: list[Note],
) -> list[dict[str, Any]]:
    count = _count(result)
    if indices is not None:
        splits, split_notes = describe_indices(indices)
    else:
        if rows is None and not several and count > 20:
            values = np.asarray(result[next(k for k in result if str(k).startswith("test_"))])
            if np.isin(values, (0, 1)).all():
                raise leave_one_out_error()
        splits, split_notes = describe_count(count, rows, several_data_sets=several)
    notes += [note for note in split_notes if note not in notes]
    where = {} if dataset is None else {"dataset": str(dataset)}
    return [
        where
        | {"learner": learner_name(key), "metric": str(name).removeprefix("test_")}
        | {"value": value}
        | split
        for name in result
        if str(name).startswith("test_")
        for value, split in zip(result[name], splits, strict=True)
    ]


def name_scoring(search: Any) -> str:
    """Return the metric of a search by one metric, whose results call it "score"."""
    scoring = getattr(search, "scoring", None)
    if scoring is None:
        score = getattr(getattr(search, "estimator", None), "score", None)
        return DEFAULT_SCORES.get(getattr(score, "__qualname__", ""), "score")
    return scoring if isinstance(scoring, str) else "score"


def from_grid_search(
    table: Any, rows: str | None, *, cv: Any = None, metric: str = "score"
) -> RawTable:
    """Return a row for each setting, split and metric of a search, or of its `cv_results_`.

    ``metric`` is the name of what the results call "score".
    """
    table, notes = _select_candidates(table)
    names = candidate_names([_params(params) for params in table["params"]])
    matches = (re.fullmatch(r"split(\d+)_test_(\w+)", str(key)) for key in table)
    keys = [match for match in matches if match]
    if any(len(table[match[0]]) != len(names) for match in keys):
        raise InputError(
            "The results of the search do not fit: candidates and scores differ in number.",
            "Pass the whole cv_results_, or the fitted search itself.",
        )
    count = 1 + max(int(match[1]) for match in keys)
    splits = describe_splitter(cv, count) if rows is None and cv is not None else None
    if type(cv).__name__ == "TimeSeriesSplit":
        notes.append(note_time_series("Training sets grow. "))
    if splits is None:
        splits, assumed = describe_count(count, rows, several_data_sets=False)
        notes += assumed
    records = [
        {"learner": name, "metric": metric if match[2] == "score" else match[2], "value": value}
        | splits[int(match[1])]
        for match in keys
        for name, value in zip(names, table[match[0]], strict=True)
    ]
    kind = f"a search with {len(names)} candidates"
    return from_records(records, notes=tuple(notes), kind=kind, directions=SCORERS)


def _select_candidates(table: Any) -> tuple[Any, list[Note]]:
    """Return the candidates that can be compared, and notes on how they were chosen.

    A search by halving gives candidates of later rounds more rows: those of one round were scored
    on the same ones.
    """
    if "iter" not in table or "n_resources" not in table:
        return table, [SELECTION]
    rounds, resources = list(table["iter"]), list(table["n_resources"])
    counts = Counter(rounds)
    last = max((number for number in counts if counts[number] > 1), default=max(rounds))
    rows = [i for i, number in enumerate(rounds) if number == last]
    detail = (
        f"The search gave candidates more resources from round to round. Only those of one round "
        f"were scored alike: the {len(rows)} of round {int(last) + 1} of {int(max(rounds)) + 1}, "
        f"with {resources[rows[0]]} resources each, are compared; the others had less."
    )
    if last < max(rounds):
        detail += " Later rounds had one candidate."
    note = Note("last-round", "Candidates of one round", detail, "warning")
    return {name: [list(table[name])[i] for i in rows] for name in table}, [SELECTION, note]


def _params(params: Any) -> Mapping[str, Any]:
    """Return the settings of a candidate; a CSV file holds them as text."""
    if isinstance(params, str):
        try:
            params = ast.literal_eval(params)
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            return {"": params}
    return params if isinstance(params, Mapping) else {"": params}


def candidate_names(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return short names for candidates: only what differs, without the names of steps.

    >>> candidate_names([{"svc__C": 1, "svc__kernel": "rbf"}, {"svc__C": 10, "svc__kernel": "rbf"}])
    ['C=1', 'C=10']
    """
    texts = [{key: _format_value(value) for key, value in entry.items()} for entry in settings]
    keys = list(dict.fromkeys(key for entry in texts for key in entry))
    varied = [key for key in keys if len({entry.get(key, "None") for entry in texts}) > 1] or keys
    last = [key.rsplit("__", 1)[-1] for key in varied]
    short = {
        key: tail if last.count(tail) == 1 else key for key, tail in zip(varied, last, strict=True)
    }
    names = [
        ", ".join(f"{short[key]}={entry[key]}".removeprefix("=") for key in varied if key in entry)
        or "default"
        for entry in texts
    ]
    seen = Counter[str]()
    for i, name in enumerate(names):
        seen[name] += 1
        if seen[name] > 1:
            names[i] = f"{name} #{seen[name]}"
    return names


def _format_value(value: Any) -> str:
    if hasattr(value, "get_params"):
        return type(value).__name__
    if isinstance(value, float | np.floating):
        return f"{float(value):.4g}"
    return str(value)
