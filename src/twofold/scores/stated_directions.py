"""A long table may state which way is better, in a column of that name, as ours do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from twofold.errors import InputError
from twofold.scores.name_hints import find_roles, plain
from twofold.tables import RawTable

COLUMN = "higher_is_better"
WORDS: Mapping[str, bool] = {"true": True, "1": True, "yes": True, "false": False, "0": False,
                             "no": False}  # fmt: skip


def take_directions(raw: RawTable) -> RawTable:
    """Return a long table without the column that states directions, which are kept by metric."""
    roles = find_roles(raw.columns)
    column = next((name for name in raw.columns if plain(name) == plain(COLUMN)), None)
    if column is None or "learner" not in roles or "value" not in roles:
        return raw
    metrics = raw.columns[roles["metric"]] if "metric" in roles else [roles["value"]] * raw.size
    directions: dict[str, bool] = dict(raw.directions)
    for row, (metric, cell) in enumerate(zip(metrics, raw.columns[column], strict=True)):
        word = _read_word(cell)
        if word is None:
            raise InputError(
                f"Column {column!r}, {raw.locate(row)}: {str(cell)!r} is neither true nor false.",
                "Write true or false.",
            )
        if directions.setdefault(str(metric).strip(), word) != word:
            raise InputError(
                f"Column {column!r} says of {str(metric).strip()!r} both, true and false.",
                "Write one of them for each metric.",
            )
    columns = {name: cells for name, cells in raw.columns.items() if name != column}
    return replace(raw, columns=columns, directions=directions)


def _read_word(cell: Any) -> bool | None:
    return WORDS.get(str(cell).strip().lower().removesuffix(".0"))
