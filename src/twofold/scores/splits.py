"""Which splits the scores belong to: folds, random splits, time series or bootstrap."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.result import Note

MOST_PLAIN_FOLDS = 10
"""Splits up to which results without indices are taken for one k-fold cross-validation."""

TIME_SERIES, BOOTSTRAP = "time-series-splits", "bootstrap-splits"
"""Codes of the notes on splits that follow each other in time, and on bootstrap samples."""

Splits = list[dict[str, Any]]
"""Run, fold, n_train and n_test of each split, as far as they are known."""


def describe_indices(indices: Mapping[str, Any]) -> tuple[Splits, list[Note]]:
    """Return run, fold and sizes of each split, from the examples in its parts."""
    train = [np.asarray(part) for part in indices["train"]]
    test = [np.asarray(part) for part in indices["test"]]
    if len(test) > 2 and all(len(part) == 1 for part in test):
        raise leave_one_out_error()
    sizes = [
        {"n_train": len(a), "n_test": len(b)} for a, b in zip(train, test, strict=True)
    ]  # the same for all learners
    folds = _folds(train, test)
    if folds is not None:
        return [position | size for position, size in zip(folds, sizes, strict=True)], []
    notes: list[Note] = []
    if len(test) > 1 and all(a.max() < b.min() for a, b in zip(train, test, strict=True)):
        smallest, largest = min(map(len, train)), max(map(len, train))
        grow = f"Training sets grow from {smallest} to {largest} examples. "
        notes.append(note_time_series(grow if smallest < largest else ""))
    return [{"run": i} | size for i, size in enumerate(sizes)], notes


def _folds(train: list[Any], test: list[Any]) -> Splits | None:
    """Return run and fold of each split of a cross-validation, None where it is none."""
    positions: Splits = []
    runs: list[list[int]] = []
    seen: set[int] = set()
    for i, part in enumerate(test):
        examples = set(part.tolist())
        if not runs or seen & examples:  # an example comes round again: a new run has begun
            runs.append([])
            seen = set()
        seen |= examples
        positions.append({"run": len(runs) - 1, "fold": len(runs[-1])})
        runs[-1].append(i)
    if len(runs[0]) < 2 or len({len(run) for run in runs}) > 1:
        return None
    everyone = np.sort(np.concatenate([test[i] for i in runs[0]]))
    for run in runs:
        if not np.array_equal(np.sort(np.concatenate([test[i] for i in run])), everyone):
            return None
        for i in run:
            # A fold's training set is all that the fold leaves; in a time series it is not.
            if len(train[i]) + len(test[i]) != len(everyone):
                return None
    return positions


def describe_count(
    count: int, rows: str | None, *, several_data_sets: bool
) -> tuple[Splits, list[Note]]:
    """Return what is assumed of splits of which only the number is known."""
    if rows == "splits" or (rows is None and several_data_sets and count > MOST_PLAIN_FOLDS):
        return [{"run": i} for i in range(count)], []
    if rows == "folds":
        return [{"run": 0, "fold": i} for i in range(count)], []
    if count > MOST_PLAIN_FOLDS:
        raise InputError(
            f"{count} splits: it is not known which of them belong to one cross-validation.",
            "Call cross_validate with return_indices=True; or say `rows='folds'` (one "
            "cross-validation) or `rows='splits', test_share=X` (random splits).",
        )
    detail = (
        f"{count} scores of each learner were taken for one {count}-fold cross-validation; "
        "nothing in the results says so. If they are random splits, say "
        "`rows='splits', test_share=X`, or call cross_validate with return_indices=True."
    )
    return [{"run": 0, "fold": i} for i in range(count)], [
        Note("assumed-folds", "Taken for one cross-validation", detail)
    ]


def describe_splitter(cv: Any, count: int) -> Splits | None:
    """Return the splits that a scikit-learn splitter makes, None where that is not known."""
    kind = type(cv).__name__
    if cv is None or isinstance(cv, int) or kind in ("KFold", "StratifiedKFold", "GroupKFold",
                                                     "StratifiedGroupKFold"):  # fmt: skip
        return [{"run": 0, "fold": i} for i in range(count)]
    repeats = getattr(cv, "n_repeats", None)
    if kind in ("RepeatedKFold", "RepeatedStratifiedKFold") and repeats and count % repeats == 0:
        folds = count // repeats
        return [{"run": i // folds, "fold": i % folds} for i in range(count)]
    if kind in ("ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit"):
        share = getattr(cv, "test_size", None)
        share = 0.1 if share is None and kind != "GroupShuffleSplit" else share
        sizes = {}
        if isinstance(share, float) and getattr(cv, "train_size", None) is None:
            sizes = {"n_train": 1 - share, "n_test": share}  # only their ratio is used
        return [{"run": i} | sizes for i in range(count)]
    if kind in ("LeaveOneOut", "LeavePOut"):
        raise leave_one_out_error()
    if kind == "TimeSeriesSplit":
        return [{"run": i} for i in range(count)]
    return None


def note_time_series(grow: str) -> Note:
    """Warn of splits in which training comes before testing."""
    detail = (
        f"{grow}Each test part comes after its training part, as in a time series. The splits "
        "are compared as overlapping ones; no test is known to be right for them."
    )
    return Note(TIME_SERIES, "Splits of a time series", detail, "warning")


def bootstrap_samples() -> Note:
    """Warn of training rows that were drawn with replacement."""
    detail = (
        "Training rows were drawn with replacement, and the others tested on. The corrected test "
        "takes n₁ for the number of different training rows, about .632 of all; it was derived "
        "for splits without replacement, so that its p values are approximate."
    )
    return Note(BOOTSTRAP, "Bootstrap samples", detail, "warning")


def leave_one_out_error() -> InputError:
    """Return the error for scores of single examples."""
    return InputError(
        "Each split leaves one example out: its scores are those of single examples, not of folds.",
        "Compare predictions instead (cross_val_predict, then `predictions=True`), or use 10 "
        "folds.",
    )


def same_splits(first: Any, second: Any) -> bool:
    """Tell whether two results were made on the same splits, as far as they tell."""
    if first is None or second is None:
        return True
    return len(first["test"]) == len(second["test"]) and all(
        np.array_equal(a, b)
        for part in ("train", "test")
        for a, b in zip(first[part], second[part], strict=True)
    )
