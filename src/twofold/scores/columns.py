"""From columns of text or numbers to scores: the form is recognised, and every cell checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.result import Note
from twofold.scores.metrics import direction
from twofold.scores.table import Floats, Scores

NAMES = {
    "dataset": ("dataset", "data set", "data_set", "data", "task", "problem"),
    "learner": ("learner", "algorithm", "model", "classifier", "method", "estimator", "regressor"),
    "run": ("run", "repeat", "repetition", "seed"),
    "fold": ("fold", "split"),
    "n_train": ("n_train", "train_size", "ntrain"),
    "n_test": ("n_test", "test_size", "ntest"),
    "metric": ("metric", "measure"),
    "value": ("value", "score", "result"),
}
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "?", "-", "–", "missing"})


def scores_from_columns(
    columns: Mapping[str, Sequence[Any]],
    *,
    metric: str | None = None,
    higher_is_better: bool | None = None,
    ranks: bool = False,
) -> Scores:
    """Make scores of named columns, a wide or a long table."""
    if not columns or not len(next(iter(columns.values()))):
        raise InputError("The table is empty.", "It needs a header and at least one row of scores.")
    found = _roles(columns)
    if "learner" in found and not ranks:
        return _long(columns, found, metric, higher_is_better)
    return _wide(columns, found, metric, higher_is_better, ranks)


def _roles(columns: Mapping[str, Sequence[Any]]) -> dict[str, str]:
    """Return which column plays which part, by its name."""
    lowered = {str(name).strip().lower(): name for name in columns}
    found = {}
    for role, words in NAMES.items():
        for word in words:
            if word in lowered:
                found[role] = lowered[word]
                break
    return found


def _wide(
    columns: Mapping[str, Sequence[Any]],
    found: dict[str, str],
    metric: str | None,
    higher_is_better: bool | None,
    ranks: bool,
) -> Scores:
    names = list(columns)
    label = found.get("dataset")
    if label is None and not _all_numbers(columns[names[0]]):
        label = names[0]
    learners = [name for name in names if name != label]
    if len(learners) < 2:
        raise InputError(
            f"The table has {len(learners)} column of scores; comparing needs two learners.",
            "Give each learner a column, or use columns dataset, learner, value.",
        )
    table = np.column_stack([_numbers(name, columns[name]) for name in learners])
    rows = len(table)
    if label is None:
        datasets = [f"data set {i + 1}" for i in range(rows)]
    else:
        datasets = [str(cell).strip() or f"row {i + 2}" for i, cell in enumerate(columns[label])]
    _refuse_twice("data set", datasets)
    present = ~np.isnan(table)
    i, j = np.nonzero(present)
    return _build(
        datasets,
        [str(name).strip() for name in learners],
        i,
        j,
        table[present],
        metric=metric or ("rank" if ranks else "score"),
        higher_is_better=False if ranks else higher_is_better,
        form="ranks" if ranks else "wide",
    )


def _long(
    columns: Mapping[str, Sequence[Any]],
    found: dict[str, str],
    metric: str | None,
    higher_is_better: bool | None,
) -> Scores:
    chosen, keep = _choose_metric(columns, found, metric)
    rows: list[int] = np.flatnonzero(keep).tolist()

    def column(role: str) -> list[Any]:
        cells = columns[found[role]]
        return [cells[i] for i in rows]

    value_name = chosen if chosen in columns else found.get("value")
    if value_name is None:
        raise InputError(
            "A long table needs a column of scores.",
            "Name it value or score, or give its name as the metric.",
        )
    cells = columns[value_name]
    values = _numbers(value_name, [cells[i] for i in rows])
    learner_names = [str(cell).strip() for cell in column("learner")]
    dataset_names = (
        [str(cell).strip() for cell in column("dataset")]
        if "dataset" in found
        else ["the data set"] * len(rows)
    )
    datasets, learners = list(dict.fromkeys(dataset_names)), list(dict.fromkeys(learner_names))
    if len(learners) < 2:
        raise InputError(
            f"The table has one learner, {learners[0]!r}; comparing needs two.",
            "Add the scores of another learner.",
        )
    place = {name: i for i, name in enumerate(datasets)}
    who = {name: i for i, name in enumerate(learners)}
    run = _labels(column("run")) if "run" in found else np.full(len(rows), -1)
    fold = _labels(column("fold")) if "fold" in found else np.full(len(rows), -1)
    sizes = {
        role: _numbers(found[role], column(role)) if role in found else np.full(len(rows), np.nan)
        for role in ("n_train", "n_test")
    }
    present = ~np.isnan(values)
    dataset = np.array([place[name] for name in dataset_names])
    learner = np.array([who[name] for name in learner_names])
    _refuse_repeated_rows(dataset, learner, run, fold, datasets, learners)
    return _build(
        datasets,
        learners,
        dataset[present],
        learner[present],
        values[present],
        run=run[present],
        fold=fold[present],
        n_train=sizes["n_train"][present],
        n_test=sizes["n_test"][present],
        metric=chosen,
        higher_is_better=higher_is_better,
        form="long",
    )


def _choose_metric(
    columns: Mapping[str, Sequence[Any]], found: dict[str, str], metric: str | None
) -> tuple[str, Any]:
    """Return the metric to read, and which rows hold it."""
    rows = len(next(iter(columns.values())))
    if "metric" in found:
        kinds = [str(cell).strip() for cell in columns[found["metric"]]]
        known = list(dict.fromkeys(kinds))
        if metric is None and len(known) > 1:
            raise InputError(
                f"The table has several metrics: {', '.join(known)}.",
                f"Choose one, for instance metric={known[0]!r} (--metric {known[0]}).",
            )
        wanted = metric or known[0]
        if wanted not in known:
            raise InputError(
                f"There is no metric {wanted!r} in the table.", f"It has {', '.join(known)}."
            )
        return wanted, np.array([kind == wanted for kind in kinds])
    if metric is not None:
        return metric, np.ones(rows, dtype=bool)
    if "value" in found:
        return str(found["value"]), np.ones(rows, dtype=bool)
    known = [name for name in columns if direction(str(name)) is not None]
    if len(known) == 1:
        return str(known[0]), np.ones(rows, dtype=bool)
    raise InputError(
        "A long table needs one column of scores"
        + (f"; it has {', '.join(map(str, known))}." if known else "."),
        "Name it value or score, or say which metric to read.",
    )


def _build(
    datasets: list[str],
    learners: list[str],
    dataset: Any,
    learner: Any,
    value: Floats,
    *,
    metric: str,
    higher_is_better: bool | None,
    form: str,
    run: Any = None,
    fold: Any = None,
    n_train: Any = None,
    n_test: Any = None,
) -> Scores:
    if not value.size:
        raise InputError("The table has no scores at all.", "Every cell is empty or missing.")
    size = len(value)
    notes = []
    better = direction(metric)
    if higher_is_better is None:
        higher_is_better = True if better is None else better
        if better is False:
            detail = f"{metric} is a loss: lower is better."
            notes.append(Note("direction", "Lower is better", detail))
        elif better is None:
            what = (
                "The table does not name its metric"
                if metric in ("score", "value", "result")
                else f"{metric!r} is not a metric known here"
            )
            detail = f"{what}; higher is taken to be better. If not, say --lower-is-better."
            notes.append(Note("direction-assumed", "Higher is taken to be better", detail))
    elif better is not None and better != higher_is_better and form != "ranks":
        usual = "higher" if better else "lower"
        detail = f"For {metric} {usual} is usually better; you said the opposite."
        notes.append(Note("direction-unusual", "An unusual direction", detail, "warning"))
    none = np.full(size, -1)
    unknown = np.full(size, np.nan)
    return Scores(
        datasets=tuple(datasets),
        learners=tuple(learners),
        dataset=np.asarray(dataset, dtype=np.intp),
        learner=np.asarray(learner, dtype=np.intp),
        run=np.asarray(none if run is None else run, dtype=np.intp),
        fold=np.asarray(none if fold is None else fold, dtype=np.intp),
        n_train=np.asarray(unknown if n_train is None else n_train, dtype=np.float64),
        n_test=np.asarray(unknown if n_test is None else n_test, dtype=np.float64),
        value=value,
        metric=metric,
        higher_is_better=bool(higher_is_better),
        form=form,
        notes=tuple(notes),
    )


def _numbers(name: str, cells: Sequence[Any]) -> Floats:
    """Return a column of numbers, NaN where a cell is missing."""
    out = np.empty(len(cells))
    for i, cell in enumerate(cells):
        if cell is None or (isinstance(cell, str) and cell.strip().lower() in MISSING):
            out[i] = np.nan
            continue
        try:
            out[i] = float(cell)
        except (TypeError, ValueError):
            raise InputError(
                f"Column {str(name)!r}, row {i + 1}: {cell!r} is not a number.",
                "Scores must be numbers; leave a cell empty where a score is missing.",
            ) from None
        if np.isinf(out[i]):
            raise InputError(
                f"Column {str(name)!r}, row {i + 1}: a score must be finite.",
                "Leave the cell empty where a score is missing.",
            )
    return out


def _all_numbers(cells: Sequence[Any]) -> bool:
    try:
        _numbers("", cells)
    except InputError:
        return False
    return True


def _labels(cells: Sequence[Any]) -> Any:
    """Number the distinct labels of runs or folds in the order of their first appearance."""
    order = {label: i for i, label in enumerate(dict.fromkeys(str(cell).strip() for cell in cells))}
    return np.array([order[str(cell).strip()] for cell in cells])


def _refuse_twice(what: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(
                f"The {what} {name!r} stands in the table twice.",
                "Use a long table with a column run for repetitions, or rename one.",
            )
        seen.add(name)


def _refuse_repeated_rows(
    dataset: Any, learner: Any, run: Any, fold: Any, datasets: list[str], learners: list[str]
) -> None:
    if (run < 0).all() and (fold < 0).all():
        return  # several values in a cell are repetitions; they are averaged
    rows = np.column_stack([dataset, learner, run, fold])
    _, first, count = np.unique(rows, axis=0, return_index=True, return_counts=True)
    if (count > 1).any():
        place = first[np.flatnonzero(count > 1)[0]]
        raise InputError(
            f"{learners[learner[place]]!r} has two scores on {datasets[dataset[place]]!r} in the "
            "same run and fold.",
            "Number the runs and folds so that each score stands alone.",
        )
