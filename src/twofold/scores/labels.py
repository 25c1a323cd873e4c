"""Class labels are not scores: tables of predictions are recognised, and sent the right way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from twofold.errors import InputError
from twofold.result import Note
from twofold.scores.cells import is_blank, is_missing, mostly_numbers
from twofold.scores.names import INDEX, SURE_TRUTH, TRUTH, plain, truth_column
from twofold.scores.raw import Columns, RawTable, listed, resolve

MOST_CLASSES = 20
FEWEST_ROWS = 10
"""Rows from which a table of zeros and ones is taken for labels rather than scores."""


def refuse_labels(raw: RawTable, names: list[str], label: str | None) -> None:
    """Refuse a table of true labels and predictions that was given as one of scores."""
    numbers = {plain(name).replace(" ", ""): name for name in [*names, *([label] if label else [])]}
    truth = next((name for word, name in numbers.items() if word in TRUTH), None)
    others = [n for n in names if n != truth and not INDEX.fullmatch(plain(n))]
    if truth is not None and len(others) >= 1:
        if all(_few_whole(raw.columns[name]) for name in [truth, *others]):
            raise _sent(f"Column {truth!r} and the others hold class labels, not scores.")
        words = {str(cell).strip() for cell in raw.columns[truth]}
        if all(
            not mostly_numbers(raw.columns[name])
            and words & {str(cell).strip() for cell in raw.columns[name]}
            for name in others
        ):
            raise _sent(f"Column {truth!r} and the others hold class labels, not scores.")
        if truth in names and plain(truth).replace(" ", "") in SURE_TRUTH:
            raise InputError(
                f"Column {truth!r} looks like true values, and the others like predictions.",
                "For class labels say --predictions; for numbers compare their errors on folds or "
                f"data sets. If it is a learner, say --learners {','.join(names[:3])}.",
            )
    if all(not mostly_numbers(cells) and _few_words(cells) for cells in raw.columns.values()):
        raise _sent("The columns hold words, not scores.")
    if len(names) < 2:
        return
    if all(
        not mostly_numbers(raw.columns[name]) and _few_words(raw.columns[name]) for name in names
    ):
        raise _sent("The columns hold words, not scores.")
    if raw.size >= FEWEST_ROWS and len(others) >= 2 and _only_zero_one(raw, others):
        raise InputError(
            "The columns hold only zeros and ones: labels, or right and wrong, not scores.",
            "Add a column truth and say --predictions; for right and wrong it holds ones.",
        )


def _sent(rule: str) -> InputError:
    return InputError(rule, "Say --predictions (predictions=True) to compare predictions.")


def _only_zero_one(raw: RawTable, names: list[str]) -> bool:
    """Every column holds zeros and ones and nothing else."""
    # A sample tells nearly always that it is not so.
    return all(
        set(_values(raw.columns[name][:20]) or [2.0]) <= {0.0, 1.0} for name in names
    ) and all(set(_values(raw.columns[name]) or []) == {0.0, 1.0} for name in names)


def _few_whole(cells: Sequence[Any]) -> bool:
    values = _values(cells)
    return (
        values is not None
        and all(value.is_integer() for value in values)
        and len(set(values)) <= min(MOST_CLASSES, max(2, len(values) - 1))
    )


def _few_words(cells: Sequence[Any]) -> bool:
    words = [str(cell).strip() for cell in cells if not is_missing(cell)]
    return bool(words) and len(words) > 1 and not any(word[:1].isdigit() for word in words)


def _values(cells: Sequence[Any]) -> list[float] | None:
    """Return plain numbers, None where a cell is something else."""
    out = []
    for cell in cells:
        if is_missing(cell):
            continue
        try:
            out.append(float(cell))
        except (TypeError, ValueError):
            return None
    return out or None


def predictions_of(
    raw: RawTable,
    *,
    truth: str | None,
    drop: Iterable[str],
    only: Iterable[str] | None,
) -> tuple[Columns, list[Note]]:
    """Return the columns of true and predicted labels, written alike, and what to say."""
    names = list(raw.columns)
    gone = resolve(drop, names, "column")
    label = truth or truth_column(names)
    models = [name for name in names if name not in gone and name != label]
    notes = []
    if only is not None:
        models = resolve(only, models, "classifier")
    else:
        counts = [n for n in models if INDEX.fullmatch(plain(n)) and _all_differ(raw.columns[n])]
        if counts and len(models) - len(counts) >= 2:
            models = [name for name in models if name not in counts]
            detail = f"Not taken for classifiers: {listed(counts)} (numbers of rows)."
            notes.append(Note("left-out-columns", "Columns left out", detail))
    kept = [name for name in names if name in models or name == label]
    if only is not None:
        kept = [name for name in names if name == label] + models
    return {name: [_written(raw, name, i) for i in range(raw.size)] for name in kept}, notes


def _all_differ(cells: Sequence[Any]) -> bool:
    return len({str(cell) for cell in cells}) == len(cells)


def _written(raw: RawTable, name: str, row: int) -> str:
    """Write a label so that 1, 1.0 and "1" are the same class."""
    cell = raw.columns[name][row]
    if is_blank(cell):
        raise InputError(
            f"Column {name!r}, {raw.place(row)}: a label is missing.",
            "Give every example a label from every classifier, or leave the example out.",
        )
    if isinstance(cell, bool):
        return str(cell)
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return str(cell).strip()
    return str(int(number)) if number.is_integer() else str(cell).strip()
