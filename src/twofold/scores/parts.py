"""Which columns of a wide table say what its rows are: data sets, runs, folds, sizes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from twofold.scores.left_out import doubt_error, numbers_runs
from twofold.scores.name_hints import ROLES, SURE_LABELS, find_hint, plain
from twofold.scores.score_cells import mostly_numbers
from twofold.scores.score_scale import (
    ScoreScale,
    are_whole,
    count_rows,
    drop_missing,
    sample_numbers,
)
from twofold.tables import RawTable
from twofold.tables.cells import is_missing

LABELS = (*ROLES["dataset"], "name", "benchmark", "names")
"""Headers that name data sets; the last three in wide tables only, in long ones they may name
anything."""


def label_column(raw: RawTable, roles: dict[str, str], learners: Collection[str]) -> str | None:
    """Return the column that names the data sets: by its header, or the first of words."""
    if set(roles) == {"dataset"} and raw.rows is not None:
        return roles["dataset"]  # the table was turned
    by_word = {plain(name): name for name in reversed(raw.columns) if name not in learners}
    candidates = [by_word[word] for word in LABELS if word in by_word]
    words = [name for name in candidates if not mostly_numbers(raw.columns[name])]
    if words:
        return words[0]
    for name in candidates:
        if learners or _names_data_sets(raw, name):
            return name  # where learners were named, it is none of them
    other_roles = ("run", "fold", "n_train", "n_test", "metric")
    apart = {roles[role] for role in other_roles if role in roles} | set(learners)
    words = [
        name
        for name, cells in raw.columns.items()
        if name not in apart and not mostly_numbers(cells) and not _begin_with_digits(cells)
    ]
    if words:
        return next((n for n in words if len(set(map(str, raw.columns[n]))) == raw.size), words[0])
    first = next(iter(raw.columns))
    return None if first in apart or mostly_numbers(raw.columns[first]) else first


def _names_data_sets(raw: RawTable, name: str) -> bool:
    """Tell whether numbers under a header such as "task" are names, not scores of a learner."""
    values, scale = sample_numbers(raw.columns[name]), _scale(raw, [name])
    sure = plain(name) in SURE_LABELS
    if not are_whole(values):
        if sure or not scale.holds(values):
            raise doubt_error(name, "names of data sets", _numeric(raw))
        return False
    usual = sure and (scale.fractions > 0 or name == next(iter(raw.columns)))
    if usual or count_rows(values) or not scale.holds(values):
        return True
    raise doubt_error(name, "names of data sets", _numeric(raw))


def row_parts(
    raw: RawTable, roles: dict[str, str], taken: Collection[str | None], *, guess: bool
) -> dict[str, str]:
    """Return the columns of runs, folds and sizes, by role; their values must make sense.

    Nothing is doubtful where the learners were named: then there is nothing to ``guess``.
    """
    out: dict[str, str] = {}
    by_word = {plain(name): name for name in reversed(raw.columns) if name not in taken}
    for role in ("run", "fold"):
        names = (by_word[word] for word in ROLES[role] if word in by_word and role in roles)
        name = next((name for name in names if _numbers_rows(raw, name, guess)), None)
        if name is not None:
            out[role] = name
    sizes: dict[str, str] = {
        role: roles[role]
        for role in ("n_train", "n_test")
        if role in roles and roles[role] not in taken
    }
    if len(sizes) == 2 and _are_sizes(raw, sizes, guess):
        out |= sizes
    return out


def _numbers_rows(raw: RawTable, name: str, guess: bool) -> bool:
    """Tell whether a column numbers runs or folds; seeds may be any whole numbers."""
    if not guess or not mostly_numbers(raw.columns[name]):
        return True
    numbers = numbers_runs(sample_numbers(raw.columns[name]), _scale(raw, [name]))
    if numbers is None:
        raise doubt_error(name, "runs or folds", _numeric(raw))
    return numbers


def _are_sizes(raw: RawTable, sizes: dict[str, str], guess: bool) -> bool:
    """Tell whether two columns are sizes of training and test parts: whole, or shares of one."""
    train, test = (sample_numbers(raw.columns[name]) for name in sizes.values())
    scale = _scale(raw, sizes.values())
    both = drop_missing(train + test)
    whole = are_whole(train) and are_whole(test) and bool((both >= 2).all())
    shares = len(both) > 0 and bool((abs(both - 1) < 1e-6).all())
    if not guess or shares or (whole and not (scale.holds(train) and scale.holds(test))):
        return True
    raise doubt_error(next(iter(sizes.values())), "sizes", _numeric(raw))


def _scale(raw: RawTable, apart: Collection[str]) -> ScoreScale:
    """Return the scale of all columns of numbers that nothing speaks against."""
    words = {word for role in ROLES.values() for word in role}
    names = [
        name
        for name, cells in raw.columns.items()
        if name not in apart and plain(name) not in words and mostly_numbers(cells)
    ]
    undoubted = [name for name in names if find_hint(name, names) is None]
    return ScoreScale(sample_numbers(raw.columns[name]) for name in undoubted or names)


def _numeric(raw: RawTable) -> list[str]:
    return [name for name, cells in raw.columns.items() if mostly_numbers(cells)]


def _begin_with_digits(cells: Any) -> bool:
    """Tell whether cells such as 0.9/0.8 are unreadable scores rather than names."""
    texts = [str(cell).strip() for cell in cells[:50] if not is_missing(cell)]
    return bool(texts) and all(text[:1].isdigit() and "." in text for text in texts)
