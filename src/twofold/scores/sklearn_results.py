"""scikit-learn's own results: `cross_validate` of several learners, and `cv_results_`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from twofold.errors import InputError

MOST_PLAIN_FOLDS = 10
"""Splits up to which results without indices are taken for one k-fold cross-validation."""


def is_cross_validate(table: Mapping[Any, Any]) -> bool:
    """Tell whether these are results of `cross_validate`, by learner."""
    return bool(table) and all(
        isinstance(value, Mapping) and any(str(key).startswith("test_") for key in value)
        for value in table.values()
    )


def is_grid_search(table: Mapping[Any, Any]) -> bool:
    """Tell whether this is a `cv_results_`."""
    return "params" in table and any(re.fullmatch(r"split0_test_\w+", str(key)) for key in table)


def from_cross_validate(table: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each learner, split and metric."""
    rows = []
    for learner, result in table.items():
        for key, values in result.items():
            if not str(key).startswith("test_"):
                continue
            metric = str(key).removeprefix("test_")
            splits = _splits(result.get("indices"), len(values))
            rows += [
                {"learner": learner, "metric": metric, "value": float(value)} | split
                for value, split in zip(values, splits, strict=True)
            ]
    return rows


def from_grid_search(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each setting, split and metric of a search."""
    rows = []
    for key in table:
        found = re.fullmatch(r"split(\d+)_test_(\w+)", str(key))
        if not found:
            continue
        fold, metric = int(found[1]), found[2]
        for params, value in zip(table["params"], table[key], strict=True):
            name = ", ".join(f"{k}={v}" for k, v in params.items()) or "default"
            rows.append(
                {"learner": name, "metric": metric, "run": 0, "fold": fold, "value": float(value)}
            )
    folds = {row["fold"] for row in rows}
    if len(folds) > MOST_PLAIN_FOLDS:
        raise _unknown_splits(len(folds))
    return rows


def _splits(indices: Mapping[str, Any] | None, count: int) -> list[dict[str, Any]]:
    """Return run, fold and sizes of each split, as far as the results tell."""
    if indices is None:
        if count > MOST_PLAIN_FOLDS:
            raise _unknown_splits(count)
        return [{"run": 0, "fold": fold} for fold in range(count)]
    splits = []
    run, fold = 0, 0
    seen: set[int] = set()
    for train, test in zip(indices["train"], indices["test"], strict=True):
        examples = set(np.asarray(test).tolist())
        if seen & examples:  # an example comes round again: a new run has begun
            run, fold, seen = run + 1, 0, set()
        seen |= examples
        splits.append({"run": run, "fold": fold, "n_train": len(train), "n_test": len(test)})
        fold += 1
    return splits


def _unknown_splits(count: int) -> InputError:
    return InputError(
        f"{count} splits: it is not known which of them belong to one cross-validation.",
        "Call cross_validate with return_indices=True, or pass a long table with run and fold.",
    )
