"""Values in the JSON of other tools, checked as they are taken out: what is not there is told."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from twofold.errors import InputError
from twofold.provenance_record import record_file
from twofold.tables import read_bytes
from twofold.tables.json_values import load_json
from twofold.tables.table_limits import MOST_BYTES

AS_WRITTEN = "Check that the file is complete and was not edited."
LONGEST_LINE = 100_000_000
"""Bytes of one line that are read: a record of a single test item."""


def read_json(path: Path) -> Any:
    """Return what a JSON file holds."""
    return parse_bytes(read_bytes(path), str(path))


def parse_bytes(content: bytes, where: str) -> Any:
    """Return what some bytes of JSON hold."""
    try:
        return load_json(content, where)
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise describe_damage(where, error) from None


def describe_damage(where: str, error: Exception) -> InputError:
    """Return the error for JSON that cannot be parsed."""
    reason = error.msg if isinstance(error, json.JSONDecodeError) else "it is not in UTF-8"
    return InputError(f"{where} is damaged: {reason}.", "Write it anew, or leave the file out.")


def stream_records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield where it stands and what it holds, of each line of a file of records.

    Only one line at a time is in memory: prompts and answers may fill gigabytes.
    """
    size = 0
    with open(path, "rb") as file:
        number = 0
        while line := file.readline(LONGEST_LINE):
            number += 1
            where = f"{path}, line {number}"
            size += len(line)
            if len(line) == LONGEST_LINE or size > MOST_BYTES:
                raise InputError(
                    f"{where}: more than {min(LONGEST_LINE, MOST_BYTES):,} bytes in a line, or "
                    f"{MOST_BYTES:,} in the file.",
                    "Leave out what is not needed, or split it.",
                )
            if line.strip():
                yield where, check_record(parse_bytes(line, where), where)
    record_file(path)


def check_record(value: Any, where: str) -> dict[str, Any]:
    """Return a value that must be an object with names."""
    if not isinstance(value, dict):
        raise InputError(
            f"{where}: a record is expected, not {type(value).__name__}.",
            AS_WRITTEN,
        )
    return value


def take_record(record: dict[str, Any], name: str, where: str) -> dict[str, Any]:
    """Return the record that another one has under a name; an empty one where it has none."""
    value = record.get(name)
    return {} if value is None else check_record(value, f"{where}, {name!r}")


def take_list(record: dict[str, Any], name: str, where: str) -> list[Any]:
    """Return the list that a record has under a name; an empty one where it has none."""
    value = record.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise InputError(
            f"{where}: {name!r} should be a list.",
            AS_WRITTEN,
        )
    return value


def take_text(record: dict[str, Any], name: str, where: str) -> str:
    """Return the text that a record must have under a name."""
    value = record.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InputError(
            f"{where}: there is no {name!r}.",
            AS_WRITTEN,
        )
    return value


def to_score(value: Any, where: str) -> float | None:
    """Return a score, None where it is missing; refuse what is no number."""
    if value is None:
        return None
    if isinstance(value, bool | int | float):
        number = float(value)
        if math.isnan(number):
            return None
        if math.isfinite(number):
            return number
    raise InputError(
        f"{where}: {format_value(value)} is not a score.",
        AS_WRITTEN,
    )


def format_value(value: Any) -> str:
    """Return a value in a few letters."""
    text = repr(value) if not isinstance(value, dict | list) else json.dumps(value)
    return text if len(text) <= 60 else text[:59] + "…"


def take_item(record: dict[str, Any], name: str, where: str) -> str | int:
    """Return the name or number of an item."""
    value = record.get(name)
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise InputError(
        f"{where}: {name!r} should be a name or a number, not {format_value(value)}.",
        AS_WRITTEN,
    )


def name_value(value: Any) -> str | int | None:
    """Return what a value names, an item or a cluster; records and lists are written out."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
