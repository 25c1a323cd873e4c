"""Columns beside the scores of a wide table: row numbers, sizes, spreads, times, summaries.

A name alone never decides. Where name and values agree that a column holds no scores it is left
out with a warning; where they disagree about it the table is refused with the way out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from twofold.errors import InputError
from twofold.result import Note
from twofold.scores.name_hints import Hint, find_hint, letters_in_order, plain
from twofold.scores.read_options import name_all
from twofold.scores.score_cells import mostly_numbers
from twofold.scores.score_scale import (
    ScoreScale,
    are_distinct,
    are_whole,
    count_from_start,
    count_rows,
    drop_missing,
    refuse_mixed_units,
    sample_numbers,
)
from twofold.scores.scores import Floats
from twofold.tables import RawTable, list_names
from twofold.tables.cells import is_missing, to_number

MANY = 8
"""Rows from which whole scores are no longer 1 … n by accident."""


def choose_learners(raw: RawTable, names: list[str]) -> tuple[list[str], str | None, list[Note]]:
    """Return the columns that hold scores of learners, and say which were left out and why.

    The second part is a column of numbers that names the rows, such as an identifier.
    """
    words = [name for name in names if not mostly_numbers(raw.columns[name])]
    _refuse_words_among_scores(raw, words)
    numbers = {n: sample_numbers(raw.columns[n]) for n in names if n not in words}
    hints = {name: find_hint(name, list(numbers)) for name in numbers}
    why: dict[str, list[str]] = {"words": words} if words else {}
    learners = []
    for name, hint in hints.items():
        if hint is None or _is_learner(name, hint, numbers, hints):
            learners.append(name)
        else:
            why.setdefault(hint.kind, []).append(name)
    notes = _refuse_strangers(learners, numbers)
    if len(learners) == 1 and words:
        _refuse_word(raw, words[0])
    if not learners or (why and len(learners) < 2):
        raise too_few_error(learners, [name for group in why.values() for name in group])
    counts = [n for n in why.get("row numbers", []) if are_distinct(numbers[n])]
    number = next((n for n in counts if not count_rows(numbers[n])), None)
    return learners, number, [*note_left_out_columns(why), *notes]


def note_left_out_columns(why: dict[str, list[str]]) -> list[Note]:
    """Say which columns were left out, by what they hold."""
    if not why:
        return []
    reasons = "; ".join(f"{list_names(group)} ({reason})" for reason, group in why.items())
    detail = f"Not taken for learners: {reasons}. `only=[A, B, C]` says which are."
    return [Note("left-out-columns", "Columns left out", detail, "warning")]


def too_few_error(learners: Sequence[str], gone: Sequence[str]) -> InputError:
    """Return the error for a table without learners, or with one that may not be the only one."""
    count = f"{len(learners)} column" if learners else "no column"
    if not gone:
        return InputError(
            f"The table has {count} of scores.",
            "Give each learner a column, or use columns dataset, learner, value.",
        )
    verb = "does" if len(gone) == 1 else "do"
    return InputError(
        f"The table has {count} of scores: {list_names(gone)} {verb} not look like one.",
        "Name the learners, `only=[A, B]`, or use columns dataset, learner, value.",
    )


def doubt_error(name: str, kind: str, names: Sequence[str]) -> InputError:
    """Return the error for a column that may be a learner or something else."""
    return InputError(
        f"Does column {name!r} hold {kind}, or the scores of a learner?",
        f"Leave it out with `drop={name!r}`, or say which are learners: `only={name_all(names)}`.",
    )


def _is_learner(
    name: str, hint: Hint, numbers: dict[str, Floats], hints: dict[str, Hint | None]
) -> bool:
    """Tell whether a column with a doubtful name holds scores; refuse where that is not clear."""
    undoubted = [numbers[n] for n, kind in hints.items() if n != name and kind is None]
    scale = ScoreScale(undoubted or [values for n, values in numbers.items() if n != name])
    verdict = _judge(name, hint, numbers, undoubted, scale)
    if verdict is None:
        raise doubt_error(name, hint.kind, list(numbers))
    return verdict


def _judge(
    name: str, hint: Hint, numbers: dict[str, Floats], undoubted: list[Floats], scale: ScoreScale
) -> bool | None:
    """Tell whether the values of a column are scores, None where they may be."""
    values = numbers[name]
    there = drop_missing(values)
    match hint.kind:
        case "runs or folds":
            runs = numbers_runs(values, scale)
            return None if runs is None else not runs
        case "row numbers" | "sizes":
            return _judge_whole(hint, values, scale, numbers)
        case "spreads" if hint.partner is not None:
            if not _smaller(values, numbers[hint.partner]):
                return None if hint.sure else True  # "ResNet SE" is a learner
            agrees = True
        case "times":
            sure = hint.sure or hint.partner is not None or scale.excludes(values)
            agrees = sure and bool((there >= 0).all())
        case "summaries":
            no_rank = "rank" in plain(name) and bool((there < 1).any())
            agrees = (hint.sure and not no_rank) or sums_up(values, undoubted)
        case "differences":
            pairs = [(a, b) for i, a in enumerate(undoubted) for b in undoubted[:i]]
            agrees = any(_same(values, a - b) or _same(values, b - a) for a, b in pairs)
            if not agrees and scale.lies_among(values):
                return True  # "delta" beside alpha, beta and gamma
        case "p values":
            agrees = bool(((there >= 0) & (there <= 1)).all())
        case _:
            agrees = False
    return False if agrees else None


def numbers_runs(values: Floats, scale: ScoreScale) -> bool | None:
    """Tell whether numbers are those of runs or folds (seeds may be any), or scores; None where
    they may be either."""
    if not are_whole(values):
        return False if scale.holds(values) else None
    if count_from_start(values) or scale.excludes(values) or not scale.holds(values):
        return True
    return None


def _judge_whole(
    hint: Hint, values: Floats, scale: ScoreScale, numbers: dict[str, Floats]
) -> bool | None:
    """Judge a column whose name says row numbers or sizes, which are whole."""
    if not are_whole(values):
        return None if hint.sure or not scale.holds(values) else True
    enough = len(values) >= MANY or (len(values) > 1 and scale.fractions > 0)
    if hint.kind == "row numbers" and enough and count_rows(values):
        return False
    if hint.sure and (hint.kind == "sizes" or (are_distinct(values) and not scale.holds(values))):
        return False
    if scale.excludes(values):
        return False
    alike = hint.kind == "sizes" and letters_in_order(list(numbers)) and scale.holds(values)
    return True if alike else None  # A, B, C, D with scores alike


def sums_up(values: Floats, columns: Sequence[Floats]) -> bool:
    """Tell whether values are the mean, median, sum, least or largest of the others, rounded."""
    if len(columns) < 2 or not len(drop_missing(values)):
        return False
    table = np.array(columns)
    rows = np.isfinite(values) & np.isfinite(table).any(axis=0)
    table = table[:, rows]
    if not table.size:
        return False
    ways = (np.nanmean, np.nanmedian, np.nansum, np.nanmin, np.nanmax, np.nanstd, _deviation)
    with np.errstate(over="ignore", invalid="ignore"):  # of numbers near the largest there are
        return any(_same(values[rows], way(table, axis=0)) for way in ways)


def _deviation(table: Floats, axis: int) -> Any:
    count = np.isfinite(table).sum(axis=axis)
    return np.nanstd(table, axis=axis) * np.sqrt(count / np.maximum(count - 1, 1))


def _same(values: Floats, expected: Any) -> bool:
    """Tell whether numbers agree but for the rounding that a paper's table has."""
    both = np.isfinite(values) & np.isfinite(expected)
    if not both.any():
        return False
    written = values[both]
    digits = next((d for d in range(6) if np.allclose(written, np.round(written, d), atol=1e-9)), 6)
    return bool(np.all(np.abs(written - expected[both]) <= 0.51 * 10.0**-digits + 1e-9))


