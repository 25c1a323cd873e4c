"""From JSON to values: one text, or a record on each line."""

from __future__ import annotations

import json
import sys
from typing import Any

from twofold.errors import InputError


def parse_json(text: str, where: str) -> Any:
    """Return what a JSON text holds, or each of its lines where every line is a record."""
    try:
        return load_json(text, where)
    except json.JSONDecodeError as error:
        lines = [(i, line) for i, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) == 1 or not lines[0][1].strip().endswith("}"):
            raise InputError(
                f"{where} looks like JSON but is not: line {error.lineno}, {error.msg}.",
                "Write a list of records, or a dict of columns.",
            ) from None
    records = []
    for number, line in lines:
        try:
            records.append(load_json(line, where))
        except json.JSONDecodeError as error:
            raise InputError(
                f"{where}, line {number} is not a JSON record: {error.msg}.",
                "Write one record on each line.",
            ) from None
    return records


def load_json(text: str | bytes, where: str) -> Any:
    """Return what a JSON text holds; a name that stands twice in one record is refused."""
    try:
        return json.loads(text, object_pairs_hook=_no_doubles, parse_int=_parse_whole)
    except RecursionError:
        raise InputError(f"{where} is nested too deeply.", "Write a list of records.") from None


def _parse_whole(digits: str) -> int | float:
    """Return a whole number; one of very many digits is infinite, which no score may be."""
    return int(digits) if len(digits) <= sys.float_info.max_10_exp else float(digits)


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"The name {twice!r} stands twice in one record.", "Rename one.")
    return record
