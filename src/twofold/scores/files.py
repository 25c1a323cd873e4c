"""Reading tables: CSV, TSV, JSON, Parquet, Excel, standard input, frames, dicts and arrays."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.scores.columns import scores_from_columns
from twofold.scores.sklearn_results import (
    from_cross_validate,
    from_grid_search,
    is_cross_validate,
    is_grid_search,
)
from twofold.scores.table import Scores

Columns = dict[str, Sequence[Any]]


def read_scores(
    table: Any,
    *,
    metric: str | None = None,
    higher_is_better: bool | None = None,
    ranks: bool = False,
) -> Scores:
    """Read scores from a file, standard input ("-"), a frame, a dict, records or an array.

    The form of the table is recognised: wide (a row per data set, a column per learner) or long
    (columns dataset, learner, value, and where there are any run, fold, n_train, n_test, metric).
    """
    if isinstance(table, Scores):
        return table
    return scores_from_columns(
        read_columns(table), metric=metric, higher_is_better=higher_is_better, ranks=ranks
    )


def read_columns(table: Any) -> Columns:
    """Return the named columns of whatever was given."""
    if isinstance(table, str | Path):
        return _from_path(str(table))
    if isinstance(table, Mapping):
        return _from_mapping(table)
    if hasattr(table, "columns") and hasattr(table, "__getitem__"):
        named = _named_index(table) and table.index.name not in list(table.columns)
        frame = table.reset_index() if named and "index" not in table.columns else table
        return {str(name): list(frame[name]) for name in frame.columns}
    if isinstance(table, np.ndarray) or _is_rows_of_numbers(table):
        try:
            return _from_array(np.asarray(table, dtype=float))
        except InputError:
            raise
        except (TypeError, ValueError):
            raise InputError(
                "Rows of an array must hold numbers only, as many in each row.",
                "Use a dict of columns or a frame for names.",
            ) from None
    if isinstance(table, Sequence) and table and all(isinstance(r, Mapping) for r in table):
        return _from_records(table)
    raise InputError(
        f"A table of scores cannot be read from {type(table).__name__}.",
        "Pass a file, a pandas or polars frame, a dict of columns, or an array.",
    )


def _named_index(table: Any) -> bool:
    """A pandas frame whose index holds the names of the data sets."""
    kind = str(getattr(getattr(table, "index", None), "dtype", ""))
    return kind in ("object", "str", "string", "category")


def _from_path(path: str) -> Columns:
    if path == "-":
        return _from_text(sys.stdin.read(), "standard input")
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix in (".parquet", ".xlsx", ".xls", ".ods"):
        return _with_pandas(file, suffix)
    try:
        text = file.read_text("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"There is no file {path!r}.", "Check the name and the folder.") from None
    except IsADirectoryError:
        raise InputError(f"{path!r} is a folder.", "Name a table of scores in it.") from None
    except UnicodeDecodeError:
        raise InputError(
            f"{path!r} is not a text file in UTF-8.", "Save the table as CSV with UTF-8 encoding."
        ) from None
    except OSError as error:
        raise InputError(f"{path!r} cannot be read: {error.strerror}.", "Check it.") from None
    return _from_text(text, path)


def _with_pandas(file: Path, suffix: str) -> Columns:
    try:
        import pandas
    except ImportError:
        raise InputError(
            f"Reading {suffix} files needs pandas.",
            "Install it with: pip install 'twofold[tables]'",
        ) from None
    if not file.exists():
        raise InputError(f"There is no file {str(file)!r}.", "Check the name and the folder.")
    try:
        frame = pandas.read_parquet(file) if suffix == ".parquet" else pandas.read_excel(file)
    except ImportError as error:
        raise InputError(
            f"Reading {suffix} files needs one more package: {error}.".replace("\n", " "),
            "Install it with: pip install 'twofold[tables]'",
        ) from None
    except Exception as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{str(file)!r} cannot be read: {first}", "Is it damaged?") from None
    return read_columns(frame)


def _from_text(text: str, where: str) -> Columns:
    if not text.strip():
        raise InputError(f"{where} is empty.", "It needs a header and at least one row of scores.")
    if text.lstrip()[0] in "[{":
        try:
            return read_columns(json.loads(text))
        except json.JSONDecodeError as error:
            raise InputError(
                f"{where} looks like JSON but is not: line {error.lineno}, {error.msg}.",
                "Write a list of records, or a dict of columns.",
            ) from None
    header = next(line for line in text.splitlines() if line.strip())
    delimiter = max("\t;,", key=header.count)
    rows = [
        row
        for row in csv.reader(io.StringIO(text), delimiter=delimiter)
        if any(cell.strip() for cell in row)
    ]
    names = [name.strip() for name in rows[0]]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"Two columns are called {name!r}.", "Give each column its own name.")
    for i, row in enumerate(rows[1:], start=2):
        if len(row) != len(names):
            raise InputError(
                f"{where}, line {i}: {len(row)} cells where the header has {len(names)}.",
                "Give every row one cell per column; leave a missing score empty.",
            )
    names = [name or "dataset" if i == 0 else name for i, name in enumerate(names)]
    return {name: [row[i] for row in rows[1:]] for i, name in enumerate(names)}


def _from_mapping(table: Mapping[Any, Any]) -> Columns:
    """A dict of columns, of data sets with a score for each learner, or scikit-learn's results."""
    if is_grid_search(table):
        return _from_records(from_grid_search(table))
    if is_cross_validate(table):
        return _from_records(from_cross_validate(table))
    values = list(table.values())
    if values and all(isinstance(value, Mapping) for value in values):
        records = [{"dataset": name, **row} for name, row in table.items()]
        return _from_records(records)
    try:
        lengths = {str(name): len(value) for name, value in table.items()}
    except TypeError:
        raise InputError(
            "A dict of scores must hold columns.", "Pass {learner: [score, score, …], …}."
        ) from None
    if len(set(lengths.values())) > 1:
        raise InputError(
            "Columns must have the same length, got "
            + ", ".join(f"{name} {size}" for name, size in lengths.items())
            + ".",
            "Give every data set a score for each learner, None where it is missing.",
        )
    return {str(name): list(value) for name, value in table.items()}


def _from_records(records: Sequence[Mapping[str, Any]]) -> Columns:
    names = list(dict.fromkeys(str(name) for record in records for name in record))
    return {name: [record.get(name) for record in records] for name in names}


def _is_rows_of_numbers(table: Any) -> bool:
    return (
        isinstance(table, Sequence)
        and bool(table)
        and isinstance(table[0], Sequence)
        and not isinstance(table[0], str)
    )


def _from_array(array: Any) -> Columns:
    if array.ndim != 2:
        raise InputError(
            f"An array of scores must have two axes, data sets and learners, got {array.ndim}.",
            "Use a long table for runs and folds.",
        )
    return {f"learner {j + 1}": array[:, j].tolist() for j in range(array.shape[1])}