def _refuse_strangers(learners: list[str], numbers: dict[str, Floats]) -> list[Note]:
    """Refuse whole numbers that cannot be scores among fractions that are, whatever their name;
    warn of fractions on another scale, such as the imbalance of classes beside accuracies."""
    tests: tuple[Callable[[Floats], bool], ...] = (
        lambda values: bool(abs(values).max(initial=0) <= 1),
        lambda values: bool(abs(values).max(initial=0) <= 100),
        lambda values: not are_whole(values),
    )
    groups = ([n for n in learners if test(drop_missing(numbers[n]))] for test in tests)
    usual = next((g for g in groups if len(g) >= 2 and 2 * len(g) >= len(learners)), learners)
    scale = ScoreScale(numbers[name] for name in usual)
    odd = [n for n in learners if n not in usual and scale.excludes(numbers[n])]
    for name in odd:
        if are_whole(numbers[name]):
            refuse_mixed_units(learners, [numbers[each] for each in learners])
            raise doubt_error(name, "something else", learners)
    if not odd:
        return []
    detail = (
        f"{list_names(odd)} lies on another scale than the other columns, which hold "
        f"{scale.low:g} to {scale.high:g}. If it is no learner, say `drop={odd[0]!r}`."
    )
    return [Note("odd-scale", "A column on another scale", detail, "warning")]


