"""TOML as text: values written down, and the line on which a key stands."""

from __future__ import annotations

import json
import math
import re
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_TABLE = re.compile(r"\s*\[([^\[\]]*)\]\s*(#.*)?")
_KEY = re.compile(r"\s*(?P<quote>[\"']?)(?P<key>[^\"'=#\[\]]+?)(?P=quote)\s*=")


def format_value(value: Any) -> str:
    """Return a text, number, truth value or list as TOML has it.

    >>> format_value(["a", 0.5, True])
    '["a", 0.5, true]'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(format_value, value))}]"
    # JSON's escapes are TOML's too, but for the sign that deletes.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def format_key(key: str) -> str:
    """Return a key, in quotes where it needs them."""
    return key if _BARE.fullmatch(key) else format_value(key)


def find_line(text: str, table: str, key: str) -> int | None:
    """Return the line on which a key of a table stands, or the table itself where it is the key.

    >>> find_line("learners = []\\n[question]\\nalpha = 0.1", "question", "alpha")
    3
    """
    here = ""
    for number, line in enumerate(text.splitlines(), start=1):
        header = _TABLE.fullmatch(line)
        if header:
            here = header[1].strip().strip("\"'")
            if not table and here.partition(".")[0] == key:
                return number
        elif here == table:
            match = _KEY.match(line)
            if match and match["key"] == key:
                return number
    return None
