"""Recognise class labels, which are not scores, and select columns of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.options import Reading
from twofold.result import Note
from twofold.scores.name_hints import INDEX, SURE_TRUTH, find_roles, plain, truth_column
from twofold.scores.read_options import name_all, resolve
from twofold.scores.score_cells import list_distinct, mostly_numbers
from twofold.scores.score_scale import are_whole, sample_numbers
from twofold.tables import RawTable
from twofold.tables.cells import is_blank, is_missing
from twofold.tables.raw_table import Columns

MOST_CLASSES = 20
FEWEST_EXAMPLES = 10
"""Zeros and ones that make the accuracy on a data set; with fewer, each was one example."""

RIGHT = frozenset("1 1.0 1. true right correct yes t pass passed hit 100% 100 100.0".split())
WRONG = frozenset("0 0.0 0. false wrong incorrect no f fail failed miss 0%".split())
RIGHT_WRONG = RIGHT | WRONG
"""Words for right and wrong answers, in small letters."""


def refuse_labels(raw: RawTable, names: list[str], label: str | None, options: Reading) -> None:
    """Refuse predictions, where scores are read, and those that no metric or truth goes with."""
    truth = truth_column([*names, *([label] if label else [])])
    if holds_predictions(raw, options):
        raise InputError(
            f"Column {truth!r} and the others hold class labels, not scores.",
            "`compare` takes them as predictions; if they are scores, use `only=[A, B]`.",
        )
    if truth in names and _is_sure(truth):
        raise InputError(
            f"Column {truth!r} looks like true values, and the others like predictions.",
            "Name the metric: `metric='rmse'` for numbers, `metric='auc'` for probabilities. If it "
            f"is a learner, use `only={name_all(names)}`.",
        )
    if truth is None and any(hold_right_wrong(raw.columns[name]) for name in names):
        refuse_right_wrong(raw, names)
    if all(not mostly_numbers(cells) and _few_words(cells) for cells in raw.columns.values()) or (
        len(names) > 1
        and all(not mostly_numbers(cells) and _few_words(cells)
                for cells in map(raw.columns.__getitem__, names))
    ):  # fmt: skip
        raise InputError(
            "The columns hold words, not scores.",
            "If they are predictions, name the column of true labels: `truth=NAME`.",
        )


def holds_predictions(raw: RawTable, options: Reading) -> bool:
    """Tell whether a table holds true labels and predictions of them, with a column for each.

    One column is called truth or the like, and the others hold words or whole numbers that it holds
    too; or it can be called nothing else, and the caller names a metric of numbers.
    """
    says_otherwise = (options.only, options.ranks, options.transpose, options.rows)
    truth = truth_column(raw.columns)
    if any(says_otherwise) or options.asks_for_items or truth is None or not raw.size:
        return False
    if set(find_roles(raw.columns)) & {"learner", "metric", "value", "run", "fold"}:
        return False
    gone = {part for text in options.drop for part in (text, *map(str.strip, text.split(",")))}
    models = [n for n in raw.columns if n != truth and n not in gone]
    models = [n for n in models if not INDEX.fullmatch(plain(n))]
    labels = {_normalise(cell) for cell in raw.columns[truth] if not is_missing(cell)}
    if models and _few_whole(raw.columns[truth]):
        found = [{_normalise(cell) for cell in raw.columns[name] if not is_missing(cell)}
                 for name in models]  # fmt: skip
        if all(each <= labels for each in found):
            return True
    if models and not mostly_numbers(raw.columns[truth]):
        words = [[_normalise(cell) for cell in raw.columns[name]] for name in models]
        if all(labels & set(each) and _few_words(each) for each in words):
            return True
    numeric = bool(models) and all(mostly_numbers(raw.columns[name]) for name in models)
    return numeric and _is_sure(truth) and options.metric is not None


def _is_sure(truth: str | None) -> bool:
    """Tell whether a column can be called so only if it holds true values."""
    return truth is not None and plain(truth).replace(" ", "") in SURE_TRUTH


def refuse_right_wrong(raw: RawTable, names: list[str]) -> None:
    """Refuse columns of zeros and ones, or of right and wrong: each row is an example."""
    examples = [name for name in names if is_right_wrong(raw.columns[name])]
    rest = [n for n in names if n not in examples and mostly_numbers(raw.columns[n])]
    # Beside them may stand words and numbers of the examples, but no scores.
    if len(examples) >= 2 and all(are_whole(sample_numbers(raw.columns[name])) for name in rest):
        raise single_examples_error()


def single_examples_error() -> InputError:
    """Return the error for scores of single examples, which are not data sets."""
    return InputError(
        "The scores are only zeros and ones: right and wrong on single examples, not data sets.",
        "Compare them item by item, `items=True` (with true labels `predictions=True`); or give "
        "the share of right answers for each data set.",
    )


def are_single_examples(value: Any, dataset: Any, learner: Any) -> bool:
    """Tell whether scores that were read are those of single examples, taken for data sets or
    folds: nothing but zeros and ones, and not enough of them in a cell for a mean of one."""
    if not ((value == 0) | (value == 1)).all():
        return False
    count = np.unique(np.stack([dataset, learner]), axis=1, return_counts=True)[1]
    if dataset.max() == dataset.min():
        return bool(np.median(count) > 2 and value.min() < value.max())
    return bool(np.median(count) < FEWEST_EXAMPLES)


def is_right_wrong(cells: Sequence[Any]) -> bool:
    """Tell whether a column holds nothing but zeros and ones, or words for right and wrong."""
    # A sample tells nearly always that it is not so, and few cells differ where it is.
    return all(
        bool(seen) and seen <= RIGHT_WRONG
        for seen in (
            {str(cell).strip().lower() for cell in list_distinct(part) if not is_missing(cell)}
            for part in (cells[:20], cells)
        )
    )


def hold_right_wrong(cells: Sequence[Any]) -> bool:
    """Tell whether cells hold words for right and wrong."""
    return not mostly_numbers(cells) and is_right_wrong(cells)


def _few_whole(cells: Sequence[Any]) -> bool:
    try:
        values = [float(cell) for cell in cells if not is_missing(cell)]
    except (TypeError, ValueError, OverflowError):
        return False
    few = len(set(values)) <= min(MOST_CLASSES, max(2, len(values) - 1))
    return few and bool(values) and all(map(float.is_integer, values))


def _few_words(cells: Sequence[Any]) -> bool:
    words = [str(cell).strip() for cell in cells if not is_missing(cell)]
    return bool(words) and len(words) > 1 and not any(word[:1].isdigit() for word in words)


def select_predictions(raw: RawTable, options: Reading) -> tuple[Columns, list[Note]]:
    """Return the columns of true and predicted labels, written alike, and what to say."""
    names = list(raw.columns)
    gone = resolve(options.drop, names, "column")
    label = options.truth or truth_column(names)
    models = [name for name in names if name not in gone and name != label]
    if label in raw.columns:
        _refuse_numbers(raw.columns[label], label)
    notes = []
    if options.only is not None:
        models = resolve(options.only, models, "classifier")
    else:
        why = {name: _explain_rejection(raw, name, label) for name in models}
        gone = [name for name in models if why[name]]
        if len(models) == 1 and gone == models:
            raise InputError(
                f"Column {gone[0]!r} holds {why[gone[0]]}, not predictions.",
                "Give the classifier a column of labels, written as in the true ones.",
            )
        if gone and len(models) - len(gone) < 2:
            raise InputError(
                f"Column {gone[0]!r} holds {why[gone[0]]}, not predictions; comparing needs two.",
                "Give each classifier a column of labels, written as in the true ones, or say "
                "`metric='auc'` for scores; `only=A` asks about A alone.",
            )
        models = [name for name in models if name not in gone]
        if gone:
            reasons = "; ".join(f"{name!r} ({why[name]})" for name in gone[:6])
            detail = f"Not taken for classifiers: {reasons}. `only=[A, B]` says which are."
            notes.append(Note("left-out-columns", "Columns left out", detail, "warning"))
    chosen = [name for name in names if name in models or name == label]
    if options.only is not None:
        chosen = [name for name in names if name == label] + models
    return {name: read_labels(raw, name) for name in chosen}, notes


def _refuse_numbers(cells: Sequence[Any], name: str) -> None:
    """Refuse true values that are measured numbers, of which no prediction would be right."""
    values = {str(cell).strip() for cell in cells}
    if len(values) > MOST_CLASSES and mostly_numbers(cells) and not _few_whole(list(values)):
        numbers = [float(value) for value in values if not is_missing(value)]
        if not all(map(float.is_integer, numbers)):
            raise InputError(
                f"Column {name!r} holds {len(values)} different numbers, not classes.",
                "Compare predicted numbers by `metric='mae'`, 'rmse' or 'r2'.",
            )


def _explain_rejection(raw: RawTable, name: str, label: str | None) -> str:
    """Say what a column holds instead of predicted labels; nothing where it may hold them."""
    cells = raw.columns[name]
    if INDEX.fullmatch(plain(name)) and len(set(map(str, cells))) == len(cells):
        return "numbers of rows"
    if label is None or label not in raw.columns:
        return ""
    truth = {_normalise(cell) for cell in raw.columns[label]}
    labels = [_normalise(cell) for cell in cells]
    both = (truth | set(labels)) <= {"0", "1"}  # right and wrong, or two classes
    shared = sum(text in truth for text in labels)
    many = len(set(labels)) > 2 * len(truth) + 2 and 2 * shared < len(labels)
    return "other labels than the true ones" if not both and (many or not shared) else ""


def read_labels(raw: RawTable, name: str, what: str = "a label") -> list[str]:
    """Return a column of labels, written so that 1, 1.0 and "1" are the same class."""
    return [_read_label(raw, name, row, what) for row in range(raw.size)]


def _read_label(raw: RawTable, name: str, row: int, what: str) -> str:
    cell = raw.columns[name][row]
    if is_blank(cell):
        raise InputError(
            f"Column {name!r}, {raw.locate(row)}: {what} is missing.",
            "Give every example one in every column, or leave the example out.",
        )
    return _normalise(cell)


def _normalise(cell: Any) -> str:
    if isinstance(cell, bool):
        return str(cell)
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        return str(cell).strip()
    return str(int(number)) if number.is_integer() else str(cell).strip()