def _refuse_words_among_scores(raw: RawTable, words: list[str]) -> None:
    """Refuse a column of scores in which most cells are words: a learner that often failed."""
    for name in words:
        seen: set[str] = set()
        for row, cell in enumerate(raw.columns[name]):
            if isinstance(cell, str) and (cell[:1].isalpha() or cell in seen):
                continue  # no number begins with a letter
            if isinstance(cell, bool | np.bool_) or is_missing(cell):
                continue
            seen.add(str(cell))
            value = to_number(cell)
            if value is None and isinstance(cell, str) and cell.strip()[:1].isdigit():
                _refuse_unreadable(raw, name, row)
            if value is not None and np.isfinite(value):
                raise InputError(
                    f"Column {name!r} holds words, but a number in {raw.locate(row)}.",
                    f"Leave cells empty where a score is missing, or say `drop={name!r}`.",
                )


def _refuse_word(raw: RawTable, name: str) -> None:
    """Name the first cell that is no number, of a column without which there is one learner."""
    row, cell = next((i, c) for i, c in enumerate(raw.columns[name]) if not is_missing(c))
    raise InputError(
        f"Column {name!r}, {raw.locate(row)}: {str(cell)[:30]!r} is not a number.",
        "Comparing needs two columns of scores; leave a cell empty where a score is missing.",
    )


def _refuse_unreadable(raw: RawTable, name: str, row: int) -> None:
    """Refuse cells such as 0.9/0.8, where most of the column begins with digits."""
    texts = [str(cell).strip() for cell in raw.columns[name] if not is_missing(cell)][:50]
    if 2 * sum(text[:1].isdigit() for text in texts) > len(texts):
        raise InputError(
            f"Column {name!r}, {raw.locate(row)}: {str(raw.columns[name][row])[:30]!r} is not a "
            "number.",
            "Scores must be numbers, empty where one is missing; if it holds none, say "
            f"`drop={name!r}`.",
        )


def _smaller(spread: Floats, scores: Floats) -> bool:
    """Tell whether values may be the spreads of scores: not negative, and much smaller."""
    low, high = drop_missing(spread), drop_missing(scores)
    if not len(low) or not len(high):
        return True
    return bool((low >= 0).all() and np.median(low) < np.median(np.abs(high)) / 2)
