"""Battles of two models: model_a, model_b and the winner of each, as arenas write them.

Each battle is an item on which one model scores 1 and the other 0, a tie gives both a half. Only
battles between the same two models can be compared so.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from twofold.errors import InputError
from twofold.options import Reading
from twofold.readers.column_tables import list_column_names, list_rows, read_columns, take_cell
from twofold.readers.long_rows import LongRows
from twofold.readers.reader import FileStart
from twofold.result import join_first
from twofold.tables import RawTable

TITLE = "battles of two models (model_a, model_b, winner)"

SIDES = (("model_a", "model_b"), ("left", "right"))
TIES = ("tie", "tie (bothbad)", "tie(bothbad)", "both_bad", "draw")
METRIC = "win"


def sniff(file: FileStart) -> bool:
    """Tell battles by the names of their columns."""
    return knows_columns(list_column_names(file))


def knows_columns(names: Collection[str]) -> bool:
    """Tell a table of battles by the names of its columns."""
    return "winner" in names and any(set(side) <= set(names) for side in SIDES)


def read(files: Sequence[Path], options: Reading) -> RawTable:
    """Return two rows for each battle, one for each model."""
    return convert(read_columns(files), options)


def convert(raw: RawTable, options: Reading) -> RawTable:
    """Return two rows for each battle of a table, one for each model."""
    a, b = next(side for side in SIDES if set(side) <= set(raw.columns))
    named = [n for n in (options.item, options.cluster) if n is not None and n in raw.columns]
    rows = LongRows(dict.fromkeys(named))
    models: dict[str, None] = {}
    for number, (where, cells) in enumerate(list_rows(raw), 1):
        pair = [take_cell(cells, side, where) for side in (a, b)]
        if pair[0] == pair[1]:
            raise InputError(f"{where}: {pair[0]!r} battles itself.", "Leave the row out.")
        models |= dict.fromkeys(pair)
        winner = take_cell(cells, "winner", where)
        if winner not in (a, b, *TIES, *pair):
            raise InputError(
                f"{where}: {winner!r} is no winner.", f"Write {a}, {b} or tie, or a model."
            )
        for side, model in zip((a, b), pair, strict=True):
            value = 0.5 if winner in TIES else float(winner in (side, model))
            extra = {name: cells[name] or None for name in named}
            rows.add(learner=model, item=number, metric=METRIC, value=value, **extra)
    if len(models) != 2:
        raise InputError(
            f"{len(models)} models battle: {join_first(list(models))}. Item by item two can be "
            "compared.",
            "Leave in the battles of two models; ratings of many are not made here.",
        )
    return rows.build("battles of two models", raw.notes, {METRIC: True})
