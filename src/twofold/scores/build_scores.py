"""The last step of reading: drop names without scores, settle direction and sizes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.options import Reading
from twofold.result import Note
from twofold.scores.labels import are_single_examples, single_examples_error
from twofold.scores.metrics import find_direction, is_turned, is_written_in_percent
from twofold.scores.score_scale import refuse_mixed_units
from twofold.scores.scores import Floats, Scores
from twofold.tables import RawTable, list_names

UNNAMED = ("score", "value", "result", "test_score", "mean_test_score")

DIRECTION_ASSUMED, ASSUMING = "direction-assumed", "Assuming higher is better"
"""The code of the note that nothing says which way is better, and how every headline says so."""

ONLY_DATA_SET = "the data set"
"""The only data set of a table that does not name it."""


@dataclass(frozen=True, eq=False)
class Rows:
    """One row per score, NaN where it is missing, and the notes made while reading."""

    datasets: list[str]
    learners: list[str]
    dataset: Any
    learner: Any
    value: Floats
    metric: str
    form: str
    description: str
    run: Any = None
    fold: Any = None
    n_train: Any = None
    n_test: Any = None
    metrics: tuple[str, ...] = ()
    notes: list[Note] = field(default_factory=list)


def build_scores(rows: Rows, raw: RawTable, options: Reading) -> Scores:
    """Return the scores of checked rows."""
    present: Any = ~np.isnan(rows.value)
    if not present.any():
        raise InputError("The table has no scores at all.", "Every cell is empty or missing.")
    if present.all():
        present = slice(None)  # without gaps nothing is copied
    if not options.ranks and are_single_examples(
        rows.value[present], rows.dataset[present], rows.learner[present]
    ):
        raise single_examples_error()
    metric = name_metric(rows.metric, raw)
    higher, notes = settle_direction(metric, rows.value[present], raw, options)
    if options.only is None and not options.ranks and is_written_in_percent(metric):
        columns = (rows.value[rows.learner == i] for i in range(len(rows.learners)))
        refuse_mixed_units(rows.learners, columns)
    dataset, datasets, empty_sets = _drop_unscored(rows.dataset[present], rows.datasets)
    learner, learners, empty_learners = _drop_unscored(rows.learner[present], rows.learners)
    if empty_sets or empty_learners:
        parts = [f"data set {list_names(empty_sets)}"] if empty_sets else []
        parts += [f"learner {list_names(empty_learners)}"] if empty_learners else []
        detail = f"Left out, for want of any score: {'; '.join(parts)}."
        notes.append(Note("no-scores", "Rows or columns without scores", detail, "warning"))
    if len(learners) < 2 and empty_learners:
        raise InputError(
            f"Only {learners[0]!r} has scores; comparing needs two learners.",
            f"Add the scores of another one, or ask about it alone: `only={learners[0]!r}`.",
        )
    run, fold = (_or_unknown(part, -1, rows) for part in (rows.run, rows.fold))
    n_train, n_test = (_or_unknown(part, np.nan, rows) for part in (rows.n_train, rows.n_test))
    n_train, n_test = _sizes(n_train, n_test, options)
    notes.append(_read_as(rows, raw, len(datasets), len(learners)))
    return Scores(
        datasets=tuple(datasets),
        learners=tuple(learners),
        dataset=np.asarray(dataset, dtype=np.intp),
        learner=np.asarray(learner, dtype=np.intp),
        run=take_rows(np.asarray(run, dtype=np.intp), present),
        fold=take_rows(np.asarray(fold, dtype=np.intp), present),
        n_train=take_rows(n_train, present),
        n_test=take_rows(n_test, present),
        value=rows.value[present],
        metric=metric,
        higher_is_better=higher,
        form=rows.form,
        notes=(*notes, *raw.notes, *rows.notes),
        metrics=rows.metrics,
    )


def take_rows(values: Any, rows: Any) -> Any:
    """Return ``values[rows]``; a single value for all, as most tables have it, takes no room."""
    if len(values) and np.array_equal(values[1:], values[:-1], equal_nan=True):
        if isinstance(rows, slice):
            return np.broadcast_to(values[:1], len(values))
        count = int(np.count_nonzero(rows)) if rows.dtype == bool else len(rows)
        return np.broadcast_to(values[:1], count)
    return values[rows]


def _or_unknown(part: Any, unknown: float, rows: Rows) -> Any:
    return np.broadcast_to(unknown, len(rows.value)) if part is None else part


def _read_as(rows: Rows, raw: RawTable, datasets: int, learners: int) -> Note:
    """Say what was recognised."""
    parts = [
        f"{datasets} data set{'s' * (datasets > 1)}",
        f"{learners} learner{'s' * (learners > 1)}",
    ]
    for name, labels in (("run", rows.run), ("fold", rows.fold)):
        if labels is not None and (labels >= 0).any():
            count = len(np.unique(labels[labels >= 0]))
            parts.append(f"{count} {name}{'s' * (count > 1)}")
    detail = f"Read as {raw.kind or rows.description}: {', '.join(parts)}."
    return Note(
        "read-as", "How the table was read", detail + describe_named_metric(rows.metric, raw)
    )


def name_metric(metric: str, raw: RawTable) -> str:
    """Return a metric, or where nothing but "score" is known the one that names around it hold."""
    return raw.metric if raw.metric and metric.lower() in UNNAMED else metric


def describe_named_metric(metric: str, raw: RawTable) -> str:
    """Say where a metric was read, behind the sentence on how the table was read."""
    named = name_metric(metric, raw) != metric
    return f" The metric, {raw.metric}, is from {raw.metric_from}." if named else ""


def _drop_unscored(indices: Any, names: list[str]) -> tuple[Any, list[str], list[str]]:
    """Return indices of the names that have scores, those names, and the rest."""
    has = np.zeros(len(names), dtype=bool)
    has[indices] = True
    if has.all():
        return indices, names, []
    new = np.cumsum(has) - 1
    scored = [name for name, there in zip(names, has, strict=True) if there]
    return new[indices], scored, [name for name, there in zip(names, has, strict=True) if not there]


def settle_direction(
    metric: str, values: Floats, raw: RawTable, options: Reading
) -> tuple[bool, list[Note]]:
    """Return whether higher is better, with a note where that was decided here, or is unusual."""
    if options.ranks:
        return False, []
    better = raw.directions.get(metric, find_direction(metric))
    higher = options.higher_is_better
    if metric not in raw.directions and is_turned(metric, values):
        detail = f"{metric} is never negative, and no score is positive: higher is better."
        return higher is not False, [Note("direction", "A loss with its sign turned", detail)]
    if higher is not None:
        if better in (None, higher):
            return bool(higher), []
        usual = "higher" if better else "lower"
        detail = f"For {metric} {usual} is usually better; you said the opposite."
        return bool(higher), [Note("direction-unusual", "An unusual direction", detail, "warning")]
    if better is None:
        reason = (
            "The table does not name its metric"
            if metric.lower() in UNNAMED
            else f"{metric!r} is not a metric known here"
        )
        detail = f"{reason}. If lower is better, use `higher_is_better=False`."
        return True, [Note(DIRECTION_ASSUMED, ASSUMING, detail)]
    if better:
        return True, []
    return False, [Note("direction", "Lower is better", f"{metric} is a loss: lower is better.")]


def _sizes(n_train: Any, n_test: Any, options: Reading) -> tuple[Floats, Floats]:
    """Return the sizes of the parts, from the table or from the caller."""
    train, test = np.asarray(n_train, dtype=float), np.asarray(n_test, dtype=float)
    sizes = (options.n_train, options.n_test)
    if options.test_share is not None:
        sizes = (1 - options.test_share, options.test_share)  # only their ratio is ever used
    if sizes[0] is None or sizes[1] is None:
        return train, test
    if not np.isnan(train).all() or not np.isnan(test).all():
        raise InputError(
            "The table has the sizes of training and test parts already.",
            "Leave out n_train, n_test and test_share, or drop those columns.",
        )
    return np.full_like(train, float(sizes[0])), np.full_like(test, float(sizes[1]))
