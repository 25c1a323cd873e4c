"""Read a test set for a metric: true values, and labels, scores or numbers of each classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from twofold.errors import InputError
from twofold.options import Reading
from twofold.result import Note, join_names
from twofold.scores.labels import read_labels, select_predictions
from twofold.scores.name_hints import INDEX, plain, truth_column
from twofold.scores.read_options import name_all, resolve
from twofold.scores.score_cells import mostly_numbers
from twofold.tables import RawTable
from twofold.tables.cells import is_blank

LABELS = "labels, not scores"
Content = Literal["labels", "scores", "numbers"]
"""What classifiers give for each example: a class, a score of the positive class, or a number."""


@dataclass(frozen=True, slots=True, eq=False)
class PredictionTable:
    """A test set: true values, and what each classifier gave for each example.

    ``truth`` and ``predicted`` (classifiers, examples) hold text where they are labels.
    """

    content: Content
    learners: tuple[str, ...]
    truth: NDArray[Any]
    predicted: NDArray[Any]
    clusters: NDArray[Any] | None
    notes: tuple[Note, ...] = ()


def read_clusters(raw: RawTable, options: Reading) -> tuple[NDArray[Any] | None, Reading]:
    """Return the cluster of each example, and options that leave out its column."""
    if options.cluster is None:
        return None, options
    (name,) = resolve([options.cluster], list(raw.columns), "column")
    if name == (options.truth or truth_column(list(raw.columns))):
        raise InputError(
            f"Column {name!r} holds the true values; examples of one value are no cluster.",
            "Name the column of what was drawn as a whole, as `cluster='patient'`.",
        )
    labels = read_labels(raw, name, "a cluster")
    return np.array(labels), replace(options, cluster=None, drop=(*options.drop, name))


def select_test_set(raw: RawTable, options: Reading, content: Content) -> PredictionTable:
    """Return the test set of a table."""
    clusters, options = read_clusters(raw, options)
    if content == "labels":
        columns, notes = select_predictions(raw, options)
        label = options.truth or truth_column(list(columns))
        if label is None or label not in columns:
            raise _no_truth_error(list(raw.columns))
        models = [name for name in columns if name != label]
        predicted = np.array([columns[name] for name in models])
        truth = np.array(columns[label])
        return PredictionTable(content, tuple(models), truth, predicted, clusters, tuple(notes))
    label = options.truth or truth_column(list(raw.columns))
    if label is None or label not in raw.columns:
        raise _no_truth_error(list(raw.columns))
    models, notes = _select_numeric(raw, options, label, content)
    truth = (
        np.array(read_labels(raw, label, "a label"))
        if content == "scores"
        else _read_numbers(raw, label)
    )
    predicted = np.stack([_read_numbers(raw, name) for name in models])
    return PredictionTable(content, tuple(models), truth, predicted, clusters, tuple(notes))


def _no_truth_error(names: Sequence[str]) -> InputError:
    return InputError(
        "Which column holds the true values?",
        f"Name it truth, or say `truth=NAME`: {', '.join(names[:8])}.",
    )


def _select_numeric(
    raw: RawTable, options: Reading, label: str, content: Content
) -> tuple[list[str], list[Note]]:
    """Return the columns of scores or numbers, and what was left out."""
    gone = resolve(options.drop, list(raw.columns), "column")
    others = [name for name in raw.columns if name != label and name not in gone]
    if options.only is not None:
        return resolve(options.only, others, "classifier"), []
    why = {name: _explain_rejection(raw, name, label, content) for name in others}
    models = [name for name in others if not why[name]]
    if not models:
        what = {"scores": "scores", "numbers": "numbers"}[content]
        first = next((name for name in others if why[name] == LABELS), others[0] if others else "")
        found = f"Column {first!r} holds {why[first]}" if others else "There is no other column"
        raise InputError(
            f"{found}; the metric needs {what}.",
            "Give each classifier a column of probabilities or scores, higher for what is more "
            "probably positive."
            if content == "scores"
            else "Give each model a column of the numbers that it predicted.",
        )
    if content == "scores":
        _refuse_doubt(raw, models)
    reasons = "; ".join(f"{name!r} ({why[name]})" for name in others if why[name])
    detail = f"Not taken for classifiers: {reasons}. `only=[A, B]` says which are."
    notes = [Note("left-out-columns", "Columns left out", detail, "warning")] if reasons else []
    return models, notes


def _refuse_doubt(raw: RawTable, models: Sequence[str]) -> None:
    """Refuse probabilities beside other numbers, which may be attributes of the examples."""
    inside = [name for name in models if _lies_between_zero_and_one(_read_numbers(raw, name))]
    outside = [name for name in models if name not in inside]
    if inside and outside:
        raise InputError(
            f"Column {outside[0]!r} lies outside 0 to 1, where {join_names(inside[:3])} lie: is it "
            "a classifier's score?",
            f"Say which columns are classifiers, `only={name_all(inside)}`.",
        )


def _lies_between_zero_and_one(values: NDArray[np.float64]) -> bool:
    return bool(values.min() >= 0 and values.max() <= 1)


def _explain_rejection(raw: RawTable, name: str, label: str, content: Content) -> str:
    """Say what a column holds instead; nothing where it may hold scores or numbers."""
    cells = raw.columns[name]
    if INDEX.fullmatch(plain(name)) and len(set(map(str, cells))) == len(cells):
        return "numbers of rows"
    if content == "scores":
        present = {*read_labels(raw, name, "a score")}
        if present <= {*read_labels(raw, label, "a label"), "0", "1"}:
            return LABELS
    return "" if mostly_numbers(cells) else "words"


def _read_numbers(raw: RawTable, name: str) -> NDArray[np.float64]:
    """Return a column as numbers, or refuse the first cell that is none."""
    values = np.empty(raw.size)
    for row, cell in enumerate(raw.columns[name]):
        if is_blank(cell):
            raise InputError(
                f"Column {name!r}, {raw.locate(row)}: a number is missing.",
                "Give every example a number in every column, or leave the example out.",
            )
        try:
            values[row] = float(cell)
        except (TypeError, ValueError, OverflowError):
            values[row] = np.nan
        if not np.isfinite(values[row]):
            raise InputError(
                f"Column {name!r}, {raw.locate(row)}: {str(cell)!r} is not a number.",
                "Write numbers, or leave out the column, `drop=NAME`.",
            )
    return values
