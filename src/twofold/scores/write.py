"""Writing scores as a long table, which `read_scores` takes back as it was."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.extras import require
from twofold.scores.items import Items
from twofold.scores.metrics import direction
from twofold.scores.scores import Scores
from twofold.scores.stated_directions import COLUMN
from twofold.writing import check_target, format_delimited, write_whole

COLUMNS = (
    "dataset", "learner", "run", "fold", "item", "cluster", "n_train", "n_test", "metric",
    COLUMN, "value",
)  # fmt: skip


def write_scores(
    scores: Scores | Items | Mapping[str, Scores | Items], path: str | os.PathLike[str]
) -> None:
    """Write scores as CSV, TSV or JSON, by the file's ending; "-" is standard output.

    Scores are those on data sets, or on items. Columns without content (folds of random splits,
    sizes that are not known) are left out. The file appears whole or not at all.
    """
    header, body = _arrange(list(scores.values()) if isinstance(scores, Mapping) else [scores])
    if str(path) == "-":
        sys.stdout.write(format_delimited([header, *body]))
        return
    target = Path(path)
    suffix = _check_suffix(target)
    if suffix == ".json":
        records = [dict(zip(header, row, strict=True)) for row in body]
        text = json.dumps(records, ensure_ascii=False, indent=0) + "\n"
    else:
        text = format_delimited([header, *body], "," if suffix == ".csv" else "\t")
    write_whole(target, text)


def format_csv(scores: Scores) -> str:
    """Return the scores as the text of a CSV file."""
    header, body = _arrange([scores])
    return format_delimited([header, *body])


def scores_frame(scores: Scores, *, wide: bool) -> Any:
    """Return a frame of pandas: a row for each score, or the means in a column per learner."""
    require("tables", "A frame", "pandas")
    import pandas as pd

    if wide:
        index = pd.Index(scores.datasets, name="dataset")
        columns = pd.Index(scores.learners, name="learner")
        return pd.DataFrame(scores.means(), index=index, columns=columns)
    header, body = _arrange([scores])
    return pd.DataFrame(body, columns=header)


def check_output(path: str | os.PathLike[str]) -> None:
    """Refuse a file that scores cannot be written to, before there are any."""
    if str(path) != "-":
        _check_suffix(Path(path))
        check_target(path)


def _check_suffix(target: Path) -> str:
    suffix = target.suffix.lower()
    if suffix not in (".csv", ".tsv", ".json"):
        raise InputError(
            f"Scores cannot be written as {suffix or 'a file without an ending'}.",
            "Name a file that ends in .csv, .tsv or .json.",
        )
    return suffix


def _arrange(tables: Sequence[Scores | Items]) -> tuple[list[str], list[list[Any]]]:
    """Return the names of the columns that hold something, and the rows."""
    states = not all(map(_tells_direction, tables))
    rows = [row for table in tables for row in _list_cells(table, states)]
    filled = [i for i, _ in enumerate(COLUMNS) if any(row[i] is not None for row in rows)]
    return [COLUMNS[i] for i in filled], [[row[i] for i in filled] for row in rows]


def _tells_direction(table: Scores | Items) -> bool:
    """Tell whether the name of the metric says which way is better, or higher is."""
    usual = direction(table.metric)
    return table.higher_is_better == (True if usual is None else usual)


def _list_cells(table: Scores | Items, states_direction: bool) -> list[tuple[Any, ...]]:
    parts = _list_items(table) if isinstance(table, Items) else _list_scores(table)
    count = len(parts["value"])
    named = not (table.metric == "score" and not table.metrics)
    parts["metric"] = [table.metric if named else None] * count
    parts[COLUMN] = [table.higher_is_better if states_direction else None] * count
    return list(zip(*(parts.get(name, [None] * count) for name in COLUMNS), strict=True))


def _list_scores(scores: Scores) -> dict[str, list[Any]]:
    return {
        "dataset": [scores.datasets[i] for i in scores.dataset],
        "learner": [scores.learners[i] for i in scores.learner],
        "run": _numbers(scores.run, scores.run < 0),
        "fold": _numbers(scores.fold, scores.fold < 0),
        "n_train": _numbers(scores.n_train, np.isnan(scores.n_train)),
        "n_test": _numbers(scores.n_test, np.isnan(scores.n_test)),
        "value": scores.value.tolist(),
    }


def _list_items(items: Items) -> dict[str, list[Any]]:
    """Return a row for each learner and item; the value is the mean of its samples."""
    count = len(items.learners)
    datasets = [items.datasets[i] for i in items.dataset]
    cluster = [None] * len(datasets) if items.cluster is None else (items.cluster + 1).tolist()
    return {
        "dataset": datasets * count,
        "learner": [name for name in items.learners for _ in datasets],
        "item": list(items.names) * count,
        "cluster": cluster * count,
        "value": items.value.T.ravel().tolist(),
    }


def _numbers(values: Any, missing: Any) -> list[int | float | None]:
    """Return counts; a size that is a share stays one."""
    numbers: list[float] = values.tolist()
    return [
        None if gone else int(number) if number == int(number) else number
        for number, gone in zip(numbers, missing.tolist(), strict=True)
    ]
