"""Long tables: a row for each score, with columns for learner, data set, run and fold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.errors import InputError, suggest
from twofold.options import ALL_METRICS, Reading
from twofold.result import Note
from twofold.scores.build_scores import ONLY_DATA_SET, Rows
from twofold.scores.labels import hold_right_wrong, single_examples_error
from twofold.scores.metrics import direction, without_averaging
from twofold.scores.name_hints import INDEX, find_hint, is_summary_row, is_sure_summary, plain
from twofold.scores.read_options import resolve
from twofold.scores.score_cells import (
    CellReader,
    all_numbers,
    as_name,
    distinct,
    mostly_numbers,
    number_labels,
    read_parts,
)
from twofold.scores.score_scale import (
    ScoreScale,
    are_whole,
    count_from_start,
    drop_missing,
    sample_numbers,
)
from twofold.tables import RawTable, list_names
from twofold.tables.cells import is_blank, is_missing

HOW_TO_HAVE_ALL = "`metric=NAME` chooses one, `metric='all'` answers by each."

LABELLED = (("learner", "learners"), ("dataset", "data sets"), ("run", "runs"), ("fold", "folds"))


def read_long(raw: RawTable, roles: dict[str, str], options: Reading) -> Rows:
    """Return the scores of a long table."""
    chosen, column, rows, metrics, notes = choose_metric(raw, roles, options.metric)
    _refuse_scores_as_names(raw, roles, column)
    if hold_right_wrong(raw.columns[column]):
        raise single_examples_error()
    learner_names = _names(raw, roles["learner"], "learner", rows)
    dataset_names = [ONLY_DATA_SET] * len(rows)
    if "dataset" in roles:
        dataset_names = _names(raw, roles["dataset"], "data set", rows)
    keep, more = _select_rows(learner_names, dataset_names, options)
    notes += more
    if keep is not None:
        rows = [rows[i] for i in keep]
        learner_names = [learner_names[i] for i in keep]
        dataset_names = [dataset_names[i] for i in keep]
    reader = CellReader(raw)
    values = reader.numbers(column, rows)
    notes += reader.notes()
    dataset, datasets = _number_names(dataset_names)
    learner, learners = _number_names(learner_names)
    if options.only is not None:
        order = resolve(options.only, learners, "learner")
        learner = np.array([order.index(name) for name in learners])[learner]
        learners = order
    if len(learners) == 1 and options.only is None:
        _refuse_lonely(raw, roles["learner"], learners[0], chosen)
    run, fold, n_train, n_test = read_parts(raw, roles, rows)
    unused = [n for n in raw.columns if n not in {*roles.values(), column, *metrics}]
    unused = [n for n in unused if not all(map(is_missing, raw.columns[n]))]
    refuse_mixed_conditions(raw, rows, unused, (dataset, learner, run, fold), datasets)
    notes += note_unused(unused)
    refuse_repeated_rows(dataset, learner, run, fold, datasets, learners)
    description = f"a long table with scores in column {column!r}"
    return Rows(
        datasets, learners, dataset, learner, values, chosen, "long", description,
        run, fold, n_train, n_test, metrics, notes,
    )  # fmt: skip


def _refuse_lonely(raw: RawTable, column: str, learner: str, metric: str) -> None:
    """Refuse one learner where the table has others, which have no scores here."""
    names = {as_name(cell) for cell in raw.columns[column] if not is_missing(cell)}
    if len(names) > 1:
        raise InputError(
            f"Of {len(names)} learners in the table {learner!r} alone has scores by {metric}; "
            "comparing needs two.",
            f"Add the scores of another one, or ask about it alone: `only={learner!r}`.",
        )


Choice = tuple[str, str, list[int], tuple[str, ...], list[Note]]
"""The metric, the column that holds it, its rows, all metrics, and what to say of them."""


def choose_metric(raw: RawTable, roles: dict[str, str], metric: str | None) -> Choice:
    """Return the metric, the column that holds it, its rows, all metrics, and what to say."""
    every = list(range(raw.size))
    if "metric" in roles:
        value = roles.get("value") or _only_numbers(raw, roles)
        kinds = [str(cell).strip() for cell in raw.columns[roles["metric"]]]
        available = list(dict.fromkeys(kinds))
        chosen, notes = _choice(available, metric)
        return chosen, value, [i for i in every if kinds[i] == chosen], tuple(available), notes
    free = [name for name in raw.columns if name not in roles.values()]
    measures = [name for name in free if _is_measure(name)]
    if metric == ALL_METRICS and _same(metric, list(raw.columns)) is None:
        return (*_choose_column(raw, roles, measures)[:4], [])
    if metric is not None:
        exact = metric if metric in raw.columns else _same(metric, list(raw.columns))
        if exact is not None:
            seen = tuple(measures) if exact in measures else (*measures, exact)
            return exact, exact, every, seen, []
        if "value" in roles:
            return metric, roles["value"], every, (metric,), []
        raise InputError(
            f"There is no metric {metric!r} in the table.",
            suggest(metric, raw.columns, f"It has {', '.join(measures or raw.columns)}."),
        )
    return _choose_column(raw, roles, measures)


def _choose_column(raw: RawTable, roles: dict[str, str], measures: list[str]) -> Choice:
    """Return the metric of a table that has a column for each, none of which was named."""
    every = list(range(raw.size))
    if "value" in roles:
        name = roles["value"]
        if not measures:
            return name, name, every, (), []
        detail = f"{name} was taken. Also there: {', '.join(measures)}. {HOW_TO_HAVE_ALL}"
        return name, name, every, (name, *measures), [_metric_chosen(detail)]
    if measures:
        chosen, notes = _choice(measures, None)
        return chosen, chosen, every, tuple(measures), notes
    name = _only_numbers(raw, roles)
    return name, name, every, (name,), []


def _choice(available: list[str], metric: str | None) -> tuple[str, list[Note]]:
    if metric == ALL_METRICS and metric not in available:
        return available[0], []
    if metric is not None:
        chosen = metric if metric in available else _same(metric, available)
        if chosen is None:
            raise InputError(
                f"There is no metric {metric!r} in the table.",
                suggest(metric, available, f"It has {', '.join(available)}."),
            )
        return chosen, []
    if len(available) == 1:
        return available[0], []
    first = next((m for m in available if _is_measure(m)), None)
    if first is None:
        raise InputError(
            f"The table has several metrics: {', '.join(available)}.",
            f"Choose one, for instance `metric={available[0]!r}`, or `metric='all'`.",
        )
    alternatives = ", ".join(name for name in available if name != first)
    detail = f"{first} was taken, the first one known here. Also there: {alternatives}. "
    detail += HOW_TO_HAVE_ALL
    return first, [_metric_chosen(detail)]


def _metric_chosen(detail: str) -> Note:
    return Note("metric-chosen", "One of several metrics", detail, "warning")


def _same(metric: str, available: Sequence[str]) -> str | None:
    for shorten in (str, without_averaging):
        same = [name for name in available if plain(shorten(name)) == plain(metric)]
        if same:
            return same[0]
    return None


def _is_measure(name: str) -> bool:
    """Tell whether a name is that of a known metric, and not of a time."""
    return direction(name) is not None and not _hints_at(name, "times")


def _hints_at(name: str, *kinds: str) -> bool:
    hint = find_hint(name, [])
    return hint is not None and hint.kind in kinds


def _only_numbers(raw: RawTable, roles: dict[str, str]) -> str:
    """Return the one column of numbers that has no other part to play."""
    free = [name for name in raw.columns if name not in roles.values()]
    left = [name for name in free if mostly_numbers(raw.columns[name])
            and not _hints_at(name, "sizes", "row numbers")]  # fmt: skip
    if len(left) == 1:
        return left[0]
    raise InputError(
        "A long table needs one column of scores"
        + (f"; it has {', '.join(left)}." if left else "."),
        "Name it value or score, or say which metric to read.",
    )


def _names(raw: RawTable, column: str, kind: str, rows: list[int]) -> list[str]:
    cells = distinct([raw.columns[column][row] for row in rows])
    names = {}
    for cell in dict.fromkeys(cells):  # there are few names and many rows
        if is_blank(cell):
            first = next(row for row, text in zip(rows, cells, strict=True) if is_blank(text))
            raise InputError(
                f"Column {column!r}, {raw.locate(first)}: the {kind} has no name.",
                "Fill every cell of this column; cells must not be merged.",
            )
        names[cell] = as_name(cell)
    return [names[cell] for cell in cells]


def _select_rows(
    learners: list[str], datasets: list[str], options: Reading
) -> tuple[list[int] | None, list[Note]]:
    """Return which rows to keep, None for all, and what to say about the others."""
    available = list(dict.fromkeys(learners))
    dataset_names = list(dict.fromkeys(datasets))
    gone = set(resolve(options.drop, [*available, *dataset_names], "learner or data set"))
    sums = [name for name in dataset_names if is_summary_row(name) and name not in gone]
    notes = []
    if sums and len(sums) < len(dataset_names):
        for name in sums:
            if not is_sure_summary(name):
                raise doubtful_row_error(name)
        gone |= set(sums)
        notes.append(note_left_out_rows(sums))
    only = None if options.only is None else set(resolve(options.only, available, "learner"))
    if not gone and only is None:
        return None, notes
    keep = [
        i
        for i, (learner, dataset) in enumerate(zip(learners, datasets, strict=True))
        if learner not in gone and dataset not in gone and (only is None or learner in only)
    ]
    if not keep:
        raise InputError("No scores are left.", "Drop fewer learners or data sets.")
    return keep, notes


def note_left_out_rows(names: list[str]) -> Note:
    """Say that rows which sum up the others were left out."""
    detail = (
        f"{list_names(names)}: taken for a summary of the others, not for a data set. Rename a row "
        "to keep it."
    )
    return Note("left-out-rows", "Rows left out", detail, "warning")


def doubtful_row_error(name: str) -> InputError:
    """Return the error for a row that may be a data set or a summary of the others."""
    return InputError(
        f"Is {name!r} a data set, or does it sum up the others?",
        f"Leave it out with `drop={name!r}`, or give the data set another name.",
    )


def note_unused(names: list[str]) -> list[Note]:
    """Say which columns of a long table play no part."""
    if not names:
        return []
    detail = (
        f"Not used, for no part of a comparison: {list_names(names)}. `metric=NAME` reads another."
    )
    return [Note("left-out-columns", "Columns left out", detail, "warning")]


def _refuse_scores_as_names(raw: RawTable, roles: dict[str, str], column: str) -> None:
    """Refuse fractions as names of learners or data sets: the table is no long one."""
    for role, kind in LABELLED:
        if role not in roles or not all_numbers(raw.columns[roles[role]]):
            continue
        values = sample_numbers(raw.columns[roles[role]])
        scores = sample_numbers(raw.columns[column])
        same = not count_from_start(values) and ScoreScale([scores]).holds(values)
        # In a long table learners come again with each data set.
        alone = len(set(map(str, raw.columns[roles["learner"]]))) == raw.size
        alone = alone and len(np.unique(drop_missing(values))) > 1
        if not are_whole(values) or (same if role == "learner" else alone):
            raise InputError(
                f"Column {roles[role]!r} should name {kind}, but holds numbers like scores.",
                "If columns are learners, name them, `only=[A, B]`; if they are data sets, say "
                "`transpose=True`.",
            )


def refuse_mixed_conditions(
    raw: RawTable, rows: list[int], unused: list[str], keys: tuple[Any, ...], datasets: list[str]
) -> None:
    """Refuse rows that only a column which is not understood tells apart: other conditions."""
    group = np.unique(np.stack(keys), axis=1, return_inverse=True)[1].ravel()
    if len(np.unique(group)) == len(group):
        return
    for name in unused:
        if INDEX.fullmatch(plain(name)) or _hints_at(name, "times"):
            continue
        cells = raw.columns[name]
        if mostly_numbers(cells) and not are_whole(sample_numbers(cells)):
            continue  # another measurement
        label = number_labels(cells, rows)
        if len(np.unique(label)) == len(label):
            continue  # it names every single row
        if len(np.unique(np.stack([group, label]), axis=1).T) == len(group):
            raise InputError(
                f"Only column {name!r} tells apart scores of one learner on "
                f"{datasets[keys[0][0]]!r}.",
                f"Call it run or fold if it counts repetitions; say `drop={name!r}` to average "
                "over it; or compare one of its values at a time.",
            )


def _number_names(names: list[str]) -> tuple[Any, list[str]]:
    """Return the index of each name, and the names in the order of their first appearance."""
    order = {name: i for i, name in enumerate(dict.fromkeys(names))}
    return np.array([order[name] for name in names], dtype=np.intp), list(order)


def refuse_repeated_rows(
    dataset: Any, learner: Any, run: Any, fold: Any, datasets: list[str], learners: list[str]
) -> None:
    """Refuse two scores of one learner in the same run and fold."""
    if (run < 0).all() and (fold < 0).all():
        return  # several values in a cell are repetitions; they are averaged
    key = np.asarray(dataset, dtype=np.int64)
    for part in (learner, run + 1, fold + 1):
        key = key * (int(np.max(part)) + 1) + part
    order = np.argsort(key, kind="stable")
    twice = np.flatnonzero(key[order][1:] == key[order][:-1])
    if len(twice):
        row = order[twice[0]]
        raise InputError(
            f"{learners[learner[row]]!r} has two scores on {datasets[dataset[row]]!r} in the "
            "same run and fold.",
            "Number the runs and folds so that each score stands alone.",
        )
