"""Tables and data that are in Python already, of any type: answered, or refused in two lines."""

from __future__ import annotations

import datetime
import decimal
import fractions
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd

import twofold
from torture.attack import Attack, Harm
from torture.judge import HIDDEN
from torture.odd_values import choose_number, choose_word
from torture.table_forms import Table, make_table, spoil

CELLS: list[Any] = [None, True, False, np.nan, np.inf, -np.inf, 0, -1, 10**400, 1e308, 5e-324]
CELLS += [np.float32(0.5), np.int8(1), np.bool_(True), np.datetime64("2026-01-01"), np.str_("A")]
CELLS += [decimal.Decimal("0.5"), decimal.Decimal("NaN"), fractions.Fraction(1, 3), 1 + 2j, b"a"]
CELLS += [datetime.date(2026, 1, 1), datetime.timedelta(1), pd.NA, pd.NaT, pd.Timestamp(0)]
CELLS += [[], [0.5], {}, {"a": 1}, (), (0.5, 0.6), set(), object(), int, len, "0.5", "", "x"]
CELLS += [np.array(0.5), np.array([0.5]), np.array([0.5, 0.6]), "\ud800", "9" * 5000, range(3)]

DTYPES = [
    "float64",
    "float32",
    "float16",
    "int8",
    "int64",
    "uint64",
    "bool",
    "complex128",
    "object",
]
DTYPES += ["datetime64[s]", "timedelta64[s]", "U5", "S5", "longdouble"]

OPTIONS: list[dict[str, Any]] = [
    {"control": "tree"}, {"control": 1}, {"control": ""}, {"alpha": "0.05"}, {"alpha": np.nan},
    {"alpha": None}, {"rows": "folds"}, {"rows": 3}, {"metric": 3}, {"metric": "accuracy"},
    {"metric": []}, {"drop": 3}, {"drop": ["tree", 1]}, {"only": []}, {"only": [1, 2]},
    {"only": "tree"}, {"ranks": 1}, {"ranks": True}, {"predictions": True}, {"truth": 3},
    {"transpose": True}, {"n_train": "90", "n_test": 10}, {"n_train": -1, "n_test": 10},
    {"test_share": 2}, {"test_share": "x"}, {"seed": 1.5}, {"seed": "x"}, {"seed": -1},
    {"seed": 10**40}, {"rope": "x"}, {"rope": np.array([1, 2])}, {"df": np.nan}, {"df": []},
    {"df": True}, {"adjust": 3}, {"adjust": "holm"}, {"test": 3}, {"test": "sign"},
    {"alternative": 3}, {"alternative": "less"}, {"higher_is_better": "yes"}, {"y": [1]},
]  # fmt: skip


def _cell(random: Random) -> Any:
    kind = random.random()
    if kind < 0.7:
        return random.choice(CELLS)
    return choose_number(random) if kind < 0.85 else choose_word(random)


def _change_cells(random: Random, table: Table) -> None:
    for _ in range(random.choice([0, 1, 1, 2, 10])):
        if table.rows and table.header:
            row = random.choice(table.rows)
            column = random.randrange(len(table.header))
            if column < len(row):
                row[column] = _cell(random)
            if random.random() < 0.1:
                table.header[column] = _cell(random)
        if random.random() < 0.1 and table.header:
            column = random.randrange(len(table.header))
            odd = _cell(random)
            for row in table.rows:
                row[column : column + 1] = [odd] if column < len(row) else []


def _columns(table: Table) -> dict[Any, list[Any]]:
    def name(cell: Any) -> Any:
        return cell if isinstance(cell, int | float | str | bytes | None) else str(type(cell))

    return {
        name(head): [row[i] if i < len(row) else None for row in table.rows]
        for i, head in enumerate(table.header)
    }


def _frame(random: Random, table: Table) -> Any:
    frame = pd.DataFrame(_columns(table))
    change = random.randrange(9)
    if change == 0:
        return frame.convert_dtypes()
    if change == 1 and len(frame.columns):
        return frame.set_index(frame.columns[0])
    if change == 2 and len(frame.columns) > 2:
        return frame.set_index(list(frame.columns[:2]))
    if change == 3:
        return pd.concat([frame, frame], axis=1)
    if change == 4:
        return pd.concat({"a": frame, "b": frame}, axis=1)
    if change == 5:
        return frame.astype("category")
    if change == 6:
        return frame.T
    if change == 7 and len(frame.columns) > 2:
        return frame.set_index(list(frame.columns[:-1])).iloc[:, 0]
    return frame


def _array(random: Random, table: Table) -> Any:
    shape = random.choice([(), (0,), (3,), (0, 3), (3, 0), (4, 2), (1, 2), (3, 2, 2), (6, 3)])
    values = np.array([random.random() for _ in range(int(np.prod(shape)))]).reshape(shape)
    with np.errstate(all="ignore"):
        values = (values * random.choice([1, 100])).astype(random.choice(DTYPES))
    if random.random() < 0.2:
        return np.ma.masked_less(values, 0.5) if values.dtype.kind == "f" else values
    return values


def _structured(random: Random, table: Table) -> Any:
    rows = [(random.random(), random.random(), "a") for _ in range(4)]
    return np.array(rows, dtype=[("A", float), ("B", float), ("c", "U3")])


def _nested(random: Random, table: Table) -> Any:
    columns = _columns(table)
    return random.choice([
        {"d1": columns, "d2": columns},
        {name: {"test_score": np.array(cells, dtype=object)} for name, cells in columns.items()},
        {name: dict(enumerate(cells)) for name, cells in columns.items()},
        {("a", 1): [1, 2], ("b", 2): [2, 3]},
        [columns], [[columns]], list(columns.values()), tuple(columns.items()),
        {"params": [{"C": 1}, {"C": 2}], "split0_test_score": [0.5, _cell(random)],
         "split1_test_score": [0.5, 0.6], "mean_test_score": [0.5, 0.6]},
        iter([1]), 3, 3.5, True, b"x", set(), object(), lambda: 1, range(3), "", " ", Path("x"),
    ])  # fmt: skip


MAKE: list[Callable[[Random, Table], Any]] = [
    lambda _, table: _columns(table),
    lambda _, table: _columns(table),
    lambda _, table: [dict(zip(map(str, table.header), row, strict=False)) for row in table.rows],
    lambda _, table: [table.header, *table.rows],
    _frame, _frame, _frame, _array, _structured, _nested,
]  # fmt: skip


def attempt(random: Random, folder: Path) -> list[Harm]:
    """Compare by an object that may be no table."""
    table = make_table(random)
    options: dict[str, Any] = {name[2:]: True for name in table.options}
    if random.random() < 0.4:
        spoil(random, table)
    _change_cells(random, table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            thing = random.choice(MAKE)(random, table)
        except Exception:  # what pandas cannot build cannot be passed
            return []
    if random.random() < 0.3:
        options |= random.choice(OPTIONS)
    return call(lambda: _use(twofold.compare(thing, **options)))


def _use(answer: Any) -> None:
    """Look at an answer in every way."""
    str(answer)
    json.dumps(answer.to_dict(), allow_nan=False)


def call(function: Callable[[], Any]) -> list[Harm]:
    """Return the harm where a call raises anything but an error of two lines, or warns."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for category in HIDDEN:
            warnings.simplefilter("ignore", category)
        try:
            function()
        except twofold.TwofoldError as error:
            if len(str(error).splitlines()) != 2:
                return [Harm("traceback", f"not two lines: {error}")]
    return [Harm("traceback", f"{w.message} ({w.filename}:{w.lineno})") for w in caught]


DATA_OPTIONS: list[dict[str, Any]] = [
    {"target": 3}, {"target": "tree"}, {"groups": "run"}, {"groups": [1, 2, 3]}, {"folds": "fold"},
    {"groups": np.arange(3.0)}, {"groups": 3}, {"drop": 3}, {"task": 3}, {"design": 3},
    {"design": None}, {"design": ["1x2"]}, {"metric": 3}, {"metric": [3]}, {"metric": len},
    {"metric": []}, {"positive": 3}, {"positive": []}, {"positive": {}}, {"stratify": "x"},
    {"until": "x"}, {"budget": []}, {"budget": np.nan}, {"workers": "x"}, {"workers": 1.5},
    {"max_runs": 1.5, "until": 0.9}, {"store": 3}, {"store": b"x"}, {"on": 3}, {"seed": None},
]  # fmt: skip


def attempt_data(random: Random, folder: Path) -> list[Harm]:
    """Run quick learners on an object that may be no data."""
    table = make_table(random)
    _change_cells(random, table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            thing = random.choice([_frame, _array, _array, _structured, _nested])(random, table)
            size = len(thing) if hasattr(thing, "__len__") else 3
            y = random.choice([
                None, [0, 1] * (size // 2) + [0] * (size % 2), [_cell(random) for _ in range(size)],
                np.arange(size), ["a"] * size, pd.Series([0.5] * size), 3, "y", np.zeros((size, 2)),
            ])  # fmt: skip
        except Exception:
            return []
    options: dict[str, Any] = {"design": "1x2", "store": ":memory:", "workers": 0}
    if random.random() < 0.4:
        options |= random.choice(DATA_OPTIONS)
    return call(lambda: _use(twofold.compare(["nb", "majority"], thing, y, **options)))


ATTACKS = [
    Attack("fuzzed objects for tables", attempt, trials=2000, short=6),
    Attack("fuzzed objects for data", attempt_data, trials=1000, short=4),
]
